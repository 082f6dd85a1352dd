"""The best worst case among the routings that use the paths of a set only, then the shortest paths: exactly.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.2: "any path p with at most two turns R(p) >= 0 and for any path q
outside this set R(q) = 0".
"""

from __future__ import annotations

import time
from fractions import Fraction

from ..analysis.locality import average_path_length, minimal_average
from ..analysis.worst_case.exact import worst_case
from ..core.errors import InputError
from ..core.network import Network
from ..core.stage import Stage, silent
from ..routing.turns.two_turn_paths import path_set
from .adversary import Adversary, adversary_from_exact
from .program.exact import ExactPoint, NotExactError, exact_dual, exact_primal
from .program.highs import SolverError, check_solver, solve
from .program.length_bound import check_length_bound
from .program.linear import Program
from .program.orbits import reduce
from .program.worst_case import WorstCaseProgram, with_most_hops, worst_case_program
from .result import Design

__all__ = ["design_restricted"]


def design_restricted(
    network: Network,
    paths: str,
    *,
    shortest: bool = False,
    path_length: Fraction | None = None,
    symmetry: str = "auto",
    name: str | None = None,
    time_limit: float | None = None,
    stage: Stage | None = None,
) -> Design:
    """As ``design_worst_case``, for routings with the paths of the set ``paths`` ("2turn"); the answer is exact.

    ``name``: what the routing is called, by default "designed with" the set.  Raises InputError, too, where the network
    has no such paths or the optimum cannot be made exact (in ``time_limit`` seconds for each program).
    """
    check_solver()
    start = time.monotonic()
    step = stage or silent
    minimal = minimal_average(network)
    most_length = None
    if path_length is not None:
        most_length = path_length * minimal
        check_length_bound(path_length, minimal)
    allowed = path_set(paths, network)
    with step("reduction"):
        model = worst_case_program(reduce(network, symmetry=symmetry), allowed)
    program, per_hop = model.program, Fraction(0)
    if most_length is not None:
        program, per_hop = with_most_hops(model, most_length * network.num_terminals**2)
    least_length = bound = most = None
    try:
        with step("worst case"):
            point, dual = _solved(program, time_limit)
            adversary = _adversary(model, program, dual, per_hop, Fraction(0))
            least = adversary.line.least_load(most_length) or Fraction(0)
        if shortest:
            most = point.fraction(0)
            second = model.program.asking(model.hops, {0: most})  # what the first stage found keeps to the bound
            with step("path length"):
                point, dual = _solved(second, time_limit)
                bound = _adversary(model, second, dual, Fraction(0), Fraction(1))
                least_length = max(bound.line.least_path_length(most) or minimal, minimal)
    except (NotExactError, SolverError) as error:
        if time_limit is not None and time.monotonic() > start + time_limit:
            raise InputError(
                f"the time limit of {time_limit:g} s was reached before the optimum; designs with paths {paths} are "
                f"exact or none: give more time"
            ) from None
        raise InputError(f"the best routing of {network.name} with paths {paths} was not made exact: {error}") from None
    assert model.paths is not None
    with step("judging"):
        routing = model.paths.routing_from_exact(name or f"designed with {paths}", point)
        worst = worst_case(routing)
    return Design(
        network, model.reduction, routing, worst, least, adversary, most_length, average_path_length(routing), minimal,
        least_length, bound, most, True,
    )  # fmt: skip


def _solved(program: Program, seconds: float | None) -> tuple[ExactPoint, ExactPoint]:
    proposal = solve(program, seconds=seconds)
    return exact_primal(program, proposal), exact_dual(program, proposal)


def _adversary(
    model: WorstCaseProgram, program: Program, dual: ExactPoint, per_hop: Fraction, own: Fraction
) -> Adversary:
    hops = own + (per_hop * dual.fraction(program.num_rows - 1) if per_hop else 0)
    made = adversary_from_exact(model, dual, hops=hops)
    if made is None:
        raise NotExactError("its multipliers are too long")
    return made
