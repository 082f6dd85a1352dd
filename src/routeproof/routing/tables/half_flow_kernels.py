"""Compiled: do the differences of two nodes' flows hold a cycle that no packet can get to?"""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


@njit(cache=True)
def first_lost(start, near, link, flow, node, some):  # type: ignore[no-untyped-def]
    """(k, l, e): the flows of k and l differ on link e, to which no links on which they differ lead from ``node[k]``;
    (-1, -1, -1) where there is no such pair among ``some``, (P, 2).

    The links at node v are ``link[start[v]:start[v + 1]]``, to nodes ``near``.
    """
    size = len(start) - 1
    seen = np.full(size, -1, dtype=np.int64)
    stack = np.empty(size, dtype=np.int64)
    for pair in range(len(some)):
        k, other = some[pair]
        seen[node[k]] = pair
        stack[0] = node[k]
        depth, found = 1, 1
        while depth > 0 and found < size:
            depth -= 1
            v = stack[depth]
            for at in range(start[v], start[v + 1]):
                u = near[at]
                if seen[u] != pair and flow[k, link[at]] != flow[other, link[at]]:
                    seen[u] = pair
                    stack[depth] = u
                    depth += 1
                    found += 1
        if found == size:
            continue
        for v in range(size):
            if seen[v] == pair:
                continue
            for at in range(start[v], start[v + 1]):
                if flow[k, link[at]] != flow[other, link[at]]:
                    return k, other, link[at]
    return -1, -1, -1
