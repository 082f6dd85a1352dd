"""Packets with queues without limit, at rates around the proved throughput: what is proved, and what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any

from ...core.errors import InputError
from ...core.spread import Stage
from ..answer import ALONE, PlainAnswer, Setting, Shown, network_subject, subject_of
from ..given import Given
from ..question import Option, Question, option, parameter, question, spelled
from ..shared import JSON_REPORT, ROUTING, TOPOLOGY, TRAFFICS, Texts

if TYPE_CHECKING:
    from fractions import Fraction

    from ...core.claim import Claim
    from ...core.network import Network
    from ...core.traffic import Traffic
    from ...routing.base.routing import Routing

_AROUND = ("1/2", "4/5", "19/20", "21/20", "5/4")
_ADAPTIVE_RATES = ("1/10", "3/10", "1/2", "7/10", "9/10")
_RATES = Option(
    value="RATE",
    text="Packets per cycle and terminal; may be given several times (default: around the proved throughput).",
    name="rate",
    kind=Texts,
    command_default=None,
    read=lambda _, texts: texts or (),
)
_ORDER = Option(text="Which packet of a queue goes first.", choices=("fifo", "farthest-first"))
_CYCLES = Option(value="N", text="Cycles that are measured.")
_WARM_UP = Option(value="N", text="Cycles before that.")
_SEED = Option(value="S", text="The random seed.")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class LoadAnswer(PlainAnswer):
    """``proved``: of the routing under the traffic, none for adaptive routings; ``sampled``: at every rate."""

    shown = Shown("terminal.simulated:load_parts", figure="figures.curves:load_figure", on_page=True)

    title: str
    proved: Sequence[Claim]
    sampled: Sequence[Claim]


class _Load(Question[LoadAnswer]):
    """What routings and adaptive routings share."""

    rates: Sequence[Fraction | str]
    order: str
    cycles: int
    warm_up: int
    seed: int

    @property
    def _options(self) -> dict[str, Any]:
        return {x: getattr(self, x) for x in ("order", "cycles", "warm_up", "seed")}

    def _answer(
        self, names: Sequence[str], subject: dict[str, Any], proved: Sequence[Claim], sampled: Sequence[Claim]
    ) -> LoadAnswer:
        network, routing, traffic = names
        about, title = {**subject, "kind": "load-simulation"}, f"{network}, {routing}, {traffic} traffic, {self.order}"
        return LoadAnswer(title=title, about=about, stated=[*proved, *sampled], proved=proved, sampled=sampled)


@question
class Load(_Load):
    """Simulate packets with unbounded output queues, at rates around the proved throughput.

    Below it queues stay short; above it they grow without bound.  The throughput is proved, all else is sampled.

    For example: routeproof simulate load torus:8x8 --routing dor --traffic tornado --plot load.svg

        >>> import routeproof as rp
        >>> run = rp.simulate_load(rp.DOR().on(rp.torus(4, 4)), rates=["1/4"], cycles=200, warm_up=50)
        >>> run.value("throughput"), run.value("accepted_rate").trials > 1
        (Fraction(2, 3), True)

    Raises InputError for a rate that is not in 0 < rate <= 1, and a routing without a worst permutation.
    """

    verb, place, function, long = "simulate load", 134, "simulate_load", "asked"

    topology: str = spelled(TOPOLOGY, init=False)
    routing: Routing = spelled(
        replace(ROUTING, text="Any routing, or minimal-adaptive or goal (adaptive, on grids).", complete=None)
    )
    traffic: Traffic | None = spelled(
        replace(
            TRAFFICS,
            text="A pattern, a file, or worst: the routing's worst permutation (the default; adaptive: uniform).",
            kind=str | None,
            complete=None,
            read=lambda given, text: None if text in (None, "worst") else given.traffic(text),
            python="None for the routing's worst permutation.",
        ),
        default=None,
    )
    _: KW_ONLY
    rates: Sequence[Fraction | str] = spelled(_RATES, default=())
    order: str = spelled(_ORDER, default="fifo")
    cycles: int = spelled(_CYCLES, default=8000)
    warm_up: int = spelled(_WARM_UP, default=2000)
    seed: int = spelled(_SEED, default=0)
    json: str | None = spelled(JSON_REPORT, init=False)
    plot: str | None = option("FILE", "Accepted against offered: .svg, .png or .pdf.", init=False)

    @classmethod
    def read(cls, given: Given) -> Question[Any]:
        from ...simulate.load.queueing import ADAPTIVE

        routing, traffic = given["routing"], given["traffic"]
        if routing is None:
            raise InputError("no routing is given: add --routing dor, say, or minimal-adaptive or goal (adaptive)")
        for text in given["rate"] or ():
            check_rate(text)
        if routing not in ADAPTIVE:
            return super().read(given)
        if traffic == "worst":
            raise InputError(f"{routing} is adaptive: its worst permutation is not known; name a pattern or a file")
        known = cls.fields_given(given, "routing", "traffic")
        return AdaptiveLoad(given.network, routing, given.traffic(traffic or "uniform"), **known)

    def answer(self, setting: Setting = ALONE) -> LoadAnswer:
        from ...routing.base.worst_hash import check_followed
        from ...simulate.load.study import oblivious_runs

        routing = self.routing
        check_followed(routing, "a simulation")
        rates = [check_rate(x) for x in self.rates]
        given, worst = (self.traffic, []) if self.traffic is not None else worst_traffic_of(routing, setting.stage)
        with setting.stage("cycles") as progress:
            proved, sampled = oblivious_runs(
                routing, given, rates=rates, around=_fractions(_AROUND), progress=progress, engine=setting.engine,
                **self._options,
            )  # fmt: skip
        names = (routing.network.name, routing.name, given.name)
        return self._answer(names, subject_of(routing, topology=setting.topology), [*proved, *worst], sampled)


@question
class AdaptiveLoad(_Load):
    """As ``simulate_load`` for an adaptive routing, "minimal-adaptive" or "goal", of which nothing is proved.

    >>> import routeproof as rp
    >>> net = rp.torus(4, 4)
    >>> uniform = rp.traffic("uniform", net)
    >>> run = rp.simulate_adaptive_load(net, "goal", uniform, rates=["1/4"], cycles=200, warm_up=50)
    >>> {x.grade.value for x in run.claims()}
    {'SAMPLED'}
    """

    function, long = "simulate_adaptive_load", "asked"

    network: Network = spelled(TOPOLOGY)
    routing: str = parameter('"minimal-adaptive" or "goal".')
    traffic: Traffic = parameter("Between the network's terminals.")
    _: KW_ONLY
    rates: Sequence[Fraction | str] = spelled(_RATES, default=())
    order: str = spelled(_ORDER, default="fifo")
    cycles: int = spelled(_CYCLES, default=8000)
    warm_up: int = spelled(_WARM_UP, default=2000)
    seed: int = spelled(_SEED, default=0)

    @property
    def title(self) -> str:
        return f"{self.routing} on {self.network.name}"

    def answer(self, setting: Setting = ALONE) -> LoadAnswer:
        from ...simulate.load.study import adaptive_runs

        network, routing, traffic = self.network, self.routing, self.traffic
        with setting.stage("cycles") as progress:
            sampled = adaptive_runs(
                network, routing, traffic, [check_rate(x) for x in self.rates or _ADAPTIVE_RATES], progress=progress,
                engine=setting.engine, **self._options,
            )  # fmt: skip
        subject = {**network_subject(network, topology=setting.topology), "routing": {"adaptive": routing}}
        return self._answer((network.name, routing, traffic.name), subject, [], sampled)


def _fractions(texts: Sequence[str]) -> list[Fraction]:
    from fractions import Fraction

    return [Fraction(x) for x in texts]


def check_rate(given: Fraction | str) -> Fraction:
    """The rate, also from a text; raises InputError for one that no terminal can send at."""
    from ...core.rational import parse_fraction

    rate = parse_fraction(given, what="--rate")
    if not 0 < rate <= 1:
        raise InputError(f"--rate is {rate}; more than 0 and at most 1 packet per cycle was expected")
    return rate


def worst_traffic_of(routing: Routing, step: Stage) -> tuple[Traffic, list[Claim]]:
    """The routing's worst permutation, and the claims that it is."""
    from ...core.traffic import Traffic
    from ...worst.scan.evidence import worst_case_claims
    from ...worst.scan.exact import worst_case

    with step("worst case") as progress:
        found = worst_case(routing, progress=progress)
    if found.permutation is None:
        raise InputError(f"{routing.name} has no worst permutation on {routing.network.name}; name a pattern or a file")
    return Traffic.of_permutation(found.permutation, name="worst"), worst_case_claims(found)
