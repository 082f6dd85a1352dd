"""A linear program with whole coefficients: what HiGHS is asked, what it proposes, and what exact arithmetic judges.

The solver is never believed: its proposals are judged elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Float64, Int64
from .solver import PRECISE, Proposal, Solver, SolverError, Status


class Triplets:
    """Coefficients of a matrix while it is being written; those in one place are added up."""

    def __init__(self) -> None:
        self._parts: list[tuple[Int64, Int64, Int64]] = []

    def add(self, rows: npt.ArrayLike, columns: npt.ArrayLike, values: npt.ArrayLike) -> None:
        r, c, x = np.broadcast_arrays(*(np.asarray(part, dtype=np.int64) for part in (rows, columns, values)))
        self._parts.append((r.ravel(), c.ravel(), x.ravel()))

    def summed(self, num_rows: int, num_columns: int) -> tuple[Int64, Int64, Int64]:
        """(start, column, value) by rows: row r is ``start[r]:start[r + 1]``, columns ascending, no zeros."""
        none = np.zeros(0, dtype=np.int64)
        row, column, value = (np.concatenate([none, *(p[k] for p in self._parts)]) for k in range(3))
        key = row * num_columns + column
        order = np.argsort(key, kind="stable")
        key, value = key[order], value[order]
        first = np.nonzero(np.diff(key, prepend=-1))[0]
        value = np.add.reduceat(value, first) if len(first) else value
        key = key[first]
        key, value = key[value != 0], value[value != 0]
        start = np.searchsorted(key, np.arange(num_rows + 1) * num_columns)
        return start.astype(np.int64), key % num_columns, value

    def program(self, num_columns: int, num_equal: int, bound: list[int]) -> Program:
        """The program that minimises column 0 under these rows, the first ``num_equal`` of them equations."""
        cost = np.zeros(num_columns, dtype=np.int64)
        cost[0] = 1
        rows = self.summed(len(bound), num_columns)
        return Program(num_columns, num_equal, *rows, np.array(bound, dtype=np.int64), cost, {})


@dataclass(frozen=True, eq=False)
class Program:
    """Minimise ``cost . x`` subject to ``A x = b`` in the first ``num_equal`` rows, ``A x >= b`` in the others,
    ``0 <= x`` and, for the columns in ``upper``, ``x <= upper``.

    A by rows: ``start`` (R + 1,), ``column``, ``value`` (nnz,); ``cost`` (n,); ``bound``: b (R,).  All are whole.
    """

    num_columns: int
    num_equal: int
    start: Int64
    column: Int64
    value: Int64
    bound: Int64
    cost: Int64
    upper: dict[int, Fraction]

    @property
    def num_rows(self) -> int:
        return len(self.start) - 1

    def asking(self, cost: Int64, upper: dict[int, Fraction]) -> Program:
        """The same constraints with another objective and other upper limits."""
        return replace(self, cost=cost, upper=upper)


VERTEX = {"solver": "simplex", **PRECISE}
_INSIDE = {"solver": "ipm", "run_crossover": "off", "ipm_optimality_tolerance": 1e-9}


def solve(
    program: Program, *, vertex: bool = True, seconds: float | None = None, iterations: int | None = None
) -> Proposal:
    """Ask HiGHS: simplex for a vertex, in at most ``iterations``, else interior point without crossover.

    An infeasible program is said to be so (``infeasible``); anything else without a solution raises SolverError.
    """
    scale = float(max(1, int(np.abs(program.cost).max(initial=1))))
    solver = solver_of(program, program.cost / scale, **(VERTEX if vertex else _INSIDE))
    if iterations is not None:
        solver.set(simplex_iteration_limit=iterations)
    status = solver.run(None if seconds is None else max(0.01, float(seconds)))
    found = solver.proposal(vertex=vertex and status is Status.OPTIMAL)
    x, y = found.x, found.y * scale
    if status is Status.INFEASIBLE:
        return Proposal(x, y, infeasible=True)
    good = len(x) == program.num_columns and len(y) == program.num_rows
    good = good and bool(np.isfinite(x).all() and np.isfinite(y).all())
    if not good or status not in (Status.OPTIMAL, Status.OUT_OF_TIME, Status.UNKNOWN):
        raise SolverError(f"the solver stopped without a solution ({solver.status_in_words})")
    if found.basic_columns is not None and not math.isfinite(solver.objective):
        raise SolverError("the solver's objective is not finite")
    return replace(found, y=y)


def solver_of(program: Program, cost: Float64, **settings: Any) -> Solver:
    """The program with another cost."""
    upper = np.full(program.num_columns, np.inf)
    for k, x in program.upper.items():
        upper[k] = float(x)
    low = program.bound.astype(np.float64)
    high = np.where(np.arange(program.num_rows) < program.num_equal, low, np.inf)
    solver = Solver(**settings)
    solver.load(cost, upper, low, high, program.start, program.column, program.value.astype(np.float64))
    return solver
