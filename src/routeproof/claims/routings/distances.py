"""Sums of shortest distances over all pairs of terminals."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.errors import VerificationError
from ...core.network import Network
from ..work import spend

_ROUNDS = 100
_AT_ONCE = 4_000_000
FAR = 1 << 50  # more than 2**22 nodes times the longest channel


def hop_total(network: Network) -> int:
    """Hops of shortest paths, summed over all pairs of terminals: searches level by level, some sources at a time."""
    grid = network.grid
    if grid is not None:
        # Steps in different dimensions do not help each other: hops add up over the dimensions.
        total = 0
        for m in range(grid.num_dimensions):
            along = grid.coordinates[network.tail, m] != grid.coordinates[network.head, m]
            total += line_total(network, m, along.astype(np.int64))
        return total
    order = np.argsort(network.head, kind="stable")
    tail = network.tail[order]
    heads, start = np.unique(network.head[order], return_index=True)
    total = 0
    sources = np.nonzero(network.supply)[0]
    spend(len(sources) * network.num_channels / 20, "shortest paths between all nodes")
    step = max(1, _AT_ONCE // max(1, network.num_channels))
    for at in range(0, len(sources), step):
        some = sources[at : at + step]
        reached = np.zeros((len(some), network.num_nodes), dtype=bool)
        reached[np.arange(len(some)), some] = True
        while True:
            missing = int(((~reached) @ network.demand) @ network.supply[some])
            if not missing:
                break
            total += missing  # one more hop for every pair that is not reached yet
            before = reached.copy()
            if len(heads):
                reached[:, heads] |= np.logical_or.reduceat(before[:, tail], start, axis=1)
            if np.array_equal(before, reached):
                raise VerificationError("some terminals are not connected")
    return total


def distance_total(network: Network, lengths: Int64) -> int:
    """Shortest distances under integer channel lengths (at most 2**20), summed over all pairs of terminals."""
    sources = np.nonzero(network.supply)[0]
    receives = network.demand > 0
    total = 0
    for some, table in distances(network.num_nodes, network.tail, network.head, lengths, sources):
        if (table[:, receives] >= FAR).any():
            raise VerificationError("some terminals are not connected")
        total += int((np.where(receives, table, 0) @ network.demand) @ network.supply[some])
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
    table = np.concatenate([x for _, x in distances(k, first[0], first[1], first[2], np.arange(k))])
    if (table >= FAR).any():
        raise VerificationError("a line of the dimension is not connected")
    out = np.bincount(where[:, dimension], weights=network.supply, minlength=k).astype(np.int64)
    into = np.bincount(where[:, dimension], weights=network.demand, minlength=k).astype(np.int64)
    return int(out @ (table @ into))


def distances(
    size: int, tail: npt.NDArray[Any], head: npt.NDArray[Any], lengths: Int64, sources: npt.NDArray[Any]
) -> Iterator[tuple[npt.NDArray[Any], Int64]]:
    """Some of ``sources`` at a time, and int64, shape (S, size): their distances to all; FAR where there is no path.

    All channels are relaxed at once until nothing changes; where paths have many hops, Dijkstra's algorithm takes over.
    """
    order = np.argsort(head, kind="stable")
    tails, length = tail[order], lengths[order]
    heads, start = np.unique(head[order], return_index=True)
    step = max(1, _AT_ONCE // max(1, len(tails)))
    for at in range(0, len(sources), step):
        some = sources[at : at + step]
        table = np.full((len(some), size), FAR, dtype=np.int64)
        table[np.arange(len(some)), some] = 0
        for _ in range(_ROUNDS if len(heads) else 0):
            before = table.copy()
            via = np.minimum.reduceat(before[:, tails] + length, start, axis=1)
            table[:, heads] = np.minimum(before[:, heads], via)
            if np.array_equal(before, table):
                break
        else:
            leaving: list[list[tuple[int, int]]] = [[] for _ in range(size)]
            for a, b, x in zip(tail.tolist(), head.tolist(), lengths.tolist(), strict=True):
                leaving[a].append((b, x))
            table = np.array([_dijkstra(leaving, v) for v in some.tolist()], dtype=np.int64)
        yield some, table


def _dijkstra(leaving: Sequence[Sequence[tuple[int, int]]], start: int) -> list[int]:
    """``leaving``: of every node, the heads and lengths of its channels."""
    distance = [FAR] * len(leaving)
    heap = [(0, start)]
    while heap:
        d, a = heapq.heappop(heap)
        if distance[a] < FAR:
            continue
        distance[a] = d
        for b, x in leaving[a]:
            if distance[b] == FAR:
                heapq.heappush(heap, (d + x, b))
    return distance
