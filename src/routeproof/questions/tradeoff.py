"""Path length against throughput over all oblivious routings, with routings beside the curve.

Against the worst case the curve is exact; against the average case it is a row of designed routings, sampled.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from .answer import ALONE, RoutingAnswer, Setting, Shown, exact_value, timed
from .given import Given
from .question import Option, Question, Verb, flag, option, question, spelled
from .shared import DEMANDS, JSON_REPORT, TIME_LIMIT, TOPOLOGY, seconds

if TYPE_CHECKING:
    from fractions import Fraction

    from ..core.claim import Claim
    from ..core.network import Network
    from ..optimum.average_case import AverageCurve, CurvePoint
    from ..optimum.curve import Tradeoff as Curve
    from ..routing.base.routing import Routing
    from ..worst.scan.exact import WorstCase
    from .given_demands import GivenDemands

_EIGHTHS = 8
_LITERATURE = ("dor", "valiant", "romm", "o1turn", "rlb", "rlbth", "ival", "u2turn", "w2turn", "wrd", "2turn")
_ROUTINGS = Option(
    value="ROUTING",
    text="Show this routing beside the curve; several times.",
    names=("--routing", "-r"),
    kind=list[str] | None,
    python="Routings that are shown beside the curve.",
)
_BETWEEN = Option(
    value="A..B",
    text="Show the interpolations of two routings, such as dor..ival, in steps of an eighth; several times.",
    kind=list[str] | None,
    python="Pairs of routings whose interpolations are shown, in steps of an eighth.",
)
_CHECKPOINT = Option(value="FILE", text="Keep every solved program there; continue where it stopped.")
_MODEL = Option(value="MODEL", text="Average case: as in design.", name="traffic_model", kind=str | None)
_SAMPLES = Option(value="N", text="Average case: how many random matrices (100).", kind=int | None)
_SEED = Option(value="S", text="Average case: the seed of the sample (0).", kind=int | None)
_POINTS = Option(value="N", text="Average case: how many points of the curve (9).", name="points", kind=int | None)


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

    shown = Shown("terminal.designed:tradeoff_parts", figure="figures.tradeoff:tradeoff_figure", on_page=True)

    curve: Curve
    points: Sequence[NamedPoint]
    lines: Sequence[Sequence[NamedPoint]]
    capacity: Fraction | None


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AverageTradeoffAnswer(RoutingAnswer):
    """The points of ``curve``, and routings beside it; as in ``TradeoffAnswer``."""

    shown = Shown("terminal.designed:average_tradeoff_parts", figure="figures.tradeoff:tradeoff_figure", on_page=True)

    curve: AverageCurve
    points: Sequence[CurvePoint]
    lines: Sequence[Sequence[CurvePoint]]
    capacity: Fraction | None


@question
class Curves(Question[Any]):
    """What both curves share."""

    long = "asked"

    network: Network = spelled(TOPOLOGY)
    routings: Sequence[Routing] = spelled(_ROUTINGS, default=())
    _: KW_ONLY
    between: Sequence[tuple[Routing, Routing]] = spelled(_BETWEEN, default=())

    @property
    def title(self) -> str:
        return f"path length against throughput on {self.network.name}"


@question
class Tradeoff(Curves):
    """The exact curve of average path length against worst-case load: no oblivious routing is below it.

    Where the time is over, or somebody interrupts, it is between what routings reach and lines that none is below.

        >>> import routeproof as rp
        >>> net = rp.mesh(2, 2)
        >>> rp.tradeoff(net, [rp.DOR().on(net)]).corners
        [(Fraction(1, 1), Fraction(1, 1))]

    Source: Towles, Dally & Boyd 2003 (SPAA), eq. 10 and Figure 1.  Raises InputError for networks that are too large or
    not connected, and for sets that are not limited by terminals or pairs.
    """

    function = "tradeoff"

    _: KW_ONLY
    demands: GivenDemands = spelled(DEMANDS, default=None)
    checkpoint: str | None = spelled(_CHECKPOINT, default=None)
    time_limit: float | None = spelled(TIME_LIMIT, default=None)

    @timed
    def answer(self, setting: Setting = ALONE) -> TradeoffAnswer:
        from ..core.vocabulary import is_factor
        from ..demand_sets.demand_set import SETS
        from ..formats.demands.description import demands_subject
        from ..machine.deadlines import Deadline
        from ..optimum.claims import corner_claims, point_claim
        from ..optimum.tradeoff import worst_case_tradeoff
        from ..worst.locality import average_path_length, minimal_average
        from ..worst.over import worst_over
        from .designing import capacity_claim
        from .given_demands import bound_to

        network, checkpoint, deadline = self.network, self.checkpoint, Deadline(self.time_limit)
        if checkpoint is not None and setting.engine is not None:
            raise InputError("--checkpoint is for one process; --run DIRECTORY keeps the work of several")
        demands, lines = bound_to(network, self.demands), [interpolations(*pair) for pair in self.between]
        over = None if demands is None else demands.transport
        if demands is not None and over is None:
            sets = ", ".join(x.usage for x in SETS.own.values() if x.limits)
            raise InputError(f"the curve over {demands.text} is not available; {sets} or several were expected")
        capacity = capacity_claim(network, seconds=self.time_limit)
        minimal = minimal_average(network)
        beside: list[tuple[Routing, WorstCase]] = []
        of_points: list[Claim] = []

        def judged(routing: Routing) -> NamedPoint:
            worst, length = worst_over(routing, over), average_path_length(routing)
            of_points.append(point_claim(routing, worst, length, minimal, demands=over))
            beside.append((routing, worst))
            return NamedPoint(routing.name, worst.load, length)

        points = tuple(map(judged, self.routings))
        along = tuple(tuple(map(judged, line)) for line in lines)
        with setting.stage("programs and corners") as progress:
            curve = worst_case_tradeoff(
                network, checkpoint=checkpoint, engine=setting.engine, progress=progress, demands=over, beside=beside,
                time_limit=deadline.left(0.0),
            )  # fmt: skip
        claims = [*corner_claims(curve), *of_points]
        claims += [] if capacity is None else [capacity]
        known = exact_value(capacity) if over is None or not is_factor({"demands": over.text}) else None
        return TradeoffAnswer(
            routing=curve.points[0].routing, topology=setting.topology, stated=claims,
            more={"kind": "tradeoff", "tradeoff": "worst-case", **demands_subject(over)}, curve=curve, points=points,
            lines=along, capacity=known, beside=[*self.routings, *(x for line in lines for x in line)],
        )  # fmt: skip


@question
class AverageTradeoff(Curves):
    """Designed routings, from the best average case to the shortest paths: SAMPLED.

        >>> import routeproof as rp
        >>> curve = rp.average_tradeoff(rp.mesh(2, 2), samples=3, num_points=2)
        >>> curve.claims()[0].grade.value
        'SAMPLED'

    All else, also errors, as in ``tradeoff``.  Source: Towles, Dally & Boyd 2003 (SPAA), Figure 6.
    """

    _: KW_ONLY
    model: str = spelled(_MODEL, default="permutation")
    samples: int = spelled(_SAMPLES, default=100)
    seed: int = spelled(_SEED, default=0)
    num_points: int = spelled(_POINTS, default=9)

    function = "average_tradeoff"

    @timed
    def answer(self, setting: Setting = ALONE) -> AverageTradeoffAnswer:
        from ..optimum.average_case import average_case_tradeoff, judge_average
        from ..optimum.claims import average_curve_claims
        from .designing import capacity_claim

        network, routings, lines = self.network, self.routings, [interpolations(*pair) for pair in self.between]
        capacity = capacity_claim(network)
        with setting.stage("points") as progress:
            curve = average_case_tradeoff(
                network,
                model=self.model,
                count=self.samples,
                seed=self.seed,
                num_points=self.num_points,
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


@question
class TradeoffVerb(Verb):
    """The curve of average path length against throughput over all oblivious routings: exact in the worst case.

    For example: routeproof tradeoff torus:6x6 --against worst-case --routing dor --routing ival --plot curve.svg
    or, for few flows at a time: routeproof tradeoff torus:6x6 --against worst-case --demands sparse:6
    """

    verb, place, long = "tradeoff", 100, "asked"
    panel = "Best possible"

    topology: str = spelled(TOPOLOGY, init=False)
    against: str = option(
        None, "What path length is traded for.", init=False, choices=("worst-case", "average-case"), required=True
    )
    demands: list[str] | None = spelled(DEMANDS, init=False)
    routing: list[str] | None = spelled(_ROUTINGS, init=False)
    named: bool = flag("Show the algorithms of the literature that the network has.", "--named", init=False)
    between: list[str] | None = spelled(_BETWEEN, init=False)
    checkpoint: str | None = spelled(_CHECKPOINT, init=False)
    time_limit: float | None = spelled(TIME_LIMIT, init=False)
    traffic_model: str | None = spelled(_MODEL, init=False)
    samples: int | None = spelled(_SAMPLES, init=False)
    seed: int | None = spelled(_SEED, init=False)
    points: int | None = spelled(_POINTS, init=False)
    json: str | None = spelled(JSON_REPORT, init=False)
    plot: str | None = option("FILE", "Draw the curve: .svg, .png or .pdf.", init=False)

    @classmethod
    def read(cls, given: Given) -> Question[Any]:
        exact = given["against"] == "worst-case"
        if given["demands"] and not exact:
            raise InputError("--demands is for --against worst-case; --traffic-model says what the average case draws")
        sampling = {x: given[x] for x in ("traffic_model", "samples", "seed", "points") if given[x] is not None}
        for name in sampling if exact else ():
            raise InputError(
                f"--{name.replace('_', '-')} is for --against average-case; the curve of the worst case is exact"
            )
        if given["checkpoint"] is not None and not exact:
            raise InputError(
                "--checkpoint is for --against worst-case; --run DIRECTORY keeps the points of the average case"
            )
        if given["time_limit"] is not None and not exact:
            raise InputError("--time-limit is for --against worst-case; fewer --points take less time")
        seconds(given, given["time_limit"])
        network = given.network
        between = [_pair(given, text) for text in given["between"] or ()]
        routings = _chosen(given, given["routing"] or [])
        if exact:
            demands = given["demands"] or None
            own = {x: given[x] for x in ("checkpoint", "time_limit")}
            return Tradeoff(network, routings, between=between, demands=demands, **own)
        names = {"traffic_model": "model", "points": "num_points"}
        return AverageTradeoff(
            network, routings, between=between, **{names.get(x, x): value for x, value in sampling.items()}
        )


def _pair(given: Given, text: str) -> tuple[Routing, Routing]:
    """The routings of ``A..B``."""
    first, dots, last = text.partition("..")
    if not dots or not first.strip() or not last.strip():
        raise InputError(f"--between is '{text[:40]}'; two routings were expected, as in dor..ival")
    return given.routing(first), given.routing(last)


def _chosen(given: Given, texts: list[str]) -> list[Routing]:
    found = [given.routing(text) for text in texts]
    for name in _LITERATURE if given["named"] else ():
        if name not in texts:
            with contextlib.suppress(InputError):  # it is for other networks
                found.append(given.routing(name))
    return found


def interpolations(first: Routing, last: Routing) -> list[Routing]:
    """Two routings and their mixtures in steps of an eighth, from the one to the other.

    Source: Towles, Dally & Boyd 2003 (SPAA), eq. 11.
    """
    from fractions import Fraction

    from ..routing.base.mixture import Mixture

    shares = [Fraction(k, _EIGHTHS) for k in range(1, _EIGHTHS)]
    return [first, *(Mixture([(1 - x, first), (x, last)]) for x in shares), last]
