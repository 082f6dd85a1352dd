"""Schedules from lists of sends: who sends which chunk to whom, and in which order, as synthesizers write them.

A list of sends says nothing of thread blocks.  Each connection gets a thread block at either end, a send waits for the
receive that brought its chunk, and thread block 0 of a rank copies what it sends to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ...core.errors import InputError
from ...core.schedules.collectives import ALL_GATHER, ALL_TO_ALL, INPUT, OUTPUT, SCRATCH, Collective
from ...core.schedules.schedule import Block, Place, Schedule, Step


@dataclass(frozen=True, slots=True)
class Send:
    """``count`` chunks of the input of rank ``origin``, from ``chunk`` on, go from the rank ``sender`` to ``receiver``
    at the time ``when``; ``place`` names it in errors."""

    when: int
    origin: int
    chunk: int
    sender: int
    receiver: int
    place: str
    count: int = 1


@dataclass
class _Rank:
    """``blocks``: steps by (peer, does it send?), in the order of their first use; ``held``: where chunks are (their
    place, the step that brought them, and when); ``scratch``: how many are kept there."""

    blocks: dict[tuple[int, bool], list[Step]] = field(default_factory=dict)
    held: dict[tuple[int, int], tuple[Place, tuple[int, int] | None, int]] = field(default_factory=dict)
    scratch: int = 0

    def add(self, peer: int, sends: bool, step: Step) -> tuple[int, int]:
        """The thread block and the number of a step on the connection to or from ``peer``."""
        steps = self.blocks.setdefault((peer, sends), [])
        steps.append(step)
        return 1 + list(self.blocks).index((peer, sends)), len(steps) - 1

    def keep(self, count: int) -> Place:
        self.scratch += count
        return Place(SCRATCH, self.scratch - count)


def all_gather(sends: Iterable[Send], num_ranks: int, share: int, *, name: str) -> Schedule:
    """An all-gather of ``share`` chunks of each rank, not yet checked (``core.schedules.check``).

    Raises InputError, naming the place, for a send of what its sender has not received before.
    """
    ranks = _run(sends, num_ranks, lambda x: Place(OUTPUT, x.origin * share + x.chunk))
    own = [Step("copy", Place(INPUT, 0), Place(OUTPUT, r * share), share) for r in range(num_ranks)]
    return _schedule(ALL_GATHER, ranks, own, share, name)


def all_to_all(sends: Iterable[Send], num_ranks: int, share: int, *, name: str) -> Schedule:
    """An all-to-all of ``share`` chunks from each rank to each, as ``all_gather``; what a rank passes on is kept in its
    scratch."""

    def home(x: Send) -> Place | None:
        return Place(OUTPUT, x.origin * share + x.chunk % share) if x.chunk // share == x.receiver else None

    ranks = _run(sends, num_ranks, home)
    own = [Step("copy", Place(INPUT, r * share), Place(OUTPUT, r * share), share) for r in range(num_ranks)]
    return _schedule(ALL_TO_ALL, ranks, own, share, name)


def _run(sends: Iterable[Send], num_ranks: int, home: Callable[[Send], Place | None]) -> list[_Rank]:
    """``home(send)``: where the receiver's output has the chunks; None where it has not."""
    ranks = [_Rank() for _ in range(num_ranks)]
    for x in sorted(sends, key=lambda x: x.when):
        sender, receiver, chunk = ranks[x.sender], ranks[x.receiver], (x.origin, x.chunk)
        own = (Place(INPUT, x.chunk), None, x.when - 1) if x.sender == x.origin else None
        found = own or sender.held.get(chunk)
        if found is None or found[2] >= x.when:
            raise InputError(f"{x.place}: it is sent before it has come there")
        source, brought, _ = found
        sender.add(x.receiver, True, Step("send", source, None, x.count, () if brought is None else (brought,)))
        again = chunk in receiver.held or x.receiver == x.origin
        target = (None if again else home(x)) or receiver.keep(x.count)
        step = receiver.add(x.sender, False, Step("receive", None, target, x.count))
        if not again:
            receiver.held[chunk] = target, step, x.when
    return ranks


def _schedule(collective: Collective, ranks: list[_Rank], own: list[Step], share: int, name: str) -> Schedule:
    n = len(ranks)
    chunks = share * n
    blocks = []
    for rank, step in zip(ranks, own, strict=True):
        ends = [
            Block(tuple(steps), peer if sends else None, None if sends else peer)
            for (peer, sends), steps in rank.blocks.items()
        ]
        blocks.append((Block((step,)), *ends))
    sizes = collective.input_size(n, chunks), collective.output_size(n, chunks)
    scratch = tuple(x.scratch for x in ranks)
    return Schedule(name, collective.name, chunks, tuple(blocks), (sizes[0],) * n, (sizes[1],) * n, scratch)
