"""A network as shortest-path searches in floats see it: at most one channel between two nodes, the shortest one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.network import Network

_LEAST = 1e-12  # scipy takes no channels of length 0


class Searched(NamedTuple):
    """Distances, (N, N); the node before each on its path, (N, N); the channel of every joined pair of nodes."""

    far: Float64
    before: Int64
    channel: Int64


class Surroundings:
    """Distances, and what flows along shortest paths put on the channels.  ``bandwidth``: float64 (C,)."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.bandwidth: Float64 = np.array([float(x) for x in network.bandwidth])
        self.size = network.num_nodes
        key = network.tail.astype(np.int64) * self.size + network.head
        self._joined, self._of = np.unique(key, return_inverse=True)
        self._head = self._joined % self.size
        self._start = np.searchsorted(self._joined // self.size, np.arange(self.size + 1))
        self._single = len(self._joined) == network.num_channels
        self._place: Int64 = np.full(self.size * self.size, -1, dtype=np.int64)
        self._place[self._joined] = np.arange(len(self._joined))

    def _shortest(self, length: Float64) -> tuple[Float64, Int64]:
        """(the length of every joined pair of nodes, its channel)."""
        if self._single:
            order = np.empty(len(self._joined), dtype=np.int64)
            order[self._of] = np.arange(len(self._of))
        else:
            by = np.lexsort((length, self._of))
            order = by[np.searchsorted(self._of[by], np.arange(len(self._joined)))]
        return np.maximum(length[order], _LEAST), order

    def _graph(self, length: Float64) -> tuple[Any, Int64]:
        from scipy.sparse import csr_matrix

        each, channel = self._shortest(length)
        return csr_matrix((each, self._head, self._start), shape=(self.size, self.size)), channel

    def distances(self, length: Float64) -> Float64:
        """(N, N): from row to column; infinite where no path leads."""
        from scipy.sparse.csgraph import dijkstra

        found: Float64 = dijkstra(self._graph(length)[0])
        return found

    def searched(self, length: Float64, sources: Int64) -> Searched:
        """Shortest paths from these nodes (ascending, each once); other rows hold nothing."""
        from scipy.sparse.csgraph import dijkstra

        graph, channel = self._graph(length)
        far = np.full((self.size, self.size), np.inf)
        before = np.full((self.size, self.size), -1, dtype=np.int64)
        far[sources], before[sources] = dijkstra(graph, indices=sources, return_predecessors=True)
        return Searched(far, before, channel)

    def loads(self, found: Searched, source: Int64, end: Int64, amount: Float64) -> Float64:
        """What every channel carries, (C,), where each pair sends its amount along its shortest path."""
        load = np.zeros(len(self._joined))
        at, sent = end.astype(np.int64), amount
        while len(at):
            last = found.before[source, at]
            live = last >= 0
            source, at, last, sent = source[live], at[live], last[live], sent[live]
            np.add.at(load, self._place[last * self.size + at], sent)
            at = last
        loads = np.zeros(self.network.num_channels)
        loads[found.channel] = load
        return loads

    def path(self, found: Searched, i: int, j: int) -> list[int]:
        """The channels of the path from i to j that the search found."""
        path = []
        while j != i:
            last = int(found.before[i, j])
            path.append(int(found.channel[self._place[last * self.size + j]]))
            j = last
        return path[::-1]


def node_demand(network: Network, demand: Mapping[tuple[int, int], Fraction]) -> Float64:
    """(N, N): between nodes; what stays at its node is left out."""
    found = np.zeros((network.num_nodes, network.num_nodes))
    for (i, j), x in demand.items():
        found[network.source[i], network.sink[j]] += float(x)
    np.fill_diagonal(found, 0.0)
    return found
