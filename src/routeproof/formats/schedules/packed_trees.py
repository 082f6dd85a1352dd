"""Schedules from packed trees: every tree is a pipeline, which sends its part of the data on piece by piece.

Each tree has thread blocks of its own on every connection that it uses, so that it waits for no other tree.  With C
pieces and trees of D messages after one another, C + D - 1 phases do it, and in each every channel carries at most
1 / C of what it carries in all: so it takes at most (C + D - 1) / C times what the busiest channel takes, where
messages go along the paths of the trees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm

from ...core.collective import Broadcasts
from ...core.errors import InputError
from ...core.schedules.check import check_schedule
from ...core.schedules.collectives import (
    ALL_GATHER,
    ALL_REDUCE,
    BROADCAST,
    INPUT,
    OUTPUT,
    REDUCE_SCATTER,
    SCRATCH,
    Collective,
)
from ...core.schedules.schedule import Block, Place, Schedule, Step
from ...kernel.packings import PackedTree

_MOST_STEPS = 1 << 20
_MADE = {x.name: x for x in (ALL_GATHER, BROADCAST, REDUCE_SCATTER, ALL_REDUCE)}


@dataclass(frozen=True)
class _Part:
    """A tree of ranks, by which ``count`` chunks of the share of rank ``root`` travel in each piece, from ``first`` on;
    ``sends``: from rank to rank, in an order in which units can travel; ``number``: its own."""

    root: int
    first: int
    count: int
    sends: Sequence[tuple[int, int]]
    number: int


def schedule_of_trees(
    operation: str, phases: Sequence[tuple[Broadcasts, Sequence[PackedTree]]], ranks: Sequence[int], *,
    name: str, pieces: int = 1,
) -> Schedule:  # fmt: skip
    """The schedule, checked.  ``phases``: the trees of an operation; of an all-reduce those of its reduce-scatter and
    then of its all-gather.  Rank r is terminal ``ranks[r]``.

    Raises InputError for operations that add up on no trees, for several ranks at one node, whose data no tree tells
    apart, for fewer than one piece, and for schedules of too many steps or chunks.
    """
    if operation not in _MADE:
        raise InputError(f"no schedule is written of {operation}; of {', '.join(_MADE)} one is")
    if pieces < 1:
        raise InputError(f"trees send {pieces} pieces; at least 1 was expected")
    made = _MADE[operation]
    network = phases[0][0].network
    rank_of = {int(network.source[i]): r for r, i in enumerate(ranks)}
    if len(rank_of) < len(ranks):
        raise InputError("several ranks are at one node; a schedule of trees needs a node for each rank")
    shares = [_base(trees) for _, trees in phases]
    base = lcm(*shares)
    edges = sum(len(tree.channels) for _, trees in phases for tree in trees)
    if 2 * edges * pieces > _MOST_STEPS:
        raise InputError(f"the schedule would have about {2 * edges * pieces} steps; at most {_MOST_STEPS} are written")
    root = None if not made.rooted else rank_of[phases[0][1][0].root]
    builder = _Builder(made, len(ranks), base * pieces, root)
    of_phases = _refined([list(_parts(task, trees, rank_of, base)) for task, trees in phases])
    for (task, _), parts in zip(phases, of_phases, strict=True):
        for piece in range(pieces):
            for part in parts:
                (builder.add_up if task.reversed else builder.copy)(part, part.first + piece * base)
    return check_schedule(builder.schedule(name))


def _base(trees: Sequence[PackedTree]) -> int:
    """Into how many equal chunks a share is cut so that every tree of one root carries whole ones."""
    total: dict[int, Fraction] = {}
    for x in trees:
        total[x.root] = total.get(x.root, Fraction(0)) + x.weight
    return lcm(*((x.weight / total[x.root]).denominator for x in trees))


def _parts(task: Broadcasts, trees: Sequence[PackedTree], rank_of: dict[int, int], base: int) -> Iterator[_Part]:
    total: dict[int, Fraction] = {}
    for x in trees:
        total[x.root] = total.get(x.root, Fraction(0)) + x.weight
    given: dict[int, int] = {}
    for number, x in enumerate(trees):
        first = given.get(x.root, 0)
        count = int(x.weight / total[x.root] * base)
        given[x.root] = first + count
        yield _Part(rank_of[x.root], first, count, list(_sends(task, x, rank_of)), number)


def _refined(phases: Sequence[Sequence[_Part]]) -> list[list[_Part]]:
    """The parts, cut where those of another phase begin: what one phase brings in one message goes on in one."""
    begins = {(x.root, x.first) for parts in phases for x in parts}
    found: list[list[_Part]] = []
    for parts in phases:
        cut: list[_Part] = []
        for x in parts:
            at = sorted(first for root, first in begins if root == x.root and x.first <= first < x.first + x.count)
            for first, last in zip(at, [*at[1:], x.first + x.count], strict=True):
                cut.append(replace(x, first=first, count=last - first, number=len(cut)))
        found.append(cut)
    return found


def _sends(task: Broadcasts, tree: PackedTree, rank_of: dict[int, int]) -> Iterator[tuple[int, int]]:
    """From rank to rank; what passes through other nodes is one message.  A rank that it reaches again is left out."""
    start, reached = -1, {tree.root}
    for u, v in zip(task.tail[tree.channels].tolist(), task.head[tree.channels].tolist(), strict=True):
        start = u if start < 0 else start
        if task.reached[v]:
            if v not in reached:
                yield rank_of[start], rank_of[v]
            reached.add(v)
            start = -1


_Key = tuple[int, bool, tuple[bool, int]]
"""Of a thread block: the peer, does it send?, and which tree: is it of a reduce-scatter, and its number."""


@dataclass
class _Rank:
    """``own``: what it copies to itself, in its thread block 0; ``blocks``: its other thread blocks' steps; ``held``:
    where the chunks of a share are that have come or been added up, and the step that wrote them; ``scratch``: how many
    chunks are kept there."""

    own: tuple[Step, ...]
    blocks: dict[_Key, list[Step]] = field(default_factory=dict)
    number: dict[_Key, int] = field(default_factory=dict)
    held: dict[tuple[int, int], tuple[Place, tuple[int, int]]] = field(default_factory=dict)
    scratch: int = 0

    def add(self, key: _Key, step: Step) -> tuple[int, int]:
        """The thread block and the number of the step."""
        steps = self.blocks.setdefault(key, [])
        steps.append(step)
        return len(self.own) + self.number.setdefault(key, len(self.number)), len(steps) - 1

    def keep(self, count: int) -> Place:
        self.scratch += count
        return Place(SCRATCH, self.scratch - count)


class _Builder:
    def __init__(self, made: Collective, num_ranks: int, share: int, root: int | None) -> None:
        self.made, self.share, self.root = made, share, root
        self.chunks = share if made.rooted else share * num_ranks
        self.ranks = [_Rank(self._own(r)) for r in range(num_ranks)]
        self.channel: dict[tuple[int, int], dict[tuple[bool, int], int]] = {}

    def _own(self, rank: int) -> tuple[Step, ...]:
        """What a rank copies from its input to its output."""
        if self.made.sums or (self.root is not None and rank != self.root):
            return ()
        return (Step("copy", Place(INPUT, 0), Place(OUTPUT, 0 if self.made.rooted else rank * self.share), self.share),)

    def copy(self, part: _Part, first: int) -> None:
        """The chunks of a piece go from the root to all ranks."""
        target = Place(OUTPUT, first if self.made.rooted else part.root * self.share + first)
        for a, b in part.sends:
            source, after = self.ranks[a].held.get((part.root, first), (Place(INPUT, first), None))
            send = Step("send", source, None, part.count, () if after is None else (after,))
            self._message(a, b, (False, part.number), send, Step("receive", None, target, part.count), part, first)

    def add_up(self, part: _Part, first: int) -> None:
        """The chunks of a piece are added up from all ranks to the root, against the tree."""
        own = Place(INPUT, part.root * self.share + first)
        whole = Place(OUTPUT, first if self.made is REDUCE_SCATTER else own.offset)
        for a, b in reversed(part.sends):  # b sends its sum to a
            source, after = self.ranks[b].held.get((part.root, first), (own, None))
            before, since = self.ranks[a].held.get((part.root, first), (own, None))
            if since is not None:
                target = before
            else:
                target = whole if a == part.root else self.ranks[a].keep(part.count)
            send = Step("send", source, None, part.count, () if after is None else (after,))
            waits = () if since is None else (since,)
            receive = Step("receive-reduce-copy", before, target, part.count, waits)
            self._message(b, a, (True, part.number), send, receive, part, first)

    def _message(
        self, a: int, b: int, tree: tuple[bool, int], send: Step, receive: Step, part: _Part, first: int
    ) -> None:
        known = self.channel.setdefault((a, b), {})
        known.setdefault(tree, len(known))
        self.ranks[a].add((b, True, tree), send)
        number = self.ranks[b].add((a, False, tree), receive)
        assert receive.target is not None
        self.ranks[b].held[part.root, first] = receive.target, number

    def schedule(self, name: str) -> Schedule:
        n, made = len(self.ranks), self.made
        blocks = []
        for r, rank in enumerate(self.ranks):
            own = [Block((x,)) for x in rank.own]
            for (peer, sends, tree), steps in rank.blocks.items():
                channel = self.channel[(r, peer) if sends else (peer, r)][tree]
                own.append(Block(tuple(steps), peer if sends else None, None if sends else peer, channel))
            blocks.append(tuple(own))
        sizes = made.input_size(n, self.chunks), made.output_size(n, self.chunks)
        scratch = tuple(x.scratch for x in self.ranks)
        return Schedule(
            name, made.name, self.chunks, tuple(blocks), (sizes[0],) * n, (sizes[1],) * n, scratch, root=self.root
        )
