"""Uniform traffic: the capacity of any network, with evidence that needs no solver; the routing that reaches it, then
the shortest paths; or the best throughput that a bound on path length allows.  On networks of more than 64 nodes a
routing that has a name comes first: where it meets a bound there is nothing to solve.

Source: Towles, Dally & Boyd 2003 (SPAA), eq. (6), with the bound of eq. (10).  Uniform traffic is the same for all
destinations, so the flows of one source are one commodity (``source_flows``).  Their multipliers are lengths that bound
every routing (``worst.capacity``); flows and lengths meet at the optimum.  Where only some paths are allowed, a
variable stands for every class of (source, destination, channel), as in the program of the worst case, and the loads of
a class of channels are summed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from ..claims.routings.capacity import CAPACITY, LENGTHS, LIMITS, lengths_of
from ..core.arrays import Int64
from ..core.claim import Claim
from ..core.errors import InputError
from ..core.graph import lost_pair
from ..core.network import Network
from ..core.spread import Stage, silent
from ..demand_sets.hull import Hull
from ..formats.documents.json_text import fraction_to_text
from ..formats.documents.packed_ints import pack_ints
from ..kernel.gauges import gauge_of_uniform
from ..lp.exact import ExactPoint, NotExactError, Triplets, solve_exactly
from ..lp.solver import SolverError
from ..machine.deadlines import Deadline, OutOfTimeError, ended_in_time
from ..routing.base.routing import Routing
from ..routing.named.described import report_name
from ..routing.named.names import named_routing
from ..routing.path_sets.path_set import PathSet
from ..symmetry.pair_classes import check_pairs, reduce
from ..worst.capacity import capacity
from ..worst.locality import average_path_length
from .design import Bound, NothingReachedError
from .matrix_flow.rounding import MatrixBound
from .program.flow_program import FlowProgram, flow_columns, flow_rows, hop_cost, length_bound, needed_unit, whole_unit
from .program.path_variables import designed_name
from .source_flows import MOST_VARIABLES, SourceFlows, source_flows

_MOST_CELLS = 1 << 23
# Some ten seconds; no time, so that all machines state the same.
_QUICK_VARIABLES, _QUICK_ITERATIONS = 20_000, 50_000
_LARGEST = 1 << 50
_SMALL_NODES = 64  # the program is quick, and its routing often has fewer paths
_OF_PROGRAM, _OF_PATHS = 0.4, 0.7  # of the time that is left
_SOON = 1.0  # seconds that the solver has at least
_SOURCE = "Towles, Dally & Boyd 2003 (SPAA), eq. 6 and 10"
_CAPACITY_SOURCE = "Towles, Dally & Boyd 2003 (SPAA), eq. 6"


def capacity_by_program(
    network: Network,
    *,
    iterations: int | None = None,
    most_variables: int = MOST_VARIABLES,
    seconds: float | None = None,
) -> Claim | None:
    """The exact capacity with its evidence; None where the network is too large, or the solution cannot be made exact
    (in ``iterations`` of the simplex method).
    """
    unit = whole_unit(network, times=network.num_terminals)
    if unit is None or network.num_nodes * network.num_channels > _MOST_CELLS:
        return None
    try:
        model = source_flows(network, symmetry="auto", unit=unit, most=most_variables)
        primal, dual = solve_exactly(model.program, seconds=seconds, iterations=iterations)
    except (InputError, NotExactError, SolverError):
        return None
    return _claim(model, primal, model.length_of(dual))


def _claim(model: SourceFlows, primal: ExactPoint, share: Mapping[int, Fraction]) -> Claim | None:
    network, load = model.network, primal.fraction(0)
    scale = lcm(*(x.denominator for x in share.values()))
    lengths = {c: int(x * scale) for c, x in share.items()}
    if not load or max(lengths.values()) * network.num_nodes >= 1 << 50 or int(max(primal.num)) >= 1 << 60:
        return None
    flows = np.zeros((network.num_nodes, network.num_channels), dtype=np.int64)
    for i, columns in model.flow.items():
        flows[i] = primal.num[columns].astype(np.int64)
    classes = [
        {"length": length, "channels": np.nonzero(model.focus == c)[0].tolist()}
        for c, length in lengths.items()
        if length
    ]
    data: dict[str, Any] = {
        "lengths": {"kind": "explicit", "classes": classes},
        "flows": {"scale": str(primal.den), "flow": pack_ints(flows.ravel())},
    }
    return CAPACITY.claim(1 / load, data, source=_CAPACITY_SOURCE)


def capacity_if_possible(network: Network, *, seconds: float | None = None) -> Claim | None:
    """As ``capacity_by_program``, but quick; the solver has so many ``seconds``."""
    try:
        return capacity_by_program(
            network, iterations=_QUICK_ITERATIONS, most_variables=_QUICK_VARIABLES, seconds=seconds
        )
    except InputError:
        return None


class Lengths(Bound):
    """Whole lengths of channels, int64 (C,), and the weight of hops beside them."""

    def __init__(self, network: Network, length: Int64, hops: int, paths: PathSet | None) -> None:
        self.length = length
        self.prove(network, gauge_of_uniform(network, length), hops, paths)

    def data(self) -> dict[str, Any]:
        return {"lengths": pack_ints(self.length), "hops": self.hops}

    def claim(self, quantity: str, value: Fraction, within: dict[str, str]) -> Claim:
        """What the lengths prove for all routings that stay ``within`` limits, of one quantity or none."""
        limited, relation = LIMITS[quantity]
        limits = {"within": f"{limited} {relation} {within[limited]}"} if within else {}
        paths = {} if self.paths is None else {"paths": self.paths.name}
        about = {"traffic": "uniform", **paths}
        about = {**limits, **about} if quantity == "average_path_length" else {**about, **limits}  # as reports have it
        data = {**self.data(), "within": within, **paths}
        return LENGTHS.claim(value, data, about, quantity=quantity, source=_SOURCE)


@dataclass(frozen=True, eq=False)
class UniformDesign:
    """A ``routing`` whose largest load per bandwidth under uniform traffic of rate 1 is ``load``; ``load_lengths``
    prove the least possible one (with an average path length of at most ``most_length``, if given), which it is unless
    the program's optimum could not be made exact; its average path length is ``length``, the least that this load
    allows by ``path_lengths`` (None unless asked for).  ``num_pairs``: how many classes of pairs symmetry
    leaves; None where a routing that has a name was taken, or best flows were looked for path by path."""

    num_pairs: int | None
    routing: Routing
    load: Fraction
    load_lengths: Lengths
    most_length: Fraction | None
    length: Fraction
    minimal: Fraction
    path_lengths: Lengths | None

    @property
    def gap(self) -> Fraction:
        """How far the load may be from the least, relative to it."""
        least = self.load_lengths.line.least_load(self.most_length)
        return self.load / least - 1 if least else Fraction(1)


def design_capacity(
    network: Network,
    *,
    shortest: bool = False,
    path_length: Fraction | None = None,
    paths: PathSet | None = None,
    symmetry: str = "auto",
    time_limit: float | None = None,
    stage: Stage | None = None,
) -> UniformDesign:
    """The routing with the lowest load per bandwidth under uniform traffic; options as in ``design_worst_case``.

    ``paths``: use those of a set only.  Where the program is too large, is not solved in the time, or cannot be made
    exact, it is the best flow path by path, near the bound that is proved; with limits on paths or their length, and
    for the shortest ones, an InputError says so.
    """
    step, deadline = stage or silent, Deadline(time_limit)
    minimal, most_length = length_bound(network, path_length)
    known = None
    if paths is None and network.num_nodes > _SMALL_NODES:
        with step("known routings"):
            known = _known(network, minimal, most_length, shortest=shortest)
        if known is not None:
            return known
    try:
        with ended_in_time(deadline.part(_OF_PROGRAM)):
            return _by_program(network, symmetry, paths, minimal, most_length, deadline, step, shortest=shortest)
    except (InputError, OutOfTimeError) as error:
        if shortest or most_length is not None or paths is not None or lost_pair(network) is not None:
            if isinstance(error, OutOfTimeError):
                raise NothingReachedError("the time limit was reached before any routing was found") from None
            raise
    return _by_paths(network, minimal, deadline.part(_OF_PATHS), step)


def _by_program(
    network: Network, symmetry: str, paths: PathSet | None, minimal: Fraction, most_length: Fraction | None,
    deadline: Deadline, step: Stage, *, shortest: bool,
) -> UniformDesign:  # fmt: skip
    with step("reduction"):
        model = _uniform_program(network, symmetry, paths)
    program, per_hop = model.within(most_length)
    found = None
    try:
        with step("load"):
            point, dual = solve_exactly(program, seconds=deadline.left(_SOON))
            least = _lengths(model, dual, per_hop * dual.fraction(-1))
        load = point.fraction(0)
        if shortest or model.goes_round(point):
            with step("path length"):
                second = model.program.asking(model.hops, {0: load})
                point, dual = solve_exactly(second, seconds=deadline.left(_SOON))
                found = _lengths(model, dual, Fraction(1)) if shortest else None
    except NotExactError as error:
        raise InputError(f"the best routing of {network.name} was not made exact: {error}") from None
    with step("judging"):
        routing = model.routing(point, designed_name(paths))
    length = average_path_length(routing)
    return UniformDesign(model.num_pairs, routing, load, least, most_length, length, minimal, found)


def _by_paths(network: Network, minimal: Fraction, seconds: float | None, step: Stage) -> UniformDesign:
    """The best flow for the matrix of uniform traffic, as for any other."""
    from .over import design_over

    size = network.num_terminals
    each = Fraction(1, size)
    uniform = Hull(
        size, "uniform traffic", ({(i, j): each for i in range(size) for j in range(size) if i != j},), ("",)
    )
    asked = {
        "shortest": False, "path_length": None, "paths": None, "symmetry": "auto", "solver": "auto",
        "time_limit": seconds,
    }  # fmt: skip
    made = design_over(network, uniform, asked, step)
    bound = made.load_adversary
    assert isinstance(bound, MatrixBound)
    most = max(int(x) for x in bound.lengths[0])
    fine = max(most.bit_length() - (_LARGEST // network.num_nodes).bit_length() + 1, 0)
    length = np.array([int(x) >> fine for x in bound.lengths[0]], dtype=np.int64)
    lengths = Lengths(network, length, 0, None)
    return UniformDesign(None, made.routing, made.load, lengths, None, made.length, minimal, None)


def _known(
    network: Network, minimal: Fraction, most_length: Fraction | None, *, shortest: bool
) -> UniformDesign | None:
    """A routing that has a name and reaches a bound on all routings; where the ``shortest`` paths are asked for, one
    with minimal paths.  None where none is known."""
    claim = capacity(network)
    if claim is None:
        return None
    routing = named_routing(claim.evidence.data["routing"], network)
    length = average_path_length(routing)
    if (most_length is not None and length > most_length) or (shortest and length > minimal):
        return None
    least = Lengths(network, lengths_of(network, claim.evidence.data["lengths"]), 0, None)
    found = Lengths(network, np.zeros(network.num_channels, dtype=np.int64), 1, None) if shortest else None
    return UniformDesign(None, routing, 1 / claim.number, least, most_length, length, minimal, found)


def _uniform_program(network: Network, symmetry: str, allowed: PathSet | None) -> SourceFlows | FlowProgram:
    """Minimise column 0: the largest load per bandwidth when every terminal sends 1 / T to every terminal."""
    terminals = network.num_terminals
    if allowed is None:
        check_pairs(network)
        return source_flows(network, symmetry=symmetry, unit=needed_unit(network, times=terminals**2))
    reduction = reduce(network, symmetry=symmetry, within=allowed)
    flow, size = flow_columns(reduction, 1, allowed)
    entries = Triplets()
    bound, paths, size = flow_rows(reduction, flow, allowed, size, entries)
    equal = len(bound)
    members = np.bincount(reduction.focus, minlength=network.num_channels)
    unit = needed_unit(network, times=int(members.max(initial=1)) * terminals)
    load_row = {}
    for c in np.unique(reduction.focus).tolist():
        row = load_row[c] = len(bound)
        bound.append(0)
        entries.add(row, 0, int(network.bandwidth[c] * unit) * int(members[c]) * terminals)
        for pair, columns in zip(reduction.pairs, flow, strict=True):
            at = columns[reduction.focus == c]
            entries.add(row, at[at >= 0], -pair.weight * unit)
    program, hops = entries.program(size, equal, bound), hop_cost(reduction, flow, size)
    return FlowProgram(reduction, program, flow, hops, paths, allowed, load_row=load_row, unit=unit)


def _lengths(model: SourceFlows | FlowProgram, dual: ExactPoint, hops: Fraction) -> Lengths:
    share = model.length_of(dual)
    scale = lcm(hops.denominator, *(x.denominator for x in share.values()))
    if max([hops, *share.values()]) * scale > _LARGEST:
        raise NotExactError("its multipliers are too long")
    length = np.array([int(share[int(c)] * scale) for c in model.focus], dtype=np.int64)
    return Lengths(model.network, length, int(hops * scale), model.allowed)


def with_capacity(design: UniformDesign, claims: Sequence[Claim]) -> list[Claim]:
    """The claims about the design's routing, with what its lengths prove of the capacity where they say less."""
    least = design.load_lengths.line.least_load()
    if design.num_pairs is not None or design.most_length is not None or design.load_lengths.hops or not least:
        return [*claims]
    known = [x for x in claims if x.quantity == "capacity" and x.relation != ">="]
    if any(x.relation == "==" or x.number * least <= 1 for x in known):
        return [*claims]
    relation = "==" if least == design.load else "<="
    by_length: dict[int, list[int]] = {}
    for c, x in enumerate(design.load_lengths.length.tolist()):
        by_length.setdefault(x, []).append(c)
    classes = [{"length": x, "channels": some} for x, some in by_length.items() if x]
    data = {"lengths": {"kind": "explicit", "classes": classes}, "routing": report_name(design.routing)}
    new = CAPACITY.claim(1 / least, data, relation=relation, source=_CAPACITY_SOURCE)
    kept = [x for x in claims if x.quantity != "capacity" or (relation, x.relation) == ("<=", ">=")]
    place = next((k + 1 for k, x in enumerate(kept) if x.quantity == "capacity"), len(kept))
    return [*kept[:place], new, *kept[place:]]


def uniform_claims(design: UniformDesign) -> list[Claim]:
    """What no routing can beat: throughput under uniform traffic within the bound on path lengths, if there is one,
    and path length within the load.  What the routing itself does is for the analyses to say."""
    claims = []
    most = design.most_length
    least = design.load_lengths.line.least_load(most)
    if least and (most is not None or design.load_lengths.paths is not None):
        within = {} if most is None else {"average_path_length": fraction_to_text(most)}
        claims.append(design.load_lengths.claim("throughput", 1 / least, within))
    if design.path_lengths is not None:
        rate = fraction_to_text(1 / design.load)
        bound = max(design.path_lengths.line.least_path_length(design.load) or design.minimal, design.minimal)
        claims.append(design.path_lengths.claim("average_path_length", bound, {"throughput": rate}))
    return claims
