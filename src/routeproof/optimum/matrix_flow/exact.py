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

from ...core.rational import as_int_array
from ...lp.exact import ExactPoint, NotExactError, basic_multipliers, basic_solution
from ...lp.program import Program, Triplets
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
    program, proposal = exact_program(master), master.proposal()
    share = _shares(master, basic_solution(program, proposal))
    return Vertex(share, _lengths(master, basic_multipliers(program, proposal)))


def exact_program(master: Master) -> Program:
    """The master's program in whole numbers: column 0 is theta, column q + 1 the amount of path q."""
    problem, entries = master.problem, Triplets()
    width_unit = lcm(*(x.denominator for x in problem.network.bandwidth))
    width = [int(x * width_unit) for x in problem.network.bandwidth]
    width = [x // gcd(*width) for x in width]  # theta is only a scale
    common, base = problem.common, master.whole_base_loads()
    factor = [[rate // one for rate, one in zip(rates, common, strict=True)] for rates in problem.whole]
    if max(max(width), *map(max, factor)) > _LARGEST:
        raise NotExactError("the rates or bandwidths are too long")
    bound = [0] * master.num_rows
    for k, c in np.argwhere(master.row >= 0).tolist():
        row = int(master.row[k, c])
        entries.add(row, 0, width[c])
        bound[row] = base[k][c]
    for p in np.flatnonzero(master.pair_row >= 0).tolist():
        bound[int(master.pair_row[p])] = -common[p]
    pair, offset, channel = master.pool()
    entries.add(master.pair_row[pair], 1 + np.arange(len(pair)), -1)
    delta = master.difference(pair, offset, channel).tocoo()
    path, crossed, sign = delta.row.astype(np.int64), delta.col, delta.data.astype(np.int64)
    for rows, times in zip(master.row, np.array(factor, dtype=np.int64), strict=True):
        known = rows[crossed] >= 0
        entries.add(rows[crossed][known], 1 + path[known], -(sign * times[pair[path]])[known])
    num_columns = 1 + len(pair)
    cost = np.zeros(num_columns, dtype=np.int64)
    cost[0] = 1
    return Program(num_columns, 0, *entries.summed(len(bound), num_columns), as_int_array(bound), cost, {})


def _shares(master: Master, point: ExactPoint) -> dict[int, Fraction]:
    pair, _, _ = master.pool()
    share: dict[int, Fraction] = {}
    taken: dict[int, Fraction] = {}
    for q in np.flatnonzero(point.num[1:]).tolist():
        p = int(pair[q])
        share[q] = part = point.fraction(1 + q) / master.problem.common[p]
        taken[p] = taken.get(p, Fraction(0)) + part
        if part < 0 or taken[p] > 1:
            raise NotExactError("the basis violates a constraint")
    return share


def _lengths(master: Master, price: ExactPoint) -> list[Any]:
    lengths = [np.where(row >= 0, price.num[row], 0) for row in master.row]
    if min(x.min() for x in lengths) < 0:
        raise NotExactError("a length is negative")
    return lengths
