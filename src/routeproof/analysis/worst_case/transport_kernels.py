"""Compiled kernels for the transportation problem behind the worst case of one channel.

    maximise  sum w[i, j] x[i, j]   subject to   sum_j x[i, j] <= supply[i],  sum_i x[i, j] <= demand[j],  x >= 0

over the sparse pairs with w > 0, and its dual: least ``supply . u + demand . v`` with ``u, v >= 0`` and
``u[i] + v[j] >= w[i, j]``.  With unit supplies and demands this is the maximum-weight matching of Towles & Dally 2002,
sec. 3.4.  Everything is int64; callers guarantee that sums stay below 2**62.

The method is primal-dual (successive shortest augmenting paths on the slacks), started from any feasible
potentials, and may stop as soon as the dual value falls to a threshold: the potentials are then a proof that
the channel cannot exceed it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...machine.compiled import njit
from .augmenting_kernels import (
    CAP,
    DIST,
    DONE,
    FAR,
    FLOW,
    POT,
    REST,
    WEIGHT,
    phase,
)

_MAX_LEVELS = 24


@njit(cache=True, nogil=True, error_model="numpy")
def _solve(  # type: ignore[no-untyped-def]
    num_rows, num_cols, row_ptr, row_link, row_side, col_ptr, col_link, col_side, edge, heap, stop
):  # fmt: skip
    """Optimal (or stopped) potentials and flow; returns the dual value.

    In: row_ptr, row_link (edges sorted by row), weights, CAP and feasible POT of both sides.  Out: POT, flow.
    """
    value = np.int64(0)
    for r in range(num_rows):
        value += row_side[CAP, r] * row_side[POT, r]
        row_side[REST, r] = row_side[CAP, r]
    for c in range(num_cols):
        value += col_side[CAP, c] * col_side[POT, c]
        col_side[REST, c] = col_side[CAP, c]
    if value <= stop:
        return value
    for c in range(num_cols + 1):
        col_ptr[c] = 0
    for e in range(row_ptr[num_rows]):
        col_ptr[row_link[0, e] + 1] += 1
    for c in range(num_cols):
        col_ptr[c + 1] += col_ptr[c]
    for r in range(num_rows):
        for e in range(row_ptr[r], row_ptr[r + 1]):
            c = row_link[0, e]
            at = col_ptr[c]
            col_link[0, at] = r
            col_link[1, at] = e
            col_ptr[c] += 1
            row_link[1, e] = e
            # Greedy start on the tight edges.
            amount = np.int64(0)
            if row_side[POT, r] + col_side[POT, c] == edge[WEIGHT, e]:
                amount = min(row_side[REST, r], col_side[REST, c])
                row_side[REST, r] -= amount
                col_side[REST, c] -= amount
            edge[FLOW, e] = amount
    for c in range(num_cols, 0, -1):
        col_ptr[c] = col_ptr[c - 1]
    col_ptr[0] = 0
    # First the rows, then the columns, by the same code.
    num_a, a_ptr, a_link, a_side = num_rows, row_ptr, row_link, row_side
    b_ptr, b_link, b_side = col_ptr, col_link, col_side
    for _ in range(2):
        value = phase(num_a, a_ptr, a_link, a_side, b_ptr, b_link, b_side, edge, heap, value, stop)
        if value <= stop:
            break
        num_a, a_ptr, a_link, a_side = num_cols, col_ptr, col_link, col_side
        b_ptr, b_link, b_side = row_ptr, row_link, row_side
    return value


@njit(cache=True, nogil=True, error_model="numpy")
def _level_potentials(  # type: ignore[no-untyped-def]
    num_rows, num_cols, row_ptr, row_link, edge, row_side, col_side, row_level, col_level,
    top, rows, cols, ptrs, link, other_link, small, heap,
):  # fmt: skip
    """Column potentials by level, from the small problem between levels with the largest weight of each pair of levels.

    They are left as the potentials of ``cols``.
    """
    size = _MAX_LEVELS
    for a in range(size):
        for line in (POT, CAP, DONE):
            rows[line, a] = 0
            cols[line, a] = 0
        rows[DIST, a] = FAR
        cols[DIST, a] = FAR
        for b in range(size):
            top[a, b] = 0
    for i in range(num_rows):
        a = row_level[i]
        rows[CAP, a] += row_side[CAP, i]
        for e in range(row_ptr[i], row_ptr[i + 1]):
            b = col_level[row_link[0, e]]
            if edge[WEIGHT, e] > top[a, b]:
                top[a, b] = edge[WEIGHT, e]
    for j in range(num_cols):
        cols[CAP, col_level[j]] += col_side[CAP, j]
    count = 0
    for a in range(size):
        ptrs[0, a] = count
        for b in range(size):
            if top[a, b] > 0:
                link[0, count] = b
                small[WEIGHT, count] = top[a, b]
                rows[POT, a] = max(rows[POT, a], top[a, b])
                count += 1
    ptrs[0, size] = count
    _solve(size, size, ptrs[0], link, rows, ptrs[1], other_link, cols, small, heap, np.int64(-1))


@njit(cache=True, nogil=True, error_model="numpy")
def solve_channels(  # type: ignore[no-untyped-def]
    offset, row, column, weight, supply, demand, row_level, column_level, start_v, stop, running, slack,
    value, num_active, active, potential_v, potential_u, flow, optimal,
    row_side, col_side, ptrs, marks, row_link, col_link, edge, heap,
    level_top, level_rows, level_cols, level_ptrs, level_link, level_other, level_edge,
):  # fmt: skip
    """Solve (or bound) every channel of a block.

    offset: int64 (K+1,); row, column: int32 (nnz,), sorted by channel and row; weight: int64 (nnz,), not negative.
    supply: int64 (R,); demand: int64 (Q,).
    row_level: uint8 (K, R) and column_level: uint8 (K, Q): any grouping of rows and columns with like loads (hop
    distance to the channel); shapes (0, 0) for none.
    start_v: int64 (Q,), column potentials to start from instead; shape (0,) for none.
    stop: int64 (K,): a channel may be left as soon as its dual value is <= stop[k].
    running: if True, ``stop`` of later channels is raised to the best optimum so far minus ``slack`` minus 1.
    Out: value (K,) dual value; optimal (K,) bool; num_active (K,) columns with entries; their numbers ``active`` and
    potentials ``potential_v`` (nnz,), ascending, channel after channel from offset[k]; ``potential_u`` and ``flow``
    (nnz,) per edge (u repeated for each edge of the row).
    Scratch, from the caller (allocating it here would double the compile time): see ``scratch``.
    """
    num_cols = len(demand)
    for t in range(row_side.shape[1]):
        row_side[DIST, t] = FAR
        row_side[DONE, t] = 0
    for c in range(num_cols):
        col_side[DIST, c] = FAR
        col_side[DONE, c] = 0
        marks[0, c] = -1
    row_ptr = ptrs[0]
    col_ptr = ptrs[1]
    where = marks[1]
    row_here = marks[2]
    level_of_row = marks[3]
    level_of_col = marks[4]
    col_number = marks[0]
    floor = np.int64(-1)
    for k in range(len(offset) - 1):
        # Number the rows and columns that take part.
        first = offset[k]
        nr = 0
        ne = 0
        p = first
        while p < offset[k + 1]:
            r = row[p]
            row_here[nr] = r
            row_ptr[nr] = ne
            while p < offset[k + 1] and row[p] == r:
                c = column[p]
                if weight[p] > 0 and demand[c] > 0 and supply[r] > 0:
                    col_number[c] = 0
                    row_link[0, ne] = c
                    edge[WEIGHT, ne] = weight[p]
                    where[ne] = p
                    ne += 1
                p += 1
            if ne > row_ptr[nr]:
                row_side[CAP, nr] = supply[r]
                nr += 1
        row_ptr[nr] = ne
        nc = 0
        for c in range(num_cols):
            if col_number[c] == 0:
                active[first + nc] = c
                col_number[c] = nc
                col_side[CAP, nc] = demand[c]
                col_side[POT, nc] = 0
                nc += 1
        num_active[k] = nc
        for e in range(ne):
            row_link[0, e] = col_number[row_link[0, e]]
        for j in range(nc):
            col_number[active[first + j]] = -1
        target = stop[k]
        if running and floor > target:
            target = floor
        if len(start_v) > 0:
            for j in range(nc):
                col_side[POT, j] = start_v[active[first + j]]
        elif row_level.shape[0] > 0 and nr > 0:
            for i in range(nr):
                level_of_row[i] = min(np.int64(row_level[k, row_here[i]]), _MAX_LEVELS - 1)
            for j in range(nc):
                level_of_col[j] = min(np.int64(column_level[k, active[first + j]]), _MAX_LEVELS - 1)
            _level_potentials(
                nr, nc, row_ptr, row_link, edge, row_side, col_side, level_of_row, level_of_col,
                level_top, level_rows, level_cols, level_ptrs, level_link, level_other, level_edge, heap,
            )  # fmt: skip
            for j in range(nc):
                col_side[POT, j] = level_cols[POT, level_of_col[j]]
        # One sweep: rows' potentials from the columns', then the columns' from the rows'.
        for i in range(nr):
            top = np.int64(0)
            for e in range(row_ptr[i], row_ptr[i + 1]):
                top = max(top, edge[WEIGHT, e] - col_side[POT, row_link[0, e]])
            row_side[POT, i] = top
        for j in range(nc):
            col_side[POT, j] = 0
        for i in range(nr):
            for e in range(row_ptr[i], row_ptr[i + 1]):
                need = edge[WEIGHT, e] - row_side[POT, i]
                if need > col_side[POT, row_link[0, e]]:
                    col_side[POT, row_link[0, e]] = need
        for e in range(ne):
            edge[FLOW, e] = 0
        z = _solve(nr, nc, row_ptr, row_link, row_side, col_ptr, col_link, col_side, edge, heap, target)
        value[k] = z
        optimal[k] = z > target
        if z > target and z - slack - 1 > floor:
            floor = z - slack - 1
        for j in range(nc):
            potential_v[first + j] = col_side[POT, j]
        if len(potential_u) > 0:
            for i in range(nr):
                for e in range(row_ptr[i], row_ptr[i + 1]):
                    potential_u[where[e]] = row_side[POT, i]
                    flow[where[e]] = edge[FLOW, e]


def scratch(num_rows: int, num_cols: int, most: int) -> tuple[Any, ...]:
    """Scratch for ``solve_channels``: for so many rows and columns, and at most ``most`` entries a channel."""
    size = _MAX_LEVELS
    wide = max(num_rows, num_cols, size) + 1

    def table(lines: int, width: int) -> npt.NDArray[np.int64]:
        return np.empty((lines, width), dtype=np.int64)

    small = size * size
    return (
        table(8, num_rows), table(8, num_cols), table(2, wide), table(5, max(wide, most)), table(2, most),
        table(2, most),
        table(2, most), table(2, max(most, small) + 1), table(size, size), table(8, size), table(8, size),
        table(2, size + 1), table(2, small), table(2, small), table(2, small),
    )  # fmt: skip
