"""Compiled inner loops of the interior-point method: one block's Laplacian, factored by groups of rows."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


@njit(cache=True)
def places(groups):  # type: ignore[no-untyped-def]
    """(start, below): where the factor of every group of rows begins, and what is below it in the group's columns of
    the one before; the last of ``start`` is how many numbers there are.  ``groups``: where groups begin and end."""
    count = len(groups) - 1
    start = np.zeros(count + 1, dtype=np.int64)
    below = np.zeros(count, dtype=np.int64)
    at = 0
    for k in range(count):
        n = groups[k + 1] - groups[k]
        below[k] = at
        if k:
            at += n * (groups[k] - groups[k - 1])
        start[k] = at
        at += n * n
    start[count] = at
    return start, below


@njit(cache=True)
def _laplacian(block, d, start, below, out):  # type: ignore[no-untyped-def]
    """L = E D^-1 E' into ``out``, by groups, dense in each."""
    groups, row1, row2, entry1, entry2, _, _ = block
    of = np.empty(groups[-1], dtype=np.int64)
    for k in range(len(groups) - 1):
        of[groups[k] : groups[k + 1]] = k
    out[:] = 0.0
    for v in range(len(d)):
        a, b = row1[v], row2[v]
        for r, e in ((a, entry1[v]), (b, entry2[v])):
            if r >= 0:
                k = of[r]
                i = r - groups[k]
                out[start[k] + i * (groups[k + 1] - groups[k]) + i] += e * e * d[v]
        if a >= 0 and b >= 0:
            x = entry1[v] * entry2[v] * d[v]
            if of[a] == of[b]:
                k = of[a]
                n = groups[k + 1] - groups[k]
                i, j = a - groups[k], b - groups[k]
                out[start[k] + i * n + j] += x
                out[start[k] + j * n + i] += x
            else:
                if of[a] < of[b]:
                    a, b = b, a
                k = of[a]  # the later group: its part below holds (a, b)
                n = groups[k] - groups[k - 1]
                out[below[k] + (a - groups[k]) * n + (b - groups[k - 1])] += x


@njit(cache=True)
def factor_block(block, d, wd, size, out):  # type: ignore[no-untyped-def]
    """Factor L = E D^-1 E' (the inverse Cholesky factor of every diagonal part and the part below it go to ``out``) and
    return the lower triangle of G' L^-1 G, (``size``, ``size``), G = E D^-1 W P, by the block's own numbers of
    potentials.

    ``block``: see ``system.Block``; ``d``: 1 / D, by variable; ``wd``: W / D, by cover.
    """
    groups, row1, row2, entry1, entry2, covered, cover = block
    g = np.zeros((groups[-1], size))
    for k in range(len(wd)):
        v = covered[k]
        for r, e in ((row1[v], entry1[v]), (row2[v], entry2[v])):
            if r >= 0:
                x = e * wd[k]
                for p in cover[k]:
                    g[r, p] += x
    start, below = places(groups)
    _laplacian(block, d, start, below, out)
    total = np.zeros((size, size))
    before = np.zeros((1, 1))
    for k in range(len(groups) - 1):
        n = groups[k + 1] - groups[k]
        diagonal = out[start[k] : start[k] + n * n].reshape(n, n)
        here = g[groups[k] : groups[k + 1]]
        if k:
            m = groups[k] - groups[k - 1]
            under = out[below[k] : below[k] + n * m].reshape(n, m)
            last = out[start[k - 1] : start[k - 1] + m * m].reshape(m, m)
            link = np.dot(under, last.T)
            under[:] = link
            diagonal -= np.dot(link, link.T)
            here -= np.dot(link, before)
        top = 0.0
        for i in range(n):
            top = max(top, diagonal[i, i])
        for i in range(n):
            diagonal[i, i] += 1e-14 * top + 1e-300
        inverse = np.linalg.inv(np.linalg.cholesky(diagonal))
        diagonal[:] = inverse
        before = np.dot(inverse, here)
        step = 256
        for j in range(0, size, step):
            e = min(size, j + step)
            part = np.ascontiguousarray(before[:, j:e])
            total[j:e, :e] += np.dot(part.T, np.ascontiguousarray(before[:, :e]))
    return total


@njit(cache=True)
def add_block(matrix, at, part):  # type: ignore[no-untyped-def]
    """Add the lower triangle of ``part`` at the rows and columns ``at``, which rise."""
    for i in range(len(at)):
        row = matrix[at[i]]
        for j in range(i + 1):
            row[at[j]] += part[i, j]


@njit(cache=True)
def add_covers(matrix, cover, weight):  # type: ignore[no-untyped-def]
    """Add the lower triangle of P' diag(``weight``) P, where row k of P is once more 1 at each of ``cover[k]``."""
    for k in range(len(weight)):
        x = weight[k]
        for m in range(cover.shape[1]):
            matrix[cover[k, m], cover[k, m]] += x
        for m in range(1, cover.shape[1]):
            for n in range(m):
                i, j = cover[k, n], cover[k, m]
                if i == j:
                    matrix[i, i] += 2.0 * x
                else:
                    matrix[max(i, j), min(i, j)] += x


@njit(cache=True)
def add_differences(matrix, cover, covered, w, d):  # type: ignore[no-untyped-def]
    """Add the lower triangle of the sum of w_k w_m / d (P_k - P_m)' (P_k - P_m) over covers k, m of one flow."""
    width = cover.shape[1]
    ids, sign = np.empty(2 * width, dtype=np.int64), np.empty(2 * width)
    sign[:width], sign[width:] = 1.0, -1.0
    for k in range(len(w)):
        m = k + 1
        while m < len(w) and covered[m] == covered[k]:
            x = w[k] * w[m] / d[covered[k]]
            ids[:width], ids[width:] = cover[k], cover[m]
            for a in range(2 * width):
                for b in range(2 * width):
                    if ids[b] <= ids[a]:
                        matrix[ids[a], ids[b]] += x * sign[a] * sign[b]
            m += 1


@njit(cache=True)
def add_rows(matrix, start, index, value, weight):  # type: ignore[no-untyped-def]
    """Add the lower triangle of A' diag(``weight``) A, A in CSR form."""
    for k in range(len(weight)):
        for m in range(start[k], start[k + 1]):
            row, x = matrix[index[m]], weight[k] * value[m]
            for n in range(start[k], start[k + 1]):
                if index[n] <= index[m]:
                    row[index[n]] += x * value[n]


@njit(cache=True)
def solve_blocks(groups, first_group, first_row, first_factor, factors, right):  # type: ignore[no-untyped-def]
    """L^-1 ``right`` for all blocks, from what ``factor_block`` left in each one's part of ``factors``."""
    answer = np.empty(len(right))
    for k in range(len(first_row) - 1):
        rows = slice(first_row[k], first_row[k + 1])
        own = groups[first_group[k] : first_group[k + 1] + 1] - first_row[k]
        answer[rows] = solve_block(own, factors[first_factor[k] : first_factor[k + 1]], right[rows])
    return answer


@njit(cache=True)
def solve_block(groups, factors, right):  # type: ignore[no-untyped-def]
    """L^-1 ``right`` from what ``factor_block`` left in ``factors``."""
    answer = right.copy()
    count = len(groups) - 1
    start, below = places(groups)
    for k in range(count):
        n = groups[k + 1] - groups[k]
        here = answer[groups[k] : groups[k + 1]].copy()
        if k:
            m = groups[k] - groups[k - 1]
            link = factors[below[k] : below[k] + n * m].reshape(n, m)
            here -= np.dot(link, answer[groups[k - 1] : groups[k]])
        inverse = factors[start[k] : start[k] + n * n].reshape(n, n)
        answer[groups[k] : groups[k + 1]] = np.dot(inverse, here)
    for k in range(count - 1, -1, -1):
        n = groups[k + 1] - groups[k]
        here = answer[groups[k] : groups[k + 1]].copy()
        if k + 1 < count:
            m = groups[k + 2] - groups[k + 1]
            link = factors[below[k + 1] : below[k + 1] + n * m].reshape(m, n)
            here -= np.dot(link.T, answer[groups[k + 1] : groups[k + 2]])
        inverse = factors[start[k] : start[k] + n * n].reshape(n, n)
        answer[groups[k] : groups[k + 1]] = np.dot(inverse.T, here)
    return answer


@njit(cache=True)
def reach(x, way, more, weights):  # type: ignore[no-untyped-def]
    """For each weight the largest a, at most 2, with ``x`` + a (``way`` + weight ``more``) >= 0."""
    far = np.full(len(weights), 2.0)
    for k in range(len(weights)):
        w = weights[k]
        most = 0.5  # of -d / x
        for i in range(len(x)):
            ratio = -(way[i] + w * more[i]) / x[i]
            if ratio > most:
                most = ratio
        far[k] = 1.0 / most
    return far
