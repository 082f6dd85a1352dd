"""Can every terminal reach every other?"""

from __future__ import annotations

import numpy as np

from ...core.network import Network

__all__ = ["lost_pair"]


def lost_pair(network: Network) -> tuple[int, int] | None:
    """The first two nodes (i, j), i with a source and j with a sink, such that no path leads from i to j; or None."""
    sources, sinks = np.unique(network.source), np.unique(network.sink)
    order = np.argsort(network.tail, kind="stable")
    offset, head = network.out_channels[0], network.head[order]
    for i in sources.tolist():
        seen = np.zeros(network.num_nodes, dtype=bool)
        seen[i] = True
        front = [i]
        while front:
            u = front.pop()
            for v in head[offset[u] : offset[u + 1]].tolist():
                if not seen[v]:
                    seen[v] = True
                    front.append(v)
        lost = sinks[~seen[sinks]]
        if len(lost):
            return i, int(lost[0])
        if network.reverse is not None and seen[sources].all():
            return None  # both ways: all that one reaches reach it, and so one another
    return None
