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
import numpy.typing as npt

from ..analysis.locality import average_path_length, minimal_average
from ..core.checks.adversary import length_line
from ..core.checks.supporting_line import SupportingLine
from ..core.claim import Claim, Evidence, Grade
from ..core.errors import InputError
from ..core.network import Network
from ..core.stage import Stage, silent
from ..formats.documents.long_fractions import fraction_to_text
from ..formats.documents.packed_ints import pack_ints
from ..routing.classes.symmetric import SymmetricRouting
from ..routing.turns.path_sets import PathSet, path_set
from .program.exact import ExactPoint, NotExactError, exact_dual, exact_primal
from .program.flows import routing_from_exact
from .program.highs import check_solver, solve
from .program.length_bound import check_length_bound
from .program.linear import Program, Triplets
from .program.orbits import Reduction, reduce
from .program.path_variables import PathVariables
from .program.worst_case import conservation, flow_columns, hop_cost, with_most_hops

__all__ = ["Lengths", "UniformDesign", "design_capacity", "uniform_claims"]

Int64 = npt.NDArray[np.int64]
_LARGEST = 1 << 50
_SOURCE = "Towles, Dally & Boyd 2003 (SPAA), eq. 6 and 10"


@dataclass(frozen=True, eq=False)
class Lengths:
    """Whole lengths of channels, the weight of hops beside them, and what they prove for all routings."""

    length: Int64
    hops: int
    allowed: PathSet | None
    line: SupportingLine

    def evidence(self, within: dict[str, str]) -> Evidence:
        data = {"lengths": pack_ints(self.length), "hops": self.hops, "within": within}
        if self.allowed is not None:
            data["paths"] = self.allowed.name
        return Evidence("lengths", data)


@dataclass(frozen=True, eq=False)
class UniformDesign:
    """A ``routing`` whose largest load per bandwidth under uniform traffic of rate 1 is ``load``, the least possible
    (with an average path length of at most ``most_length``, if given), by ``load_lengths``; its average path length is
    ``length``, the least that this load allows by ``path_lengths`` (None unless asked for)."""

    network: Network
    reduction: Reduction
    routing: SymmetricRouting
    load: Fraction
    load_lengths: Lengths
    most_length: Fraction | None
    length: Fraction
    minimal: Fraction
    path_lengths: Lengths | None


@dataclass(frozen=True, eq=False)
class _Model:
    """As ``WorstCaseProgram``, without potentials; ``load_row``: {focus channel: its row}."""

    reduction: Reduction
    program: Program
    flow: list[Int64]
    load_row: dict[int, int]
    hops: Int64
    paths: PathVariables | None


def design_capacity(
    network: Network,
    *,
    shortest: bool = False,
    path_length: Fraction | None = None,
    paths: str | None = None,
    symmetry: str = "auto",
    time_limit: float | None = None,
    stage: Stage | None = None,
) -> UniformDesign:
    """The routing with the lowest load per bandwidth under uniform traffic; options as in ``design_worst_case``.

    ``paths``: use those of a set only ("2turn").  Raises InputError, too, where the optimum cannot be made exact.
    """
    check_solver()
    step = stage or silent
    minimal = minimal_average(network)
    if path_length is not None:
        check_length_bound(path_length, minimal)
    allowed = None if paths is None else path_set(paths, network)
    with step("reduction"):
        model = _model(reduce(network, symmetry=symmetry), allowed)
    program, most_length = model.program, None
    if path_length is not None:
        most_length = path_length * minimal
        program, scale = with_most_hops(model, most_length * network.num_terminals**2)
    try:
        with step("load"):
            point, dual = _solved(program, time_limit)
            hops = Fraction(0) if path_length is None else scale * dual.fraction(program.num_rows - 1)
            least = _lengths(model, dual, hops)
        found = None
        if shortest:
            second = model.program.asking(model.hops, {0: point.fraction(0)})
            with step("path length"):
                point, dual = _solved(second, time_limit)
                found = _lengths(model, dual, Fraction(1))
    except NotExactError as error:
        raise InputError(f"the best routing of {network.name} was not made exact: {error}") from None
    with step("judging"):
        routing: SymmetricRouting
        if model.paths is None:
            routing = routing_from_exact(model.reduction, model.flow, point)
        else:
            routing = model.paths.routing_from_exact(f"designed with {paths}", point)
    return UniformDesign(
        network, model.reduction, routing, point.fraction(0), least, most_length, average_path_length(routing), minimal,
        found,
    )  # fmt: skip


def _solved(program: Program, seconds: float | None) -> tuple[ExactPoint, ExactPoint]:
    proposal = solve(program, seconds=seconds)
    return exact_primal(program, proposal), exact_dual(program, proposal)


def _model(reduction: Reduction, allowed: PathSet | None) -> _Model:
    """Minimise column 0: the largest load per bandwidth when every terminal sends 1 / T to every terminal."""
    network = reduction.network
    flow, size = flow_columns(reduction, 1)
    entries = Triplets()
    variables = None
    if allowed is None:
        bound = conservation(reduction, flow, entries)
    else:
        variables = PathVariables(reduction, allowed, size)
        size = variables.end
        bound = variables.flows(flow, entries)
    equal = len(bound)
    unit = lcm(*(x.denominator for x in set(network.bandwidth)))
    members = np.bincount(reduction.focus, minlength=network.num_channels)
    load_row = {}
    for c in np.unique(reduction.focus).tolist():
        row = load_row[c] = len(bound)
        bound.append(0)
        entries.add(row, 0, int(network.bandwidth[c] * unit) * int(members[c]) * network.num_terminals)
        for pair, columns in zip(reduction.pairs, flow, strict=True):
            at = columns[reduction.focus == c]
            entries.add(row, at[at >= 0], -pair.weight * unit)
    start, column, value = entries.summed(len(bound), size)
    cost = np.zeros(size, dtype=np.int64)
    cost[0] = 1
    program = Program(size, equal, start, column, value, np.array(bound, dtype=np.int64), cost, {})
    return _Model(reduction, program, flow, load_row, hop_cost(reduction, flow, size), variables)


def _lengths(model: _Model, dual: ExactPoint, hops: Fraction) -> Lengths:
    """A row's multiplier is the length of all its channels (times the unit of the row)."""
    network = model.reduction.network
    unit = lcm(*(x.denominator for x in set(network.bandwidth)))
    share = {c: dual.fraction(row) * unit for c, row in model.load_row.items()}
    scale = lcm(hops.denominator, *(x.denominator for x in share.values()))
    if max([hops, *share.values()]) * scale > _LARGEST:
        raise NotExactError("its multipliers are too long")
    length = np.array([int(share[int(c)] * scale) for c in model.reduction.focus], dtype=np.int64)
    whole = int(hops * scale)
    allowed = None if model.paths is None else model.paths.allowed
    distance = None if allowed is None else allowed.distance
    return Lengths(length, whole, allowed, length_line(network, length, hops=whole, distance=distance))


def uniform_claims(design: UniformDesign) -> list[Claim]:
    """What no routing can beat: throughput under uniform traffic within the bound on path lengths, if there is one,
    and path length within the load.  What the routing itself does is for the analyses to say."""
    claims = []
    those = {} if design.load_lengths.allowed is None else {"paths": design.load_lengths.allowed.name}
    if design.most_length is not None or those:
        most = None if design.most_length is None else fraction_to_text(design.most_length)
        within = {} if most is None else {"average_path_length": most}
        least = design.load_lengths.line.least_load(design.most_length)
        about = {"traffic": "uniform", **those}
        if most is not None:
            about["within"] = f"average_path_length <= {most}"
        if least:
            claims.append(
                Claim("throughput", "<=", 1 / least, Grade.PROVED, design.load_lengths.evidence(within),
                      _SOURCE, about)
            )  # fmt: skip
    if design.path_lengths is not None:
        rate = fraction_to_text(1 / design.load)
        bound = max(design.path_lengths.line.least_path_length(design.load) or design.minimal, design.minimal)
        about = {"within": f"throughput >= {rate}", "traffic": "uniform", **those}
        evidence = design.path_lengths.evidence({"throughput": rate})
        claims.append(Claim("average_path_length", ">=", bound, Grade.PROVED, evidence, _SOURCE, about))
    return claims
