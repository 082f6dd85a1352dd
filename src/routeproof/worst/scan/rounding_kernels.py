"""Compiled: potentials rounded to few bits."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


@njit(cache=True, nogil=True, error_model="numpy")
def quantise_channels(channels, solved, limit, first_shift, shift, quantum):  # type: ignore[no-untyped-def]
    """Round each channel's column potentials to few bits so that they still prove ``value <= limit[k]``.

    ``solved``: as ``solve_channels`` left it.  Tries v = q << shift for falling shifts, with the rows' potentials
    rebuilt as u = max(w - v, 0).  Out: shift int64 (K,), -1 where even the exact potentials do not prove the limit;
    quantum int64 (nnz,): the q of the active columns, from offset[k].
    """
    offset, row, column, weight, supply, demand = channels
    num_active, active, potential = solved.num_active, solved.active, solved.v
    v = np.zeros(len(demand), dtype=np.int64)
    for k in range(len(offset) - 1):
        first = offset[k]
        shift[k] = -1
        if limit[k] < 0:
            continue
        step = first_shift
        while True:
            half = np.int64(0)
            if step > 0:
                half = np.int64(1) << (step - 1)
            total = np.int64(0)
            for j in range(num_active[k]):
                c = active[first + j]
                q = (potential[first + j] + half) >> step
                quantum[first + j] = q
                v[c] = q << step
                total += v[c] * demand[c]
            p = first
            while p < offset[k + 1] and total <= limit[k]:
                r = row[p]
                top = np.int64(0)
                while p < offset[k + 1] and row[p] == r:
                    c = column[p]
                    if demand[c] > 0 and weight[p] - v[c] > top:
                        top = weight[p] - v[c]
                    p += 1
                total += top * supply[r]
            if total <= limit[k]:
                shift[k] = step
                break
            if step == 0:
                break
            step = max(step - 2, 0)
