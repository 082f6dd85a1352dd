"""A network as shortest-path searches in floats see it: at most one channel between two nodes, the shortest one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.network import Network

_LEAST = 1e-12  # scipy takes no channels of length 0
Paths = tuple[Float64, Int64, Int64]


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

    def distances(self, length: Float64) -> Float64:
        """(N, N): from row to column; infinite where no path leads."""
        return self._searched(length)[0]

    def _searched(self, length: Float64, *, paths: bool = False) -> Paths:
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import dijkstra

        each, channel = self._shortest(length)
        graph = csr_matrix((each, self._head, self._start), shape=(self.size, self.size))
        found = dijkstra(graph, return_predecessors=paths)
        return (found[0], found[1], channel) if paths else (found, channel, channel)

    def shortest_flow(self, demand: Float64, length: Float64) -> tuple[Float64, float]:
        """(what every channel carries, (C,); what is paid in all) when each pair takes one shortest path.

        ``demand``: (N, N), between nodes.
        """
        far, before, channel = self._searched(length, paths=True)
        amount = demand.copy()
        load = np.zeros(len(self._joined))
        rows = np.flatnonzero(demand.any(axis=1))
        reached = np.where(np.isfinite(far[rows]), far[rows], -1.0)
        order = np.argsort(-reached, axis=1)
        for k in range(self.size):
            node = order[:, k]
            last = before[rows, node]
            moved = np.where(last >= 0, amount[rows, node], 0.0)
            some = np.flatnonzero(moved)
            i, v, u = rows[some], node[some], last[some]
            np.add.at(load, self._place[u * self.size + v], moved[some])
            np.add.at(amount, (i, u), moved[some])
        loads = np.zeros(self.network.num_channels)
        loads[channel] = load
        paid = float((demand[rows] * np.where(demand[rows] > 0, far[rows], 0.0)).sum())
        return loads, paid

    def path(self, before: Int64, channel: Int64, i: int, j: int) -> list[int]:
        """The channels of the path from i to j that the search found."""
        found = []
        while j != i:
            last = int(before[i, j])
            found.append(int(channel[self._place[last * self.size + j]]))
            j = last
        return found[::-1]

    def searched(self, length: Float64) -> Paths:
        """(distances, the node before each on its path, the channel of every joined pair)."""
        return self._searched(length, paths=True)


def node_demand(network: Network, demand: Mapping[tuple[int, int], Fraction]) -> Float64:
    """(N, N): between nodes; what stays at its node is left out."""
    found = np.zeros((network.num_nodes, network.num_nodes))
    for (i, j), x in demand.items():
        found[network.source[i], network.sink[j]] += float(x)
    np.fill_diagonal(found, 0.0)
    return found
