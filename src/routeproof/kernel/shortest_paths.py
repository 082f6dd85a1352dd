"""Shortest distances under whole channel lengths: exact, many searches at once.

64-bit integers where the longest path fits them (Bellman and Ford's rounds, many sources together), else Python's.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
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
_HELD_AT_ONCE = 4_000_000  # distances
_ROUNDS = 100  # where paths have more hops, Dijkstra's algorithm is faster

Lengths = npt.NDArray[Any]
"""One whole number >= 0 for each channel, (C,): int64, or Python's integers."""
Distance = Callable[[int, int, Sequence[int]], int]
"""``distance(i, j, lengths)``: the shortest by those paths that routings may use, where not all are meant."""


Wanted = tuple[int, int, Lengths, int, int]
"""(source, destination, length, added, weight): ``weight`` times the distance from node to node, where a channel is
``length`` + ``added`` long."""


class _Search(NamedTuple):
    """What is wanted from one node under the same lengths: by destination, how many times."""

    source: int
    length: Lengths
    added: int
    to: list[int]
    weight: list[int]


def sum_of_distances(network: Network, wanted: Iterable[Wanted], distance: Distance | None = None) -> int:
    """All that is wanted, added up.  Those that have ``length`` (one object) and ``added`` in common are searched for
    together; ``distance`` as in the module, where not all paths are meant.

    Raises VerificationError where there is no path.
    """
    total, most = 0, max(1, _AT_ONCE // max(1, network.num_channels))
    searches: dict[tuple[int, int, int], _Search] = {}
    last: _Search | None = None
    for source, destination, length, added, weight in wanted:
        if last is None or source != last.source or length is not last.length or added != last.added:
            key = source, id(length), added
            if key not in searches:
                if len(searches) >= most:
                    total += _searched(network, list(searches.values()), distance)
                    searches = {}
                searches[key] = _Search(source, length, added, [], [])
            last = searches[key]
        last.to.append(destination)
        last.weight.append(weight)
    return total + _searched(network, list(searches.values()), distance)


def _searched(network: Network, searches: Sequence[_Search], distance: Distance | None) -> int:
    """The sum over all searches."""
    if not searches:
        return 0
    if distance is not None:
        return sum(
            weight * distance(one.source, to, length)
            for one in searches
            for length in [[y + one.added for y in one.length.tolist()]]
            for to, weight in zip(one.to, one.weight, strict=True)
        )
    lengths = {id(one.length): one.length for one in searches}
    top = {k: int(length.max(initial=0)) for k, length in lengths.items()}
    if max(top[id(one.length)] + one.added for one in searches) * network.num_nodes >= FAR:
        rows = [distances(network, [x + one.added for x in one.length.tolist()])(one.source) for one in searches]
        return sum(
            weight * _found(one.source, to, far[to])
            for one, far in zip(searches, rows, strict=True)
            for to, weight in zip(one.to, one.weight, strict=True)
        )
    tail, head, nodes = network.tail.astype(np.int64), network.head.astype(np.int64), network.num_nodes
    first = searches[0]
    if all(one.length is first.length and one.added == first.added for one in searches):
        length = first.length.astype(np.int64) + first.added
        number, node = np.unique(_joined(network, length), return_inverse=True)
        tail, head, nodes = node[tail], node[head], len(number)
        source, row = np.unique(node[[one.source for one in searches]], return_inverse=True)
    else:
        length = np.array([one.length for one in searches], dtype=np.int64)
        length += np.array([one.added for one in searches], dtype=np.int64)[:, None]
        node, row = np.arange(nodes), np.arange(len(searches))
        source = node[[one.source for one in searches]]
    table = distances_from(nodes, tail, head, length, source)
    to = [v for one in searches for v in one.to]
    far = table[np.repeat(row, [len(one.to) for one in searches]), node[to]]
    lost = first_true(far >= FAR)
    if lost is not None:
        _found([one.source for one in searches for _ in one.to][lost], to[lost], None)
    return sum(map(mul, chain.from_iterable(one.weight for one in searches), far.tolist()))


def _found(source: int, destination: int, far: int | None) -> int:
    if far is None:
        raise VerificationError(f"no path leads from node {source} to node {destination}")
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


# -- sums over all pairs of terminals -------------------------------------------------------------------------------


def hop_total(network: Network) -> int:
    """Hops of shortest paths, summed over all pairs of terminals."""
    grid = network.grid
    if grid is not None:
        # Steps in different dimensions do not help each other: hops add up over the dimensions.
        total = 0
        for m in range(grid.num_dimensions):
            along = grid.coordinates[network.tail, m] != grid.coordinates[network.head, m]
            total += line_total(network, m, along.astype(np.int64))
        return total
    return _hops_between(network.tail, network.head, network.supply, network.demand)


def _hops_between(tail: npt.NDArray[np.integer], head: npt.NDArray[np.integer], supply: Int64, demand: Int64) -> int:
    """Level by level, some sources at a time; ``supply``, ``demand``: by node."""
    order = np.argsort(head, kind="stable")
    tail = tail[order]
    heads, start = np.unique(head[order], return_index=True)
    total = 0
    sources = np.nonzero(supply)[0]
    step = 8 * max(1, _HELD_AT_ONCE // max(1, len(tail)))
    for at in range(0, len(sources), step):
        some = sources[at : at + step]
        count = len(some)
        own = np.zeros((len(supply), count), dtype=bool)
        own[some, np.arange(count)] = True
        reached = np.packbits(own, axis=1)  # by node, one bit for each source
        while True:
            left = 1 - np.unpackbits(reached, axis=1, count=count)
            missing = int(demand @ (left @ supply[some]))
            if not missing:
                break
            total += missing  # one more hop for every pair that is not reached yet
            before = reached.copy()
            if len(heads):
                reached[heads] |= np.bitwise_or.reduceat(before[tail], start, axis=0)
            if np.array_equal(before, reached):
                raise VerificationError("some terminals are not connected")
    return total


def distance_total(network: Network, lengths: Int64) -> int:
    """Shortest distances under integer channel lengths (at most 2**20), summed over all pairs of terminals.

    Between nodes that channels of length 0 join both ways, of which each two keep their shortest channel.
    """
    number, node = np.unique(_joined(network, lengths), return_inverse=True)
    tail, head = node[network.tail], node[network.head]
    order = np.lexsort((lengths, head, tail))
    key = tail[order] * len(number) + head[order]
    order = order[(np.diff(key, prepend=-1) != 0) & (tail != head)[order]]
    tail, head, length = tail[order], head[order], lengths[order]
    supply, demand = (np.bincount(node, x, len(number)).astype(np.int64) for x in (network.supply, network.demand))
    if len(length) and (length == length[0]).all():
        return int(length[0]) * _hops_between(tail, head, supply, demand)
    sources, receives = np.nonzero(supply)[0], demand > 0
    total, step = 0, max(1, _HELD_AT_ONCE // max(1, len(order)))
    for at in range(0, len(sources), step):
        some = sources[at : at + step]
        table = distances_from(len(number), tail, head, length, some)
        if (table[:, receives] >= FAR).any():
            raise VerificationError("some terminals are not connected")
        total += int((np.where(receives, table, 0) @ demand) @ supply[some])
    return total


def line_total(network: Network, dimension: int, lengths: Int64) -> int:
    """As ``distance_total`` on a grid where only channels along one dimension have a length, alike on every line.

    A distance is then that of the two positions on one line.  That all lines are alike is checked.
    """
    grid = network.grid
    if grid is None:
        raise VerificationError(f"{network.name} is not a grid")
    where = grid.coordinates
    k = grid.radix[dimension]
    a, b = where[network.tail, dimension], where[network.head, dimension]
    if (lengths[a == b] != 0).any():
        raise VerificationError("a channel off the dimension has a length")
    along = np.nonzero(a != b)[0]
    stride = int(np.prod(grid.radix[dimension + 1 :]))
    line = network.tail[along] - a[along] * stride  # the first node of the line that the channel is on
    if not np.array_equal(line, network.head[along] - b[along] * stride):
        raise VerificationError("a channel leaves its line")
    lines, which = np.unique(line, return_inverse=True)
    each, rest = divmod(len(along), max(1, len(lines)))
    order = np.lexsort((lengths[along], b[along], a[along], which))
    shape = (len(lines), each)
    parts = [x[along][order].reshape(shape) for x in (a, b, lengths)] if not rest else []
    if len(lines) != network.num_nodes // k or rest or any((x != x[0]).any() for x in parts):
        raise VerificationError("the lines of the dimension are not alike")
    first = [x[0] for x in parts]
    table = distances_from(k, first[0], first[1], first[2], np.arange(k))
    if (table >= FAR).any():
        raise VerificationError("a line of the dimension is not connected")
    out = np.bincount(where[:, dimension], weights=network.supply, minlength=k).astype(np.int64)
    into = np.bincount(where[:, dimension], weights=network.demand, minlength=k).astype(np.int64)
    return int(out @ (table @ into))
