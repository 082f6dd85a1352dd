"""From half flows in floating point to whole numbers that are conserved exactly."""

from __future__ import annotations

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.network import Network

UNIT = 1 << 40


def whole_half_flows(network: Network, nodes: Int64, links: Int64, flow: Float64) -> Int64:
    """int64 (K, E), over ``UNIT``, near ``flow``: row k leaves ``nodes[k]``, and all rows end exactly alike.

    Flows and ends are rounded, but for the links of a spanning tree, which carry what is missing at the nodes beyond.
    """
    tail, head = network.tail[links].astype(np.int64), network.head[links].astype(np.int64)
    order, parent, via = _tree(network.num_nodes, tail, head, int(nodes[0]))
    whole = np.rint(flow * UNIT).astype(np.int64)
    inside = np.isin(tail, order)
    whole[:, ~inside] = 0
    tree = via[order[1:]]
    floating = np.zeros((network.num_nodes, len(nodes)))
    np.add.at(floating, tail[inside], flow[:, inside].T)
    np.subtract.at(floating, head[inside], flow[:, inside].T)
    floating[nodes, np.arange(len(nodes))] -= 1.0
    ends = np.rint(-floating.mean(axis=1) * UNIT).astype(np.int64)
    ends[order[0]] += UNIT - ends.sum()
    whole[:, tree] = 0
    wanted = np.repeat(-ends[:, None], len(nodes), axis=1)  # what is to leave every node, less what arrives
    wanted[nodes, np.arange(len(nodes))] += UNIT
    np.subtract.at(wanted, tail, whole.T)
    np.add.at(wanted, head, whole.T)
    for v in order[:0:-1].tolist():
        e = int(via[v])
        whole[:, e] = wanted[v] if tail[e] == v else -wanted[v]
        wanted[parent[v]] += wanted[v]
    return whole


def _tree(size: int, tail: Int64, head: Int64, root: int) -> tuple[Int64, Int64, Int64]:
    """(nodes within reach of ``root``, in order of distance; by node the one before, and the link from there)."""
    parent, via = np.full(size, -1, dtype=np.int64), np.full(size, -1, dtype=np.int64)
    beside: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for e, (u, v) in enumerate(zip(tail.tolist(), head.tolist(), strict=True)):
        beside[u].append((v, e))
        beside[v].append((u, e))
    order, parent[root] = [root], root
    for v in order:  # grows while it is walked through
        for u, e in beside[v]:
            if parent[u] < 0:
                parent[u], via[u] = v, e
                order.append(u)
    return np.array(order, dtype=np.int64), parent, via
