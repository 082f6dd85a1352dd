"""Graphs as arrays of tails and heads: hops, which terminals cannot reach which, and a numbering or a cycle.

A numbering that increases along every edge proves that there is no cycle; checking it is one comparison an edge, and
that is all a checker trusts.
``graphs.shortest.hops_to_all`` is the compiled search, for the hops between all nodes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .arrays import Int64, first_true, offsets_of
from .network import Network

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


def first_descent(number: Int64, tail: Int64, head: Int64) -> int | None:
    """The first edge k along which ``number`` does not increase, or None: then the graph has no cycle.

    ``number``: int64, shape (V,); edge k leads from vertex ``tail[k]`` to ``head[k]``.
    """
    return first_true(number[tail] >= number[head])


def numbering_or_cycle(num_vertices: int, tail: Int64, head: Int64) -> tuple[Int64 | None, list[int]]:
    """(number, []) with ``number`` increasing along every edge, or (None, cycle) with a shortest cycle found.

    ``number`` is the level: the most edges of a path that ends at the vertex (Kahn's algorithm, level by level).
    ``cycle`` lists vertices, each of which leads to the next and the last to the first.
    """
    order = np.argsort(tail, kind="stable")
    successor = head[order]
    start = np.searchsorted(tail[order], np.arange(num_vertices + 1))
    waiting = np.bincount(head, minlength=num_vertices)
    number = np.full(num_vertices, -1, dtype=np.int64)
    ready = np.nonzero(waiting == 0)[0]
    level = 0
    while len(ready):
        number[ready] = level
        level += 1
        length = start[ready + 1] - start[ready]
        before = offsets_of(length)
        at = np.repeat(start[ready] - before[:-1], length) + np.arange(before[-1])
        freed, times = np.unique(successor[at], return_counts=True)
        waiting[freed] -= times
        ready = freed[waiting[freed] == 0]
    if (number >= 0).all():
        return number, []
    return None, _cycle(successor, start, number < 0)


def _cycle(successor: Int64, start: Int64, left: npt.NDArray[np.bool_]) -> list[int]:
    """A shortest cycle through the first vertex left that is on one: breadth-first search from there."""
    for root in np.nonzero(left)[0].tolist():
        parent = {root: -1}
        frontier = [root]
        while frontier:
            following = []
            for v in frontier:
                for u in successor[start[v] : start[v + 1]].tolist():
                    if u == root:
                        cycle = [v]
                        while parent[cycle[-1]] >= 0:
                            cycle.append(parent[cycle[-1]])
                        return cycle[::-1]
                    if left[u] and u not in parent:
                        parent[u] = v
                        following.append(u)
            frontier = following
    return []
