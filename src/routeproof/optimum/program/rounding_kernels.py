"""Compiled: a nearly conserved flow made whole, conserved and free of cycles."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


@njit(cache=True)
def whole_flow(  # type: ignore[no-untyped-def]
    offset, leaving, head, variable, members, flow, source, destination, unit
):
    """int64 (C,): ``unit`` whole units from source to destination, split at every node as ``flow`` is; all zero where
    the flow does not arrive.

    ``offset``, ``leaving``: the channels that leave each node; ``variable``: which class of channels each is in (-1:
    none), ``members`` and ``flow`` by class.  ``flow`` is changed: cycles are taken out, each with all its images.
    """
    n = len(offset) - 1
    order, size = _without_cycles(offset, leaving, head, variable, members, flow)
    alive = np.zeros(n, dtype=np.bool_)
    alive[destination] = True
    for k in range(size):  # later nodes of the flow come first in ``order``
        v = order[k]
        for e in range(offset[v], offset[v + 1]):
            c = leaving[e]
            if variable[c] >= 0 and flow[variable[c]] > 0.0 and alive[head[c]]:
                alive[v] = True
    whole = np.zeros(len(head), dtype=np.int64)
    if not alive[source]:
        return whole
    inflow = np.zeros(n, dtype=np.int64)
    inflow[source] = unit
    for k in range(size - 1, -1, -1):
        v = order[k]
        if v == destination or inflow[v] == 0:
            continue
        total = 0.0
        for e in range(offset[v], offset[v + 1]):
            c = leaving[e]
            if variable[c] >= 0 and alive[head[c]]:
                total += flow[variable[c]]
        done = 0.0
        given = 0
        last = -1
        for e in range(offset[v], offset[v + 1]):
            c = leaving[e]
            if variable[c] >= 0 and alive[head[c]] and flow[variable[c]] > 0.0:
                done += flow[variable[c]]
                upto = min(inflow[v], int(np.floor(inflow[v] * (done / total))))
                whole[c] = upto - given
                given = upto
                last = c
        whole[last] += inflow[v] - given
        for e in range(offset[v], offset[v + 1]):
            c = leaving[e]
            inflow[head[c]] += whole[c]
    return whole


@njit(cache=True)
def _without_cycles(offset, leaving, head, variable, members, flow):  # type: ignore[no-untyped-def]
    """(nodes, those that flow reaches later first; how many): by depth-first search, which meets every cycle."""
    n = len(offset) - 1
    state = np.zeros(n, dtype=np.int8)
    at = offset[:-1].copy()
    stack = np.empty(n + 1, dtype=np.int64)
    via = np.empty(n + 1, dtype=np.int64)
    order = np.empty(n, dtype=np.int64)
    size = 0
    uses = np.zeros(len(flow), dtype=np.int64)
    for root in range(n):
        if state[root] != 0:
            continue
        depth = 0
        stack[0], via[0] = root, -1
        state[root] = 1
        while depth >= 0:
            v = stack[depth]
            if at[v] == offset[v + 1]:
                state[v] = 2
                order[size] = v
                size += 1
                depth -= 1
                continue
            c = leaving[at[v]]
            if variable[c] < 0 or flow[variable[c]] <= 0.0 or state[head[c]] == 2:
                at[v] += 1
                continue
            u = head[c]
            if state[u] == 0:
                depth += 1
                stack[depth], via[depth] = u, c
                state[u] = 1
                continue
            # A cycle: from u along the stack to v, and back by c.
            first = depth
            while stack[first] != u:
                first -= 1
            uses[variable[c]] += 1
            for k in range(first + 1, depth + 1):
                uses[variable[via[k]]] += 1
            most = np.inf
            least = variable[c]
            for k in range(first, depth + 1):
                o = variable[c] if k == first else variable[via[k]]
                room = flow[o] * members[o] / uses[o]
                if room < most:
                    most, least = room, o
            for k in range(first, depth + 1):
                o = variable[c] if k == first else variable[via[k]]
                if uses[o] > 0:
                    flow[o] = max(0.0, flow[o] - most * uses[o] / members[o])
                    uses[o] = 0
            flow[least] = 0.0
            # Go back to the first node whose way on has vanished.
            for k in range(1, depth + 1):
                if flow[variable[via[k]]] <= 0.0:
                    for m in range(k, depth + 1):
                        state[stack[m]] = 0
                    depth = k - 1
                    break
    return order, size
