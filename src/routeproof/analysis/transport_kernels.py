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
from numba import njit

_FAR = np.int64(4_000_000_000_000_000_000)
_MAX_LEVELS = 24

# Scratch is kept in few two-dimensional int64 arrays, because every array argument costs compile time.
# A side (rows or columns) is an array (8, n), one line each for:
_REST = 0  # what may still be sent (received)
_POT = 1  # potential
_CAP = 2  # supply (demand)
_DIST = 3  # distance in the search; _FAR between searches
_FROM = 4  # the node of the other side that the search came from
_EDGE = 5  # the edge that it came over
_SEEN = 6  # list of the nodes that the search has reached
_DONE = 7  # 1 while the distance is final; 0 between searches
# Edges are an array (2, m): weight and flow.  A side's links are an array (2, m): other node and edge.
_WEIGHT = 0
_FLOW = 1


@njit(cache=True, nogil=True, error_model="numpy")
def _push(heap, size, key, item):  # type: ignore[no-untyped-def]
    at = size
    while at > 0:
        up = (at - 1) >> 1
        if heap[0, up] <= key:
            break
        heap[0, at] = heap[0, up]
        heap[1, at] = heap[1, up]
        at = up
    heap[0, at] = key
    heap[1, at] = item


@njit(cache=True, nogil=True, error_model="numpy")
def _pop(heap, size):  # type: ignore[no-untyped-def]
    """Remove the least entry of a heap of ``size`` (read it at index 0 before)."""
    size -= 1
    key = heap[0, size]
    item = heap[1, size]
    at = 0
    while True:
        low = 2 * at + 1
        if low >= size:
            break
        if low + 1 < size and heap[0, low + 1] < heap[0, low]:
            low += 1
        if heap[0, low] >= key:
            break
        heap[0, at] = heap[0, low]
        heap[1, at] = heap[1, low]
        at = low
    heap[0, at] = key
    heap[1, at] = item


@njit(cache=True, nogil=True, error_model="numpy")
def _augment(start, end_a, end_b, a_side, b_side, edge):  # type: ignore[no-untyped-def]
    """Push as much as fits along the search path from a-node ``start`` to b-node ``end_b``, or to ``end_a`` (release).

    A b-node was reached over an edge that gains flow, an a-node over one that loses it.
    """
    amount = a_side[_REST, start]
    for doing in range(2):
        if end_b >= 0:
            b = end_b
            if doing == 0:
                amount = min(amount, b_side[_REST, b])
            else:
                b_side[_REST, b] -= amount
        else:
            b = a_side[_FROM, end_a]
            if doing == 0:
                amount = min(amount, edge[_FLOW, a_side[_EDGE, end_a]])
            else:
                edge[_FLOW, a_side[_EDGE, end_a]] -= amount
                a_side[_REST, end_a] += amount
        while True:
            a = b_side[_FROM, b]
            if doing == 1:
                edge[_FLOW, b_side[_EDGE, b]] += amount
            if a == start:
                break
            if doing == 0:
                amount = min(amount, edge[_FLOW, a_side[_EDGE, a]])
            else:
                edge[_FLOW, a_side[_EDGE, a]] -= amount
            b = a_side[_FROM, a]
    a_side[_REST, start] -= amount


@njit(cache=True, nogil=True, error_model="numpy")
def _phase(  # type: ignore[no-untyped-def]
    num_a, a_ptr, a_link, a_side, b_ptr, b_link, b_side, edge, heap, value, stop
):  # fmt: skip
    """Saturate every a-node whose potential is positive, or bring its potential to 0; returns the dual value."""
    for start in range(num_a):
        while a_side[_REST, start] > 0 and a_side[_POT, start] > 0:
            best = a_side[_POT, start]
            end_a = np.int64(start)
            end_b = np.int64(-1)
            num_seen_a = 1
            num_seen_b = 0
            waiting = 0
            a_side[_SEEN, 0] = start
            a_side[_DIST, start] = 0
            scanned = 0
            while True:
                while scanned < num_seen_a:
                    a = a_side[_SEEN, scanned]
                    scanned += 1
                    base = a_side[_DIST, a] + a_side[_POT, a]
                    if base < best:
                        best = base
                        end_a = a
                        end_b = np.int64(-1)
                    for p in range(a_ptr[a], a_ptr[a + 1]):
                        b = a_link[0, p]
                        d = base + b_side[_POT, b] - edge[_WEIGHT, a_link[1, p]]
                        if d < best and d < b_side[_DIST, b]:
                            if b_side[_DIST, b] == _FAR:
                                b_side[_SEEN, num_seen_b] = b
                                num_seen_b += 1
                            b_side[_DIST, b] = d
                            b_side[_FROM, b] = a
                            b_side[_EDGE, b] = a_link[1, p]
                            _push(heap, waiting, d, b)
                            waiting += 1
                b = np.int64(-1)
                d = _FAR
                while waiting > 0:
                    d = heap[0, 0]
                    b = heap[1, 0]
                    _pop(heap, waiting)
                    waiting -= 1
                    if b_side[_DONE, b] == 0 and d == b_side[_DIST, b]:
                        break
                    b = np.int64(-1)
                if b < 0 or d >= best:
                    break
                b_side[_DONE, b] = 1
                if b_side[_REST, b] > 0:
                    best = d
                    end_b = b
                    break
                for p in range(b_ptr[b], b_ptr[b + 1]):
                    if edge[_FLOW, b_link[1, p]] > 0:
                        a = b_link[0, p]
                        if a_side[_DIST, a] == _FAR:
                            a_side[_DIST, a] = d
                            a_side[_FROM, a] = b
                            a_side[_EDGE, a] = b_link[1, p]
                            a_side[_SEEN, num_seen_a] = a
                            num_seen_a += 1
            # Shift the potentials by what the search tree allows, then push along the path found.
            for t in range(num_seen_a):
                a = a_side[_SEEN, t]
                change = best - a_side[_DIST, a]
                if change > 0:
                    a_side[_POT, a] -= change
                    value -= change * a_side[_CAP, a]
                a_side[_DIST, a] = _FAR
            for t in range(num_seen_b):
                b = b_side[_SEEN, t]
                change = best - b_side[_DIST, b]
                if b_side[_DONE, b] == 1 and change > 0:
                    b_side[_POT, b] += change
                    value += change * b_side[_CAP, b]
                b_side[_DIST, b] = _FAR
                b_side[_DONE, b] = 0
            if end_b >= 0 or end_a != start:
                _augment(start, end_a, end_b, a_side, b_side, edge)
            if value <= stop:
                return value
    return value


@njit(cache=True, nogil=True, error_model="numpy")
def _solve(  # type: ignore[no-untyped-def]
    num_rows, num_cols, row_ptr, row_link, row_side, col_ptr, col_link, col_side, edge, heap, stop
):  # fmt: skip
    """Optimal (or stopped) potentials and flow; returns the dual value.

    In: row_ptr, row_link (edges sorted by row), weights, _CAP and feasible _POT of both sides.  Out: _POT, flow.
    """
    value = np.int64(0)
    for r in range(num_rows):
        value += row_side[_CAP, r] * row_side[_POT, r]
        row_side[_REST, r] = row_side[_CAP, r]
    for c in range(num_cols):
        value += col_side[_CAP, c] * col_side[_POT, c]
        col_side[_REST, c] = col_side[_CAP, c]
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
            if row_side[_POT, r] + col_side[_POT, c] == edge[_WEIGHT, e]:
                amount = min(row_side[_REST, r], col_side[_REST, c])
                row_side[_REST, r] -= amount
                col_side[_REST, c] -= amount
            edge[_FLOW, e] = amount
    for c in range(num_cols, 0, -1):
        col_ptr[c] = col_ptr[c - 1]
    col_ptr[0] = 0
    # First the rows, then the columns, by the same code.
    num_a, a_ptr, a_link, a_side = num_rows, row_ptr, row_link, row_side
    b_ptr, b_link, b_side = col_ptr, col_link, col_side
    for _ in range(2):
        value = _phase(num_a, a_ptr, a_link, a_side, b_ptr, b_link, b_side, edge, heap, value, stop)
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
        for line in (_POT, _CAP, _DONE):
            rows[line, a] = 0
            cols[line, a] = 0
        rows[_DIST, a] = _FAR
        cols[_DIST, a] = _FAR
        for b in range(size):
            top[a, b] = 0
    for i in range(num_rows):
        a = row_level[i]
        rows[_CAP, a] += row_side[_CAP, i]
        for e in range(row_ptr[i], row_ptr[i + 1]):
            b = col_level[row_link[0, e]]
            if edge[_WEIGHT, e] > top[a, b]:
                top[a, b] = edge[_WEIGHT, e]
    for j in range(num_cols):
        cols[_CAP, col_level[j]] += col_side[_CAP, j]
    count = 0
    for a in range(size):
        ptrs[0, a] = count
        for b in range(size):
            if top[a, b] > 0:
                link[0, count] = b
                small[_WEIGHT, count] = top[a, b]
                rows[_POT, a] = max(rows[_POT, a], top[a, b])
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
        row_side[_DIST, t] = _FAR
        row_side[_DONE, t] = 0
    for c in range(num_cols):
        col_side[_DIST, c] = _FAR
        col_side[_DONE, c] = 0
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
                    edge[_WEIGHT, ne] = weight[p]
                    where[ne] = p
                    ne += 1
                p += 1
            if ne > row_ptr[nr]:
                row_side[_CAP, nr] = supply[r]
                nr += 1
        row_ptr[nr] = ne
        nc = 0
        for c in range(num_cols):
            if col_number[c] == 0:
                active[first + nc] = c
                col_number[c] = nc
                col_side[_CAP, nc] = demand[c]
                col_side[_POT, nc] = 0
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
                col_side[_POT, j] = start_v[active[first + j]]
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
                col_side[_POT, j] = level_cols[_POT, level_of_col[j]]
        # One sweep: rows' potentials from the columns', then the columns' from the rows'.
        for i in range(nr):
            top = np.int64(0)
            for e in range(row_ptr[i], row_ptr[i + 1]):
                top = max(top, edge[_WEIGHT, e] - col_side[_POT, row_link[0, e]])
            row_side[_POT, i] = top
        for j in range(nc):
            col_side[_POT, j] = 0
        for i in range(nr):
            for e in range(row_ptr[i], row_ptr[i + 1]):
                need = edge[_WEIGHT, e] - row_side[_POT, i]
                if need > col_side[_POT, row_link[0, e]]:
                    col_side[_POT, row_link[0, e]] = need
        for e in range(ne):
            edge[_FLOW, e] = 0
        z = _solve(nr, nc, row_ptr, row_link, row_side, col_ptr, col_link, col_side, edge, heap, target)
        value[k] = z
        optimal[k] = z > target
        if z > target and z - slack - 1 > floor:
            floor = z - slack - 1
        for j in range(nc):
            potential_v[first + j] = col_side[_POT, j]
        if len(potential_u) > 0:
            for i in range(nr):
                for e in range(row_ptr[i], row_ptr[i + 1]):
                    potential_u[where[e]] = row_side[_POT, i]
                    flow[where[e]] = edge[_FLOW, e]


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


@njit(cache=True, nogil=True, error_model="numpy")
def ceil_fixed(num, den, bits, out):  # type: ignore[no-untyped-def]
    """out[k] = an integer in [x, x + 2) for x = num[k] / den[k] * 2**bits, never below x.

    Floats do the division: four roundings of relative error 2**-53 on a value below 2**(bits + 8) change it by
    less than half a unit for bits <= 40, and one unit is added.
    """
    scale = 2.0**bits
    for k in range(len(num)):
        if den[k] == 1:
            out[k] = num[k] << bits
        else:
            out[k] = np.int64(np.float64(num[k]) / np.float64(den[k]) * scale) + 1


@njit(cache=True, nogil=True, error_model="numpy")
def quantise_channels(  # type: ignore[no-untyped-def]
    offset, row, column, weight, supply, demand, active, num_active, potential_v, limit, first_shift, shift, quantum,
):  # fmt: skip
    """Round each channel's column potentials to few bits so that they still prove ``value <= limit[k]``.

    potential_v, active: as ``solve_channels`` left them.  Tries v = q << shift for falling shifts, with the rows'
    potentials rebuilt as u = max(w - v, 0).  Out: shift int64 (K,), -1 where even the exact potentials do not prove the
    limit; quantum int64 (nnz,): the q of the active columns, from offset[k].
    """
    num_cols = len(demand)
    v = np.zeros(num_cols, dtype=np.int64)
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
                q = (potential_v[first + j] + half) >> step
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
