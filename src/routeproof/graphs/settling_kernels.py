"""Compiled: is the fixed-point optimum of a channel exactly optimal?  And its potentials rounded to few bits.

Loads are rounded up in fixed point, so the kernels' optimum is only nearly the optimum.  Here exact potentials are
built along the pairs that the flow uses (and further pairs that are tight within rounding), as long fixed-point numbers
of as many 30-bit digits as it takes to tell any two different sums of loads apart: every such sum is a multiple of
1 / (L d 2**b), with L the common denominator of these pairs alone and d that of the pair that is looked at, so a sum
smaller than that is exactly 0.  If all pairs hold, the flow is exactly optimal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.arrays import Bools, Int64
from ..machine.compiled import njit

_DIGIT = 30
_MASK = (1 << 30) - 1


class Work(NamedTuple):
    """Scratch of ``settle_channels``, all int64 but the first three.  Nodes: rows as they come, then columns; entries:
    those that count.

    joined: by entry, was it not in use, and potentials were built along it?  way: int8 by entry, of settled channels:
    was the potential of its column built along it (1), of its row (2), or none (0)?  start: (2, nnz), in fixed point
    the potential of its row, of its column, that was built along none, at one entry of each that is not 0.
    table: (R + Q + 1, digits), potentials; digits: (2, digits); nodes: (8, R + Q + 1), for a column number its place,
    then by node how far its potential is known, the queue, what the flow leaves, fixed-point potentials, new ones
    rounded, and from which node along which entry it was built (-1 and the number in fixed point, where none); ends:
    (3, nnz), row node, column node and place of an entry; links: (2, 2 nnz), by node the other node and the entry's
    place, from ptr[0]; later: (2, 2 nnz), tight pairs that the flow does not use; ptr: (2, R + Q + 3).
    """

    joined: Bools
    way: npt.NDArray[np.int8]
    start: Int64
    table: Int64
    digits: Int64
    nodes: Int64
    ends: Int64
    links: Int64
    later: Int64
    ptr: Int64


def work_for(size: int, digits: int, most: int, kept: tuple[Bools, npt.NDArray[np.int8], Int64]) -> Work:
    """Scratch for ``size`` rows and columns together, and at most ``most`` entries a channel; ``kept``: what comes out
    of it."""
    shapes = ((size + 1, digits), (2, digits), (8, size + 1), (3, most), (2, 2 * most + 1), (2, 2 * most + 1))
    return Work(*kept, *(np.zeros(shape, dtype=np.int64) for shape in (*shapes, (2, size + 3))))


@njit(cache=True, nogil=True, error_model="numpy")
def _load_digits(num, den, out):  # type: ignore[no-untyped-def]
    out[0] = num // den
    rest = num % den
    for t in range(1, len(out)):
        rest <<= _DIGIT
        out[t] = rest // den
        rest %= den


@njit(cache=True, nogil=True, error_model="numpy")
def _settled_sign(digits):  # type: ignore[no-untyped-def]
    """-1, 0 or 1 for a sum of digits known up to less than 2**20 units of the last; digits are carried out."""
    last = len(digits) - 1
    digits[last] += np.int64(1) << 20
    for t in range(last, 0, -1):
        digits[t - 1] += digits[t] >> _DIGIT
        digits[t] &= _MASK
    if digits[0] < 0:
        return -1
    for t in range(last):
        if digits[t] != 0:
            return 1
    return 0 if digits[last] < (np.int64(1) << 21) else 1


@njit(cache=True, nogil=True, error_model="numpy")
def _link(k, channels, solved, work):  # type: ignore[no-untyped-def]
    """Number rows, columns and entries of channel k, and link them; returns how many nodes and entries."""
    offset, row, column, weight, supply, demand = channels
    col_of, left, fixed = work.nodes[0], work.nodes[3], work.nodes[4]
    ends, ptr, fill, links = work.ends, work.ptr[0], work.ptr[1], work.links
    active, u, v, flow = solved.active, solved.u, solved.v, solved.flow
    first = offset[k]
    nc = solved.num_active[k]
    for j in range(nc):
        col_of[active[first + j]] = j
    nr = 0
    ne = 0
    previous = -1
    for p in range(first, offset[k + 1]):
        if weight[p] > 0 and supply[row[p]] > 0 and demand[column[p]] > 0:
            if row[p] != previous:
                previous = row[p]
                left[nr] = supply[row[p]]
                fixed[nr] = u[p]
                nr += 1
            ends[0, ne] = nr - 1
            ends[1, ne] = col_of[column[p]]
            ends[2, ne] = p
            ne += 1
    for j in range(nc):
        left[nr + j] = demand[active[first + j]]
        fixed[nr + j] = v[first + j]
    size = nr + nc
    ptr[: size + 2] = 0
    for e in range(ne):
        ends[1, e] += nr
        for side in range(2):
            ptr[ends[side, e] + 1] += 1
            left[ends[side, e]] -= flow[ends[2, e]]
    for x in range(size):
        ptr[x + 1] += ptr[x]
        fill[x] = ptr[x]
    for e in range(ne):
        for side in range(2):
            at = fill[ends[side, e]]
            links[0, at] = ends[1 - side, e]
            links[1, at] = ends[2, e]
            fill[ends[side, e]] += 1
    return size, ne


@njit(cache=True, nogil=True, error_model="numpy")
def _reach(x, y, e, num, den, work):  # type: ignore[no-untyped-def]
    """The potential of node y from that of node x, so that the pair of entry e is tight."""
    table, digits = work.table, work.digits[0]
    work.nodes[6, y] = x
    work.nodes[7, y] = e
    _load_digits(num[e], den[e], digits)
    for t in range(table.shape[1]):
        table[y, t] = digits[t] - table[x, t]


@njit(cache=True, nogil=True, error_model="numpy")
def _spread(size, num, den, weight, flow, bits, work):  # type: ignore[no-untyped-def]
    """Potentials: 0 where the flow leaves something, then along the pairs in use, then along other tight pairs."""
    table, links, later, ptr = work.table, work.links, work.later, work.ptr[0]
    known, queue, left, fixed = work.nodes[1], work.nodes[2], work.nodes[3], work.nodes[4]
    tolerance = 64 + 16 * (np.int64(size) + left[:size].sum())
    head = 0
    tail = 0
    for x in range(size):
        known[x] = 0
        work.nodes[6, x] = -1
        work.nodes[7, x] = 0
        if left[x] > 0:
            known[x] = 1
            queue[tail] = x
            tail += 1
            table[x] = 0
        elif fixed[x] <= tolerance and left[x] == 0:
            known[x] = 2  # perhaps 0: taken if nothing in use says otherwise
    waiting = 0
    done = 0
    while True:
        while head < tail:
            x = queue[head]
            head += 1
            for q in range(ptr[x], ptr[x + 1]):
                y = links[0, q]
                e = links[1, q]
                if known[y] == 1:
                    continue
                if flow[e] > 0:
                    _reach(x, y, e, num, den, work)
                    known[y] = 1
                    queue[tail] = y
                    tail += 1
                elif fixed[x] + fixed[y] - weight[e] <= tolerance and waiting < later.shape[1]:
                    later[0, waiting] = x
                    later[1, waiting] = q
                    waiting += 1
        before = tail
        while done < waiting and tail == before:
            y, e = links[0, later[1, done]], links[1, later[1, done]]
            if known[y] != 1:
                _reach(later[0, done], y, e, num, den, work)
                work.joined[e] = True
                known[y] = 1
                queue[tail] = y
                tail += 1
            done += 1
        if tail > before:
            continue
        root = size
        for want in (2, 0):
            if root == size:
                root = 0
                while root < size and known[root] != want:
                    root += 1
        if root == size:
            return
        table[root] = 0
        if known[root] == 0:
            work.nodes[7, root] = fixed[root]
            rest = fixed[root] & ((np.int64(1) << bits) - 1)
            table[root, 0] = fixed[root] >> bits
            table[root, 1] = rest >> (bits - _DIGIT)
            table[root, 2] = (rest & ((np.int64(1) << (bits - _DIGIT)) - 1)) << (2 * _DIGIT - bits)
        known[root] = 1
        queue[tail] = root
        tail += 1


@njit(cache=True, nogil=True, error_model="numpy")
def _holds(size, entries, num, den, weight, flow, bits, work):  # type: ignore[no-untyped-def]
    """Are no potentials negative, and do all pairs hold, those in use exactly?"""
    table, rough, ends = work.table, work.nodes[5], work.ends
    one, other = work.digits[0], work.digits[1]
    for x in range(size):
        one[:] = table[x]
        for t in range(table.shape[1] - 1, 0, -1):
            one[t - 1] += one[t] >> _DIGIT
            one[t] &= _MASK
        rough[x] = (one[0] << bits) + (one[1] << (bits - _DIGIT)) + (one[2] >> (2 * _DIGIT - bits))
        if rough[x] < 1:
            other[:] = table[x]
            if _settled_sign(other) < 0:
                return False
    for at in range(entries):
        r, c, p = ends[0, at], ends[1, at], ends[2, at]
        if flow[p] == 0 and rough[r] + rough[c] > weight[p] + 1:
            continue
        _load_digits(num[p], den[p], one)
        for t in range(table.shape[1]):
            other[t] = table[r, t] + table[c, t] - one[t]
        sign = _settled_sign(other)
        if sign < 0 or (sign > 0 and flow[p] > 0):
            return False
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def settle_channels(channels, num, den, solved, bits, wanted, settled, work):  # type: ignore[no-untyped-def]
    """Of the channels ``wanted``: settled[k] = True where the flow of channel k is proved exactly optimal, if the
    digits are enough for the pairs in use and those in ``work.joined``; False where this does not decide.  In
    ``work.way`` and ``work.start``: what its potentials follow from.

    ``channels``, ``solved``: as ``transport_kernels.solve_channels`` left them (full); num, den: the loads.  bits: 30
    to 60, weights are loads times 2**bits rounded up; den below 2**33.
    """
    for k in range(len(channels.offset) - 1):
        if not wanted[k]:
            continue
        size, entries = _link(k, channels, solved, work)
        _spread(size, num, den, channels.weight, solved.flow, bits, work)
        settled[k] = _holds(size, entries, num, den, channels.weight, solved.flow, bits, work)
        work.way[channels.offset[k] : channels.offset[k + 1]] = 0
        work.start[:, channels.offset[k] : channels.offset[k + 1]] = 0
        for x in range(size if settled[k] else 0):
            side = 0 if x < size - solved.num_active[k] else 1
            if work.nodes[6, x] >= 0:
                work.way[work.nodes[7, x]] = 2 - side
            else:
                work.start[side, work.links[1, work.ptr[0, x]]] = work.nodes[7, x]


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
