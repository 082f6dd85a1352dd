"""Compiled: the worst case of a channel under a mixture of tables, for ``exchange_kernels``.

With several tables (the lids of a host, say) a packet's load on a channel is the part of its tables that lead across
it, and the worst case is a transportation problem instead of a matching.
"""

from __future__ import annotations

from ...analysis.worst_case.transport_arrays import Channels
from ...analysis.worst_case.transport_kernels import solve_channels
from ...machine.compiled import njit
from .matched_kernels import mark_of

__all__ = ["mixed_value"]


@njit(cache=True, nogil=True, error_model="numpy")
def mixed_value(c, problem, work, mixed):  # type: ignore[no-untyped-def]
    """The largest load of channel c under any permutation, in units of what all ``amount`` of a destination sum to."""
    next_channel, tail, head, target, amount, supply, sources = problem
    mark, stack, hit = work.mark, work.stack, work.hit
    destination, demand, share, offset, row, column, weight, start, stop, solved, scratch = mixed
    u = tail[c]
    for j in range(len(hit)):
        hit[j] = -1
    for j in range(len(hit)):
        if amount[j] == 0 or next_channel[u, j] != c or target[j] == u:
            continue
        # Which sources' packets pass u on their way to target[j]?  1: yes, 2: no.
        for v in range(len(mark)):
            mark[v] = 0
        mark[u] = 1
        mark[target[j]] = 2
        for s in sources:
            if mark_of(s, j, next_channel, head, mark, stack) == 1:
                share[s, destination[j]] += amount[j]
    entries = 0
    for s in sources:
        for d in range(len(demand)):
            if share[s, d] > 0:
                row[entries] = s
                column[entries] = d
                weight[entries] = share[s, d]
                share[s, d] = 0
                entries += 1
    offset[1] = entries
    channels = Channels(offset, row, column, weight, supply, demand)
    solve_channels(channels, start, stop, False, 0, solved, scratch)
    for e in range(entries):
        if solved.flow[e] > 0:
            for j in range(len(hit)):
                if destination[j] == column[e] and next_channel[u, j] == c and target[j] != u:
                    v = row[e]
                    while v != u and v != target[j]:
                        v = head[next_channel[v, j]]
                    if v == u:
                        hit[j] = row[e]
    return solved.value[0]
