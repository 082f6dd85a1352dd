"""Compiled: is the fixed-point optimum of a channel exactly optimal?

Loads are rounded up in fixed point, so the kernels' optimum is only nearly the optimum.  Here exact potentials are
built along the pairs that the flow uses (and further pairs that are tight within rounding), as long fixed-point numbers
of as many 30-bit digits as it takes to tell any two different sums of loads apart: every such sum is a multiple of
1 / (L 2**b), with L the common denominator, so a sum smaller than that is exactly 0.  If all pairs hold, the flow is
exactly optimal.
"""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit

_DIGIT = 30
_MASK = (1 << 30) - 1


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
def settle_channels(  # type: ignore[no-untyped-def]
    offset, row, column, num, den, weight, supply, demand, active, num_active, potential_v, potential_u, flow, bits,
    settled, table, work, nodes, edges, ptrs,
):  # fmt: skip
    """settled[k] = True where the flow of channel k is proved exactly optimal; False where this does not decide.

    active ... flow: as ``transport_kernels.solve_channels`` left them (full).  bits: 30 to 60, weights are loads times
    2**bits rounded up; den below 2**33.  Scratch: table (R + Q + 1, digits), work (2, digits), nodes (6, R + Q + 1),
    edges (4, nnz of the largest channel), ptrs (2, R + Q + 2), all int64.
    """
    digits = table.shape[1]
    col_of = nodes[0]
    visited = nodes[1]
    queue = nodes[2]
    left = nodes[3]
    rough = nodes[4]
    fixed = nodes[5]
    link_node = edges[0]
    link_edge = edges[1]
    later_from = edges[2]
    later_edge = edges[3]
    ptr = ptrs[0]
    fill = ptrs[1]
    for k in range(len(offset) - 1):
        first = offset[k]
        settled[k] = False
        nc = num_active[k]
        for j in range(nc):
            col_of[active[first + j]] = j
        # Rows are numbered as they come; node numbers: rows, then columns.
        nr = 0
        previous = -1
        for p in range(first, offset[k + 1]):
            if weight[p] > 0 and supply[row[p]] > 0 and demand[column[p]] > 0 and row[p] != previous:
                previous = row[p]
                nr += 1
        size = nr + nc
        for x in range(size + 2):
            ptr[x] = 0
        r = -1
        previous = -1
        for p in range(first, offset[k + 1]):
            if weight[p] > 0 and supply[row[p]] > 0 and demand[column[p]] > 0:
                if row[p] != previous:
                    previous = row[p]
                    r += 1
                    left[r] = supply[row[p]]
                    fixed[r] = potential_u[p]
                ptr[r + 1] += 1
                ptr[nr + col_of[column[p]] + 1] += 1
        for j in range(nc):
            left[nr + j] = demand[active[first + j]]
            fixed[nr + j] = potential_v[first + j]
        for x in range(size):
            ptr[x + 1] += ptr[x]
            fill[x] = ptr[x]
            visited[x] = 0
        r = -1
        previous = -1
        for p in range(first, offset[k + 1]):
            if weight[p] > 0 and supply[row[p]] > 0 and demand[column[p]] > 0:
                if row[p] != previous:
                    previous = row[p]
                    r += 1
                c = nr + col_of[column[p]]
                link_node[fill[r]] = c
                link_edge[fill[r]] = p
                fill[r] += 1
                link_node[fill[c]] = r
                link_edge[fill[c]] = p
                fill[c] += 1
                left[r] -= flow[p]
                left[c] -= flow[p]
        total = np.int64(0)
        for x in range(size):
            total += left[x]
        tolerance = 64 + 16 * (np.int64(size) + total)
        # Potentials: 0 where the flow leaves something, then along the pairs in use, then along other tight pairs.
        head = 0
        tail = 0
        for x in range(size):
            if left[x] > 0:
                visited[x] = 1
                queue[tail] = x
                tail += 1
                for t in range(digits):
                    table[x, t] = 0
        for x in range(size):
            if visited[x] == 0 and fixed[x] <= tolerance and left[x] == 0:
                visited[x] = 2  # perhaps 0: taken if nothing in use says otherwise
        waiting = 0
        done = 0
        root = 0
        while True:
            while head < tail:
                x = queue[head]
                head += 1
                for q in range(ptr[x], ptr[x + 1]):
                    y = link_node[q]
                    if visited[y] == 1:
                        continue
                    e = link_edge[q]
                    if flow[e] > 0:
                        _load_digits(num[e], den[e], work[0])
                        for t in range(digits):
                            table[y, t] = work[0, t] - table[x, t]
                        visited[y] = 1
                        queue[tail] = y
                        tail += 1
                    elif fixed[x] + fixed[y] - weight[e] <= tolerance and waiting < len(later_edge):
                        later_from[waiting] = x
                        later_edge[waiting] = q
                        waiting += 1
            found = False
            while done < waiting and not found:
                q = later_edge[done]
                x = later_from[done]
                done += 1
                y = link_node[q]
                if visited[y] != 1:
                    e = link_edge[q]
                    _load_digits(num[e], den[e], work[0])
                    for t in range(digits):
                        table[y, t] = work[0, t] - table[x, t]
                    visited[y] = 1
                    queue[tail] = y
                    tail += 1
                    found = True
            if found:
                continue
            for want in (2, 0):
                root = 0
                while root < size and visited[root] != want:
                    root += 1
                if root < size:
                    break
            if root == size:
                break
            for t in range(digits):
                table[root, t] = 0
            if visited[root] == 0:
                rest = fixed[root] & ((np.int64(1) << bits) - 1)
                table[root, 0] = fixed[root] >> bits
                table[root, 1] = rest >> (bits - _DIGIT)
                table[root, 2] = (rest & ((np.int64(1) << (bits - _DIGIT)) - 1)) << (2 * _DIGIT - bits)
            visited[root] = 1
            queue[tail] = root
            tail += 1
        # Do all pairs hold, and those in use exactly?
        good = True
        for x in range(size):
            for t in range(digits):
                work[0, t] = table[x, t]
            for t in range(digits - 1, 0, -1):
                work[0, t - 1] += work[0, t] >> _DIGIT
                work[0, t] &= _MASK
            rough[x] = (work[0, 0] << bits) + (work[0, 1] << (bits - _DIGIT)) + (work[0, 2] >> (2 * _DIGIT - bits))
            if rough[x] < 1:
                for t in range(digits):
                    work[1, t] = table[x, t]
                if _settled_sign(work[1]) < 0:
                    good = False
                    break
        r = -1
        previous = -1
        for p in range(first, offset[k + 1]):
            if not good:
                break
            if weight[p] > 0 and supply[row[p]] > 0 and demand[column[p]] > 0:
                if row[p] != previous:
                    previous = row[p]
                    r += 1
                c = nr + col_of[column[p]]
                if flow[p] == 0 and rough[r] + rough[c] > weight[p] + 1:
                    continue
                _load_digits(num[p], den[p], work[0])
                for t in range(digits):
                    work[1, t] = table[r, t] + table[c, t] - work[0, t]
                sign = _settled_sign(work[1])
                if sign < 0 or (sign > 0 and flow[p] > 0):
                    good = False
        settled[k] = good
