"""The vertex that the search ends at, exactly: shares of all paths, and lengths of channels, as fractions.

The program's coefficients are whole numbers once every path's amount is counted in units of what divides all rates of
its pair: for one matrix they are 0, 1 and -1, and bandwidths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from ...lp.exact import ExactPoint, NotExactError, solve_whole
from .master import Master

_LARGEST = 1 << 40  # of a coefficient


@dataclass(frozen=True, eq=False)
class Vertex:
    """``share``: by number of a path that came in, what part of its pair takes it, where positive; ``lengths``: whole
    numbers (K, C), Python's integers."""

    share: dict[int, Fraction]
    lengths: Sequence[Any]


def exact_vertex(master: Master) -> Vertex:
    """Raises NotExactError where the basis is none of an exact solution, or its numbers are too long."""
    columns, rows = master.basis()
    if len(columns) != len(rows) or not len(columns) or columns[0] != 0:
        raise NotExactError("the basis is not square")
    problem = master.problem
    matrix, right, cost = _system(master, columns, rows)
    amount = solve_whole(matrix, right)
    share = _shares(problem.common, master, columns, amount)
    price = solve_whole(matrix.T.tocsr(), cost)
    lengths = _lengths(master, rows, price)
    return Vertex(share, lengths)


def _system(master: Master, columns: Any, rows: Any) -> tuple[Any, Any, Any]:
    """The matrix of basic columns and tight rows, the right side, the cost."""
    from scipy.sparse import csr_array

    problem = master.problem
    width_unit = lcm(*(x.denominator for x in problem.network.bandwidth))
    width = [int(x * width_unit) for x in problem.network.bandwidth]
    width = [x // gcd(*width) for x in width]  # theta is only a scale
    at_row = {int(r): n for n, r in enumerate(rows.tolist())}
    pair, offset, channel = master.pool()
    entries: list[tuple[int, int, int]] = []
    right = np.zeros(len(rows), dtype=object)
    places = [
        (n, int(k), int(c))
        for k, c in np.argwhere(master.row >= 0).tolist()
        if (n := at_row.get(int(master.row[k, c]))) is not None
    ]
    base = master.whole_base_loads()
    row_of: dict[tuple[int, int], int] = {}
    for n, k, c in places:
        row_of[k, c] = n
        entries.append((n, 0, width[c]))
        right[n] = base[k][c]
    common = problem.common
    for p in np.flatnonzero(master.pair_row >= 0).tolist():
        n = at_row.get(int(master.pair_row[p]))
        if n is not None:
            right[n] = common[p]
    matrices = range(len(problem.whole))
    for m, column in enumerate(columns.tolist()):
        if column == 0:
            continue
        q = column - 1
        p = int(pair[q])
        n = at_row.get(int(master.pair_row[p]))
        if n is not None:
            entries.append((n, m, 1))
        path = set(channel[offset[q] : offset[q + 1]].tolist())
        own = set(master.channel[master.offset[p] : master.offset[p + 1]].tolist())
        for sign, crossed in ((-1, path - own), (1, own - path)):
            for k in matrices:
                factor = problem.whole[k][p] // common[p]
                if factor:
                    found = ((row_of.get((k, c)), sign * factor) for c in crossed)
                    entries += [(n, m, x) for n, x in found if n is not None]
    row, col, value = (np.array(x, dtype=object) for x in zip(*entries, strict=True))
    if max(abs(int(x)) for x in value) > _LARGEST:
        raise NotExactError("the rates or bandwidths are too long")
    size = len(rows)
    where = (row.astype(np.int64), col.astype(np.int64))
    matrix = csr_array((value.astype(np.int64), where), shape=(size, size)).tocsr()
    cost = np.zeros(size, dtype=object)
    cost[0] = 1
    return matrix, right, cost


def _shares(common: Sequence[int], master: Master, columns: Any, amount: ExactPoint) -> dict[int, Fraction]:
    pair, _, _ = master.pool()
    share: dict[int, Fraction] = {}
    taken: dict[int, Fraction] = {}
    for m, column in enumerate(columns.tolist()):
        x = int(amount.num[m])
        if column == 0 or not x:
            continue
        p = int(pair[column - 1])
        share[column - 1] = part = Fraction(x, amount.den * common[p])
        taken[p] = taken.get(p, Fraction(0)) + part
        if x < 0 or taken[p] > 1:
            raise NotExactError("the basis violates a constraint")
    return share


def _lengths(master: Master, rows: Any, price: ExactPoint) -> list[Any]:
    at_row = {int(r): n for n, r in enumerate(rows.tolist())}
    lengths = []
    for row in master.row:
        found = [0 if r < 0 or r not in at_row else int(price.num[at_row[r]]) for r in row.tolist()]
        if min(found) < 0:
            raise NotExactError("a length is negative")
        lengths.append(np.array([*found, None], dtype=object)[:-1])
    return lengths
