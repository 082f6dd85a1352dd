"""The oblivious routing with the best worst case, and among those the one with the shortest paths.

Source: Towles, Dally & Boyd 2003 (SPAA), eq. (8) and (10); "locality versus worst-case throughput", sec. 5.1.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ..claims.routings.adversary import ADVERSARY
from ..core.claim import Claim
from ..core.errors import InputError, did_you_mean
from ..core.network import Network
from ..core.spread import Stage, silent
from ..demand_sets.ports import ports_over
from ..demand_sets.transport import TransportSet
from ..kernel.ports import Ports
from ..lp.exact import ExactPoint, NotExactError, exact_dual, exact_primal
from ..lp.program import Program, solve
from ..lp.solver import Proposal, SolverError
from ..machine.deadlines import Deadline
from ..machine.memory import free_memory
from ..symmetry.pair_classes import Reduction, check_nodes, reduce
from ..worst.locality import average_path_length
from ..worst.over import worst_over
from .adversary import Adversary, adversary_from_exact, adversary_from_floats
from .program.flow_program import FlowProgram, bandwidth_unit, length_bound
from .program.path_variables import designed_name
from .program.worst_case import unit_over, worst_case_program
from .result import Design

if TYPE_CHECKING:
    from ..routing.classes.symmetric_table import SymmetricRouting
    from ..routing.path_sets.path_set import PathSet

_LEAST_TIME = 1.0  # seconds that the simplex method always gets: stopped at once it says nothing
_VERTEX_COLUMNS = 40_000
_VERTEX_FLOWS = 12_000  # beyond this an interval is wanted, not a vertex
_DENSE_POTENTIALS = 6_000  # beyond this the interior-point method's dense system takes minutes
_DENSE_POTENTIALS_ALONE = 2_500  # beyond this the first-order method is faster, for the worst case alone
_DENSE_POTENTIALS_OF_RATES = 12_000  # sets of demands are asked for 40 to 60 nodes to 1e-6: a minute or two
SOLVERS = ("auto", "simplex", "interior", "first-order")
_MOST_NODES = 300
_MOST_CELLS = 12_000  # classes of pairs times channels: about ten seconds of the program
_ROOM = Fraction(1, 10**7)  # how much worse the worst case may be where it is not known exactly


@dataclass(frozen=True, eq=False)
class _Solved:
    """One program's answer: exact where it could be made so."""

    proposal: Proposal
    primal: ExactPoint | None
    dual: ExactPoint | None


def design_worst_case(
    network: Network,
    *,
    shortest: bool = False,
    path_length: Fraction | None = None,
    symmetry: str = "auto",
    solver: str = "auto",
    time_limit: float | None = None,
    stage: Stage | None = None,
    demands: TransportSet | None = None,
    paths: PathSet | None = None,
    name: str | None = None,
) -> Design:
    """The routing with the lowest worst-case load per bandwidth over all permutations, or over ``demands``.

    - ``shortest``: among the optimal ones, one with the shortest average path;
    - ``path_length``: the average path length is at most this multiple of the shortest possible average;
    - ``symmetry``: "auto", "translations" or "none": how the program is made smaller (the answer is the same);
    - ``solver``: "simplex" (HiGHS; an exact optimum where its basis can be solved exactly), "interior" (our own method
      for large programs; a certified interval), "first-order" (our own method for large networks with little symmetry;
      a wider interval), or "auto": by size;
    - ``time_limit``: seconds; then the interval reached so far is returned;
    - ``demands``: a transport set; pairs that it never lets send take shortest paths, and the terminals of a node are
      routed alike;
    - ``paths``: only routings with the paths of this set; ``name``: what such a routing is called, by default "designed
      with" the set.

    Raises InputError where the network is too large or not connected, ``path_length`` is below
    1, and where the set is between other terminals, or of no effect.
    """
    if solver not in SOLVERS:
        raise InputError(f"solver is '{solver}'; {did_you_mean(solver, SOLVERS)}")
    if paths is not None and solver in ("interior", "first-order"):
        raise InputError(f"the {solver} solver takes all paths; with paths {paths.name} leave it out")
    if solver in ("interior", "first-order") and path_length is not None:
        raise InputError(f"the {solver} solver takes no bound on the path length: use --then path-length, or simplex")
    step, deadline = stage or silent, Deadline(time_limit)
    check_nodes(network)
    ports = ports_over(network, demands)
    if ports is not None and demands is not None:
        _check_solver_of(demands, ports, solver)
    minimal, most_length = length_bound(network, path_length)
    with step("reduction"):
        reduction = reduce(network, symmetry=symmetry, within=paths, ports=ports)
    by_interval = None
    if paths is None:
        by_interval = _interval_solver(solver, reduction, path_length, shortest=shortest)
    if by_interval is not None:
        return by_interval(reduction, shortest=shortest, time_limit=deadline.left(), stage=step, demands=demands)
    with step("program"):
        model = worst_case_program(reduction, paths)
    called = name or designed_name(paths)
    program, per_hop = model.within(most_length)
    with step("worst case"):
        first = _solved(program, deadline)
    late = deadline.over
    if first is not None:
        adversary = _adversary(model, first, per_hop, own=0)
        least = adversary.least_load(most_length)
    if first is None or (late and not least and most_length is None):
        at_once = _interval_at_once(reduction) if most_length is None and paths is None else None
        if at_once is None:
            raise InputError(f"the time limit of {time_limit:g} s was reached before any routing was found")
        return at_once(reduction, time_limit=0.0, stage=step, demands=demands)
    second = bound = most = None
    if shortest:
        exact = first.primal is not None and first.primal.fraction(0) == least
        most = least if exact else _loosened(model, first, called, demands)
        with step("path length"):
            second = _solved(program.asking(model.hops, {0: most}), deadline)
        if exact and second is not None and second.primal is None:  # at the optimum itself floats cannot be repaired
            most = least * (1 + _ROOM)
            with step("path length"):
                second = _solved(program.asking(model.hops, {0: most}), deadline)
        late = deadline.over
    with step("judging"):
        routing = _routing(model, second or first, called)
        worst = worst_over(routing, demands)
        if second is None:
            most = None
        else:
            bound = _adversary(model, second, per_hop, own=1)
            most = worst.load if second.primal is not None or most is None else max(most, worst.load)
    length = average_path_length(routing)
    return Design(
        reduction, routing, worst, adversary, length, minimal, most_length, bound, most, complete=not late,
        demands=demands,
    )  # fmt: skip


def _check_solver_of(demands: TransportSet, ports: Ports, solver: str) -> None:
    """Raise InputError where the solver that was asked for does not know sets like this one."""
    from .first_order.method import is_hose

    if solver == "first-order" and not is_hose(ports):
        raise InputError(
            f"the first-order solver takes permutations and rates of nodes, as much sent as received, between all of "
            f"them; over {demands.text} interior or simplex was expected"
        )
    if solver == "interior" and ports.room is not None:
        raise InputError(
            f"the interior solver takes no limits of single pairs; over {demands.text} simplex was expected"
        )


def _interval_solver(
    solver: str, reduction: Reduction, path_length: Fraction | None, *, shortest: bool
) -> Callable[..., Design] | None:
    """The method that is to find an interval; None for the simplex method."""
    if solver == "simplex" or (solver == "auto" and path_length is not None):
        return None
    ports = reduction.ports
    if ports is not None and ports.room is not None:
        return None
    if solver == "auto" and reduction.num_flows <= _VERTEX_FLOWS and _is_short(reduction):
        return None
    from .first_order.design import design_by_first_order, first_order_bytes
    from .first_order.method import is_hose
    from .interior.design import design_by_interior, estimated_bytes

    if solver != "auto":
        return design_by_interior if solver == "interior" else design_by_first_order
    if ports is not None and not is_hose(ports):
        return design_by_interior
    dense, there = estimated_bytes(reduction), free_memory()
    most = _DENSE_POTENTIALS if shortest else _DENSE_POTENTIALS_ALONE
    if ports is not None:
        most = _DENSE_POTENTIALS_OF_RATES
    if reduction.num_potentials <= most and (there is None or dense <= there):
        return design_by_interior
    own = first_order_bytes(reduction.network, reversal=reduction.reversal, ports=ports)
    return design_by_first_order if own <= dense else design_by_interior


def _is_short(reduction: Reduction) -> bool:
    """Do the numbers of the exact program fit?"""
    network = reduction.network
    found = bandwidth_unit(network, times=network.num_terminals) if reduction.ports is None else unit_over(reduction)
    return bool(found)


def _interval_at_once(reduction: Reduction) -> Callable[..., Design] | None:
    """The method whose start, or first round, proves something in no time worth mentioning."""
    ports = reduction.ports
    if ports is not None and ports.room is not None:
        return None
    if ports is not None:
        from .interior.design import design_by_interior

        return design_by_interior
    from .first_order.design import design_by_first_order

    return design_by_first_order


def _solved(program: Program, deadline: Deadline) -> _Solved | None:
    """None where the time was over before the solver had a solution of any kind."""
    try:
        proposal = solve(program, vertex=program.num_columns <= _VERTEX_COLUMNS, seconds=deadline.left(_LEAST_TIME))
    except SolverError:
        if deadline.over:
            return None
        raise
    if proposal.infeasible:
        raise SolverError("the solver calls the program infeasible, which it is not: nothing can be concluded")
    primal = dual = None
    if proposal.basic_columns is not None:
        with suppress(NotExactError):
            primal = exact_primal(program, proposal)
            dual = exact_dual(program, proposal)
    return _Solved(proposal, primal, dual)


def _adversary(model: FlowProgram, solved: _Solved, per_hop: Fraction, *, own: int) -> Adversary:
    """Adversaries of a solution's multipliers; a hop costs ``own``, and for the load what its bound is worth."""
    if solved.dual is not None:
        more = per_hop * solved.dual.fraction(-1)
        if not (own and more):
            with suppress(NotExactError):
                return adversary_from_exact(model, solved.dual, hops=own + more)
    y = solved.proposal.y
    about = 0.0 if own or not per_hop else float(per_hop) * max(0.0, float(y[-1]))
    return adversary_from_floats(model, y, hops=own + about)


def _routing(model: FlowProgram, solved: _Solved, name: str) -> SymmetricRouting:
    if solved.primal is not None:
        return model.routing(solved.primal, name)
    return model.routing_from_floats(solved.proposal.x, name)


def _loosened(model: FlowProgram, solved: _Solved, name: str, demands: TransportSet | None) -> Fraction:
    """A load somewhat above what a routing is known to reach."""
    reached = worst_over(_routing(model, solved, name), demands).load
    return (reached * (1 + _ROOM)).limit_denominator(10**12)


def least_load(
    network: Network, *, time_limit: float | None = None, stage: Stage | None = None
) -> tuple[Claim | None, str]:
    """``worst_case_load >= L`` for every oblivious routing of ``network``, or None; and in words what was done.

    L is what the linear program's adversaries prove, see ``design_worst_case``.  Without ``time_limit`` (seconds) the
    program is only solved where that is a matter of seconds; with it, what is proved by then is stated.
    """
    none = "no bound on the best oblivious routing: "
    if network.num_nodes > _MOST_NODES:
        return None, none + f"the linear program of {network.num_nodes} nodes is too large"
    try:
        if time_limit is None:
            cells = len(reduce(network).pairs) * network.num_channels
            if cells > _MOST_CELLS:
                return None, none + (
                    f"its linear program is large ({cells:,} cells; up to {_MOST_CELLS:,} are solved unasked); "
                    f"--time-limit SECONDS tries"
                )
        made = design_worst_case(network, time_limit=time_limit, stage=stage)
    except InputError as error:  # SolverError is one
        return None, none + str(error)
    if not made.least_load:
        return None, none + "the program proved none in its time"
    claim = ADVERSARY.claim(
        made.least_load, made.load_adversary.data(), {"model": "balanced"}, quantity="worst_case_load",
        source="Towles, Dally & Boyd 2003 (SPAA), eq. 8",
    )  # fmt: skip
    done = "" if made.complete else " (the program was stopped before its optimum)"
    return claim, f"no oblivious routing has a worst-case load below {made.least_load}{done}"
