"""Path length against average-case throughput, sampled: a curve of designed routings, with others beside it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..core.claim import Claim
from ..core.network import Network
from ..core.stage import Stage, silent
from ..routing.base.routing import Routing
from .answer import Answer
from .design.answer import known_capacity
from .subject import subject_of
from .tradeoff import value_of

if TYPE_CHECKING:
    from ..design.average_tradeoff import AverageCurve, CurvePoint
    from ..engine import Engine

__all__ = ["AverageTradeoffAnswer", "answer_average_tradeoff"]


@dataclass(frozen=True, eq=False)
class AverageTradeoffAnswer(Answer):
    """The points of ``curve``, and routings beside it; as in ``TradeoffAnswer``."""

    curve: AverageCurve
    points: Sequence[CurvePoint]
    lines: Sequence[Sequence[CurvePoint]]
    capacity: Fraction | None
    topology: str
    stated: Sequence[Claim]
    seconds: float

    @property
    def subject(self) -> dict[str, Any]:
        best = self.curve.points[0].routing
        return {**subject_of(best, topology=self.topology), "kind": "tradeoff", "tradeoff": "average-case"}

    def claims(self) -> Sequence[Claim]:
        return self.stated


def answer_average_tradeoff(
    network: Network,
    routings: Sequence[Routing] = (),
    *,
    lines: Sequence[Sequence[Routing]] = (),
    model: str = "permutation",
    samples: int = 100,
    seed: int = 0,
    num_points: int = 9,
    topology: str | None = None,
    engine: Engine | None = None,
    stage: Stage | None = None,
) -> AverageTradeoffAnswer:
    """``num_points`` designed routings from the best average case to the shortest paths.

    ``model``, ``samples``, ``seed``: as in ``answer_design_average_case``; all else as in ``answer_tradeoff``.
    """
    from ..design.average_tradeoff import average_case_tradeoff
    from ..design.average_tradeoff_claims import average_curve_claims, judge_average
    from ..design.program.linear import check_solver

    start = time.perf_counter()
    check_solver()
    known = known_capacity(network)
    with (stage or silent)("points") as progress:
        curve = average_case_tradeoff(
            network, model=model, count=samples, seed=seed, num_points=num_points, engine=engine, progress=progress
        )
    every = judge_average(curve, [*routings, *(x for line in lines for x in line)])
    claims = average_curve_claims(curve, every, known)
    points, rest = every[: len(routings)], iter(every[len(routings) :])
    along = [[next(rest) for _ in line] for line in lines]
    named = topology or network.spec or network.name
    seconds = time.perf_counter() - start
    return AverageTradeoffAnswer(curve, points, along, value_of(known), named, claims, seconds)
