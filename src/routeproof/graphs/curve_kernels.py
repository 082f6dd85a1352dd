"""Compiled: the most that K packets make of the weights of a channel, for every K at once.

    F(K) = maximise  sum w[i, j] x[i, j],   rows at most supply[i], columns at most demand[j], all together at most K

Its slope at K is the multiplier of the total.  Successive shortest augmenting paths from all rows that are left: each
path starts where a row, and ends where a column, has room, and every packet is worth at most the one before.  The
potentials U (rows) and V (columns) keep U[i] + V[j] >= w[i, j]; rows with room have U = slope, columns with room V = 0;
with u = U - slope they are multipliers that prove the line  F(k) <= F(K) + slope (k - K).

Source: the parametric form of the Hungarian method (Kuhn 1955; Ahuja, Magnanti & Orlin 1993, sec. 9.7).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..core.arrays import Int64
from ..machine.compiled import njit
from .augmenting_kernels import FAR
from .search_kernels import pop, push

# Lines of the state of the rows and of the columns, int64 (11, n): where their edges begin, what they may still send,
# potential, distance in the search (FAR between searches), the edge it came over, the list of those reached, 1 while
# the distance is final, the heaviest edge from a row with room, the number of a column, the column of a number, and the
# potentials of the line that waits.
PTR, REST, POT, DIST, EDGE, SEEN, DONE, TOP, NUMBER, NAME, KEPT = range(11)
# Lines of the edges, int64 (5, m), sorted by row: column, weight, flow, row; and sorted by column: the edge.
COLUMN, WEIGHT, FLOW, ROW, BY_COLUMN = range(5)
# Lines of a ``Curves.line`` and of ``Curves.counts``.
CHANNEL, SLOPE, FIRST = range(3)
SLOPES, COLUMNS, TOUCHES = range(3)


class Curves(NamedTuple):
    """What is found, of channels whose entries begin at ``offset``.

    - slope, amount: int64 (nnz,), the slopes of a channel, descending, and how many packets each has; active: int64
      (nnz,), the columns that take part; counts: int64 (3, K), how many of both, and whether the curve touches (1) or
      passes (2) the largest value of channels before it;
    - line: int64 (3, L): of channel, the slope, and where the columns' potentials begin in ``potential``;
    - state: int64 (2,), how many lines and potentials there are.
    """

    slope: Int64
    amount: Int64
    active: Int64
    counts: Int64
    line: Int64
    potential: Int64
    state: Int64


class Work(NamedTuple):
    rows: Int64
    columns: Int64
    edges: Int64
    heap: Int64
    own: Int64


def workspace(num_rows: int, num_columns: int, most: int, total: int) -> Work:
    """Scratch for ``curves``: at most ``most`` entries a channel, and ``total`` packets."""

    def table(*shape: int) -> Int64:
        return np.empty(shape, dtype=np.int64)

    wide = (11, num_rows + 2), (11, num_columns + 2)
    return Work(table(*wide[0]), table(*wide[1]), table(5, most + 1), table(2, 2 * most + 2), table(total + 1))


@njit(cache=True, nogil=True, error_model="numpy")
def _number(first, end, channels, rows, cols, edges):  # type: ignore[no-untyped-def]
    """Number the rows, columns and edges that take part; returns how many columns and edges there are."""
    row, column, weight = channels.row, channels.column, channels.weight
    supply, demand = channels.supply, channels.demand
    nr = 0
    ne = 0
    p = first
    while p < end:
        r = row[p]
        rows[PTR, nr] = ne
        while p < end and row[p] == r:
            c = column[p]
            if weight[p] > 0 and demand[c] > 0 and supply[r] > 0:
                cols[NUMBER, c] = 0
                edges[COLUMN, ne] = c
                edges[WEIGHT, ne] = weight[p]
                edges[FLOW, ne] = 0
                edges[ROW, ne] = nr
                ne += 1
            p += 1
        if ne > rows[PTR, nr]:
            rows[REST, nr] = supply[r]
            nr += 1
    rows[PTR, nr] = ne
    nc = 0
    for c in range(len(demand)):
        if cols[NUMBER, c] == 0:
            cols[NUMBER, c] = nc
            cols[NAME, nc] = c
            cols[REST, nc] = demand[c]
            cols[POT, nc] = 0
            nc += 1
    for c in range(nc + 1):
        cols[PTR, c] = 0
    for e in range(ne):
        j = cols[NUMBER, edges[COLUMN, e]]
        edges[COLUMN, e] = j
        cols[PTR, j + 1] += 1
    for j in range(nc):
        cols[NUMBER, cols[NAME, j]] = -1
        cols[PTR, j + 1] += cols[PTR, j]
    for e in range(ne):
        j = edges[COLUMN, e]
        edges[BY_COLUMN, cols[PTR, j]] = e
        cols[PTR, j] += 1
    for j in range(nc, 0, -1):
        cols[PTR, j] = cols[PTR, j - 1]
    cols[PTR, 0] = 0
    return nc, ne


@njit(cache=True, nogil=True, error_model="numpy")
def _top_edge(j, rows, cols, edges):  # type: ignore[no-untyped-def]
    """The heaviest edge to column j from a row with room, into TOP; -1 for none."""
    best = np.int64(-1)
    for p in range(cols[PTR, j], cols[PTR, j + 1]):
        e = edges[BY_COLUMN, p]
        if rows[REST, edges[ROW, e]] > 0 and (best < 0 or edges[WEIGHT, e] > edges[WEIGHT, best]):
            best = e
    cols[TOP, j] = best


@njit(cache=True, nogil=True, error_model="numpy")
def _search(nc, slope, rows, cols, edges, heap):  # type: ignore[no-untyped-def]
    """Shortest distances from the rows with room, up to the first column with room.

    Returns that column (-1: the slope comes down to 0 before), by how much the slope falls, and how many rows and
    columns were reached.
    """
    best = slope
    found = np.int64(-1)
    for j in range(nc):
        e = cols[TOP, j]
        if e >= 0 and cols[REST, j] > 0:
            d = slope - edges[WEIGHT, e]
            if d < best:
                best = d
                found = np.int64(j)
                cols[EDGE, j] = e
                if d == 0:
                    return found, best, 0, 0
    waiting = 0
    seen_cols = 0
    seen_rows = 0
    for j in range(nc):
        e = cols[TOP, j]
        if e >= 0 and cols[REST, j] == 0:
            d = slope + cols[POT, j] - edges[WEIGHT, e]
            if d < best:
                cols[DIST, j] = d
                cols[EDGE, j] = e
                cols[SEEN, seen_cols] = j
                seen_cols += 1
                push(heap, waiting, d, j)
                waiting += 1
    while waiting > 0:
        d = heap[0, 0]
        j = heap[1, 0]
        pop(heap, waiting)
        waiting -= 1
        if d >= best:
            break
        if cols[DONE, j] == 1 or d > cols[DIST, j]:
            continue
        cols[DONE, j] = 1
        for p in range(cols[PTR, j], cols[PTR, j + 1]):
            back = edges[BY_COLUMN, p]
            i = edges[ROW, back]
            if edges[FLOW, back] == 0 or rows[REST, i] > 0 or rows[DONE, i] == 1:
                continue
            rows[DONE, i] = 1
            rows[DIST, i] = d
            rows[EDGE, i] = back
            rows[SEEN, seen_rows] = i
            seen_rows += 1
            base = d + rows[POT, i]
            for e in range(rows[PTR, i], rows[PTR, i + 1]):
                b = edges[COLUMN, e]
                new = base + cols[POT, b] - edges[WEIGHT, e]
                if new < best and new < cols[DIST, b]:
                    if cols[REST, b] > 0:
                        best = new
                        found = b
                        cols[EDGE, b] = e
                    else:
                        if cols[DIST, b] == FAR:
                            cols[SEEN, seen_cols] = b
                            seen_cols += 1
                        cols[DIST, b] = new
                        cols[EDGE, b] = e
                        push(heap, waiting, new, b)
                        waiting += 1
    return found, best, seen_rows, seen_cols


@njit(cache=True, nogil=True, error_model="numpy")
def _shift(falls, seen_rows, seen_cols, rows, cols):  # type: ignore[no-untyped-def]
    """Shift the potentials by what the search allows, and forget the search."""
    for t in range(seen_rows):
        i = rows[SEEN, t]
        if rows[DIST, i] < falls:
            rows[POT, i] -= falls - rows[DIST, i]
        rows[DONE, i] = 0
    for t in range(seen_cols):
        j = cols[SEEN, t]
        if cols[DONE, j] == 1 and cols[DIST, j] < falls:
            cols[POT, j] += falls - cols[DIST, j]
        cols[DIST, j] = FAR
        cols[DONE, j] = 0


@njit(cache=True, nogil=True, error_model="numpy")
def _augment(end, most, slope, rows, cols, edges):  # type: ignore[no-untyped-def]
    """Send as much as fits, at most ``most``, along the search's path to column ``end``; returns how much."""
    amount = min(cols[REST, end], most)
    for doing in range(2):
        j = end
        while True:
            e = cols[EDGE, j]
            i = edges[ROW, e]
            if doing == 1:
                edges[FLOW, e] += amount
            if rows[REST, i] > 0:
                break
            back = rows[EDGE, i]
            if doing == 1:
                edges[FLOW, back] -= amount
            else:
                amount = min(amount, edges[FLOW, back])
            j = edges[COLUMN, back]
        if doing == 0:
            amount = min(amount, rows[REST, i])
    cols[REST, end] -= amount
    rows[REST, i] -= amount
    if rows[REST, i] == 0:
        rows[POT, i] = slope
        for e in range(rows[PTR, i], rows[PTR, i + 1]):
            if cols[TOP, edges[COLUMN, e]] == e:
                _top_edge(edges[COLUMN, e], rows, cols, edges)
    return amount


@njit(cache=True, nogil=True, error_model="numpy")
def _covered(slope, packets, value, covered, last, sent, limit, own):  # type: ignore[no-untyped-def]
    """Up to where, from ``covered`` to ``last``, the line is at or below what is to be proved."""
    while covered < last:
        k = covered + 1
        most = max(limit[k], own[k]) if k <= sent else limit[k]
        if value + slope * (k - packets) > most:
            break
        covered = k
    return covered


@njit(cache=True, nogil=True, error_model="numpy")
def _keep(channel, slope, nc, cols, found):  # type: ignore[no-untyped-def]
    """Write down the line that waits; False where there is no room."""
    line = found.state[0]
    number = found.state[1]
    if line + 1 > found.line.shape[1] or number + nc > len(found.potential):
        return False
    found.line[CHANNEL, line] = channel
    found.line[SLOPE, line] = slope
    found.line[FIRST, line] = number
    for j in range(nc):
        found.potential[number + j] = cols[KEPT, j]
    found.state[0] = line + 1
    found.state[1] = number + nc
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def curves(first_channel, channels, limit, exact, found, work):  # type: ignore[no-untyped-def]
    """The curves of the block's channels from ``first_channel`` on; returns the first for which there was no room.

    limit: int64 (M + 1,), the largest value so far of any channel for every number of packets up to M; where ``exact``,
    what a channel has more is put there.  found: ``Curves``; work: ``Work``.
    """
    rows, cols, edges, heap, own = work
    total = np.int64(len(limit) - 1)
    for c in range(len(channels.demand)):
        cols[NUMBER, c] = -1
    for t in range(cols.shape[1]):
        cols[DIST, t] = FAR
        cols[DONE, t] = 0
    for t in range(rows.shape[1]):
        rows[DONE, t] = 0
    for channel in range(first_channel, len(channels.offset) - 1):
        first = channels.offset[channel]
        nc, ne = _number(first, channels.offset[channel + 1], channels, rows, cols, edges)
        slope = np.int64(0)
        for e in range(ne):
            slope = max(slope, edges[WEIGHT, e])
        for j in range(nc):
            _top_edge(j, rows, cols, edges)
            found.active[first + j] = cols[NAME, j]
        lines_before = found.state[0]
        numbers_before = found.state[1]
        sent = np.int64(0)  # packets so far, and their value
        value = np.int64(0)
        since = np.int64(0)  # where the line of this slope begins
        since_value = np.int64(0)
        count = np.int64(0)
        touches = np.int64(0)
        covered = np.int64(0)  # up to here lines were kept; the line that waits covers what follows, up to ``since``
        kept_slope = np.int64(-1)
        room = True
        while room:
            end = np.int64(-1)
            falls = slope
            seen_rows = 0
            seen_cols = 0
            last = sent == total or slope == 0
            if not last:
                end, falls, seen_rows, seen_cols = _search(nc, slope, rows, cols, edges, heap)
            if last and slope == 0:
                sent = total
                value = since_value
            if (falls > 0 or last) and sent > since:  # this slope has ended: is its line needed?
                if slope > 0:
                    found.slope[first + count] = slope
                    found.amount[first + count] = sent - since
                    count += 1
                for k in range(since + 1, sent + 1):
                    level = since_value + slope * (k - since)
                    own[k] = level if exact else -1
                    if level >= limit[k]:
                        touches = max(touches, np.int64(1 if level == limit[k] else 2))
                if _covered(slope, since, since_value, covered, sent, sent, limit, own) < sent and kept_slope >= 0:
                    room = _keep(channel, kept_slope, nc, cols, found)
                    covered = _covered(kept_slope, since, since_value, covered, total, sent, limit, own)
                kept_slope = slope
                for j in range(nc):
                    cols[KEPT, j] = cols[POT, j]
            if last:
                break
            _shift(falls, seen_rows, seen_cols, rows, cols)
            if falls > 0:
                slope -= falls
                since = sent
                since_value = value
            if end >= 0:
                amount = _augment(end, total - sent, slope, rows, cols, edges)
                sent += amount
                value += amount * slope
        if not room or not _keep(channel, kept_slope, nc, cols, found):
            found.state[0] = lines_before
            found.state[1] = numbers_before
            return channel
        found.counts[SLOPES, channel] = count
        found.counts[COLUMNS, channel] = nc
        found.counts[TOUCHES, channel] = touches
        if exact:
            for k in range(1, total + 1):
                limit[k] = max(limit[k], own[k])
    return np.int64(len(channels.offset) - 1)
