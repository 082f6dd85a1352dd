"""Packets with queues without limit, at rates around the proved throughput: what is proved, and what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...core.claim import Claim
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import parse_fraction
from ...core.spread import Stage
from ...core.traffic import Traffic
from ...routing.base.routing import Routing
from ...routing.base.worst_hash import check_followed
from ...simulate.load.study import adaptive_runs, oblivious_runs
from ...worst.scan.evidence import worst_case_claims
from ...worst.scan.exact import worst_case
from ..answer import ALONE, PlainAnswer, Setting, network_subject, subject_of

if TYPE_CHECKING:
    pass

_AROUND = (Fraction(1, 2), Fraction(4, 5), Fraction(19, 20), Fraction(21, 20), Fraction(5, 4))
_ADAPTIVE_RATES = tuple(Fraction(k, 10) for k in (1, 3, 5, 7, 9))


@dataclass(frozen=True)
class LoadSettings:
    """``order``: which packet of a queue goes first, "fifo" or "farthest-first"; ``cycles`` are measured, after
    ``warm_up``; ``seed``: of all random choices."""

    order: str = "fifo"
    cycles: int = 8000
    warm_up: int = 2000
    seed: int = 0


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class LoadAnswer(PlainAnswer):
    """``proved``: of the routing under the traffic, none for adaptive routings; ``sampled``: at every rate."""

    title: str
    proved: Sequence[Claim]
    sampled: Sequence[Claim]


def answer_load(
    routing: Routing,
    traffic: Traffic | None = None,
    *,
    rates: Sequence[Fraction | str] = (),
    settings: LoadSettings | None = None,
    setting: Setting = ALONE,
) -> LoadAnswer:
    """Packets of ``routing`` under ``traffic`` (None: its worst permutation).

    ``rates``: packets per cycle and terminal (none: around the proved throughput).  Raises InputError for rates
    that are not in 0 < rate <= 1, and a routing without a worst permutation.
    """
    check_followed(routing, "a simulation")
    network, options, step = routing.network, settings or LoadSettings(), setting.stage
    given, worst = (traffic, []) if traffic is not None else worst_traffic_of(routing, step)
    with step("cycles") as progress:
        proved, sampled = oblivious_runs(
            routing, given, rates=[check_rate(x) for x in rates], around=_AROUND, progress=progress,
            engine=setting.engine, **asdict(options),
        )  # fmt: skip
    title = f"{network.name}, {routing.name}, {given.name} traffic, {options.order}"
    return _answer(title, subject_of(routing, topology=setting.topology), [*proved, *worst], sampled)


def answer_adaptive_load(
    network: Network,
    routing: str,
    traffic: Traffic,
    *,
    rates: Sequence[Fraction | str] = (),
    settings: LoadSettings | None = None,
    setting: Setting = ALONE,
) -> LoadAnswer:
    """The same for an adaptive routing by name (``simulate.load.queueing.ADAPTIVE``), of which nothing is proved."""
    options = settings or LoadSettings()
    with setting.stage("cycles") as progress:
        sampled = adaptive_runs(
            network, routing, traffic, [check_rate(x) for x in rates] or _ADAPTIVE_RATES, progress=progress,
            engine=setting.engine, **asdict(options),
        )  # fmt: skip
    title = f"{network.name}, {routing}, {traffic.name} traffic, {options.order}"
    subject = {**network_subject(network, topology=setting.topology), "routing": {"adaptive": routing}}
    return _answer(title, subject, [], sampled)


def _answer(title: str, subject: dict[str, Any], proved: Sequence[Claim], sampled: Sequence[Claim]) -> LoadAnswer:
    about, stated = {**subject, "kind": "load-simulation"}, [*proved, *sampled]
    return LoadAnswer(title=title, about=about, stated=stated, proved=proved, sampled=sampled)


def check_rate(given: Fraction | str) -> Fraction:
    """The rate, also from a text; raises InputError for one that no terminal can send at."""
    rate = parse_fraction(given, what="the rate")
    if not 0 < rate <= 1:
        raise InputError(f"the rate is {rate}; more than 0 and at most 1 packet per cycle was expected")
    return rate


def worst_traffic_of(routing: Routing, step: Stage) -> tuple[Traffic, list[Claim]]:
    """The routing's worst permutation, and the claims that it is."""
    with step("worst case") as progress:
        found = worst_case(routing, progress=progress)
    if found.permutation is None:
        raise InputError(f"{routing.name} has no worst permutation on {routing.network.name}; name a pattern or a file")
    return Traffic.of_permutation(found.permutation, name="worst"), worst_case_claims(found)
