"""Shortest paths under channel lengths in floating point; exact for whole lengths that sum to less than 2^53."""

from __future__ import annotations

import heapq
import importlib.util
from functools import cache

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64, Int64
from ...core.network import Network


@cache
def has_scipy() -> bool:
    return importlib.util.find_spec("scipy") is not None


class ShortestPaths:
    """Distances from ``sources`` to all nodes under ``length`` (C,), >= 0: float64 (len(sources), N)."""

    def __init__(self, network: Network, length: Float64, sources: Int64) -> None:
        nodes = network.num_nodes
        key = network.tail.astype(np.int64) * nodes + network.head
        order = np.lexsort((length, key))  # of parallel channels the shortest
        first = order[np.concatenate([[True], key[order][1:] != key[order][:-1]])] if len(order) else order
        self._channel = dict(zip(key[first].tolist(), first.tolist(), strict=True))
        self.sources, self._nodes = sources, nodes
        search = _by_scipy if has_scipy() else _by_heap
        self.distance, self._before = search(network, length, first, sources)

    def path(self, row: int, end: int) -> tuple[int, ...]:
        """The channels from ``sources[row]`` to ``end``."""
        start, found = int(self.sources[row]), []
        while end != start:
            before = int(self._before[row, end])
            found.append(self._channel[before * self._nodes + end])
            end = before
        return tuple(reversed(found))


def _by_scipy(
    network: Network, length: Float64, channels: Int64, sources: Int64
) -> tuple[Float64, npt.NDArray[np.integer]]:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    ends = (network.tail[channels], network.head[channels])
    graph = csr_array((length[channels], ends), shape=(network.num_nodes, network.num_nodes))
    distance, before = dijkstra(graph, indices=sources, return_predecessors=True)
    return distance, before


def _by_heap(
    network: Network, length: Float64, channels: Int64, sources: Int64
) -> tuple[Float64, npt.NDArray[np.integer]]:
    leaving: list[list[tuple[int, float]]] = [[] for _ in range(network.num_nodes)]
    for e in channels.tolist():
        leaving[int(network.tail[e])].append((int(network.head[e]), float(length[e])))
    distance = np.full((len(sources), network.num_nodes), np.inf)
    before = np.full(distance.shape, -1, dtype=np.int64)
    for row, source in enumerate(sources.tolist()):
        distance[row, source] = 0.0
        heap = [(0.0, source)]
        while heap:
            far, v = heapq.heappop(heap)
            if far > distance[row, v]:
                continue
            for u, x in leaving[v]:
                if far + x < distance[row, u]:
                    distance[row, u], before[row, u] = far + x, v
                    heapq.heappush(heap, (far + x, u))
    return distance, before
