"""A network as shortest-path searches in floats see it, and what flows along the paths that they find."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.network import Network
from ...graphs.shortest import Ends, Joined, Searched

_LEAST = 1e-12  # no channel is shorter


class Surroundings(Joined):
    """Distances, and what flows along shortest paths put on the channels.  ``bandwidth``: float64 (C,)."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self.bandwidth: Float64 = np.array([float(x) for x in network.bandwidth])

    def graph(self, length: Float64) -> tuple[Any, Int64]:
        return super().graph(np.maximum(length, _LEAST))

    def searched(self, length: Float64, sources: Ends) -> Searched:
        """Shortest paths from these nodes (ascending, each once), (N, N) as if from all; other rows hold nothing."""
        found = super().searched(length, sources)
        far = np.full((self.size, self.size), np.inf)
        before = np.full((self.size, self.size), -1, dtype=np.int64)
        far[sources], before[sources] = found.far, found.before
        return Searched(far, before, found.channel)

    def loads(self, found: Searched, source: Int64, end: Int64, amount: Float64) -> Float64:
        """What every channel carries, (C,), where each pair sends its amount along its shortest path."""
        loads = np.zeros(self.network.num_channels)
        at, sent = end.astype(np.int64), amount
        while len(at):
            last = found.before[source, at]
            live = last >= 0
            source, at, last, sent = source[live], at[live], last[live], sent[live]
            np.add.at(loads, self.channels(found, last, at), sent)
            at = last
        return loads


def node_demand(network: Network, demand: Mapping[tuple[int, int], Fraction]) -> Float64:
    """(N, N): between nodes; what stays at its node is left out."""
    found = np.zeros((network.num_nodes, network.num_nodes))
    for (i, j), x in demand.items():
        found[network.source[i], network.sink[j]] += float(x)
    np.fill_diagonal(found, 0.0)
    return found
