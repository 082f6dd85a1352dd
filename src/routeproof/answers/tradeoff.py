"""Path length against throughput over all oblivious routings, with routings beside the curve.

Against the worst case the curve is exact; against the average case it is a row of designed routings, sampled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..core.errors import InputError
from ..core.network import Network
from ..core.vocabulary import is_factor
from ..demand_sets.demand_set import DemandSet
from ..formats.demands.description import demands_subject
from ..optimum.average_tradeoff import AverageCurve, CurvePoint, average_case_tradeoff, judge_average
from ..optimum.claims import average_curve_claims, corner_claims, point_claim
from ..optimum.tradeoff import Tradeoff, worst_case_tradeoff
from ..questions.answer import ALONE, RoutingAnswer, Setting, exact_value, timed
from ..routing.base.mixture import Mixture
from ..routing.base.routing import Routing
from ..worst.locality import average_path_length
from ..worst.over import worst_over
from .design import capacity_claim

_EIGHTHS = 8


@dataclass(frozen=True)
class NamedPoint:
    """A routing beside the curve: worst-case load and average path length in hops."""

    name: str
    load: Fraction
    length: Fraction


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TradeoffAnswer(RoutingAnswer):
    """The corners of ``curve``, and routings beside it: ``points`` alone, ``lines`` of them as interpolations.

    ``capacity``: of the network, None where no method settles it, or where throughput is a factor on given rates.  The
    subject is the routing of the first corner.
    """

    curve: Tradeoff
    points: Sequence[NamedPoint]
    lines: Sequence[Sequence[NamedPoint]]
    capacity: Fraction | None


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AverageTradeoffAnswer(RoutingAnswer):
    """The points of ``curve``, and routings beside it; as in ``TradeoffAnswer``."""

    curve: AverageCurve
    points: Sequence[CurvePoint]
    lines: Sequence[Sequence[CurvePoint]]
    capacity: Fraction | None


@timed
def answer_tradeoff(
    network: Network,
    routings: Sequence[Routing] = (),
    *,
    lines: Iterable[Sequence[Routing]] = (),
    checkpoint: str | None = None,
    demands: DemandSet | None = None,
    setting: Setting = ALONE,
) -> TradeoffAnswer:
    """The curve of average path length against worst-case load: no oblivious routing is below it.

    ``routings``, ``lines``: shown beside it; ``checkpoint``: as in ``design.tradeoff``; ``demands``: the set of the
    worst case, None for permutations.  Raises InputError for networks that are too large
    or not connected, and for sets that are not limited by terminals or pairs.
    """
    over = None if demands is None else demands.transport
    if demands is not None and over is None:
        raise InputError(
            f"the curve over {demands.text} is not available; permutations, hose:FILE, sparse:16, within:JOBS, "
            f"pairs:FILE, box:FILE or several of these were expected"
        )
    capacity = capacity_claim(network)
    with setting.stage("programs and corners") as progress:
        curve = worst_case_tradeoff(
            network, checkpoint=checkpoint, engine=setting.engine, progress=progress, demands=over
        )
    claims = corner_claims(curve)

    def judged(routing: Routing) -> NamedPoint:
        worst, length = worst_over(routing, over), average_path_length(routing)
        claims.append(point_claim(routing, worst, length, curve.minimal, demands=over))
        return NamedPoint(routing.name, worst.load, length)

    lines = list(lines)
    points = tuple(map(judged, routings))
    along = tuple(tuple(map(judged, line)) for line in lines)
    claims += [] if capacity is None else [capacity]
    known = exact_value(capacity) if over is None or not is_factor({"demands": over.text}) else None
    return TradeoffAnswer(
        routing=curve.points[0].routing, topology=setting.topology, stated=claims,
        more={"kind": "tradeoff", "tradeoff": "worst-case", **demands_subject(over)}, curve=curve, points=points,
        lines=along, capacity=known, beside=[*routings, *(x for line in lines for x in line)],
    )  # fmt: skip


@timed
def answer_average_tradeoff(
    network: Network,
    routings: Sequence[Routing] = (),
    *,
    lines: Sequence[Sequence[Routing]] = (),
    model: str = "permutation",
    samples: int = 100,
    seed: int = 0,
    num_points: int = 9,
    setting: Setting = ALONE,
) -> AverageTradeoffAnswer:
    """``num_points`` designed routings from the best average case to the shortest paths.

    ``model``, ``samples``, ``seed``: as in ``design_average_case``; all else as in ``answer_tradeoff``.
    """
    capacity = capacity_claim(network)
    with setting.stage("points") as progress:
        curve = average_case_tradeoff(
            network,
            model=model,
            count=samples,
            seed=seed,
            num_points=num_points,
            engine=setting.engine,
            progress=progress,
        )
    every = judge_average(curve, [*routings, *(x for line in lines for x in line)])
    claims = average_curve_claims(curve, every, capacity)
    points, rest = every[: len(routings)], iter(every[len(routings) :])
    along = [[next(rest) for _ in line] for line in lines]
    return AverageTradeoffAnswer(
        routing=curve.points[0].routing, topology=setting.topology, stated=claims,
        more={"kind": "tradeoff", "tradeoff": "average-case"}, curve=curve, points=points, lines=along,
        capacity=exact_value(capacity), beside=[*routings, *(x for line in lines for x in line)],
    )  # fmt: skip


def interpolations(first: Routing, last: Routing) -> list[Routing]:
    """Two routings and their mixtures in steps of an eighth, from the one to the other.

    Source: Towles, Dally & Boyd 2003 (SPAA), eq. 11.
    """
    shares = [Fraction(k, _EIGHTHS) for k in range(1, _EIGHTHS)]
    return [first, *(Mixture([(1 - x, first), (x, last)]) for x in shares), last]
