"""The worst case of a routing over a set of demands: the family of the set says who finds it and what is claimed."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..core.claim import Claim
from ..core.errors import InputError, RouteproofWarning
from ..demand_sets.demand_set import DemandSet
from ..demand_sets.families import EverySparse, Unbalanced
from ..demand_sets.hull import Hull
from ..demand_sets.routable import Routable
from ..demand_sets.transport import TransportSet
from ..formats.demands.description import describe_demands
from ..routing.base.routing import Routing
from ..worst.scan.evidence import worst_case_claims
from ..worst.scan.exact import WorstCase, worst_case
from ..worst.scan.over_demands import worst_case_over
from .answer import Setting

if TYPE_CHECKING:
    from ..worst.demand_sets.jobs import JobLoads
    from ..worst.demand_sets.sparse_curve import SparseCurve
    from ..worst.routable.ratio import ObliviousRatio


@dataclass(frozen=True)
class Options:
    symmetry: str
    all_channels: bool
    setting: Setting


@dataclass(frozen=True)
class Found:
    """A worst case with its claims.  ``each``: its single channels are still to be claimed, where asked for; ``curve``:
    of a set that has one, by the number of packets; ``jobs``: of a set of several, which do not limit one another."""

    worst: WorstCase
    claims: list[Claim]
    each: bool = False
    curve: SparseCurve | None = None
    jobs: JobLoads | None = None


def answer_over(routing: Routing, demands: DemandSet, options: Options) -> Found:
    """Raises InputError for sets of another network, for sampled loads, and as the analyses do."""
    check_judged(routing, demands)
    for family, find in _FINDERS.items():
        if isinstance(demands, family):
            return find(routing, demands, options)
    raise InputError(f"the worst case over {demands.text} is not available yet")


def check_judged(routing: Routing, demands: DemandSet) -> None:
    """Raise InputError for a set of another network, and for sampled loads."""
    if demands.size != routing.network.num_terminals:
        raise InputError(
            f"{demands.text} is about {demands.size} terminals, {routing.network.name} has "
            f"{routing.network.num_terminals}"
        )
    if routing.is_sampled:
        raise InputError(f"the loads of {routing.name} are sampled, so they are judged under permutations only")


def demands_subject(demands: DemandSet | None) -> dict[str, Any]:
    """What the subject of a report says of the set of demands; nothing where its text says it all."""
    described = {} if demands is None else describe_demands(demands)
    return {"demands": described} if len(described) > 1 else {}


def _transport(routing: Routing, demands: Any, options: Options) -> Found:
    if demands.box is not None:
        return _box(routing, demands, options)
    with options.setting.stage("worst case") as progress:
        worst = worst_case_over(
            routing, demands, symmetry=options.symmetry, all_channels=options.all_channels, progress=progress,
            spread=options.setting.spread,
        )  # fmt: skip
    claims, jobs = worst_case_claims(worst), None
    if len(demands.jobs) > 1 and demands.total is None:
        from ..worst.demand_sets.jobs import job_claims, job_loads

        with options.setting.stage("jobs") as progress:
            jobs = job_loads(routing, demands, progress=progress)
        with options.setting.stage("proofs of single jobs") as progress:
            claims += job_claims(jobs, progress=progress)
    return Found(worst, claims, each=True, jobs=jobs)


def _box(routing: Routing, demands: Any, options: Options) -> Found:
    from ..worst.demand_sets.boxes import worst_case_in_box
    from ..worst.demand_sets.claims import as_traffic, box_claims, plain_worst_case

    with options.setting.stage("worst case") as progress:
        found = worst_case_in_box(routing, demands, all_channels=options.all_channels, progress=progress)
    if options.all_channels and not demands.is_only_box:
        _warn(f"the loads of single channels over {demands.text} are printed, and not in the report")
    traffic = as_traffic(found.witness)
    worst = plain_worst_case(routing, demands, found.load, found.channel, traffic, found.channel_loads)
    return Found(worst, box_claims(found))


def _matrices(routing: Routing, demands: Any, options: Options) -> Found:
    from ..worst.demand_sets.claims import as_traffic, matrix_claims, plain_worst_case
    from ..worst.demand_sets.matrices import worst_matrix

    with options.setting.stage("loads of the matrices") as progress:
        found = worst_matrix(routing, demands, all_channels=options.all_channels, progress=progress)
    each = None if found.channel_loads is None else [x for x, _ in found.channel_loads]
    traffic = as_traffic(found.witness)
    worst = plain_worst_case(routing, demands, found.load, found.channel, traffic, each)
    return Found(worst, matrix_claims(found))


def _unbalanced(routing: Routing, demands: Any, options: Options) -> Found:
    with options.setting.stage("worst case") as progress:
        worst = worst_case(
            routing, model="unbalanced", symmetry=options.symmetry, all_channels=options.all_channels,
            progress=progress, spread=options.setting.spread,
        )  # fmt: skip
    worst = replace(worst, model=replace(worst.model, demands=demands))
    return Found(worst, worst_case_claims(worst), each=True)


def _routable(routing: Routing, demands: Any, options: Options) -> Found:
    from ..worst.demand_sets.claims import throughput_claim
    from ..worst.routable.claims import ratio_claims
    from ..worst.routable.ratio import oblivious_ratio

    with options.setting.stage("oblivious ratio") as progress:
        found = oblivious_ratio(
            routing, symmetry=options.symmetry, all_channels=options.all_channels, progress=progress
        )
    claims = ratio_claims(found)
    for claim in list(claims):
        if isinstance(claim.value, Fraction) and "channel" not in claim.about:
            claims.append(throughput_claim(claim.value, _OPPOSITE[claim.relation], claim.about))
    return Found(_as_worst_case(found, demands), claims)


def _as_worst_case(found: ObliviousRatio, demands: DemandSet) -> WorstCase:
    """The demand that the flow carries, as the witness of a worst case."""
    from ..worst.demand_sets.claims import as_traffic, plain_worst_case
    from ..worst.routable.claims import first_terminals

    sent: dict[tuple[int, int], Fraction] = {}
    for x in found.flow:
        pair = first_terminals(x, found.routing)
        sent[pair] = sent.get(pair, Fraction(0)) + x.amount
    each = None
    if found.by_channel:
        ratios = {c: x.low for c, x in found.by_channel.items()}
        each = [ratios.get(c, Fraction(0)) for c in found.classes.label.tolist()]
    worst = plain_worst_case(found.routing, demands, found.low, found.channel, as_traffic(sent), each)
    return replace(worst, classes=found.classes)


def _every_sparse(routing: Routing, demands: Any, options: Options) -> Found:
    from ..worst.demand_sets.claims import plain_worst_case
    from ..worst.demand_sets.curve_claims import curve_claims
    from ..worst.demand_sets.sparse_curve import sparse_curve

    if options.all_channels:
        _warn(f"{demands.text} is one curve, the largest of all channels; --all-channels adds nothing to it")
    with options.setting.stage("worst case by number of packets") as progress:
        curve = sparse_curve(routing, demands, symmetry=options.symmetry, progress=progress)
    last = max(curve.corners, key=lambda x: x.load)
    worst = plain_worst_case(routing, demands, last.load, last.channel, curve.witness(last))
    return Found(replace(worst, classes=curve.classes), curve_claims(curve), curve=curve)


def _warn(text: str) -> None:
    warnings.warn(text, RouteproofWarning, stacklevel=2)


_OPPOSITE = {"==": "==", "<=": ">=", ">=": "<="}
_FINDERS: Mapping[type[DemandSet], Callable[[Routing, Any, Options], Found]] = {
    TransportSet: _transport,
    Hull: _matrices,
    Unbalanced: _unbalanced,
    Routable: _routable,
    EverySparse: _every_sparse,
}
