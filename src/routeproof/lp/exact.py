"""A linear program with whole coefficients: what HiGHS is asked, what it proposes, and what exact arithmetic judges.

The solver is never believed: its proposals are judged elsewhere.  Here stand the exact solution that a basis stands
for, and whole numbers and fractions near floats, of which exact arithmetic chooses.

The factors of the basis are kept in floating point; every correction is rounded to whole multiples of a power of two,
and the residual that it leaves is formed exactly.  So the solution gains a fixed number of bits a step; once there are
enough, common denominators are read off by continued fractions and the answer is put into the equations, exactly.

Source: the iterative refinement of Gleixner, Steffy & Wolter (2016) and the rational reconstruction of Wan (2006), on
one basis.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, gcd, lcm
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


Objects = npt.NDArray[Any]
_WORD = 44  # bits of a residual that floating point handles in one step
_LEAST_SHIFT = 4
_MOST_BITS = 40_000
DENOMINATORS = (1_000, 100_000, 10_000_000)
_LONGEST = 1 << 40  # of a common denominator
_BITS = (8, 14, 20, 28, 40)
_FINE = 1 << 40


class NotExactError(Exception):
    """The basis does not stand for an exact optimum, or its numbers are too long: an interval has to do."""


@dataclass(frozen=True, eq=False)
class ExactPoint:
    """``num[k] / den``: Python integers (dtype object) over one positive denominator."""

    num: Objects
    den: int

    @staticmethod
    def of(num: Sequence[int], den: int) -> ExactPoint:
        return ExactPoint(np.array([*num, None], dtype=object)[:-1], den)

    def fraction(self, k: int) -> Fraction:
        return Fraction(int(self.num[k]), self.den)


def solve_exactly(
    program: Program, *, seconds: float | None = None, iterations: int | None = None
) -> tuple[ExactPoint, ExactPoint]:
    """(the exact solution, its exact multipliers) of the vertex that HiGHS proposes; raises as these do."""
    proposal = solve(program, seconds=seconds, iterations=iterations)
    return exact_primal(program, proposal), exact_dual(program, proposal)


def exact_primal(program: Program, proposal: Proposal) -> ExactPoint:
    """The exact basic solution, checked against every constraint; raises NotExactError where one is violated."""
    point = basic_solution(program, proposal)
    slack = _product(program, point.num) - program.bound.astype(object) * point.den
    if any(s != 0 for s in slack[: program.num_equal]) or any(s < 0 for s in slack[program.num_equal :]):
        raise NotExactError("the basis violates a constraint")
    if any(s < 0 for s in point.num) or any(point.fraction(k) > most for k, most in program.upper.items()):
        raise NotExactError("the basis violates a bound")
    return point


def exact_dual(program: Program, proposal: Proposal) -> ExactPoint:
    """The exact multipliers of the rows; raises NotExactError where one has the wrong sign.

    That reduced costs have the right signs is not looked at: whatever is built from them is judged on its own.
    """
    point = basic_multipliers(program, proposal)
    if any(s < 0 for s in point.num[program.num_equal :]):
        raise NotExactError("a multiplier is negative")
    return point


def basic_solution(program: Program, proposal: Proposal) -> ExactPoint:
    """What the basis stands for, whether it keeps to the constraints or not."""
    basic, tight = _square(proposal)
    scale = lcm(*(x.denominator for x in program.upper.values())) if program.upper else 1
    fixed = np.zeros(program.num_columns, dtype=object)
    for k, most in program.upper.items():
        if proposal.at_upper is not None and proposal.at_upper[k]:
            fixed[k] = int(most * scale)
    right = program.bound.astype(object) * scale - _product(program, fixed)
    x = solve_whole(_matrix(program)[tight][:, basic], right[tight])
    num = fixed * x.den
    num[basic] = x.num
    return ExactPoint(num, x.den * scale)


def basic_multipliers(program: Program, proposal: Proposal) -> ExactPoint:
    """The multipliers of the rows that the basis stands for, whatever their signs."""
    basic, tight = _square(proposal)
    y = solve_whole(_matrix(program)[tight][:, basic].T, program.cost.astype(object)[basic])
    num = np.zeros(program.num_rows, dtype=object)
    num[tight] = y.num
    return ExactPoint(num, y.den)


def _square(proposal: Proposal) -> tuple[Int64, Int64]:
    """(basic columns, tight rows), as many of the one as of the other."""
    if proposal.basic_columns is None or proposal.basic_rows is None:
        raise NotExactError("there is no basis")
    basic, tight = np.nonzero(proposal.basic_columns)[0], np.nonzero(~proposal.basic_rows)[0]
    if len(basic) != len(tight):
        raise NotExactError("the basis is not square")
    return basic, tight


def _matrix(program: Program) -> Any:
    from scipy.sparse import csr_matrix

    return csr_matrix((program.value, program.column, program.start), shape=(program.num_rows, program.num_columns))


def _product(program: Program, x: Objects) -> Objects:
    """``A x`` in Python integers."""
    return _sums(program.value.astype(object) * x[program.column], program.start)


def _sums(terms: Objects, start: Int64) -> Objects:
    result = np.zeros(len(start) - 1, dtype=object)
    rows = np.nonzero(np.diff(start))[0]
    if len(rows):
        result[rows] = np.add.reduceat(terms, start[:-1][rows])
    return result


def solve_whole(matrix: Any, right: Objects) -> ExactPoint:
    """The exact solution of ``matrix x = right``; ``matrix``: scipy sparse, square, of whole numbers.

    Raises NotExactError for a matrix that floating point takes for singular, and for answers that are too long.
    """
    from scipy.sparse.linalg import splu

    size = matrix.shape[0]
    if not size:
        return ExactPoint.of([], 1)
    by_rows, by_columns = matrix.tocsr().astype(np.int64), matrix.tocsc()
    try:
        narrow = by_columns.astype(np.float64)  # scipy 1.11 factors with 32-bit indices only
        narrow.indices, narrow.indptr = narrow.indices.astype(np.int32), narrow.indptr.astype(np.int32)
        factors = splu(narrow)
    except RuntimeError:
        raise NotExactError("the basis is singular") from None
    widest = int(np.abs(by_rows).sum(axis=1).max())
    residual = right.copy()
    answer = np.zeros(size, dtype=object)
    bits = 0  # the answer is ``answer / 2**bits``, the residual is scaled by as much
    goal, stalled = 192, 0
    patience = (
        9 + max((int(s).bit_length() for s in right), default=0) // 16
    )  # until a long side's last bits are reached
    while True:
        top = max(abs(int(s)) for s in residual)
        if not top:
            common = gcd(1 << bits, *(int(s) for s in answer))
            return ExactPoint.of([int(s) // common for s in answer], (1 << bits) // common)
        room = _WORD - top.bit_length()
        if room < _LEAST_SHIFT:  # the leading bits first
            drop = max(0, -room)
            correction, product = _correction(factors, by_rows, residual / (1 << drop), widest)
            answer = answer + (correction << drop)
            residual = residual - (product << drop)
            stalled += 1
            if stalled > patience:
                raise NotExactError("the basis is too ill-conditioned")
            continue
        shift = min(room, 40)
        stalled = 0
        residual, answer, bits = residual << shift, answer << shift, bits + shift
        correction, product = _correction(factors, by_rows, residual, widest)
        answer, residual = answer + correction, residual - product
        if bits >= goal:
            found = _reconstructed(answer, bits)
            if found is not None and not any(s != 0 for s in _times(by_rows, found.num) - right * found.den):
                return found
            goal *= 2
            if goal > _MOST_BITS:
                raise NotExactError("the exact solution is too long")


def _correction(factors: Any, matrix: Any, residual: Objects, widest: int) -> tuple[Objects, Objects]:
    y = np.rint(factors.solve(residual.astype(np.float64)))
    if not np.isfinite(y).all() or float(np.abs(y).max(initial=0.0)) * widest > 2.0**61:
        raise NotExactError("the basis is too ill-conditioned")
    whole = y.astype(np.int64)
    return whole.astype(object), (matrix @ whole).astype(object)


def _times(matrix: Any, x: Objects) -> Objects:
    return _sums(matrix.data.astype(object) * x[matrix.indices], matrix.indptr.astype(np.int64))


def _reconstructed(answer: Objects, bits: int) -> ExactPoint | None:
    """The rationals with small common denominator near ``answer / 2**bits``; None if there seem to be none."""
    unit = 1 << bits
    slack = bits // 8  # the last bits are not to be trusted
    limit = 1 << (bits // 2 - slack)
    den = 1
    for x in answer:
        value = int(x) * den
        rest = value - ((value + unit // 2) >> bits) * unit
        if abs(rest) <= den << slack:
            continue
        p, q = _near(abs(rest), unit, limit // den)
        if not q or abs(abs(rest) * q - p * unit) > (den * q) << slack:
            return None
        den *= q
        if den > limit:
            return None
    half = unit // 2
    return ExactPoint.of([((int(x) * den + half) >> bits) for x in answer], den)


def _near(a: int, b: int, limit: int) -> tuple[int, int]:
    """The last convergent p / q of a / b with q at most ``limit``; (0, 0) if the limit is below 1."""
    p0, q0, p1, q1 = 0, 1, 1, 0
    if limit < 1:
        return 0, 0
    while b:
        whole = a // b
        if q0 + whole * q1 > limit and q1:
            break
        p0, q0, p1, q1 = p1, q1, p0 + whole * p1, q0 + whole * q1
        a, b = b, a - whole * b
    return p1, q1


def whole_near(values: Float64) -> Iterator[Int64]:
    """Whole numbers in about the same proportions, ``values`` >= 0: first such as have short fractions, as vertices do;
    then rounded up to ever more bits.  None where all are 0."""
    top = float(values.max(initial=0.0))
    if top <= 0:
        return
    for most in DENOMINATORS[:2]:
        fractions = [Fraction(x).limit_denominator(most) for x in (values / top).tolist()]
        common = lcm(*(x.denominator for x in fractions))
        if common < _LONGEST:
            yield np.array([int(x * common) for x in fractions], dtype=np.int64)
    for bits in _BITS:
        yield np.ceil(values / top * (1 << bits)).astype(np.int64)


def rounded_down(values: Float64, *, beside: float = 0.0) -> tuple[Int64, float]:
    """Whole numbers in about the same proportions, and what they were multiplied by: so much that the largest, or
    ``beside``, becomes 2^40."""
    top = max(float(values.max()), beside)
    scale = _FINE / top if top > 0 else 1.0
    return np.floor(values * scale).astype(np.int64), scale


def fraction_near(amount: float | Fraction, most: int | None) -> Fraction:
    """The nearest fraction with a denominator up to ``most``; without, not above it.  A fraction is as it is."""
    if isinstance(amount, Fraction):
        return amount
    return Fraction(floor(amount * _FINE), _FINE) if most is None else Fraction(amount).limit_denominator(most)


def without_common_factor(numbers: Sequence[Any] | npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Python's integers (dtype object), as small as they may be in these proportions."""
    common = gcd(*(int(x) for x in numbers)) or 1
    return np.array([*(int(x) // common for x in numbers), None], dtype=object)[:-1]
