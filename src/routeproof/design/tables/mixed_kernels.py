"""Compiled: the worst case of a channel under a mixture of tables, for ``exchange_kernels``.

With several tables (the lids of a host, say) a packet's load on a channel is the part of its tables that lead across
it, and the worst case is a transportation problem instead of a matching.
"""

from __future__ import annotations

from ...analysis.worst_case.transport_kernels import solve_channels
from ...machine.compiled import njit
from .matched_kernels import mark_of

__all__ = ["mixed_value"]


@njit(cache=True, nogil=True, error_model="numpy")
def mixed_value(  # type: ignore[no-untyped-def]
    c, next_channel, tail, head, target, amount, supply, sources, mark, stack, hit,
    destination, demand, share, offset, row, column, weight, none_level, none_start, stop,
    value, num_active, active, potential_v, potential_u, flow, optimal,
    row_side, col_side, ptrs, marks, row_link, col_link, edge, heap,
    level_top, level_rows, level_cols, level_ptrs, level_link, level_other, level_edge,
):  # fmt: skip
    """The largest load of channel c under any permutation, in units of what all ``amount`` of a destination sum to.

    Column j of ``next_channel`` (int32 (N, D)) is a table towards ``destination[j]``, at node ``target[j]``, which
    ``amount[j]`` parts of its packets take.  ``hit``: int32 (D,), out: the source whose packet the worst permutation
    brings across c by column j, or -1.  demand: ones, int64 (T,); share: int64 (N, T), zeros, left so; the others as
    for ``matched_value`` and ``solve_channels``, for as many entries as sources times destinations.
    """
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
    solve_channels(
        offset, row, column, weight, supply, demand, none_level, none_level, none_start, stop, False, 0,
        value, num_active, active, potential_v, potential_u, flow, optimal,
        row_side, col_side, ptrs, marks, row_link, col_link, edge, heap,
        level_top, level_rows, level_cols, level_ptrs, level_link, level_other, level_edge,
    )  # fmt: skip
    for e in range(entries):
        if flow[e] > 0:
            for j in range(len(hit)):
                if destination[j] == column[e] and next_channel[u, j] == c and target[j] != u:
                    v = row[e]
                    while v != u and v != target[j]:
                        v = head[next_channel[v, j]]
                    if v == u:
                        hit[j] = row[e]
    return value[0]
