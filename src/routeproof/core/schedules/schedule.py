"""A schedule as data: what each step of each thread block of each rank does.

The words are MSCCL's: a rank runs thread blocks side by side, a thread block runs its steps in order, and a connection
leads from a thread block of one rank to one of another on a channel, first in, first out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from .collectives import COLLECTIVES, INPUT, OUTPUT, SCRATCH, Collective

BUFFERS: Mapping[str, str] = {INPUT: "input", OUTPUT: "output", SCRATCH: "scratch"}


class Place(NamedTuple):
    """A chunk of a buffer of one rank, such as o[3]."""

    buffer: str
    offset: int

    def __str__(self) -> str:
        return f"{self.buffer}[{self.offset}]"


class Action(NamedTuple):
    """What a step does with what it receives (if it ``receives``): it adds the source (``adds``) or the target's old
    content (``accumulates``), writes the target (``writes``) and sends the outcome on (``sends``).

    A step that does not receive begins with the source.
    """

    receives: bool = False
    adds: bool = False
    accumulates: bool = False
    writes: bool = False
    sends: bool = False


ACTIONS: Mapping[str, Action] = {
    "send": Action(sends=True),
    "receive": Action(receives=True, writes=True),
    "receive-copy-send": Action(receives=True, writes=True, sends=True),
    "receive-reduce-send": Action(receives=True, adds=True, sends=True),
    "receive-reduce-copy": Action(receives=True, adds=True, writes=True),
    "receive-reduce-copy-send": Action(receives=True, adds=True, writes=True, sends=True),
    "copy": Action(writes=True),
    "reduce": Action(accumulates=True, writes=True),
    "wait": Action(),
}
"""By the name of the action."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a thread block: its action (a key of ``ACTIONS``) on ``count`` chunks from ``source`` and ``target``
    on, once the steps ``after``, as (thread block, step) of the same rank, have ended."""

    action: str
    source: Place | None = None
    target: Place | None = None
    count: int = 1
    after: tuple[tuple[int, int], ...] = ()

    @property
    def does(self) -> Action:
        return ACTIONS[self.action]

    @property
    def reads_source(self) -> bool:
        does = self.does
        return self.action != "wait" and (does.adds or not does.receives)

    @property
    def reads(self) -> tuple[Place, ...]:
        """Where the chunks begin that it reads."""
        both = ((self.reads_source, self.source), (self.does.accumulates, self.target))
        return tuple(x for needed, x in both if needed and x is not None)


@dataclass(frozen=True)
class Block:
    """A thread block: the rank that it sends to and the one that it receives from (None: no such), its channel, its
    steps in the order in which they run."""

    steps: tuple[Step, ...]
    send_to: int | None = None
    receive_from: int | None = None
    channel: int = 0


@dataclass(frozen=True)
class Schedule:
    """``blocks[rank][block]``; ``chunks``: of the larger of a rank's input and output, which the data is cut into.

    ``inputs``, ``outputs``, ``scratch``: chunks of each rank's buffers.  ``in_place``: the ways in which it may be
    called: True with input and output in the same memory, as NCCL defines it; False with separate buffers.
    ``root``: of a collective that has one; None where it is not known.
    """

    name: str
    collective: str
    chunks: int
    blocks: tuple[tuple[Block, ...], ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    scratch: tuple[int, ...]
    in_place: tuple[bool, ...] = (False,)
    root: int | None = None

    @property
    def num_ranks(self) -> int:
        return len(self.blocks)

    @property
    def num_steps(self) -> int:
        return sum(len(x.steps) for rank in self.blocks for x in rank)

    @property
    def asks(self) -> Collective | None:
        """The collective, where it is known what every rank must end with."""
        known = COLLECTIVES.get(self.collective)
        return None if known is not None and known.rooted and self.root is None else known

    def size(self, rank: int, buffer: str) -> int:
        return {INPUT: self.inputs, OUTPUT: self.outputs, SCRATCH: self.scratch}[buffer][rank]

    def steps(self) -> Iterator[tuple[int, int, int, Step]]:
        """Every step with its rank, its thread block and its number."""
        for rank, blocks in enumerate(self.blocks):
            for number, block in enumerate(blocks):
                for k, step in enumerate(block.steps):
                    yield rank, number, k, step


def place_of(rank: int, block: int, step: int) -> str:
    return f"rank {rank}, thread block {block}, step {step}"


def chunks_text(count: int) -> str:
    return f"{count} chunk{'' if count == 1 else 's'}"
