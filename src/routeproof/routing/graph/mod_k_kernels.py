"""Compiled: the tables of D-mod-K."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


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
