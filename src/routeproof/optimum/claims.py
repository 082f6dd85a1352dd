"""What designs and tradeoff curves claim; ``verification`` checks the evidence without a solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..claims.derived import following, throughput_of
from ..claims.routings.adversary import ADVERSARY, OPTIMUM, REACHED
from ..claims.routings.routable import ROUTABLE
from ..claims.routings.traffic import PATH_LENGTH
from ..core.claim import Claim
from ..core.vocabulary import is_factor
from ..demand_sets.demand_set import DemandSet
from ..formats.documents.json_text import fraction_to_text
from ..routing.base.routing import Routing
from ..routing.named.described import describe_routing
from ..worst.average import average_case_claim
from ..worst.locality import path_length_claims
from ..worst.scan.evidence import worst_case_claims
from ..worst.scan.exact import WorstCase, worst_case

if TYPE_CHECKING:
    from .average_case import AverageCaseDesign, AverageCurve, CurvePoint
    from .curve import Tradeoff
    from .design import Bound, Design

_PAPER = "Towles, Dally & Boyd 2003 (SPAA), "
_BEST, _CURVE = _PAPER + "eq. 8 and 10", _PAPER + "eq. 10 and Figure 1"
_BALANCED = {"model": "balanced"}


def design_claims(design: Design, capacity: Claim | None) -> list[Claim]:
    """Worst-case load and throughput of the best routing, and its path length: each an equation where the routing and
    the adversaries meet, else an interval of two claims.

    ``capacity``: a claim about the network's capacity; with it throughput is also stated as a fraction of it.
    """
    within = {} if design.most_length is None else {"average_path_length": fraction_to_text(design.most_length)}
    own = worst_case_claims(design.worst)[0]
    if own.evidence.kind == ROUTABLE.name:  # an upper end: a demand that shows the least ratio says nothing of it
        data = {key: x for key, x in own.evidence.data.items() if key not in ("channel", "flow")}
        own = ROUTABLE.claim(design.load, data, own.about, relation="<=", source=_BEST)
    ends = (design.least_load, design.load)
    about = _BALANCED if design.demands is None else {"demands": design.demands.text}
    claims = _sides(own, about, ends, design.load_adversary, within)
    known = None if is_factor(about) else _number(capacity)
    for claim in list(claims):
        value = _number(claim)
        if not value:
            continue
        rate = throughput_of(claim, _BEST)
        claims.append(rate)
        if known:
            share = 1 / value / known
            claims.append(following(rate.quantity + "_of_capacity", rate.relation, share, rate.about, _BEST))
    claims.sort(key=lambda x: x.quantity)
    apart = [x for x in claims if ends[0] == ends[1] and "within" in x.about]  # stand below what they are bounds of
    whole = [x for x in claims if ends[0] != ends[1] or "within" not in x.about]
    return [*whole, *([] if capacity is None else [capacity]), *_length_claims(design), *apart]


def _length_claims(design: Design) -> list[Claim]:
    own = path_length_claims(design.length, design.minimal)[0]
    ends = (design.length, design.length)
    claims = [own]
    if design.length_adversary is not None and design.least_length is not None and design.most_load is not None:
        within = {"worst_case_load": fraction_to_text(design.most_load)}
        ends = (design.least_length, design.length)
        over = {} if design.demands is None else {"demands": design.demands.text}
        claims = _sides(own, over, ends, design.length_adversary, within)
    for claim in list(claims):
        name, ratio = "average_path_length_of_minimal", claim.number / design.minimal
        if claim.evidence.kind == "adversary" and ends[0] == ends[1]:
            continue  # it bounds the number that stands above
        if claim.relation == "==":
            of_minimal = PATH_LENGTH.claim(ratio, own.evidence.data, quantity=name, source=_PAPER + "sec. 2.3")
            claims.append(of_minimal)
        else:
            claims.append(following(name, claim.relation, ratio, claim.about, _BEST))
    return sorted(claims, key=lambda x: x.relation == ">=" and ends[0] == ends[1])


def _sides(
    own: Claim, about: Mapping[str, Any], ends: tuple[Fraction, Fraction], adversary: Bound, within: Mapping[str, str]
) -> list[Claim]:
    """The interval ``ends``, the upper one the routing's ``own``, the lower one by the adversary.

    Where they meet, one claim says both, unless the bound holds ``within`` a limit only: then the number is the
    routing's, without a limit, and the bound stands beside it.
    """
    quantity, reached = own.quantity, {own.evidence.kind: own.evidence.data}
    bounded = {"within": dict(within)} if within else {}
    bound = {**adversary.data(), **bounded}
    among = {} if adversary.paths is None else {"paths": adversary.paths.name}
    qualified = dict(about)
    for name, most in within.items():
        qualified["within"] = f"{name} <= {most}"
    lower = ADVERSARY.claim(ends[0], bound, {**qualified, **among}, quantity=quantity, source=_BEST)
    if ends[0] != ends[1]:
        return [REACHED.claim(ends[1], {**reached, **bounded}, qualified, quantity=quantity, source=_BEST), lower]
    if not within:
        both = {"reached": reached, "adversary": bound}
        return [OPTIMUM.claim(ends[1], both, about, quantity=quantity, source=_BEST)]
    if own.relation == "<=":
        own = REACHED.claim(ends[1], reached, about, quantity=quantity, source=_BEST)
    return [own, lower]


def _number(claim: Claim | None) -> Fraction | None:
    return claim.value if claim is not None and isinstance(claim.value, Fraction) else None


def corner_claims(curve: Tradeoff) -> list[Claim]:
    """One claim for each corner: with at most this worst-case load, no routing has a shorter average path.

    Of a curve that is not complete: what is reached at each point, and what is proved of all routings there."""
    claims = [
        _point(x.description(), x.load, x.evidence, x.length, curve.minimal, curve.demands, x.adversary)
        for x in curve.points
    ]
    if curve.complete:
        return claims
    over = {} if curve.demands is None else {"demands": curve.demands.text}
    bound = curve.load_bound
    claims.append(
        ADVERSARY.claim(bound.least_load(), bound.data(), over or _BALANCED, quantity="worst_case_load", source=_CURVE)
    )
    for x in curve.points:
        least, line = curve.length_bound(x.load)
        if x.adversary is None and line is not None:
            within = {"worst_case_load": fraction_to_text(x.load)}
            about = {**over, "within": f"worst_case_load <= {within['worst_case_load']}"}
            data = {**line.data(), "within": within}
            claims.append(ADVERSARY.claim(least, data, about, quantity="average_path_length", source=_CURVE))
    return claims


def point_claim(
    routing: Routing, worst: WorstCase, length: Fraction, minimal: Fraction, *, demands: DemandSet | None = None
) -> Claim:
    """A routing as a point beside the curve: it has this worst-case load and this average path length.

    ``demands``: the set of the worst case, None for permutations."""
    own = worst_case_claims(worst)[0].evidence
    return _point(describe_routing(routing), worst.load, {own.kind: own.data}, length, minimal, demands)


def _point(
    routing: Mapping[str, Any],
    load: Fraction,
    worst: Mapping[str, Any],
    length: Fraction,
    minimal: Fraction,
    demands: DemandSet | None,
    adversary: Bound | None = None,
) -> Claim:
    """``worst``: {kind of evidence: its data}; ``adversary``: what proves that paths are not shorter, if they cannot
    be."""
    within = {"worst_case_load": fraction_to_text(load)}
    lengths = {"average": fraction_to_text(length), "minimal": fraction_to_text(minimal)}
    data = {"routing": routing, "within": within, "reached": {**worst, "path-length": lengths}}
    over = {} if demands is None else {"demands": demands.text}
    about = {**over, "within": f"worst_case_load <= {within['worst_case_load']}"}
    kind = REACHED
    if adversary is not None:
        kind, data["adversary"] = OPTIMUM, {**adversary.data(), "within": within}
    return kind.claim(length, data, about, quantity="average_path_length", source=_CURVE)


def average_case_claims(design: AverageCaseDesign, capacity: Claim | None) -> list[Claim]:
    """The mean throughput on a fresh sample and on the one that was optimised, as fractions of capacity where it is
    known; then worst case, capacity and path length of the routing, proved."""
    claims = _averages(design, design.model, capacity)
    claims += worst_case_claims(worst_case(design.routing))
    return [*claims, *([] if capacity is None else [capacity]), *path_length_claims(design.length, design.minimal)]


def average_curve_claims(curve: AverageCurve, points: Sequence[CurvePoint], capacity: Claim | None) -> list[Claim]:
    """For every point of the curve and every named routing: its average case on both samples, and its path length and
    worst case, exactly; then the capacity."""
    claims: list[Claim] = []
    for k, one in enumerate([*curve.points, *points]):
        described = describe_routing(one.routing)
        if k < len(curve.points):
            described = {**described, "spec": f"designed {k}"}
        named = {"routing": str(described.get("spec"))}
        claims += _averages(one, curve.model, capacity, named, described)
        claims.append(point_claim(one.routing, worst_case(one.routing), one.length, curve.minimal))
    return claims if capacity is None else [*claims, capacity]


def _averages(
    made: AverageCaseDesign | CurvePoint,
    model: str,
    capacity: Claim | None,
    named: Mapping[str, str] = MappingProxyType({}),
    routing: Mapping[str, object] | None = None,
) -> list[Claim]:
    known = _number(capacity)
    scale = None if known is None else float(known)
    return [
        average_case_claim(x, model=model, capacity=scale, about={"sample": sample, **named}, routing=routing)
        for x, sample in ((made.fresh, "fresh"), (made.inside, "optimised"))
    ]
