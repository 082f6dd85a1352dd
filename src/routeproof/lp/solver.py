"""HiGHS, as the package uses it: one thread, silent; and programs that are known in part, whose columns or rows come
in while an oracle finds some that are violated.

The oracle is asked at points between the solver's and the best that is known to keep to everything: the solver's own
vertex, far outside at first, asks for much that is of no use.

Source: column generation, Ford & Fulkerson 1958, Dantzig & Wolfe 1960; separation between two points (in-out
stabilisation), Ben-Ameur & Neto 2007 (Networks 49).

Versions differ in what they print: 1.16 greets on descriptor 1 when the first solver is constructed, before any option
can be set.  So its own options are not enough: ``machine.silence`` stands around its work.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Float64, offsets_of
from ..core.errors import InputError
from ..machine.interrupts import answering
from ..machine.silence import silent

PRIMAL = 4  # the setting of ``simplex_strategy`` for the primal method
PRECISE = {"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9}
Flags = npt.NDArray[np.bool_]
Entries = tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike]
"""Coefficients that come in, in any order: numbers of what is new, of what it meets, values."""
_NONE: Entries = ((), (), ())
_PATIENCE = 0.1  # seconds for the solver to hear that its time is over
_QUICK = 2_000  # coefficients; with so few, nobody waits for the solver, and a thread of its own would cost more
_QUIET = {"output_flag": False, "log_to_console": False, "threads": 1}


class SolverError(InputError):
    """The solver came back without anything that could be judged."""


class Status(Enum):
    """How a run ended."""

    OPTIMAL = "kOptimal"
    INFEASIBLE = "kInfeasible"
    OUT_OF_TIME = "kTimeLimit"
    UNKNOWN = "kUnknown"
    OTHER = ""

    @classmethod
    def _missing_(cls, _: object) -> Status:
        return cls.OTHER


@cache
def _highspy() -> Any:
    """The library, with its greeting behind it."""
    with silent():
        import highspy
    with silent(briefly=True):
        highspy.Highs()  # type: ignore[no-untyped-call]
    return highspy


@dataclass(frozen=True, eq=False)
class Proposal:
    """What a solver says: ``x`` by column, ``y`` by row (>= 0 for inequalities); ``basic_columns`` and ``basic_rows``
    (bool) and ``at_upper`` (columns at their upper limit) where it ends at a vertex, else None."""

    x: Float64
    y: Float64
    basic_columns: Flags | None = None
    basic_rows: Flags | None = None
    at_upper: Flags | None = None
    infeasible: bool = False


class _Stopped:
    """In place of a solver that was left behind."""

    def __getattr__(self, _: str) -> Any:
        raise SolverError("the solver was stopped in the middle of its work")


class Solver:
    """A program that grows by rows and columns: minimise ``cost . x``, ``low <= A x <= high``, ``0 <= x <= upper``.

    ``settings``: options of HiGHS by name.
    """

    def __init__(self, **settings: Any) -> None:
        self._library = _highspy()
        with silent():
            self._highs: Any = self._library.Highs()
            self.set(**_QUIET, **settings)

    def set(self, **settings: Any) -> None:
        """Set options of HiGHS by name."""
        for option, value in settings.items():
            self._highs.setOptionValue(option, value)

    def load(
        self,
        cost: Float64,
        upper: Float64,
        low: Float64,
        high: Float64,
        start: npt.ArrayLike,
        column: npt.ArrayLike,
        value: Float64,
    ) -> None:
        """Begin with a whole program; its matrix by rows: row r is ``start[r]:start[r + 1]``."""
        lp = self._library.HighsLp()
        lp.num_col_, lp.num_row_ = len(cost), len(low)
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = cost, np.zeros(len(cost)), upper
        lp.row_lower_, lp.row_upper_ = low, high
        lp.a_matrix_.format_ = self._library.MatrixFormat.kRowwise
        lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = start, column, value
        with silent():
            self._check_taken(self._highs.passModel(lp))

    def _check_taken(self, status: Any) -> None:
        """Raise SolverError where the solver has left out what it was given, and would go on without."""
        if status == self._library.HighsStatus.kError:
            raise SolverError(
                "the linear program has a number above 10^15, which the solver does not take: rates and bandwidths are "
                "too far apart"
            )

    def add_rows(self, low: Float64, high: Float64, entries: Entries = _NONE) -> None:
        """``entries``: (the number of the new row, column, value)."""
        start, column, value = _in_order(entries, len(low))
        self._check_taken(self._highs.addRows(len(low), low, high, len(column), start, column, value))

    def add_row(self, low: float, high: float, column: npt.ArrayLike = (), value: npt.ArrayLike = ()) -> None:
        index = np.asarray(column, dtype=np.int32)
        self._check_taken(self._highs.addRow(low, high, len(index), index, np.asarray(value, dtype=np.float64)))

    def add_columns(self, cost: Float64, entries: Entries = _NONE) -> None:
        """``entries``: (the number of the new column, row, value)."""
        count, (start, row, value) = len(cost), _in_order(entries, len(cost))
        self._check_taken(
            self._highs.addCols(count, cost, np.zeros(count), np.full(count, np.inf), len(row), start, row, value)
        )

    def add_column(self, cost: float, row: npt.ArrayLike = (), value: npt.ArrayLike = ()) -> None:
        index = np.asarray(row, dtype=np.int32)
        self._check_taken(self._highs.addCol(cost, 0.0, np.inf, len(index), index, np.asarray(value, dtype=np.float64)))

    def set_costs(self, cost: Float64) -> None:
        """Of all columns."""
        self._highs.changeColsCost(len(cost), np.arange(len(cost), dtype=np.int32), cost)

    def close_columns(self, column: npt.ArrayLike) -> None:
        """These columns are 0."""
        index = np.asarray(column, dtype=np.int32)
        self._highs.changeColsBounds(len(index), index, np.zeros(len(index)), np.zeros(len(index)))

    def begin_at(self, columns: Flags, rows: Flags) -> None:
        """Begin at the vertex where these columns and rows are basic; others are at their lower limit."""
        basis, kind = self._library.HighsBasis(), self._library.HighsBasisStatus
        ends = [kind.kLower, kind.kBasic]
        basis.col_status, basis.row_status = ([ends[x] for x in side.tolist()] for side in (columns, rows))
        self._highs.setBasis(basis)

    def maximise(self) -> None:
        self._highs.changeObjectiveSense(self._library.ObjSense.kMaximize)

    def run(self, seconds: float | None = None) -> Status:
        """Solve from where the last run ended, in at most so many seconds."""
        highs = self._highs
        with silent():
            self.set(time_limit=np.inf if seconds is None else float(highs.getRunTime()) + seconds)
            if highs.getNumNz() <= _QUICK:
                highs.run()
                return self.status
            try:
                answering(highs.run, lambda: highs.setOptionValue("time_limit", 0.0), _PATIENCE)
            except BaseException:  # it may still run, and nobody may ask it anything else
                self._highs = _Stopped()
                raise
        return self.status

    @property
    def status(self) -> Status:
        return Status(self._highs.getModelStatus().name)

    @property
    def status_in_words(self) -> str:
        return str(self._highs.modelStatusToString(self._highs.getModelStatus())).lower()

    @property
    def num_rows(self) -> int:
        return int(self._highs.getNumRow())

    @property
    def objective(self) -> float:
        return float(self._highs.getInfo().objective_function_value)

    def solution(self) -> tuple[Float64, Float64]:
        """(x by column, the dual by row); either is empty where there is none."""
        found = self._highs.getSolution()
        return np.array(found.col_value, dtype=np.float64), np.array(found.row_dual, dtype=np.float64)

    def proposal(self, *, vertex: bool = True) -> Proposal:
        """The solution, with its basis where it ends at a ``vertex``."""
        if not vertex:
            return Proposal(*self.solution())
        found, kind = self._highs.getBasis(), self._library.HighsBasisStatus
        columns, rows = _numbers(found.col_status), _numbers(found.row_status)
        ends = columns == int(kind.kBasic), rows == int(kind.kBasic), columns == int(kind.kUpper)
        return Proposal(*self.solution(), *ends)


def _numbers(statuses: Sequence[Any]) -> npt.NDArray[np.int64]:
    return np.array([int(s) for s in statuses], dtype=np.int64)


def _in_order(entries: Entries, count: int) -> tuple[Any, Any, Any]:
    """(where each new row or column begins, the index of what it meets, ascending, the value)."""
    which, index, value = (np.asarray(x) for x in entries)
    order = np.lexsort((index, which))
    start = offsets_of(np.bincount(which.astype(np.int64), minlength=count))[:-1].astype(np.int32)
    return start, index[order].astype(np.int32), value[order].astype(np.float64)


class Generation(ABC):
    """``own``: the solver's point; ``best``: the best one so far that keeps to all columns and rows there could be.

    - ``shares``: the parts of ``best`` in the points that the oracle is asked at, one after another until it finds
      something;
    - ``rounds``: how often the program was solved.
    """

    shares: Sequence[float] = (0.0,)
    own: Float64
    best: Float64
    rounds = 0

    @abstractmethod
    def solve(self) -> bool:
        """Solve the program as far as it is known; False where the time is over."""

    @abstractmethod
    def separate(self, share: float) -> int:
        """Let come in what the point ``between`` violates; how much that is."""

    def is_near(self) -> bool:
        """Are the solver's point and the best one as near to each other as was asked for?"""
        return False

    def between(self, share: float) -> Float64:
        return share * self.best + (1 - share) * self.own

    def separated(self, shares: Sequence[float] | None = None) -> bool:
        return any(self.separate(share) > 0 for share in (self.shares if shares is None else shares))

    def generate(self, *, most: int | None = None, tell: Callable[[int], None] | None = None) -> bool:
        """Solve and ask in turn; False where the time was over before nothing was violated, or after ``most`` rounds.

        ``tell``: called with the number of rounds."""
        first = self.rounds
        while (most is None or self.rounds < first + most) and self.solve():
            self.rounds += 1
            complete = not self.separated() or self.is_near()
            if tell is not None:
                tell(self.rounds)
            if complete:
                return True
        return False
