"""The oblivious routing with the best worst case, and among those the one with the shortest paths.

Source: Towles, Dally & Boyd 2003 (SPAA), eq. (8) and (10); "locality versus worst-case throughput", sec. 5.1.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ..claims.routings.adversary import ADVERSARY
from ..core.claim import Claim
from ..core.errors import InputError, did_you_mean
from ..core.network import Network
from ..core.spread import Stage, silent
from ..demand_sets.ports import ports_over
from ..demand_sets.transport import TransportSet
from ..lp.exact import NotExactError
from ..machine.deadlines import Deadline, OutOfTimeError, certified_before_interrupt, ended_in_time
from ..machine.memory import free_memory
from ..routing.path_sets.path_set import PathSet
from ..symmetry.automorphisms import generators_of
from ..symmetry.pair_classes import Reduction, check_nodes, check_pairs, reduce
from .design import Bound, Design, Method, NothingReachedError, designed
from .program.flow_program import length_bound
from .program.path_variables import designed_name
from .program.simplex import Simplex
from .program.worst_case import unit_over, worst_case_program
from .simple_bound import simple_bounds

if TYPE_CHECKING:
    from .half_flows.design import HalfFlowMethod

_IntervalMethod = Callable[[Reduction, TransportSet | None, Stage, Deadline], Method]

_VERTEX_FLOWS = 12_000  # beyond this an interval is wanted, not a vertex
_DENSE_POTENTIALS = 6_000  # beyond this the interior-point method's dense system takes minutes
_DENSE_POTENTIALS_ALONE = 2_500  # beyond this the first-order method is faster, for the worst case alone
_DENSE_BESIDE_HALF_FLOWS = 1_000  # beyond this half flows are faster, where they apply
_DENSE_POTENTIALS_OF_RATES = 12_000  # sets of demands are asked for 40 to 60 nodes to 1e-6: a minute or two
SOLVERS = ("auto", "simplex", "interior", "first-order", "half-flows")
_INTERVALS = SOLVERS[2:]
_MOST_NODES = 300
_SOLVING, _SOON = 0.8, 1.0  # of the time for a bound alone: for the solver; seconds that it has at least
_FOR_SIMPLE = 5.0  # seconds for bounds that take no program, and for half flows, where the time is not limited
_MOST_CELLS = 12_000  # classes of pairs times channels: about ten seconds of the program


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
    proved: Callable[[Bound], None] | None = None,
    begun: HalfFlowMethod | None = None,
    optimum: Bound | None = None,
) -> Design:
    """The routing with the lowest worst-case load per bandwidth over all permutations, or over ``demands``.

    - ``shortest``: among the optimal ones, one with the shortest average path;
    - ``path_length``: the average path length is at most this multiple of the shortest possible average;
    - ``symmetry``: "auto", "translations" or "none": how the program is made smaller (the answer is the same);
    - ``solver``: "simplex" (HiGHS; an exact optimum where its basis can be solved exactly), "interior" (our own method
      for large programs; a certified interval), "first-order" (our own method for large networks with little symmetry;
      a wider interval), "half-flows" (our own method for permutations on networks whose channels are equal in both
      directions, without ``shortest``; a narrow interval), or "auto": by size;
    - ``time_limit``: seconds; then the interval reached so far is returned;
    - ``demands``: a transport set; pairs that it never lets send take shortest paths, and the terminals of a node are
      routed alike;
    - ``paths``: only routings with the paths of this set; ``name``: what such a routing is called, by default "designed
      with" the set;
    - ``proved``: is told of every bound on the load as soon as it is proved;
    - ``begun``: half flows that go on where they are the method;
    - ``optimum``: a bound on the load that a known routing reaches: the methods of intervals begin with the paths.

    Raises InputError where the network is too large or not connected, ``path_length`` is below
    1, and where the set is between other terminals, or of no effect.
    """
    if solver not in SOLVERS:
        raise InputError(f"solver is '{solver}'; {did_you_mean(solver, SOLVERS)}")
    if paths is not None and solver in _INTERVALS:
        raise InputError(f"the {solver} solver takes all paths; with paths {paths.name} leave it out")
    if solver in _INTERVALS and path_length is not None:
        raise InputError(f"the {solver} solver takes no bound on the path length: use --then path-length, or simplex")
    if solver == "half-flows" and shortest:
        raise InputError("the half-flows solver has no second stage: leave --then path-length out, or take interior")
    step, deadline = stage or silent, Deadline(time_limit)
    check_nodes(network)
    if demands is not None and solver in ("interior", "first-order"):
        _check_solver_of(demands, network, solver)
    _, most_length = length_bound(network, path_length)
    if solver == "half-flows" or (
        solver == "auto"
        and not shortest
        and path_length is None
        and paths is None
        and _is_plain(network, symmetry, demands)
    ):
        check_pairs(network)
        if solver == "auto" and begun is None and (found := _exact(network, symmetry, deadline, step, proved)):
            return found
        plain = _half_flows(network, demands, deadline, begun)
        return designed(plain, shortest=False, stage=step, proved=proved)
    with step("reduction"):
        reduction = reduce(network, symmetry=symmetry, within=paths, demands=demands)
    if solver == "auto" and shortest and path_length is None and paths is None:
        found = _on_face(reduction, optimum, deadline, step, proved)
        if found is not None:
            return found
    chosen = _interval_solver(solver, reduction, path_length, begun, shortest=shortest) if paths is None else None
    if chosen is not None:
        if solver == "auto" and not shortest and begun is None and reduction.ports is None:
            found = _exact(network, symmetry, deadline, step, proved)
            if found is not None:
                return found
        method = chosen(reduction, demands, step, deadline)
        return designed(method, shortest=shortest, stage=step, proved=proved, optimum=optimum)
    with step("program"):
        model = worst_case_program(reduction, paths)
    method = Simplex(model, demands, name or designed_name(paths), most_length, deadline)
    try:
        return designed(method, shortest=shortest, stage=step, proved=proved)
    except NothingReachedError:
        ports = reduction.ports
        limited = most_length is not None or paths is not None or (ports is not None and ports.room is not None)
        if limited:
            raise NothingReachedError(
                f"the time limit of {time_limit:g} s was reached before any routing was found"
            ) from None
    from .first_order.design import FirstOrderMethod
    from .interior.design import InteriorPoint

    # The start of the one, or the first round of the other, proves something in no time worth mentioning.
    at_once = FirstOrderMethod if ports is None else InteriorPoint
    return designed(at_once(reduction, demands, step, Deadline(0.0)), shortest=False, stage=step, proved=proved)


def _check_solver_of(demands: TransportSet, network: Network, solver: str) -> None:
    """Raise InputError where the solver that was asked for does not know sets like this one."""
    from .first_order.method import is_hose

    ports = ports_over(network, demands)
    if ports is None:
        return
    if solver == "first-order" and not is_hose(ports):
        raise InputError(
            f"the first-order solver takes permutations and rates of nodes, as much sent as received, between all of "
            f"them; over {demands.text} interior or simplex was expected"
        )
    if solver == "interior" and ports.room is not None:
        raise InputError(
            f"the interior solver takes no limits of single pairs; over {demands.text} simplex was expected"
        )


def _is_plain(network: Network, symmetry: str, demands: TransportSet | None) -> bool:
    """Will it be half flows, whose pairs need not be listed: a large network without symmetry, and permutations?"""
    from .half_flows.design import half_flow_bytes, suits

    pairs = int(np.count_nonzero(network.supply)) ** 2 // 2
    large = pairs * network.num_channels > _VERTEX_FLOWS
    large = large and network.num_nodes * network.num_channels > _DENSE_POTENTIALS_ALONE
    if not large or not suits(network) or (demands is not None and not demands.is_permutations):
        return False
    needed, there = half_flow_bytes(network), free_memory()
    return (there is None or needed <= there) and not generators_of(network, symmetry=symmetry)[0]


def _soon_by_half_flows(network: Network) -> bool:
    from .half_flows.design import half_flow_seconds, suits

    return suits(network) and half_flow_seconds(network) <= _FOR_SIMPLE


def _exact(
    network: Network, symmetry: str, deadline: Deadline, stage: Stage, proved: Callable[[Bound], None] | None
) -> Design | None:
    """By half flows at an exact vertex, on networks of few variables; None elsewhere."""
    from .half_flows.design import suits
    from .half_flows.exact import ExactHalfFlows

    if suits(network):
        with suppress(InputError, NotExactError):
            method = ExactHalfFlows(network, deadline, symmetry=symmetry)
            return designed(method, shortest=False, stage=stage, proved=proved)
    return None


def _on_face(
    reduction: Reduction,
    optimum: Bound | None,
    deadline: Deadline,
    stage: Stage,
    proved: Callable[[Bound], None] | None,
) -> Design | None:
    """The shortest paths where potentials prove the least load, and channels look alike; None elsewhere."""
    from .half_flows.design import half_of_capacity
    from .optimal_face.design import ShortestOnFace, has_face, may_have_face

    if may_have_face(reduction):
        with suppress(NotExactError, InputError):  # other methods go on
            known = half_of_capacity(reduction.network) if optimum is None else optimum
            if has_face(known, reduction):
                method = ShortestOnFace(reduction, known, deadline)
                return designed(method, shortest=True, stage=stage, proved=proved, optimum=known)
    return None


def _half_flows(
    network: Network, demands: TransportSet | None, deadline: Deadline, begun: HalfFlowMethod | None
) -> HalfFlowMethod:
    from .half_flows.design import HalfFlowMethod

    return HalfFlowMethod(network, demands, deadline) if begun is None else begun.resumed(deadline)


def _interval_solver(
    solver: str,
    reduction: Reduction,
    path_length: Fraction | None,
    begun: HalfFlowMethod | None = None,
    *,
    shortest: bool,
) -> _IntervalMethod | None:
    """The method that is to find an interval; None for the simplex method."""
    if solver == "simplex" or (solver == "auto" and path_length is not None):
        return None
    ports = reduction.ports
    if ports is not None and ports.room is not None:
        return None
    if solver == "auto" and reduction.num_flows <= _VERTEX_FLOWS and unit_over(reduction):
        return None
    from .first_order.design import FirstOrderMethod, first_order_bytes
    from .first_order.method import is_hose
    from .half_flows.design import half_flow_bytes, suits
    from .interior.design import InteriorPoint, estimated_bytes

    if solver != "auto":
        return {"interior": InteriorPoint, "first-order": FirstOrderMethod}[solver]
    if ports is not None and not is_hose(ports):
        return InteriorPoint
    dense, there = estimated_bytes(reduction), free_memory()
    halves = not shortest and ports is None and suits(reduction.network)
    halves = halves and (there is None or half_flow_bytes(reduction.network) <= there)
    alone = _DENSE_BESIDE_HALF_FLOWS if halves else _DENSE_POTENTIALS_ALONE
    most = _DENSE_POTENTIALS if shortest else alone
    if ports is not None:
        most = _DENSE_POTENTIALS_OF_RATES
    if reduction.num_potentials <= most and (there is None or dense <= there):
        return InteriorPoint
    if halves:
        return lambda _, demands, __, deadline: _half_flows(reduction.network, demands, deadline, begun)
    own = first_order_bytes(reduction.network, reversal=reduction.reversal, ports=ports)
    return FirstOrderMethod if own <= dense else InteriorPoint


def least_load(
    network: Network,
    *,
    time_limit: float | None = None,
    stage: Stage | None = None,
    reached: Fraction | float | None = None,
) -> tuple[Claim | None, str]:
    """``worst_case_load >= L`` for every oblivious routing of ``network``, or None; and in words what was done.

    L is what the linear program's adversaries prove, see ``design_worst_case``, half of the capacity, or one demand
    alone (``simple_bound``).  Without ``time_limit`` (seconds) the program is only solved where that is a matter of
    seconds; with it, and at Ctrl-C, what is proved by then is stated.  ``reached``: the load of a routing; where
    nothing is below it, there is no more to do.
    """
    from .half_flows.design import half_of_capacity

    none, heard, limit = "no bound on the best oblivious routing: ", list[Bound](), Deadline(time_limit)
    said, complete, seconds = "", False, _FOR_SIMPLE if time_limit is None else time_limit

    def met() -> bool:
        return reached is not None and any(x.least_load() >= reached for x in heard)

    try:
        with suppress(InputError, OutOfTimeError), ended_in_time(seconds / 2):
            halved = half_of_capacity(network)
            heard += [] if halved is None else [halved]
        with suppress(InputError, OutOfTimeError), ended_in_time(limit.left(_SOON) or seconds):
            simple = simple_bounds(network, None)
            while not met() and (bound := next(simple, None)) is not None:
                heard.append(bound)
        complete = met()
        said = "" if complete else _refused(network, limited=time_limit is not None)
        if not (complete or said):
            with ended_in_time(limit.left(_SOON)):  # its routing, which is judged last, nobody asks for
                solving = limit.part(_SOLVING)
                complete = design_worst_case(network, time_limit=solving, stage=stage, proved=heard.append).complete
    except KeyboardInterrupt as error:
        if type(error) is not OutOfTimeError:
            certified_before_interrupt()
    except InputError as error:  # SolverError is one
        said = str(error)
    value = max((x.least_load() for x in heard), default=Fraction(0))
    if not value:
        return None, none + (said or "the program proved none in its time")
    bound = next(x for x in reversed(heard) if x.least_load() == value)
    claim = ADVERSARY.claim(
        value, bound.data(), {"model": "balanced"}, quantity="worst_case_load",
        source="Towles, Dally & Boyd 2003 (SPAA), eq. 8",
    )  # fmt: skip
    done = "" if complete else f" ({said or 'the program was stopped before its optimum'})"
    return claim, f"no oblivious routing has a worst-case load below {value}{done}"


def _refused(network: Network, *, limited: bool) -> str:
    """Why the program is not even begun; "" where it is."""
    from .half_flows.design import suits

    if network.num_nodes > _MOST_NODES and not suits(network):
        return f"the linear program of {network.num_nodes} nodes is too large"
    if limited or _soon_by_half_flows(network):
        return ""
    if network.num_nodes > _MOST_NODES:
        return f"its linear program has {network.num_nodes:,} nodes; --time-limit SECONDS tries"
    try:
        cells = len(reduce(network).pairs) * network.num_channels
    except InputError as error:
        return str(error)
    most = f"its linear program is large ({cells:,} cells; up to {_MOST_CELLS:,} are solved unasked)"
    return "" if cells <= _MOST_CELLS else f"{most}; --time-limit SECONDS tries"
