"""Path length against throughput over all oblivious routings: the exact curve, with routings beside it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..core.claim import Claim
from ..core.network import Network
from ..core.stage import Stage, silent
from ..routing.base.mixture import Mixture
from ..routing.base.routing import Routing
from .answer import Answer
from .design.answer import known_capacity
from .subject import subject_of

if TYPE_CHECKING:
    from ..design.tradeoff import Tradeoff
    from ..engine import Engine

__all__ = ["NamedPoint", "TradeoffAnswer", "answer_tradeoff", "interpolations"]

_EIGHTHS = 8


@dataclass(frozen=True)
class NamedPoint:
    """A routing beside the curve: worst-case load and average path length in hops."""

    name: str
    load: Fraction
    length: Fraction


@dataclass(frozen=True, eq=False)
class TradeoffAnswer(Answer):
    """The corners of ``curve``, and routings beside it: ``points`` alone, ``lines`` of them as interpolations.

    ``capacity``: of the network, None where no method settles it; ``topology``: what the user typed, for people;
    ``seconds``: how long it took.
    """

    curve: Tradeoff
    points: Sequence[NamedPoint]
    lines: Sequence[Sequence[NamedPoint]]
    capacity: Fraction | None
    topology: str
    stated: Sequence[Claim]
    seconds: float

    @property
    def subject(self) -> dict[str, Any]:
        best = self.curve.points[0].routing
        return {**subject_of(best, topology=self.topology), "kind": "tradeoff", "tradeoff": "worst-case"}

    def claims(self) -> Sequence[Claim]:
        return self.stated


def answer_tradeoff(
    network: Network,
    routings: Sequence[Routing] = (),
    *,
    lines: Sequence[Sequence[Routing]] = (),
    topology: str | None = None,
    checkpoint: str | None = None,
    engine: Engine | None = None,
    stage: Stage | None = None,
) -> TradeoffAnswer:
    """The curve of average path length against worst-case load: no oblivious routing is below it.

    ``routings``, ``lines``: shown beside it; ``checkpoint``, ``engine``: as in ``design.tradeoff``; ``topology`` and
    ``stage`` as in ``answer_worst_case``.  Raises InputError where the solver is missing, and for networks that are too
    large or not connected.
    """
    from ..analysis.locality import average_path_length
    from ..analysis.worst_case.exact import worst_case
    from ..design.program.linear import check_solver
    from ..design.tradeoff import worst_case_tradeoff
    from ..design.tradeoff_claims import corner_claims, point_claim

    start = time.perf_counter()
    check_solver()
    known = known_capacity(network)
    with (stage or silent)("programs and corners") as progress:
        curve = worst_case_tradeoff(network, checkpoint=checkpoint, engine=engine, progress=progress)
    claims = corner_claims(curve)

    def judged(routing: Routing) -> NamedPoint:
        worst, length = worst_case(routing), average_path_length(routing)
        claims.append(point_claim(routing, worst, length, curve.minimal))
        return NamedPoint(routing.name, worst.load, length)

    points = tuple(map(judged, routings))
    along = tuple(tuple(map(judged, line)) for line in lines)
    claims += [] if known is None else [known]
    named = topology or network.spec or network.name
    seconds = time.perf_counter() - start
    return TradeoffAnswer(curve, points, along, value_of(known), named, claims, seconds)


def value_of(capacity: Claim | None) -> Fraction | None:
    """The number of a claim about capacity; None where there is none."""
    return capacity.value if capacity is not None and isinstance(capacity.value, Fraction) else None


def interpolations(first: Routing, last: Routing) -> list[Routing]:
    """Two routings and their mixtures in steps of an eighth, from the one to the other.

    Source: Towles, Dally & Boyd 2003 (SPAA), eq. 11.
    """
    shares = [Fraction(k, _EIGHTHS) for k in range(1, _EIGHTHS)]
    return [first, *(Mixture([(1 - x, first), (x, last)]) for x in shares), last]
