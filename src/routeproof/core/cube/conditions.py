"""Is a destination graph free of conflicts?  Conditions C1, C1', C2 and C2', with the packets that meet where not.

Source: Hwang, Yao & Dasgupta, sec. 2, Lemmas 2 and 3 and the remarks after them.  Packets are compared slot by slot; a
slot is (step, dimension i, amount j).  C2 (ii) sums over the moves after step n, as printed; the proof's sums start at
n, which is the same since S_n is equal.  Two packets of a slot can meet exactly if they differ before it (C1), or both
before and after it (C2), so a slot is sound for C1 if all its members share one prefix, and for C2 if all share one
prefix or all share one suffix: were a, b a pair with different prefixes and a, c one with different suffixes, then a
and b share a suffix, a and c share a prefix, and b and c share neither.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ..arrays import Int64, first_true
from ..errors import InputError
from .destination_graph import Cube, DestinationGraph

_Clash = tuple[int, int, int]  # two nodes, and the step (from 0) at which they break a condition


@dataclass(frozen=True)
class Meeting:
    """Two packets, each (origin, destination), that want the channel ``tail -> head`` at ``step`` (from 1)."""

    packets: tuple[tuple[int, int], tuple[int, int]]
    step: int
    tail: int
    head: int

    def sentence(self, cube: Cube) -> str:
        (a, x), (b, y) = self.packets
        return (
            f"the packets {cube.label(a)} to {cube.label(x)} and {cube.label(b)} to {cube.label(y)} "
            f"meet at step {self.step} on the link {cube.label(self.tail)} -> {cube.label(self.head)}"
        )


@dataclass(frozen=True)
class Verdict:
    """``holds``, or else two nodes whose paths break the condition at ``step`` (from 1).

    ``meeting``: two packets that meet, for C1 and C2.  ``permutation``: for C2, a whole permutation (the image of every
    node) in which they do.  ``reason``: one line.
    """

    holds: bool
    nodes: tuple[int, ...] = ()
    step: int = 0
    meeting: Meeting | None = None
    permutation: tuple[int, ...] | None = field(default=None, repr=False)
    reason: str = ""


@dataclass(frozen=True)
class Conditions:
    """What holds of a graph: C1 (many-one), C2 (permutations), minimum routing, C1' and C2'."""

    many_one: Verdict
    permutation: Verdict
    minimum_routing: Verdict
    c1_prime: Verdict
    c2_prime: Verdict


def judge_conditions(graph: DestinationGraph) -> Conditions:
    """All five; in time of order N * steps * log N, whatever the graph."""
    before, after = graph.prefix[:, :-1].astype(np.int64), graph.position[:, 1:].astype(np.int64)
    past, future = _histories(graph.moves), _histories(graph.moves[:, ::-1])[:, ::-1]

    def one(left: Int64) -> _Clash | None:
        found = ((_different(graph.moves[:, n], left[:, n]), n) for n in range(graph.steps))
        return next(((*pair, n) for pair, n in found if pair is not None), None)

    def two(left: Int64, right: Int64) -> _Clash | None:
        found = ((_different_twice(graph.moves[:, n], left[:, n], right[:, n]), n) for n in range(graph.steps))
        return next(((*pair, n) for pair, n in found if pair is not None), None)

    return Conditions(
        _met(graph, one(before), whole=False),
        _met(graph, two(before, after), whole=True),
        _minimum(graph),
        _prime(graph, one(past), "C1'"),
        _prime(graph, two(past, future), "C2'"),
    )


def _histories(moves: npt.NDArray[np.int16]) -> Int64:
    """Shape of ``moves``: equal numbers in a column where all moves before it are equal."""
    result = np.zeros(moves.shape, dtype=np.int64)
    for n in range(1, moves.shape[1]):
        key = result[:, n - 1] * (1 << 16) + moves[:, n - 1]
        result[:, n] = np.unique(key, return_inverse=True)[1]
    return result


def _slots(kinds: npt.NDArray[np.int16]) -> list[Int64]:
    """The nodes that use each type (but 0), for types with two users or more."""
    order = np.argsort(kinds, kind="stable")
    bounds = np.nonzero(np.diff(kinds[order]))[0] + 1
    return [x for x in np.split(order, bounds) if len(x) > 1 and kinds[x[0]]]


def _different(kinds: npt.NDArray[np.int16], value: Int64) -> tuple[int, int] | None:
    for members in _slots(kinds):
        other = first_true(value[members] != value[members[0]])
        if other is not None:
            return int(members[0]), int(members[other])
    return None


def _different_twice(kinds: npt.NDArray[np.int16], left: Int64, right: Int64) -> tuple[int, int] | None:
    for members in _slots(kinds):
        a = int(members[0])
        off_left = members[left[members] != left[a]]
        off_right = members[right[members] != right[a]]
        if len(off_left) and len(off_right):
            b, c = int(off_left[0]), int(off_right[0])
            if right[b] != right[a]:
                return a, b
            return (a, c) if left[c] != left[a] else (b, c)
    return None


def _met(graph: DestinationGraph, found: _Clash | None, *, whole: bool) -> Verdict:
    """The packets of Lemma 2 and Lemma 3 that arrive at node 0 and leave it by one channel."""
    if found is None:
        return Verdict(True)
    u, v, n = found
    cube = graph.cube
    one, two = ((int(x), int(cube.subtract(x, w))) for x, w in ((graph.prefix[u, n], u), (graph.prefix[v, n], v)))
    meeting = Meeting((one, two), n + 1, 0, int(cube.subtract(0, cube.vector[graph.moves[u, n]])))
    image = list(range(cube.num_nodes))
    for origin, destination in (one, two):
        k = image.index(destination)
        image[origin], image[k] = image[k], image[origin]
    return Verdict(False, (u, v), n + 1, meeting, tuple(image) if whole else None, meeting.sentence(cube))


def _minimum(graph: DestinationGraph) -> Verdict:
    moved = np.count_nonzero(graph.moves, axis=1)
    u = first_true(moved != graph.cube.weight)
    if u is None:
        return Verdict(True)
    reason = f"node {graph.cube.label(u)} makes {int(moved[u])} moves; {int(graph.cube.weight[u])} are enough"
    return Verdict(False, (u,), reason=reason)


def _prime(graph: DestinationGraph, found: _Clash | None, name: str) -> Verdict:
    if found is None:
        return Verdict(True)
    u, v, n = found
    i, j = graph.cube.move_of(int(graph.moves[u, n]))
    sides = "before it" if name == "C1'" else "before it and after it"
    reason = (
        f"nodes {graph.cube.label(u)} and {graph.cube.label(v)} both make the move ({i}, {j}) at step {n + 1}, "
        f"but not the same moves {sides}"
    )
    return Verdict(False, (u, v), n + 1, reason=reason)


def check_meeting(graph: DestinationGraph, meeting: Meeting) -> None:
    """Raise InputError unless the two packets really are different packets on one channel at one step."""
    cube = graph.cube
    size = cube.num_nodes
    (a, x), (b, y) = meeting.packets
    if not all(0 <= w < size for w in (a, x, b, y, meeting.tail, meeting.head)):
        raise InputError(f"a node of the meeting is outside 0 to {size - 1}")
    if a == b:
        raise InputError("the two packets that are said to meet start at one node: they are one packet")
    if not 1 <= meeting.step <= graph.steps:
        raise InputError(f"the packets are said to meet at step {meeting.step}; steps are 1 to {graph.steps}")
    for origin, destination in meeting.packets:
        u = int(cube.subtract(origin, destination))
        here, there = (int(cube.add(graph.position[u, meeting.step - k], destination)) for k in (1, 0))
        if (here, there) != (meeting.tail, meeting.head) or here == there:
            raise InputError(
                f"the packet {cube.label(origin)} to {cube.label(destination)} does not cross the link "
                f"{cube.label(meeting.tail)} -> {cube.label(meeting.head)} at step {meeting.step}"
            )
