"""Compiled: is the fixed-point optimum of a channel exactly optimal?  And its potentials rounded to few bits.

Loads are rounded up in fixed point, so the kernels' optimum is only nearly the optimum.  Here potentials are built
along the pairs that the flow uses (and further pairs that are tight within rounding), to 90 bits, which decides nearly
all other pairs.  Where a sum of loads may be 0, its terms are added up in as many 30-bit digits as it takes: with D the
product of their denominators the sum is a multiple of 1 / (D 2**b), so it is 0 if it is smaller than that.  The terms
are few: those along which two potentials were built, without what both have in common.  If all pairs hold, the flow is
exactly optimal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..machine.compiled import njit

_DIGIT = 30
_MASK = (1 << 30) - 1
_FEW = 4  # digits of potentials
_MOST = 600  # digits of a sum


class Work(NamedTuple):
    """Scratch of ``settle_channels``, all int64 but the first.  Nodes: rows as they come, then columns, last one that
    stands for 0; entries: those that count.

    way: int8 by entry, of settled channels: was the potential of its column built along it (1), of its row (2), or none
    (0)?  start: (2, nnz), in fixed point the potential of its row, of its column, that was built along none, at one
    entry of each that is not 0.
    table: (R + Q + 1, 4), potentials; digits: (2, 600); nodes: (8, R + Q + 1), for a column number its place, then by
    node how its potential is known, the queue, what the flow leaves, fixed-point potentials, new ones rounded, and from
    which node along which entry it was built (the last node and the number in fixed point, where none); ends: (3, nnz),
    row node, column node and place of an entry; links: (2, 2 nnz), by node the other node and the entry's place, from
    ptr[0]; later: (2, 2 nnz), tight pairs that the flow does not use, then terms of a sum; ptr: (2, R + Q + 3).
    """

    way: npt.NDArray[np.int8]
    start: Int64
    table: Int64
    digits: Int64
    nodes: Int64
    ends: Int64
    links: Int64
    later: Int64
    ptr: Int64


def work_for(size: int, entries: int, most: int) -> Work:
    """Scratch for ``size`` rows and columns together, and at most ``most`` of the ``entries`` a channel."""
    shapes = ((size + 1, _FEW), (2, _MOST), (8, size + 1), (3, most), (2, 2 * most + 1), (2, 2 * most + 1))
    scratch = (np.zeros(shape, dtype=np.int64) for shape in ((2, entries), *shapes, (2, size + 3)))
    return Work(np.zeros(entries, dtype=np.int8), *scratch)


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
def _link(k, tolerance, channels, solved, work):  # type: ignore[no-untyped-def]
    """Number rows and columns of channel k and its entries in use, or tight up to 4 ``tolerance``, and link them;
    returns how many nodes and entries there are."""
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
            j = col_of[column[p]]
            if flow[p] > 0 or u[p] + v[first + j] - weight[p] <= 4 * tolerance:
                ends[0, ne] = nr - 1
                ends[1, ne] = j
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
def _add_fixed(fixed, bits, out):  # type: ignore[no-untyped-def]
    """Add fixed / 2**bits."""
    rest = fixed & ((np.int64(1) << bits) - 1)
    out[0] += fixed >> bits
    out[1] += rest >> (bits - _DIGIT)
    out[2] += (rest & ((np.int64(1) << (bits - _DIGIT)) - 1)) << (2 * _DIGIT - bits)


@njit(cache=True, nogil=True, error_model="numpy")
def _reach(x, y, e, place, num, den, work):  # type: ignore[no-untyped-def]
    """The potential of node y, ``place`` in the queue, from that of node x, so that the pair of entry e is tight."""
    table, digits = work.table, work.digits[0, :_FEW]
    work.nodes[1, y] = place + 1
    work.nodes[2, place] = y
    work.nodes[6, y] = x
    work.nodes[7, y] = e
    _load_digits(num[e], den[e], digits)
    for t in range(_FEW):
        table[y, t] = digits[t] - table[x, t]


@njit(cache=True, nogil=True, error_model="numpy")
def _spread(size, tolerance, num, den, weight, flow, bits, work):  # type: ignore[no-untyped-def]
    """Potentials: 0 where the flow leaves something, then along the pairs in use, then along other tight pairs.  Known
    are then the places of nodes in the queue, from 1 on."""
    links, later, ptr = work.links, work.later, work.ptr[0]
    known, queue, left, fixed = work.nodes[1], work.nodes[2], work.nodes[3], work.nodes[4]
    head = 0
    tail = np.int64(0)
    for x in range(size + 1):
        known[x] = 0
        work.nodes[6, x] = size
        work.nodes[7, x] = 0
        work.table[x] = 0
        if x < size and left[x] > 0:
            queue[tail] = x
            tail += 1
            known[x] = tail
        elif x < size and fixed[x] <= tolerance and left[x] == 0:
            known[x] = -1  # perhaps 0: taken if nothing in use says otherwise
    waiting = 0
    done = 0
    while True:
        while head < tail:
            x = queue[head]
            head += 1
            for q in range(ptr[x], ptr[x + 1]):
                y = links[0, q]
                e = links[1, q]
                if known[y] > 0:
                    continue
                if flow[e] > 0:
                    _reach(x, y, e, tail, num, den, work)
                    tail += 1
                elif fixed[x] + fixed[y] - weight[e] <= tolerance and waiting < later.shape[1]:
                    later[0, waiting] = x
                    later[1, waiting] = q
                    waiting += 1
        before = tail
        while done < waiting and tail == before:
            y, e = links[0, later[1, done]], links[1, later[1, done]]
            if known[y] <= 0:
                _reach(later[0, done], y, e, tail, num, den, work)
                tail += 1
            done += 1
        if tail > before:
            continue
        root = size
        for want in (-1, 0):
            if root == size:
                root = 0
                while root < size and known[root] != want:
                    root += 1
        if root == size:
            return
        if known[root] == 0:
            work.nodes[7, root] = fixed[root]
            _add_fixed(fixed[root], bits, work.table[root])
        queue[tail] = root
        tail += 1
        known[root] = tail


@njit(cache=True, nogil=True, error_model="numpy")
def _exact_sign(x, y, p, num, den, bits, work):  # type: ignore[no-untyped-def]
    """-1, 0 or 1 for the potentials of nodes x and y less the load of entry p (-1: none); 2 where digits do not do."""
    known, before, along, terms = work.nodes[1], work.nodes[6], work.nodes[7], work.later
    count = np.int64(0)
    fixed = np.int64(0)
    sign_x = 1
    sign_y = 1
    if p >= 0:
        terms[0, 0] = p
        terms[1, 0] = -1
        count += 1
    while x != y:  # from the one that was built later to what it was built from; what both come from cancels out
        if known[x] < known[y]:
            x, y = y, x
            sign_x, sign_y = sign_y, sign_x
        if known[before[x]] == 0:
            fixed += sign_x * along[x]
        else:
            terms[0, count] = along[x]
            terms[1, count] = sign_x
            count += 1
        x = before[x]
        sign_x = -sign_x
    need = bits + 24
    for t in range(count):
        rest = den[terms[0, t]]
        while rest > 0:
            rest >>= 1
            need += 1
    size = need // _DIGIT + 2
    if size > _MOST:
        return 2
    total, one = work.digits[0, :size], work.digits[1, :size]
    total[:] = 0
    _add_fixed(fixed, bits, total)
    for t in range(count):
        _load_digits(num[terms[0, t]], den[terms[0, t]], one)
        for d in range(size):
            total[d] += terms[1, t] * one[d]
    return _settled_sign(total)


@njit(cache=True, nogil=True, error_model="numpy")
def _holds(size, entries, tolerance, num, den, weight, flow, bits, work):  # type: ignore[no-untyped-def]
    """Are no potentials negative, and do all pairs hold, those in use exactly?"""
    table, ends, fixed, rough = work.table, work.ends, work.nodes[4], work.nodes[5]
    before, along = work.nodes[6], work.nodes[7]
    one, other = work.digits[0, :_FEW], work.digits[1, :_FEW]
    for x in range(size):
        one[:] = table[x]
        for t in range(_FEW - 1, 0, -1):
            one[t - 1] += one[t] >> _DIGIT
            one[t] &= _MASK
        rough[x] = (one[0] << bits) + (one[1] << (bits - _DIGIT)) + (one[2] >> (2 * _DIGIT - bits))
        if abs(rough[x] - fixed[x]) > 2 * tolerance - 1:  # then pairs that are not linked may not hold
            return False
        if rough[x] < 1:
            other[:] = table[x]
            sign = _settled_sign(other)
            if sign == 0 and before[x] != size:
                sign = _exact_sign(x, size, -1, num, den, bits, work)
            if sign < 0 or sign == 2:
                return False
    for at in range(entries):
        r, c, p = ends[0, at], ends[1, at], ends[2, at]
        if flow[p] == 0 and rough[r] + rough[c] > weight[p] + 1:
            continue
        if (before[r] == c and along[r] == p) or (before[c] == r and along[c] == p):
            continue
        _load_digits(num[p], den[p], one)
        for t in range(_FEW):
            other[t] = table[r, t] + table[c, t] - one[t]
        sign = _settled_sign(other)
        if sign == 0:
            sign = _exact_sign(r, c, p, num, den, bits, work)
        if sign < 0 or sign == 2 or (sign > 0 and flow[p] > 0):
            return False
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def settle_channels(channels, num, den, solved, bits, settled, work):  # type: ignore[no-untyped-def]
    """settled[k] = True where the flow of channel k is proved exactly optimal; False where this does not decide.  In
    ``work.way`` and ``work.start``: what its potentials follow from.

    ``channels``, ``solved``: as ``transport_kernels.solve_channels`` left them (full); num, den: the loads.  bits: 30
    to 60, weights are loads times 2**bits rounded up; den below 2**33.
    """
    tolerance = 64 + 2 * (len(channels.supply) + len(channels.demand))
    for k in range(len(channels.offset) - 1):
        size, entries = _link(k, tolerance, channels, solved, work)
        _spread(size, tolerance, num, den, channels.weight, solved.flow, bits, work)
        settled[k] = _holds(size, entries, tolerance, num, den, channels.weight, solved.flow, bits, work)
        for x in range(size if settled[k] else 0):
            side = 0 if x < size - solved.num_active[k] else 1
            if work.nodes[6, x] < size:
                work.way[work.nodes[7, x]] = 2 - side
            elif work.nodes[7, x] > 0:  # then the flow uses some pair of it
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
