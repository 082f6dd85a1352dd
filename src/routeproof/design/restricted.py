"""The best worst case among the routings that use the paths of a set only, then the shortest paths: exactly.

2TURN and 2TURNA are the best weights for the paths of at most two turns, against the worst and the average case.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.2 and 5.4: "any path p with at most two turns R(p) >= 0 and for any
path q outside this set R(q) = 0".
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ..analysis.locality import average_path_length
from ..core.errors import InputError
from ..core.network import Network
from ..core.stage import Stage, silent
from ..demands.transport import TransportSet
from ..routing.base.routing import Routing
from ..routing.path_sets.names import path_set
from ..routing.path_sets.path_set import PathSet
from .adversary import adversary_from_exact
from .average_case import design_average_case
from .judged import judged_over, ports_over
from .program.exact import NotExactError, solve_exactly
from .program.flow_program import length_bound
from .program.interrupts import Deadline
from .program.linear import SolverError, check_solver
from .program.orbits import reduce
from .program.path_variables import designed_name
from .program.worst_case import worst_case_program
from .result import Design


def design_restricted(
    network: Network,
    paths: PathSet,
    *,
    shortest: bool = False,
    path_length: Fraction | None = None,
    symmetry: str = "auto",
    name: str | None = None,
    time_limit: float | None = None,
    stage: Stage | None = None,
    demands: TransportSet | None = None,
) -> Design:
    """As ``design_worst_case``, for routings with the paths of a set only; the answer is exact.

    ``name``: what the routing is called, by default "designed with" the set.  Raises InputError, too, where the optimum
    cannot be made exact (in ``time_limit`` seconds for each program).
    """
    check_solver()
    deadline = Deadline(time_limit)
    step = stage or silent
    ports = ports_over(network, demands)
    minimal, most_length = length_bound(network, path_length)
    with step("reduction"):
        model = worst_case_program(reduce(network, symmetry=symmetry, within=paths, ports=ports), paths)
    program, per_hop = model.within(most_length)
    bound = most = None
    try:
        with step("worst case"):
            point, dual = solve_exactly(program, seconds=time_limit)
            adversary = adversary_from_exact(model, dual, hops=per_hop * dual.fraction(-1))
        if shortest:
            most = point.fraction(0)
            with step("path length"):  # what the first stage found keeps to the bound
                point, dual = solve_exactly(model.program.asking(model.hops, {0: most}), seconds=time_limit)
                bound = adversary_from_exact(model, dual, hops=Fraction(1))
    except (NotExactError, SolverError) as error:
        if deadline.over:
            raise InputError(
                f"the time limit of {time_limit:g} s was reached before the optimum; designs with paths {paths.name} "
                f"are exact or none: give more time"
            ) from None
        raise InputError(
            f"the best routing of {network.name} with paths {paths.name} was not made exact: {error}"
        ) from None
    with step("judging"):
        routing = model.routing(point, name or designed_name(paths))
        worst, reached = judged_over(routing, demands)
    length = average_path_length(routing)
    return Design(
        model.reduction, routing, worst, adversary, length, minimal, most_length, bound, most, demands=demands,
        reached=reached,
    )  # fmt: skip


def two_turn(network: Network, options: Mapping[str, str]) -> Routing:
    """2TURN: of the routings with paths of at most two turns one with the best worst case and then the shortest paths.

    Its weights are not unique; those here are a vertex of the linear program, exact, with all of the network's
    symmetry.  Raises InputError where the solver is missing or the network is not a torus or mesh of two dimensions.
    """
    del options  # it has none
    return design_restricted(network, path_set("2turn", network), shortest=True, name="2turn").routing


def two_turn_average(network: Network, options: Mapping[str, str]) -> Routing:
    """2TURNA: likewise for the mean of the largest loads over a sample of random traffic.

    ``traffic``, ``samples`` and ``seed`` say which sample: another one gives other weights.  They are rational, near an
    optimum that the solver's word alone vouches for.
    """
    samples, seed = (_whole(options, key, least) for key, least in (("samples", 1), ("seed", 0)))
    name = ",".join(f"{key}={options[key]}" for key in ("traffic", "samples", "seed") if key in options)
    made = design_average_case(
        network,
        model=options.get("traffic", "permutation"),
        count=100 if samples is None else samples,
        seed=seed or 0,
        shortest=True,
        paths=path_set("2turn", network),
        name=f"2turna:{name}" if name else "2turna",
    )
    return made.routing


def _whole(options: Mapping[str, str], key: str, least: int) -> int | None:
    if key not in options:
        return None
    text = options[key]
    if not text.isdecimal() or not text.isascii() or len(text) > 9 or int(text) < least:
        raise InputError(f"2turna: {key} is '{text[:20]}'; a whole number of at least {least} was expected")
    return int(text)
