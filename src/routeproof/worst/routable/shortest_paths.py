"""Shortest paths under channel lengths in floating point; exact for whole lengths that sum to less than 2^53."""

from __future__ import annotations

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.network import Network


class ShortestPaths:
    """Distances from ``sources`` to all nodes under ``length`` (C,), >= 0: float64 (len(sources), N)."""

    def __init__(self, network: Network, length: Float64, sources: Int64) -> None:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        nodes = network.num_nodes
        key = network.tail.astype(np.int64) * nodes + network.head
        order = np.lexsort((length, key))  # of parallel channels the shortest
        first = order[np.concatenate([[True], key[order][1:] != key[order][:-1]])] if len(order) else order
        self._channel = dict(zip(key[first].tolist(), first.tolist(), strict=True))
        self.sources, self._nodes = sources, nodes
        ends = (network.tail[first], network.head[first])
        graph = csr_array((length[first], ends), shape=(nodes, nodes))
        self.distance, self._before = dijkstra(graph, indices=sources, return_predecessors=True)

    def path(self, row: int, end: int) -> tuple[int, ...]:
        """The channels from ``sources[row]`` to ``end``."""
        start, found = int(self.sources[row]), []
        while end != start:
            before = int(self._before[row, end])
            found.append(self._channel[before * self._nodes + end])
            end = before
        return tuple(reversed(found))
