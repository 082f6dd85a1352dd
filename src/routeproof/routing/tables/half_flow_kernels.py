"""Compiled: do the differences of two nodes' flows hold a cycle that no packet can get to?"""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


@njit(cache=True)
def first_lost(start, near, link, sign, flow, node, first, last):  # type: ignore[no-untyped-def]
    """(k, l, e): from ``node[k]`` to ``node[l]`` link e carries flow[k, e] - flow[l, e], which is not 0, and no packet
    gets there; (-1, -1, -1) where there is no such pair with ``first`` <= k < ``last``.

    The links at node v are ``link[start[v]:start[v + 1]]``, to nodes ``near``; ``sign`` is 1 where a link leaves v.
    """
    size, count = len(start) - 1, len(flow)
    seen = np.zeros(size, dtype=np.int64)
    stack = np.empty(size, dtype=np.int64)
    mark = 0
    for k in range(first, last):
        for other in range(count):
            if other == k:
                continue
            mark += 1
            seen[node[k]] = mark
            stack[0] = node[k]
            depth = 1
            while depth > 0:
                depth -= 1
                v = stack[depth]
                for at in range(start[v], start[v + 1]):
                    u = near[at]
                    if seen[u] != mark and sign[at] * (flow[k, link[at]] - flow[other, link[at]]) > 0:
                        seen[u] = mark
                        stack[depth] = u
                        depth += 1
            for v in range(size):
                if seen[v] == mark:
                    continue
                for at in range(start[v], start[v + 1]):
                    if flow[k, link[at]] != flow[other, link[at]]:
                        return k, other, link[at]
    return -1, -1, -1
