"""The oblivious routing with the best worst case, and among those the one with the shortest paths.

Source: Towles, Dally & Boyd 2003 (SPAA), eq. (8) and (10); "locality versus worst-case throughput", sec. 5.1.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ..analysis.locality import average_path_length, minimal_average
from ..analysis.worst_case.exact import worst_case
from ..core.errors import InputError, did_you_mean
from ..core.network import Network
from ..core.stage import Stage, silent
from ..machine.memory import free_memory
from .adversary import Adversary, adversary_from_exact, adversary_from_floats
from .program.exact import ExactPoint, NotExactError, exact_dual, exact_primal
from .program.flows import routing_from_exact, routing_from_floats
from .program.highs import Proposal, SolverError, check_solver, solve, solver_is_there
from .program.length_bound import check_length_bound
from .program.orbits import Reduction, check_nodes, reduce
from .program.worst_case import WorstCaseProgram, bandwidth_unit, with_most_hops, worst_case_program
from .result import Design

if TYPE_CHECKING:
    from ..routing.classes.symmetric import SymmetricRouting
    from .program.linear import Program

__all__ = ["design_worst_case"]

_LEAST_TIME = 1.0  # seconds that the simplex method always gets: stopped at once it says nothing
_VERTEX_COLUMNS = 40_000
_VERTEX_FLOWS = 12_000  # beyond this an interval is wanted, not a vertex
_DENSE_POTENTIALS = 6_000  # beyond this the interior-point method's dense system takes minutes
_DENSE_POTENTIALS_ALONE = 2_500  # beyond this the first-order method is faster, for the worst case alone
SOLVERS = ("auto", "simplex", "interior", "first-order")
_ROOM = Fraction(1, 10**7)  # how much worse the worst case may be where it is not known exactly


@dataclass(frozen=True, eq=False)
class _Solved:
    """One program's answer: exact where it could be made so."""

    proposal: Proposal
    primal: ExactPoint | None
    dual: ExactPoint | None


class _Clock:
    def __init__(self, limit: float | None) -> None:
        self.end = None if limit is None else time.monotonic() + limit
        self.expired = False

    def left(self, least: float = 0.0) -> float | None:
        """Seconds, at least ``least``; None where there is no limit."""
        if self.end is None:
            return None
        rest = self.end - time.monotonic()
        if rest <= 0:
            self.expired = True
        return max(rest, least)


def design_worst_case(
    network: Network,
    *,
    shortest: bool = False,
    path_length: Fraction | None = None,
    symmetry: str = "auto",
    solver: str = "auto",
    time_limit: float | None = None,
    stage: Stage | None = None,
) -> Design:
    """The routing with the lowest worst-case load per bandwidth over all permutations.

    - ``shortest``: among the optimal ones, one with the shortest average path;
    - ``path_length``: the average path length is at most this multiple of the shortest possible average;
    - ``symmetry``: "auto", "translations" or "none": how the program is made smaller (the answer is the same);
    - ``solver``: "simplex" (HiGHS; an exact optimum where its basis can be solved exactly), "interior" (our own method
      for large programs; a certified interval), "first-order" (our own method for large networks with little symmetry;
      a wider interval), or "auto": by size;
    - ``time_limit``: seconds; then the interval reached so far is returned.

    Raises InputError where the solver is missing, the network is too large or not connected, or ``path_length`` is
    below 1.
    """
    if solver not in SOLVERS:
        raise InputError(f"solver is '{solver}'; {did_you_mean(solver, SOLVERS)}")
    if solver in ("interior", "first-order") and path_length is not None:
        raise InputError(f"the {solver} solver takes no bound on the path length: use --then path-length, or simplex")
    step = stage or silent
    clock = _Clock(time_limit)
    check_nodes(network)
    minimal = minimal_average(network)
    most_length = None
    if path_length is not None:
        check_length_bound(path_length, minimal)
        most_length = path_length * minimal
    check_solver()
    with step("reduction"):
        reduction = reduce(network, symmetry=symmetry)
    interval = _interval_solver(solver, reduction, path_length, shortest=shortest)
    if interval == "first-order":
        from .first_order.design import design_by_first_order

        return design_by_first_order(network, reduction, shortest=shortest, time_limit=clock.left(), stage=step)
    if interval == "interior":
        from .interior.design import design_by_interior

        return design_by_interior(network, reduction, shortest=shortest, time_limit=clock.left(), stage=step)
    with step("program"):
        model = worst_case_program(reduction)
    program, per_hop = model.program, Fraction(0)
    if most_length is not None:
        program, per_hop = with_most_hops(model, most_length * network.num_terminals**2)
    with step("worst case"):
        first = _solved(program, clock)
    least = Fraction(0)
    if first is not None:
        adversary, least = _load_bound(model, program, first, per_hop, most_length)
    if first is None or (clock.expired and not least and most_length is None):
        if most_length is not None:
            raise InputError(f"the time limit of {time_limit:g} s was reached before any routing was found")
        from .first_order.design import design_by_first_order

        # Its first round proves something, and takes no time worth mentioning.
        return design_by_first_order(network, reduction, time_limit=0.0, stage=step)
    exact = first.primal is not None and first.primal.fraction(0) == least
    second = None
    if shortest:
        most = least if exact else _loosened(model, first)
        with step("path length"):
            second = _solved(program.asking(model.hops, {0: most}), clock)
        if exact and second is not None and second.primal is None:  # at the optimum itself floats cannot be repaired
            most = least * (1 + _ROOM)
            with step("path length"):
                second = _solved(program.asking(model.hops, {0: most}), clock)
    if second is None:
        with step("judging"):
            routing = _routing(model, first)
            worst = worst_case(routing)
        return Design(
            network, reduction, routing, worst, least, adversary, most_length, average_path_length(routing), minimal,
            None, None, None, not clock.expired,
        )  # fmt: skip
    with step("judging"):
        routing = _routing(model, second)
        worst = worst_case(routing)
        bound = _length_adversary(model, program, second, per_hop)
    most = max(most, worst.load) if second.primal is None else worst.load
    least_length = bound.line.least_path_length(most) or Fraction(0)
    return Design(
        network, reduction, routing, worst, least, adversary, most_length, average_path_length(routing), minimal,
        max(least_length, minimal), bound, most, not clock.expired,
    )  # fmt: skip


def _interval_solver(solver: str, reduction: Reduction, path_length: Fraction | None, *, shortest: bool) -> str | None:
    """Which method is to find an interval; None for the simplex method."""
    if solver != "auto":
        return None if solver == "simplex" else solver
    if path_length is not None:
        return None
    if solver_is_there() and bandwidth_unit(reduction.network) is not None:
        flows = sum(len(np.unique(pair.channel)) for pair in reduction.pairs)
        if flows <= _VERTEX_FLOWS:
            return None
    from .first_order.design import first_order_bytes
    from .interior.design import estimated_bytes

    dense, there = estimated_bytes(reduction), free_memory()
    most = _DENSE_POTENTIALS if shortest else _DENSE_POTENTIALS_ALONE
    if reduction.num_potentials <= most and (there is None or dense <= there):
        return "interior"
    own = first_order_bytes(reduction.network, reversal=reduction.reversal)
    return "first-order" if own <= dense else "interior"


def _solved(program: Program, clock: _Clock) -> _Solved | None:
    """None where the time was over before the solver had a solution of any kind."""
    small = program.num_columns <= _VERTEX_COLUMNS
    try:
        proposal = solve(program, vertex=small, seconds=clock.left(_LEAST_TIME))
    except SolverError:
        clock.left()
        if clock.expired:
            return None
        raise
    if proposal.infeasible:
        raise SolverError("the solver calls the program infeasible, which it is not: nothing can be concluded")
    primal = dual = None
    if proposal.basic_columns is not None:
        try:
            primal = exact_primal(program, proposal)
            dual = exact_dual(program, proposal)
        except NotExactError:
            pass
    clock.left()
    return _Solved(proposal, primal, dual)


def _load_bound(
    model: WorstCaseProgram, program: Program, solved: _Solved, per_hop: Fraction, most_length: Fraction | None
) -> tuple[Adversary, Fraction]:
    """Adversaries, and the load that they keep every routing from going below."""
    last = program.num_rows - 1
    candidates: list[Adversary] = []
    if solved.dual is not None:
        hops = per_hop * solved.dual.fraction(last) if per_hop else Fraction(0)
        exact = adversary_from_exact(model, solved.dual, hops=hops)
        if exact is not None:
            candidates.append(exact)
    if not candidates:
        y = solved.proposal.y
        hops_about = float(per_hop) * max(0.0, float(y[last])) if per_hop else 0.0
        candidates.append(adversary_from_floats(model, y, hops=hops_about))
    best = candidates[0]
    return best, max(best.line.least_load(most_length) or Fraction(0), Fraction(0))


def _length_adversary(model: WorstCaseProgram, program: Program, solved: _Solved, per_hop: Fraction) -> Adversary:
    last = program.num_rows - 1
    if solved.dual is not None:
        more = per_hop * solved.dual.fraction(last) if per_hop else Fraction(0)
        exact = adversary_from_exact(model, solved.dual, hops=1 + more)
        if exact is not None and not more:
            return exact
    return adversary_from_floats(model, solved.proposal.y, hops=1.0)


def _routing(model: WorstCaseProgram, solved: _Solved) -> SymmetricRouting:
    if solved.primal is not None:
        return routing_from_exact(model.reduction, model.flow, solved.primal)
    return routing_from_floats(model.reduction, model.flow, solved.proposal.x)


def _loosened(model: WorstCaseProgram, solved: _Solved) -> Fraction:
    """A load somewhat above what a routing is known to reach."""
    reached = worst_case(_routing(model, solved)).load
    return (reached * (1 + _ROOM)).limit_denominator(10**12)
