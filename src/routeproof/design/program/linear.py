"""A linear program with whole coefficients: what HiGHS is asked, what it proposes, and what exact arithmetic judges.

The solver is never believed: its proposals are judged elsewhere.
"""

from __future__ import annotations

import importlib.util
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64, Int64
from ...core.errors import InputError


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
    ``0 <= x`` and, for the columns in ``most``, ``x <= most``.

    A by rows: ``start`` (R + 1,), ``column``, ``value`` (nnz,); ``cost`` (n,); ``bound``: b (R,).  All are whole.
    """

    num_columns: int
    num_equal: int
    start: Int64
    column: Int64
    value: Int64
    bound: Int64
    cost: Int64
    most: dict[int, Fraction]

    @property
    def num_rows(self) -> int:
        return len(self.start) - 1

    def asking(self, cost: Int64, most: dict[int, Fraction]) -> Program:
        """The same constraints with another objective and other upper limits."""
        return replace(self, cost=cost, most=most)


class SolverError(InputError):
    """The solver came back without anything that could be judged."""


@dataclass(frozen=True, eq=False)
class Proposal:
    """What a solver says: ``x`` by column, ``y`` by row (>= 0 for inequalities); ``basic_columns`` and ``basic_rows``
    (bool) and ``at_most`` (columns at their upper limit) where it ends at a vertex, else None."""

    x: Float64
    y: Float64
    basic_columns: npt.NDArray[np.bool_] | None
    basic_rows: npt.NDArray[np.bool_] | None
    at_most: npt.NDArray[np.bool_] | None
    infeasible: bool = False


def solver_is_there() -> bool:
    return importlib.util.find_spec("highspy") is not None and importlib.util.find_spec("scipy") is not None


def check_solver() -> None:
    """Raise InputError, with the remedy, where the optional solver is not installed."""
    if not solver_is_there():
        raise InputError("designing routings needs a linear programming solver: pip install 'routeproof[design]'")


def solve(
    program: Program, *, vertex: bool = True, seconds: float | None = None, iterations: int | None = None
) -> Proposal:
    """Ask HiGHS: simplex for a vertex, in at most ``iterations``, else interior point without crossover.

    An infeasible program is said to be so (``infeasible``); anything else without a solution raises SolverError.
    """
    check_solver()
    scale = float(max(1, int(np.abs(program.cost).max(initial=1))))
    h = highs(program, program.cost / scale)
    if seconds is not None:
        h.setOptionValue("time_limit", max(0.01, float(seconds)))
    if iterations is not None:
        h.setOptionValue("simplex_iteration_limit", iterations)
    if vertex:
        h.setOptionValue("solver", "simplex")
        h.setOptionValue("primal_feasibility_tolerance", 1e-9)
        h.setOptionValue("dual_feasibility_tolerance", 1e-9)
    else:
        h.setOptionValue("solver", "ipm")
        h.setOptionValue("run_crossover", "off")
        h.setOptionValue("ipm_optimality_tolerance", 1e-9)
    h.run()
    return _read(h, program, scale, vertex=vertex)


def highs(program: Program, cost: Float64) -> Any:
    """HiGHS with the program and another cost; one thread, and silent."""
    import highspy

    n, m = program.num_columns, program.num_rows
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = n, m
    lp.col_cost_ = cost
    upper = np.full(n, highspy.kHighsInf)
    for k, x in program.most.items():
        upper[k] = float(x)
    lp.col_lower_, lp.col_upper_ = np.zeros(n), upper
    bound = program.bound.astype(np.float64)
    lp.row_lower_, lp.row_upper_ = bound, np.where(np.arange(m) < program.num_equal, bound, highspy.kHighsInf)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = program.start, program.column
    lp.a_matrix_.value_ = program.value.astype(np.float64)
    h: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    h.setOptionValue("output_flag", False)
    h.setOptionValue("threads", 1)
    h.passModel(lp)
    return h


def _read(h: Any, program: Program, scale: float, *, vertex: bool) -> Proposal:
    from highspy import HighsBasisStatus, HighsModelStatus

    status, solution = h.getModelStatus(), h.getSolution()
    x, y = np.array(solution.col_value, dtype=np.float64), np.array(solution.row_dual, dtype=np.float64) * scale
    if status == HighsModelStatus.kInfeasible:
        return Proposal(x, y, None, None, None, infeasible=True)
    good = len(x) == program.num_columns and len(y) == program.num_rows
    good = good and bool(np.isfinite(x).all() and np.isfinite(y).all())
    if not good or status not in (HighsModelStatus.kOptimal, HighsModelStatus.kTimeLimit, HighsModelStatus.kUnknown):
        raise SolverError(f"the solver stopped without a solution ({h.modelStatusToString(status).lower()})")
    if not vertex or status != HighsModelStatus.kOptimal:
        return Proposal(x, y, None, None, None)
    if not math.isfinite(h.getInfo().objective_function_value):
        raise SolverError("the solver's objective is not finite")
    basis = h.getBasis()
    columns, rows = (np.array([int(s) for s in part]) for part in (basis.col_status, basis.row_status))
    basic, high = int(HighsBasisStatus.kBasic), int(HighsBasisStatus.kUpper)
    return Proposal(x, y, columns == basic, rows == basic, columns == high)
