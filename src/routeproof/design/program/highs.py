"""HiGHS, asked for a basis or an approximate solution.  Never believed: what it proposes is judged elsewhere."""

from __future__ import annotations

import importlib.util
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError

if TYPE_CHECKING:
    from .linear import Program

__all__ = ["Proposal", "SolverError", "check_solver", "solve", "solver_is_there"]

Float64 = npt.NDArray[np.float64]


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
    import highspy

    inf = highspy.kHighsInf
    lp = highspy.HighsLp()
    n, m = program.num_columns, program.num_rows
    scale = float(max(1, int(np.abs(program.cost).max(initial=1))))
    lp.num_col_, lp.num_row_ = n, m
    lp.col_cost_ = program.cost / scale
    lp.col_lower_ = np.zeros(n)
    upper = np.full(n, inf)
    for k, x in program.most.items():
        upper[k] = float(x)
    lp.col_upper_ = upper
    bound = program.bound.astype(np.float64)
    lp.row_lower_ = bound
    lp.row_upper_ = np.where(np.arange(m) < program.num_equal, bound, inf)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = program.start
    lp.a_matrix_.index_ = program.column
    lp.a_matrix_.value_ = program.value.astype(np.float64)
    h: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    h.setOptionValue("output_flag", False)
    h.setOptionValue("threads", 1)
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
    h.passModel(lp)
    h.run()
    return _read(h, highspy, program, scale, vertex=vertex)


def _read(h: Any, highspy: Any, program: Program, scale: float, *, vertex: bool) -> Proposal:
    status = h.getModelStatus()
    solution = h.getSolution()
    x, y = np.array(solution.col_value, dtype=np.float64), np.array(solution.row_dual, dtype=np.float64) * scale
    if status == highspy.HighsModelStatus.kInfeasible:
        return Proposal(x, y, None, None, None, infeasible=True)
    good = len(x) == program.num_columns and len(y) == program.num_rows
    if not good or not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise SolverError(f"the solver stopped without a solution ({h.modelStatusToString(status).lower()})")
    if not vertex or status != highspy.HighsModelStatus.kOptimal:
        if status not in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kTimeLimit,
                          highspy.HighsModelStatus.kUnknown):  # fmt: skip
            raise SolverError(f"the solver stopped without a solution ({h.modelStatusToString(status).lower()})")
        return Proposal(x, y, None, None, None)
    basis = h.getBasis()
    columns = np.array([int(s) for s in basis.col_status])
    rows = np.array([int(s) for s in basis.row_status])
    basic = int(highspy.HighsBasisStatus.kBasic)
    high = int(highspy.HighsBasisStatus.kUpper)
    if not math.isfinite(h.getInfo().objective_function_value):
        raise SolverError("the solver's objective is not finite")
    return Proposal(x, y, columns == basic, rows == basic, columns == high)
