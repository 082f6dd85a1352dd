"""Compiled: for one destination after the other, a lightest tree that avoids what carries much already."""

from __future__ import annotations

import numpy as np

from ...graphs.shortest_kernels import grow_tree
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
