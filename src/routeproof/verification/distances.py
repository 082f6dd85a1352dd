"""Sums of shortest distances over all pairs of terminals."""

from __future__ import annotations

import heapq

import numpy as np
import numpy.typing as npt

from ..core.errors import VerificationError
from ..core.network import Network

__all__ = ["distance_total", "hop_total", "line_total"]

Int64 = npt.NDArray[np.int64]
_GENERIC_NODES = 2000


def hop_total(network: Network) -> int:
    """Hops of shortest paths, summed over all pairs of terminals: searches level by level, some sources at a time."""
    grid = network.grid
    if grid is not None and network.num_nodes > _GENERIC_NODES:
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
    """Shortest distances under integer channel lengths, by Dijkstra's algorithm from every node."""
    if (lengths == 1).all():
        return hop_total(network)
    if network.num_nodes > _GENERIC_NODES:
        raise VerificationError(f"distances on {network.num_nodes} nodes are not searched here")
    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    supply, demand = network.supply.tolist(), network.demand.tolist()
    total = 0
    for a, row in enumerate(_all_distances(network.num_nodes, ends, lengths.tolist())):
        if supply[a]:
            total += supply[a] * sum(demand[b] * x for b, x in enumerate(row) if demand[b])
    return total


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
    kinds, count = np.unique(np.stack([a[along], b[along], lengths[along]]), axis=1, return_counts=True)
    if (count % (network.num_nodes // k) != 0).any() or len(np.unique(line)) != network.num_nodes // k:
        raise VerificationError("the lines of the dimension are not alike")
    table = _all_distances(k, list(zip(kinds[0].tolist(), kinds[1].tolist(), strict=True)), kinds[2].tolist())
    out = np.bincount(where[:, dimension], weights=network.supply, minlength=k).astype(np.int64).tolist()
    into = np.bincount(where[:, dimension], weights=network.demand, minlength=k).astype(np.int64).tolist()
    return sum(out[x] * into[y] * table[x][y] for x in range(k) for y in range(k))


def _all_distances(size: int, ends: list[tuple[int, int]], lengths: list[int]) -> list[list[int]]:
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for (a, b), x in zip(ends, lengths, strict=True):
        leaving[a].append((b, x))
    table = []
    for start in range(size):
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
        if min(distance) < 0:
            raise VerificationError(f"no path leads from node {start} to node {distance.index(-1)}")
        table.append(distance)
    return table
