"""Breadth-first search: hops from nodes, and which terminals cannot reach which.

``routing.graph.hop_kernels`` is the compiled one, for the hops between all nodes (``routing.base.repair.hops_of``).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .network import Network

__all__ = ["hops_from", "lost_pair"]

Int64 = npt.NDArray[np.int64]
Ends = npt.NDArray[np.integer]


def hops_from(num_nodes: int, tail: Ends, head: Ends, start: Ends | int) -> Int64:
    """int64, shape (N,): how many of the channels from ``tail`` to ``head`` lead to each node from the nearest node of
    ``start``; -1 where none lead.  With ``head`` and ``tail`` exchanged: the hops to ``start``."""
    hops = np.full(num_nodes, -1, dtype=np.int64)
    hops[np.asarray(start)] = 0
    far = 0
    while True:
        after = head[hops[tail] == far]
        after = after[hops[after] < 0]
        if not len(after):
            return hops
        far += 1
        hops[after] = far


def lost_pair(network: Network) -> tuple[int, int] | None:
    """The first two nodes (i, j), i with a source and j with a sink, such that no path leads from i to j; or None."""
    sources, sinks = np.unique(network.source), np.unique(network.sink)
    size, tail, head = network.num_nodes, network.tail, network.head
    ahead, back = hops_from(size, tail, head, int(sources[0])), hops_from(size, head, tail, int(sources[0]))
    if (ahead[sinks] >= 0).all() and (back[sources] >= 0).all():
        return None  # all reach one node, which reaches all
    for i in sources.tolist():
        lost = sinks[hops_from(size, tail, head, i)[sinks] < 0]
        if len(lost):
            return i, int(lost[0])
    return None
