"""Shortest distances under whole channel lengths: exact, many searches at once.

64-bit integers where the longest path fits them (Bellman and Ford's rounds, many sources together), else Python's.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from operator import mul
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64, first_true
from ..core.errors import VerificationError
from ..core.network import Network

FAR = 1 << 61
"""What stands for the distance where there is no path; every length, times the number of nodes, is below it."""
_MOST_NODES = 1 << 14  # between all of which distances are held
_AT_ONCE = 1 << 18  # lengths looked at together
_ROUNDS = 100  # where paths have more hops, Dijkstra's algorithm is faster

Lengths = npt.NDArray[Any]
"""One whole number >= 0 for each channel, (C,): int64, or Python's integers."""
Distance = Callable[[int, int, Sequence[int]], int]
"""``distance(i, j, lengths)``: the shortest by those paths that routings may use, where not all are meant."""


class Wanted(NamedTuple):
    """``weight`` times the distance from node to node, where a channel is ``length`` + ``added`` long."""

    source: int
    destination: int
    length: Lengths
    added: int
    weight: int


def sum_of_distances(network: Network, wanted: Iterable[Wanted], distance: Distance | None = None) -> int:
    """All that is wanted, added up.  Those that have ``length`` (one object) and ``added`` in common are searched for
    together; ``distance`` as in the module, where not all paths are meant.

    Raises VerificationError where there is no path.
    """
    total, most = 0, max(1, _AT_ONCE // max(1, network.num_channels))
    searches: dict[tuple[int, int, int], list[Wanted]] = {}
    last: list[Wanted] = []
    for one in wanted:
        if last and one.source == last[0].source and one.length is last[0].length and one.added == last[0].added:
            last.append(one)
            continue
        key = one.source, id(one.length), one.added
        if key not in searches and len(searches) >= most:
            total += _searched(network, list(searches.values()), distance)
            searches = {}
        last = searches.setdefault(key, [])
        last.append(one)
    return total + _searched(network, list(searches.values()), distance)


def _searched(network: Network, searches: Sequence[Sequence[Wanted]], distance: Distance | None) -> int:
    """The sum over all searches; those of one search begin at one node and have their lengths in common."""
    if not searches:
        return 0
    first = [some[0] for some in searches]
    if distance is not None:
        return sum(
            x.weight * distance(x.source, x.destination, length)
            for some in searches
            for length in [[y + some[0].added for y in some[0].length.tolist()]]
            for x in some
        )
    top = {id(one.length): int(one.length.max(initial=0)) for one in first}
    if max(top[id(one.length)] + one.added for one in first) * network.num_nodes >= FAR:
        rows = [distances(network, [x + one.added for x in one.length.tolist()])(one.source) for one in first]
        return sum(
            x.weight * _found(x, far[x.destination]) for some, far in zip(searches, rows, strict=True) for x in some
        )
    tail, head, nodes = network.tail.astype(np.int64), network.head.astype(np.int64), network.num_nodes
    if len({(id(one.length), one.added) for one in first}) == 1:
        length = first[0].length.astype(np.int64) + first[0].added
        number, node = np.unique(_joined(network, length), return_inverse=True)
        tail, head, nodes = node[tail], node[head], len(number)
        source, row = np.unique(node[[one.source for one in first]], return_inverse=True)
    else:
        length = np.array([one.length for one in first], dtype=np.int64)
        length += np.array([one.added for one in first], dtype=np.int64)[:, None]
        node, row = np.arange(nodes), np.arange(len(first))
        source = node[[one.source for one in first]]
    table = distances_from(nodes, tail, head, length, source)
    to = node[[x.destination for some in searches for x in some]]
    far = table[np.repeat(row, [len(some) for some in searches]), to]
    weight = [x.weight for some in searches for x in some]
    lost = first_true(far >= FAR)
    if lost is not None:
        _found([x for some in searches for x in some][lost], None)
    return sum(map(mul, weight, far.tolist()))


def _found(wanted: Wanted, far: int | None) -> int:
    if far is None:
        raise VerificationError(f"no path leads from node {wanted.source} to node {wanted.destination}")
    return far


def distances_from(
    size: int, tail: npt.NDArray[np.integer], head: npt.NDArray[np.integer], length: Int64, source: npt.NDArray[Any]
) -> Int64:
    """int64 (S, size): from each ``source`` to all nodes under ``length``, (C,) or for each source its own, (S, C); FAR
    where there is no path.  The longest path is below FAR."""
    order = np.argsort(head, kind="stable")
    order = order[(tail != head)[order]]
    begin, along = tail[order], np.atleast_2d(length)[:, order]
    best = np.full((len(source), size), FAR, dtype=np.int64)
    best[np.arange(len(source)), source] = 0
    heads, start = np.unique(head[order], return_index=True)
    for _ in range(_ROUNDS if len(order) else 0):
        before = best[:, heads]
        better = np.minimum(before, np.minimum.reduceat(best[:, begin] + along, start, axis=1))
        if np.array_equal(before, better):
            return best
        best[:, heads] = better
    if len(order):
        lengths = np.broadcast_to(np.atleast_2d(length), (len(source), len(tail)))
        for k, v in enumerate(source.tolist()):
            far = _dijkstra(_leaving(size, tail.tolist(), head.tolist(), lengths[k].tolist()), v)
            best[k] = [FAR if x is None else x for x in far]
    return best


class Distances(NamedTuple):
    """Between all nodes: ``between[node[i], node[j]]``, int64, -1 where no path leads from i to j.

    Nodes that channels of length 0 join both ways share a number.
    """

    node: Int64
    between: Int64


def all_distances(network: Network, length: Int64) -> Distances:
    """Shortest distances between all nodes under whole channel lengths >= 0, all sources together.

    Raises VerificationError for lengths beyond 64-bit sums.
    """
    if len(length) and int(length.max()) * network.num_nodes >= FAR:
        raise VerificationError("the lengths are too large for 64-bit sums")
    number, node = np.unique(_joined(network, length), return_inverse=True)
    if len(number) > _MOST_NODES:
        raise VerificationError(f"distances between {len(number)} nodes are not held; at most {_MOST_NODES} are")
    best = distances_from(len(number), node[network.tail], node[network.head], length, np.arange(len(number)))
    best[best >= FAR] = -1
    return Distances(node, best)


def _joined(network: Network, length: Int64) -> Int64:
    """(N,): equal numbers for nodes that channels of length 0 join both ways."""
    free = np.flatnonzero(length == 0)
    tail, head = network.tail[free].astype(np.int64), network.head[free].astype(np.int64)
    back = np.isin(tail * network.num_nodes + head, head * network.num_nodes + tail)
    tail, head = tail[back], head[back]
    label = np.arange(network.num_nodes, dtype=np.int64)
    while True:
        before = label.copy()
        np.minimum.at(label, tail, before[head])  # both ways: every channel here has its opposite here
        label = label[label]
        if np.array_equal(before, label):
            return label


def distances(network: Network, length: Sequence[int]) -> Callable[[int], list[int | None]]:
    """The function from a node to its distances to all nodes, None where no path leads; Python's integers."""
    leaving = _leaving(network.num_nodes, network.tail.tolist(), network.head.tolist(), length)
    return lambda source: _dijkstra(leaving, source)


def _leaving(size: int, tail: Sequence[int], head: Sequence[int], length: Sequence[int]) -> list[list[tuple[int, int]]]:
    """Of every node, the heads and lengths of its channels."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for a, b, x in zip(tail, head, length, strict=True):
        found[a].append((b, x))
    return found


def _dijkstra(leaving: Sequence[Sequence[tuple[int, int]]], source: int) -> list[int | None]:
    best: list[int | None] = [None] * len(leaving)
    heap = [(0, source)]
    while heap:
        far, v = heapq.heappop(heap)
        if best[v] is None:
            best[v] = far
            for u, x in leaving[v]:
                if best[u] is None:
                    heapq.heappush(heap, (far + x, u))
    return best
