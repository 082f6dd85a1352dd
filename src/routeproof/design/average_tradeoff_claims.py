"""What an average-case curve claims: sampled throughputs of its points and of named routings; exact path lengths."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..analysis.average import average_case, average_case_claim
from ..analysis.locality import average_path_length
from ..analysis.worst_case.exact import worst_case
from ..core.claim import Claim
from ..routing.base.routing import Routing
from ..routing.named.report_entry import describe_routing
from ..topologies.traffic_models import sample_traffic
from .average_tradeoff import AverageCurve, CurvePoint
from .tradeoff_claims import point_claim

__all__ = ["average_curve_claims", "judge_average"]


def judge_average(curve: AverageCurve, routings: Sequence[Routing]) -> list[CurvePoint]:
    """Every routing on the two samples of the curve."""
    samples = [
        (sample_traffic(curve.network, curve.model, count=curve.count, seed=seed), seed)
        for seed in (curve.seed, curve.seed + 1)
    ]
    points = []
    for routing in routings:
        worst = worst_case(routing).load
        inside, fresh = (average_case(routing, sample, seed=seed, worst_load=worst)[0] for sample, seed in samples)
        points.append(CurvePoint(routing, average_path_length(routing), inside.own(), fresh))
    return points


def average_curve_claims(curve: AverageCurve, points: Sequence[CurvePoint], capacity: Claim | None) -> list[Claim]:
    """For every point of the curve and every named routing: its average case on both samples, and its path length and
    worst case, exactly; then the capacity."""
    known = float(capacity.value) if capacity is not None and isinstance(capacity.value, Fraction) else None
    claims: list[Claim] = []
    every = [*((f"designed {k}", x) for k, x in enumerate(curve.points)), *((x.routing.name, x) for x in points)]
    for name, one in every:
        described = describe_routing(one.routing)
        label = name if name != one.routing.name else str(described.get("spec"))
        described = described if name == one.routing.name else {**described, "spec": label}
        for sample, interval in (("fresh", one.fresh), ("optimised", one.inside)):
            about = {"sample": sample, "routing": label}
            claims.append(
                average_case_claim(interval, model=curve.model, capacity=known, about=about, routing=described)
            )
        claims.append(point_claim(one.routing, worst_case(one.routing), one.length, curve.minimal))
    return claims if capacity is None else [*claims, capacity]
