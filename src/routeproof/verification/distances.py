"""Sums of shortest distances over all pairs of terminals."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from ..core.errors import VerificationError
from ..core.network import Network

__all__ = ["distance_total", "hop_total", "line_total"]

Int64 = npt.NDArray[np.int64]
_ROUNDS = 100
_FAR = 1 << 50  # more than 2**22 nodes times the longest channel


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
    for at in range(0, len(sources), 256):
        some = sources[at : at + 256]
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
    total = 0
    for at in range(0, len(sources), 256):
        some = sources[at : at + 256]
        table = _distances_from(network, some, lengths)
        if (table[:, network.demand > 0] >= _FAR).any():
            raise VerificationError("some terminals are not connected")
        reached = np.where(network.demand > 0, table, 0)
        total += int((reached @ network.demand) @ network.supply[some])
    return total


def _distances_from(network: Network, sources: npt.NDArray[np.intp], lengths: Int64) -> Int64:
    """int64, shape (S, N): all channels are relaxed at once until nothing changes; _FAR where there is no path.

    Where paths have many hops, Dijkstra's algorithm takes over.
    """
    order = np.argsort(network.head, kind="stable")
    tail, length = network.tail[order], lengths[order]
    heads, start = np.unique(network.head[order], return_index=True)
    table = np.full((len(sources), network.num_nodes), _FAR, dtype=np.int64)
    table[np.arange(len(sources)), sources] = 0
    for _ in range(_ROUNDS):
        before = table.copy()
        if len(heads):
            via = np.minimum.reduceat(before[:, tail] + length, start, axis=1)
            table[:, heads] = np.minimum(before[:, heads], via)
        if np.array_equal(before, table):
            return np.minimum(table, _FAR)
    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    found = _all_distances(network.num_nodes, ends, lengths.tolist(), sources.tolist())
    return np.array(found, dtype=np.int64)


def line_total(network: Network, dimension: int, lengths: Int64) -> int:
    """As ``distance_total`` on a grid where only channels along one dimension have a length, alike on every line.

    A distance is then that of the two positions on one line.  That all lines are alike is checked.
    """
    grid = network.grid
    if grid is None:
        raise VerificationError(f"{network.name} is no grid")
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
    first = [x[0].tolist() for x in parts]
    table = _all_distances(k, list(zip(first[0], first[1], strict=True)), first[2], range(k))
    if any(x >= _FAR for row in table for x in row):
        raise VerificationError("a line of the dimension is not connected")
    out = np.bincount(where[:, dimension], weights=network.supply, minlength=k).astype(np.int64).tolist()
    into = np.bincount(where[:, dimension], weights=network.demand, minlength=k).astype(np.int64).tolist()
    return sum(out[x] * into[y] * table[x][y] for x in range(k) for y in range(k))


def _all_distances(
    size: int, ends: list[tuple[int, int]], lengths: list[int], sources: Iterable[int]
) -> list[list[int]]:
    """Distances from each of ``sources`` to all of 0 .. size-1, by Dijkstra's algorithm (_FAR: no path)."""
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for (a, b), x in zip(ends, lengths, strict=True):
        leaving[a].append((b, x))
    table = []
    for start in sources:
        distance = [-1] * size
        heap = [(0, start)]
        while heap:
            d, a = heapq.heappop(heap)
            if distance[a] >= 0:
                continue
            distance[a] = d
            for b, x in leaving[a]:
                if distance[b] < 0:
                    heapq.heappush(heap, (d + x, b))
        table.append([_FAR if x < 0 else x for x in distance])
    return table
