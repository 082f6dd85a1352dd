"""Path length against average-case throughput: the best routing of a sample for a series of bounds on the path length.

Source: Towles, Dally & Boyd 2003 (SPAA), eq. (15) and Figure 6.  Every bound is a piece of work of its own, so that
several processes share them and a run that was killed goes on (``engine``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from ..core.network import Network
from ..core.spread import Progress
from ..routing.base.routing import Routing
from ..routing.named.described import describe_routing, routing_from_description
from ..topologies.traffic_models import sample_traffic
from ..worst.average import AverageThroughput, average_case
from ..worst.locality import average_path_length
from ..worst.scan.exact import worst_case
from ..worst.scan.spread import network_described, network_made_again
from .average_case import AverageCaseDesign, design_average_case

if TYPE_CHECKING:
    from ..engine import Engine


@dataclass(frozen=True, eq=False)
class CurvePoint:
    """A designed ``routing`` with an average path length of ``length`` hops, no more than asked for; its mean
    throughput in the sample that it was made for (``inside``, no interval) and on another one (``fresh``)."""

    routing: Routing
    length: Fraction
    inside: AverageThroughput
    fresh: AverageThroughput


@dataclass(frozen=True, eq=False)
class AverageCurve:
    """``points`` from the best average case to the shortest paths; ``model``, ``count``, ``seed``: the sample."""

    network: Network
    minimal: Fraction
    model: str
    count: int
    seed: int
    points: list[CurvePoint]


def average_case_tradeoff(
    network: Network,
    *,
    model: str = "permutation",
    count: int = 100,
    seed: int = 0,
    num_points: int = 9,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> AverageCurve:
    """Solve for ``num_points`` bounds, evenly spaced from the length that the best average case needs down to 1.

    ``engine``: who does the pieces; by default this process, one after the other.  ``progress(done, total)``: in
    points.  Other options as in ``design_average_case``.  Raises InputError as that does.
    """
    if num_points < 2:
        raise InputError(f"the curve has {num_points} points; at least 2 were expected")
    options: dict[str, Any] = {"model": model, "count": count, "seed": seed}
    best = design_average_case(network, shortest=True, **options)
    if progress is not None:
        progress(1, num_points)
    longest = best.length / best.minimal
    bounds = [longest - (longest - 1) * Fraction(k, num_points - 1) for k in range(1, num_points)]
    bounds = [x.limit_denominator(10**6) if x > 1 else x for x in bounds] if longest > 1 else []
    points = [_point(best)]
    if engine is not None:
        points += _solved_by(engine, network, bounds, options, progress)
        bounds = []
    for bound in bounds:
        points.append(_point(design_average_case(network, path_length=bound, **options)))
        if progress is not None:
            progress(len(points), len(bounds) + 1)
    return AverageCurve(network, best.minimal, model, count, seed, points)


def solve_bound(subject: Mapping[str, Any], path_length: Fraction, options: Mapping[str, Any]) -> dict[str, Any]:
    """One piece: the best average case within a bound, as plain data; ``subject``: of ``network_described``."""
    design = design_average_case(network_made_again(subject), path_length=path_length, **options)
    inside, fresh = ({**asdict(x), "normal": list(x.normal)} for x in (design.inside, design.fresh))
    return {"routing": describe_routing(design.routing), "length": design.length, "inside": inside, "fresh": fresh}


def _solved_by(
    engine: Engine,
    network: Network,
    bounds: Sequence[Fraction],
    options: Mapping[str, Any],
    progress: Progress | None,
) -> Iterator[CurvePoint]:
    from ..engine import Work

    work = Work(
        "bounds on path length",
        solve_bound,
        {str(x): {"path_length": x} for x in bounds},
        shared={"subject": network_described(network), "options": dict(options)},
        seconds=5.0 * len(bounds),
    )
    results = engine.run(work, progress=progress)
    for bound in bounds:
        data = results[str(bound)]
        routing = routing_from_description(data["routing"], network)
        averages = ({**data[x], "normal": tuple(data[x]["normal"])} for x in ("inside", "fresh"))
        yield CurvePoint(routing, data["length"], *(AverageThroughput(**x) for x in averages))


def _point(design: AverageCaseDesign) -> CurvePoint:
    return CurvePoint(design.routing, design.length, design.inside, design.fresh)


def judge_average(curve: AverageCurve, routings: Sequence[Routing]) -> list[CurvePoint]:
    points = []
    for routing in routings:
        worst = worst_case(routing).load
        inside, fresh = (
            average_case(
                routing, sample_traffic(curve.network, curve.model, count=curve.count, seed=seed, ends=routing),
                seed=seed, worst_load=worst,
            )[0]
            for seed in (curve.seed, curve.seed + 1)
        )  # fmt: skip
        points.append(CurvePoint(routing, average_path_length(routing), inside.own(), fresh))
    return points
