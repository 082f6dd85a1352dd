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

import numpy as np

from ..core.arrays import Int64
from ..machine.compiled import njit
from .augmenting_kernels import CAP, DIST, DONE, FAR, FLOW, POT, REST, WEIGHT, phase
from .transport_arrays import Scratch, Side

_MAX_LEVELS = 24


@njit(cache=True, nogil=True, error_model="numpy")
def _solve(num_rows, num_cols, rows, columns, edge, heap, stop):  # type: ignore[no-untyped-def]
    """Optimal (or stopped) potentials and flow; returns the dual value.

    In: ptr and link (edges sorted by row) of the rows, weights, CAP and feasible POT of both sides.  Out: POT, flow.
    """
    row_ptr, row_link, row_side = rows
    col_ptr, col_link, col_side = columns
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
    value = phase(num_rows, rows, columns, edge, heap, value, stop, FAR)
    if value > stop:
        value = phase(num_cols, columns, rows, edge, heap, value, stop, FAR)
    return value


@njit(cache=True, nogil=True, error_model="numpy")
def _level_potentials(num_rows, num_cols, scratch):  # type: ignore[no-untyped-def]
    """Column potentials by level, from the small problem between levels with the largest weight of each pair of levels.

    They are left as the potentials of ``small_columns``.
    """
    size = np.int64(_MAX_LEVELS)  # a plain number would be a type of its own, and ``_solve`` compiled again
    row_ptr, row_link, row_side = scratch.rows
    col_side = scratch.columns.state
    edge, top, small = scratch.edge, scratch.top, scratch.small_edge
    row_level, col_level = scratch.marks[3], scratch.marks[4]
    ptr, link, rows = scratch.small_rows
    cols = scratch.small_columns.state
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
        ptr[a] = count
        for b in range(size):
            if top[a, b] > 0:
                link[0, count] = b
                small[WEIGHT, count] = top[a, b]
                rows[POT, a] = max(rows[POT, a], top[a, b])
                count += 1
    ptr[size] = count
    _solve(size, size, scratch.small_rows, scratch.small_columns, small, scratch.heap, np.int64(-1))


@njit(cache=True, nogil=True, error_model="numpy")
def _number(k, channels, solved, scratch):  # type: ignore[no-untyped-def]
    """Number the rows, columns and entries of channel k that take part; returns how many there are of each."""
    row_ptr, row_link, row_side = scratch.rows
    col_side = scratch.columns.state
    col_number, where, row_here = scratch.marks[0], scratch.marks[1], scratch.marks[2]
    row, column, weight = channels.row, channels.column, channels.weight
    supply, demand = channels.supply, channels.demand
    first, end = channels.offset[k], channels.offset[k + 1]
    nr = 0
    ne = 0
    p = first
    while p < end:
        r = row[p]
        row_here[nr] = r
        row_ptr[nr] = ne
        while p < end and row[p] == r:
            c = column[p]
            if weight[p] > 0 and demand[c] > 0 and supply[r] > 0:
                col_number[c] = 0
                row_link[0, ne] = c
                scratch.edge[WEIGHT, ne] = weight[p]
                where[ne] = p
                ne += 1
            p += 1
        if ne > row_ptr[nr]:
            row_side[CAP, nr] = supply[r]
            nr += 1
    row_ptr[nr] = ne
    nc = 0
    for c in range(len(demand)):
        if col_number[c] == 0:
            solved.active[first + nc] = c
            col_number[c] = nc
            col_side[CAP, nc] = demand[c]
            col_side[POT, nc] = 0
            nc += 1
    solved.num_active[k] = nc
    for e in range(ne):
        row_link[0, e] = col_number[row_link[0, e]]
    for j in range(nc):
        col_number[solved.active[first + j]] = -1
    return nr, nc, ne


@njit(cache=True, nogil=True, error_model="numpy")
def _begin(k, nr, nc, active, start, scratch):  # type: ignore[no-untyped-def]
    """Feasible potentials of channel k: the columns' from ``start``, then one scan over both sides."""
    row_ptr, row_link, row_side = scratch.rows
    col_side, edge = scratch.columns.state, scratch.edge
    if len(start.potential) > 0:
        for j in range(nc):
            col_side[POT, j] = start.potential[active[j]]
    elif start.row_level.shape[0] > 0 and nr > 0:
        row_here, level_of_row, level_of_col = scratch.marks[2], scratch.marks[3], scratch.marks[4]
        for i in range(nr):
            level_of_row[i] = min(np.int64(start.row_level[k, row_here[i]]), _MAX_LEVELS - 1)
        for j in range(nc):
            level_of_col[j] = min(np.int64(start.column_level[k, active[j]]), _MAX_LEVELS - 1)
        _level_potentials(nr, nc, scratch)
        for j in range(nc):
            col_side[POT, j] = scratch.small_columns.state[POT, level_of_col[j]]
    # The rows' potentials from the columns', then the columns' from the rows'.
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


@njit(cache=True, nogil=True, error_model="numpy")
def solve_channels(channels, start, stop, running, slack, solved, scratch):  # type: ignore[no-untyped-def]
    """Solve (or bound) every channel of a block into ``solved``.

    stop: int64 (K,): a channel may be left as soon as its dual value is <= stop[k].
    running: if True, ``stop`` of later channels is raised to the best optimum so far minus ``slack`` minus 1.
    """
    rows, columns, edge = scratch.rows, scratch.columns, scratch.edge
    row_side, col_side, where = rows.state, columns.state, scratch.marks[1]
    for t in range(row_side.shape[1]):
        row_side[DIST, t] = FAR
        row_side[DONE, t] = 0
    for c in range(len(channels.demand)):
        col_side[DIST, c] = FAR
        col_side[DONE, c] = 0
        scratch.marks[0, c] = -1
    floor = np.int64(-1)
    for k in range(len(channels.offset) - 1):
        first = channels.offset[k]
        nr, nc, ne = _number(k, channels, solved, scratch)
        target = stop[k]
        if running and floor > target:
            target = floor
        _begin(k, nr, nc, solved.active[first:], start, scratch)
        for e in range(ne):
            edge[FLOW, e] = 0
        z = _solve(nr, nc, rows, columns, edge, scratch.heap, target)
        solved.value[k] = z
        solved.optimal[k] = z > target
        if z > target and z - slack - 1 > floor:
            floor = z - slack - 1
        for j in range(nc):
            solved.v[first + j] = col_side[POT, j]
        if len(solved.u) > 0:
            for i in range(nr):
                for e in range(rows.ptr[i], rows.ptr[i + 1]):
                    solved.u[where[e]] = row_side[POT, i]
                    solved.flow[where[e]] = edge[FLOW, e]


def scratch(num_rows: int, num_cols: int, most: int) -> Scratch:
    """Scratch for ``solve_channels``: for so many rows and columns, and at most ``most`` entries a channel."""
    size = _MAX_LEVELS
    wide = max(num_rows, num_cols, size) + 1

    def table(*shape: int) -> Int64:
        return np.empty(shape, dtype=np.int64)

    small = size * size
    return Scratch(
        rows=Side(table(wide), table(2, most), table(8, num_rows)),
        columns=Side(table(wide), table(2, most), table(8, num_cols)),
        edge=table(2, most),
        heap=table(2, max(most, small) + 1),
        marks=table(5, max(wide, most)),
        top=table(size, size),
        small_rows=Side(table(size + 1), table(2, small), table(8, size)),
        small_columns=Side(table(size + 1), table(2, small), table(8, size)),
        small_edge=table(2, small),
    )
