"""Shortest paths under lengths of channels: in floats by scipy, exactly for many at once, or in Python numbers; the k
shortest simple paths of every pair, ties by channel numbers.

Source of these: Yen 1971 (Management Science), with the candidates kept apart as by Lawler 1972: each stands for the
paths that begin alike and then take none of some channels.  ``search_kernels`` has the compiled searches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Float64, Int64
from ..core.errors import InputError
from ..core.network import Network
from ..core.rational import INT64_MAX, IntArray
from ..machine.memory import check_table

Int16 = npt.NDArray[np.int16]
Ends = npt.NDArray[np.integer]
Edges = Iterable[tuple[int, int]]


class Joined:
    """A network as scipy searches it: at most one channel between two nodes, of parallel ones the shortest.

    Lengths are floats >= 0, shape (C,); distances are exact for whole lengths that sum to less than 2^53.
    """

    def __init__(self, network: Network) -> None:
        self.network, self.size = network, network.num_nodes
        key = network.tail.astype(np.int64) * self.size + network.head
        self._pair, self._of = np.unique(key, return_inverse=True)
        self._start = np.searchsorted(self._pair // self.size, np.arange(self.size + 1))
        self._only = np.argsort(self._of) if len(self._pair) == network.num_channels else None

    @cached_property
    def _place(self) -> dict[int, int]:
        """Of each pair of joined nodes."""
        return {pair: k for k, pair in enumerate(self._pair.tolist())}

    def graph(self, length: Float64) -> tuple[Any, Int64]:
        """(what scipy searches, the channel that stands for each pair of joined nodes)."""
        from scipy.sparse import csr_matrix

        channel = self._only
        if channel is None:
            by = np.lexsort((length, self._of))
            channel = by[np.searchsorted(self._of[by], np.arange(len(self._pair)))]
        shape = (self.size, self.size)
        return csr_matrix((length[channel], self._pair % self.size, self._start), shape=shape), channel

    def distances(self, length: Float64, sources: Ends | None = None) -> Float64:
        """(S, N): from ``sources``, or from all nodes; infinite where no path leads."""
        from scipy.sparse.csgraph import dijkstra

        found: Float64 = dijkstra(self.graph(length)[0], indices=sources)
        return found

    def searched(self, length: Float64, sources: Ends) -> Searched:
        """Shortest paths from ``sources``, a row each."""
        from scipy.sparse.csgraph import dijkstra

        graph, channel = self.graph(length)
        far, before = dijkstra(graph, indices=sources, return_predecessors=True)
        return Searched(far, before, channel)

    def channels(self, found: Searched, before: Ends, at: Ends) -> Int64:
        """The channels that stand for these pairs of joined nodes."""
        key = before.astype(np.int64) * self.size + at
        return found.channel[np.searchsorted(self._pair, key)]

    def path(self, found: Searched, row: int, start: int, end: int) -> list[int]:
        """The channels of the path from ``start``, whose search is in ``row``, to ``end``."""
        place, path = self._place, list[int]()
        while end != start:
            before = int(found.before[row, end])
            path.append(int(found.channel[place[before * self.size + end]]))
            end = before
        return path[::-1]


@dataclass(frozen=True, eq=False)
class Searched:
    """Of every search, a row: distances, (S, N), and the node before each on its path, (S, N); of all of them, the
    channel of every pair of joined nodes."""

    far: Float64
    before: Int64
    channel: Int64


class EveryPair:
    """Shortest paths between all nodes, under several lengths (F, C) >= 0 of channels.

    Source: Floyd and Warshall's method, for all lengths together.
    """

    def __init__(self, network: Network, length: Float64) -> None:
        size, many = network.num_nodes, len(length)
        self._head = network.head
        far, first = np.full((many, size, size), np.inf), np.full((many, size, size), -1, dtype=np.int32)
        for e, (u, v) in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
            shorter = length[:, e] < far[:, u, v]
            far[shorter, u, v] = length[shorter, e]
            first[shorter, u, v] = e
        far[:, np.arange(size), np.arange(size)] = 0.0
        for v in range(size):
            through = far[:, :, v, None] + far[:, None, v, :]
            shorter = through < far
            np.copyto(far, through, where=shorter)
            np.copyto(first, np.broadcast_to(first[:, :, v, None], first.shape), where=shorter)
        self.distance, self._first = far, first

    def path(self, k: int, source: int, destination: int) -> tuple[int, ...]:
        found = []
        while source != destination:
            e = int(self._first[k, source, destination])
            found.append(e)
            source = int(self._head[e])
        return tuple(found)


def hops_to_all(network: Network) -> Int16:
    """int16 (N, N): [d, v] is the distance from v to d, -1 where there is no path."""
    from .search_kernels import reach_all

    size = network.num_nodes
    offset, channels = network.in_channels
    check_table(size, size, 2, f"distances on {network.name}")
    hops = np.full((size, size), -1, dtype=np.int16)
    not_counted = np.empty((size, 0), dtype=np.int64)
    reach_all.for_steps(size * network.num_channels)(
        offset, network.tail[channels], np.arange(size), 0, hops, not_counted
    )
    return hops


def distances_to(network: Network, length: IntArray, to: Ends) -> IntArray:
    """The least length of a path from every node (column) to each node of ``to`` (row), exactly; -1 where there is
    none.

    All channels are tried at once, until nothing gets nearer (Bellman-Ford); int64 where every path fits.
    """
    far = int(sum(length.tolist())) + 1
    kind = np.int64 if 2 * far <= INT64_MAX else object
    dist = np.full((len(to), network.num_nodes), far, dtype=kind)
    dist[np.arange(len(to)), to] = 0
    offset, channel = network.out_channels
    nodes = np.nonzero(np.diff(offset))[0]
    own = length[channel].astype(kind)
    while len(nodes):
        through = dist[:, network.head[channel]] + own
        nearer = np.minimum(dist[:, nodes], np.minimum.reduceat(through, offset[nodes], axis=1))
        if np.array_equal(nearer, dist[:, nodes]):
            break
        dist[:, nodes] = nearer
    return np.where(dist == far, -1, dist)


def cheapest(
    start: int, begin: int, edges: Callable[[int], Edges], onward: Callable[[int, int], int], end: int | None = None
) -> tuple[dict[int, int], dict[int, int]]:
    """Dijkstra's algorithm with numbers of any size: (the cost of every node, the edge by which it is reached).

    ``edges(v)``: (edge, node) for each way on from v; ``onward(cost, edge)``: what a path of this cost costs after one
    more edge, never less.  ``start`` costs ``begin``.  Once ``end`` is reached the rest is left as it is.
    """
    cost, via, done = {start: begin}, dict[int, int](), set[int]()
    heap = [(begin, start)]
    while heap:
        far, v = heappop(heap)
        if v == end:
            break
        if v in done:
            continue
        done.add(v)
        for edge, u in edges(v):
            there = onward(far, edge)
            if u not in cost or there < cost[u]:
                cost[u], via[u] = there, edge
                heappush(heap, (there, u))
    return cost, via


def path_by(via: dict[int, int], tail: Callable[[int], int], start: int, end: int) -> list[int]:
    """The edges from ``start`` to ``end`` by which ``cheapest`` came there; ``tail(edge)``: where an edge begins."""
    path = []
    while end != start:
        path.append(via[end])
        end = tail(via[end])
    return path[::-1]


def k_shortest_by_weight(
    network: Network, k: int, weight: IntArray, name: str
) -> Iterator[tuple[int, int, Sequence[int]]]:
    """(source, destination, channels) of the first ``k`` paths without a node twice between all nodes with terminals:
    by their total ``weight`` (positive integers), then by channel numbers.  A pair may have fewer.

    Raises InputError for a pair without a path.
    """
    search = YenSearch(network, [int(x) for x in weight.tolist()])
    for j in np.nonzero(network.demand)[0].tolist():
        for i in np.nonzero(network.supply)[0].tolist():
            if i == j:
                continue
            some = search.first(i, j, k)
            if not some:
                ends = f"from node {network.label(i)} to node {network.label(j)}"
                raise InputError(f"network {network.name}: {name} finds no path {ends}")
            for path in some:
                yield i, j, path


class YenSearch:
    """The first paths of pairs of ``network``, by ``weight`` (a positive integer a channel)."""

    def __init__(self, network: Network, weight: list[int]) -> None:
        self.tail, self.head, self.weight = network.tail.tolist(), network.head.tolist(), weight
        self._leaving, self._arriving = (
            [some.tolist() for some in np.split(channel, offset[1:-1])]
            for offset, channel in (network.out_channels, network.in_channels)
        )

    def first(self, start: int, goal: int, k: int) -> list[list[int]]:
        """The first ``k`` paths without a node twice, by weight, then by channel numbers; or fewer."""
        result: list[list[int]] = []
        heap: list[tuple[int, list[int], int, frozenset[int]]] = []  # weight, path, where it may leave, channels barred
        self._offer(heap, [], start, goal, frozenset())
        while heap and len(result) < k:
            _, path, since, barred = heappop(heap)
            result.append(path)
            for n in range(since, len(path)):
                shut = frozenset({path[n]}) | (barred if n == since else frozenset())
                self._offer(heap, path[:n], self.head[path[n - 1]] if n else start, goal, shut)
        return result

    def _offer(
        self,
        heap: list[tuple[int, list[int], int, frozenset[int]]],
        begin: list[int],
        at: int,
        goal: int,
        barred: frozenset[int],
    ) -> None:
        """Put the best path that begins so, and then with none of the barred channels, on the heap."""
        closed = {self.tail[c] for c in begin}

        def back(v: int) -> Iterator[tuple[int, int]]:
            for c in self._arriving[v]:
                u = self.tail[c]
                if u not in closed and not (u == at and c in barred):
                    yield c, u

        far, _ = cheapest(goal, 0, back, lambda d, c: d + self.weight[c], at)
        if at not in far:
            return
        path, v = list(begin), at
        while v != goal:
            c = next(
                c
                for c in self._leaving[v]
                if not (v == at and c in barred)
                and self.head[c] in far
                and self.head[c] != at
                and far[self.head[c]] + self.weight[c] == far[v]
            )
            path.append(c)
            v = self.head[c]
        heappush(heap, (sum(self.weight[c] for c in path), path, len(begin), barred))
