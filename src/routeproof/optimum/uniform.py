"""The routing that reaches capacity, then the shortest paths; or the best throughput under uniform traffic that a bound
on path length allows.

Source: Towles, Dally & Boyd 2003 (SPAA), eq. (6), with the bound of eq. (10).  One flow variable for every class of
(source, destination, channel), as in the program of the worst case; the loads of a class of channels are summed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from ..claims.routings.capacity import LENGTHS, LIMITS
from ..core.arrays import Int64
from ..core.claim import Claim
from ..core.errors import InputError
from ..core.network import Network
from ..core.spread import Stage, silent
from ..formats.documents.json_text import fraction_to_text
from ..formats.documents.packed_ints import pack_ints
from ..kernel.gauges import gauge_of_uniform
from ..kernel.theorem import SupportingLine, supporting_line
from ..lp.exact import ExactPoint, NotExactError, solve_exactly
from ..lp.program import Triplets
from ..routing.classes.symmetric_table import SymmetricRouting
from ..routing.path_sets.path_set import PathSet
from ..symmetry.pair_classes import Reduction, reduce
from ..worst.locality import average_path_length
from .program.flow_program import FlowProgram, flow_columns, flow_rows, hop_cost, length_bound, needed_unit
from .program.path_variables import designed_name

_LARGEST = 1 << 50
_SOURCE = "Towles, Dally & Boyd 2003 (SPAA), eq. 6 and 10"


@dataclass(frozen=True, eq=False)
class Lengths:
    """Whole lengths of channels, the weight of hops beside them, and what they prove for all routings."""

    length: Int64
    hops: int
    allowed: PathSet | None
    line: SupportingLine

    def claim(self, quantity: str, value: Fraction, within: dict[str, str]) -> Claim:
        """What the lengths prove for all routings that stay ``within`` limits, of one quantity or none."""
        paths = {} if self.allowed is None else {"paths": self.allowed.name}
        limited, relation = LIMITS[quantity]
        limits = {"within": f"{limited} {relation} {within[limited]}"} if within else {}
        about = {"traffic": "uniform", **paths}
        about = {**limits, **about} if quantity == "average_path_length" else {**about, **limits}  # as reports have it
        data = {"lengths": pack_ints(self.length), "hops": self.hops, "within": within, **paths}
        return LENGTHS.claim(value, data, about, quantity=quantity, source=_SOURCE)


@dataclass(frozen=True, eq=False)
class UniformDesign:
    """A ``routing`` whose largest load per bandwidth under uniform traffic of rate 1 is ``load``, the least possible
    (with an average path length of at most ``most_length``, if given), by ``load_lengths``; its average path length is
    ``length``, the least that this load allows by ``path_lengths`` (None unless asked for)."""

    reduction: Reduction
    routing: SymmetricRouting
    load: Fraction
    load_lengths: Lengths
    most_length: Fraction | None
    length: Fraction
    minimal: Fraction
    path_lengths: Lengths | None


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

    ``paths``: use those of a set only.  Raises InputError, too, where the optimum cannot be made exact.
    """
    step = stage or silent
    minimal, most_length = length_bound(network, path_length)
    with step("reduction"):
        model = _program(reduce(network, symmetry=symmetry, within=paths), paths)
    program, per_hop = model.within(most_length)
    found = None
    try:
        with step("load"):
            point, dual = solve_exactly(program, seconds=time_limit)
            least = _lengths(model, dual, per_hop * dual.fraction(-1))
        if shortest:
            with step("path length"):
                second = model.program.asking(model.hops, {0: point.fraction(0)})
                point, dual = solve_exactly(second, seconds=time_limit)
                found = _lengths(model, dual, Fraction(1))
    except NotExactError as error:
        raise InputError(f"the best routing of {network.name} was not made exact: {error}") from None
    with step("judging"):
        routing = model.routing(point, designed_name(paths))
    length, load = average_path_length(routing), point.fraction(0)
    return UniformDesign(model.reduction, routing, load, least, most_length, length, minimal, found)


def _program(reduction: Reduction, allowed: PathSet | None) -> FlowProgram:
    """Minimise column 0: the largest load per bandwidth when every terminal sends 1 / T to every terminal."""
    network = reduction.network
    flow, size = flow_columns(reduction, 1, allowed)
    entries = Triplets()
    bound, paths, size = flow_rows(reduction, flow, allowed, size, entries)
    equal = len(bound)
    members = np.bincount(reduction.focus, minlength=network.num_channels)
    unit = needed_unit(network, times=int(members.max(initial=1)) * network.num_terminals)
    load_row = {}
    for c in np.unique(reduction.focus).tolist():
        row = load_row[c] = len(bound)
        bound.append(0)
        entries.add(row, 0, int(network.bandwidth[c] * unit) * int(members[c]) * network.num_terminals)
        for pair, columns in zip(reduction.pairs, flow, strict=True):
            at = columns[reduction.focus == c]
            entries.add(row, at[at >= 0], -pair.weight * unit)
    program = entries.program(size, equal, bound)
    return FlowProgram(reduction, program, flow, hop_cost(reduction, flow, size), paths, allowed, load_row=load_row)


def _lengths(model: FlowProgram, dual: ExactPoint, hops: Fraction) -> Lengths:
    """A row's multiplier is the length of all its channels (times the unit of the row)."""
    network = model.reduction.network
    unit = needed_unit(network)
    share = {c: dual.fraction(row) * unit for c, row in model.load_row.items()}
    scale = lcm(hops.denominator, *(x.denominator for x in share.values()))
    if max([hops, *share.values()]) * scale > _LARGEST:
        raise NotExactError("its multipliers are too long")
    length = np.array([int(share[int(c)] * scale) for c in model.reduction.focus], dtype=np.int64)
    whole = int(hops * scale)
    distance = None if model.allowed is None else model.allowed.distance
    line = supporting_line(network, gauge_of_uniform(network, length), hops=whole, distance=distance)
    return Lengths(length, whole, model.allowed, line)


def uniform_claims(design: UniformDesign) -> list[Claim]:
    """What no routing can beat: throughput under uniform traffic within the bound on path lengths, if there is one,
    and path length within the load.  What the routing itself does is for the analyses to say."""
    claims = []
    most = design.most_length
    least = design.load_lengths.line.least_load(most)
    if least and (most is not None or design.load_lengths.allowed is not None):
        within = {} if most is None else {"average_path_length": fraction_to_text(most)}
        claims.append(design.load_lengths.claim("throughput", 1 / least, within))
    if design.path_lengths is not None:
        rate = fraction_to_text(1 / design.load)
        bound = max(design.path_lengths.line.least_path_length(design.load) or design.minimal, design.minimal)
        claims.append(design.path_lengths.claim("average_path_length", bound, {"throughput": rate}))
    return claims
