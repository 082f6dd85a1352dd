"""Compiled forwarding tables: D-mod-K, and for one destination after the other a tree that avoids what carries much."""

from __future__ import annotations

import numpy as np

from ...graphs.search_kernels import grow_tree
from ...machine.compiled import njit


@njit(cache=True, nogil=True, error_model="numpy")
def balanced_trees(in_offset, in_channel, tail, head, ends, supply, weight, table):  # type: ignore[no-untyped-def]
    """Fill ``table`` (int32 (N, D)): the next channel of every node in a lightest tree to each of ``ends``.

    ``weight`` (int64, by channel, positive) grows by the terminals whose packets cross it, destination after
    destination.  Ties go to the lower channel.
    """
    cost = np.empty(len(table), dtype=np.int64)
    order = np.empty(len(table), dtype=np.int32)
    crossing = np.empty(len(table), dtype=np.int64)
    heap = np.empty((2, len(tail) + 2), dtype=np.int64)
    for d in range(len(ends)):
        cost[:] = np.int64(1) << 62
        settled = grow_tree(in_offset, in_channel, tail, weight, ends[d], -1, True, cost, table[:, d], heap, order)
        crossing[:] = supply
        for k in range(settled - 1, 0, -1):
            s = order[k]
            c = table[s, d]
            weight[c] += crossing[s]
            crossing[head[c]] += crossing[s]


@njit(cache=True, nogil=True, error_model="numpy")
def fill_tables(offset, channel, head, up, below, reach, period, end, which, nodes, table):  # type: ignore[no-untyped-def]
    """Write ``table[v, t]``, int32 (N, T), for the given ``nodes`` v; see ``mod_k._table``.

    end: int64 (E,), the nodes with destinations; which: int64 (T,), of which of them each terminal is.
    """
    for v in nodes:
        low, out = offset[v], offset[v + 1] - offset[v]
        fits = np.empty((len(end), out), dtype=np.int32)
        count = np.zeros(len(end), dtype=np.int64)
        for k in range(out):
            c = channel[low + k]
            onward = reach[head[c]] if up[c] else below[head[c]]
            for e in range(len(end)):
                if onward[end[e]] and below[v, end[e]] != up[c]:
                    fits[e, count[e]] = c
                    count[e] += 1
        for t in range(len(which)):
            e = which[t]
            if count[e] > 0:
                table[v, t] = fits[e, t // period[v] % count[e]]
