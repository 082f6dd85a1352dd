"""Several routings on one network, side by side: worst case, uniform traffic, path lengths, deadlock; as claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..core.claim import Claim
from ..core.errors import InputError
from .answer import ALONE, Answer, Setting, Shown, network_subject, used_attributes
from .fabrics.candidates import PLANES, PRICES, RADIX, RAILS, Candidates
from .given import Given
from .question import Question, argument, flag, option, parameter, question, spelled
from .ranked import rank, recommendation
from .shared import DEMANDS, JSON_REPORT, THEME, TOPOLOGY, TRAFFICS, seconds

if TYPE_CHECKING:
    from ..core.network import Network
    from ..core.traffic import Traffic
    from ..demand_sets.demand_set import DemandSet
    from ..routing.base.routing import Routing
    from ..routing.fabrics.service_levels import ServiceLevels
    from .given_demands import GivenDemands


_MOST_SHIFTED = 1_024  # terminals, up to which all shifts are judged unasked


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Comparison(Answer):
    """``by_routing[k]`` are about ``routings[k]``: those of ``answer_worst_case``, and ``deadlock_free``
    (with ``virtual_channels`` where asked for) unless ``unjudged[k]`` says why not.

    ``best``: in words, what is known of the best oblivious routing, where it was asked for; each routing's claims then
    end with ``worst_case_load >=`` that (if it is known).  With it, and over a set of demands, the routings come best
    worst case first; ties go to uniform traffic, then to shorter paths.  ``interrupted``: some were left out.

    ``recommended``: which of them to use, and why, in one sentence; "" where they are not ranked.
    ``levels``: the service levels of some of them, by name; their deadlock freedom is judged with these too.
    ``demands``: over which the worst case is, where not over all permutations.
    """

    shown = Shown(
        "terminal.compare:comparison_parts", figure="figures.curves:compare_figure",
        table="terminal.compare:comparison_table", numbers="terminal.compare:comparison_numbers",
    )  # fmt: skip

    topology: str | None
    routings: tuple[Routing, ...]
    by_routing: tuple[tuple[Claim, ...], ...]
    unjudged: tuple[str | None, ...]
    best: str | None = None
    levels: Mapping[str, ServiceLevels] = field(default_factory=dict)
    demands: DemandSet | None = None
    interrupted: bool = False
    recommended: str = ""

    @property
    def network(self) -> Network:
        return self.routings[0].network

    @property
    def subject(self) -> dict[str, Any]:
        """As ``subject_of``, with ``routings``, by name, in place of ``routing``."""
        from ..formats.demands.description import demands_subject
        from ..routing.named.described import describe_routing, report_name

        routings = {report_name(routing): describe_routing(routing, paths=True) for routing in self.routings}
        network = network_subject(self.network, topology=self.topology, attributes=used_attributes(*self.routings))
        subject = {"kind": "comparison", **network, "routings": routings, **demands_subject(self.demands)}
        if self.levels:
            names = {routing.name: report_name(routing) for routing in self.routings}
            subject["service_levels"] = {names[x]: levels.describe() for x, levels in self.levels.items()}
        return subject


@question
class Compare(Question[Comparison]):
    """Exact worst case, uniform throughput, path length and deadlock freedom of several routings on one network.

    For example: routeproof compare torus:8x8 dor valiant ival rlb
    or: routeproof compare --hosts 1024 --radix 64

    Interrupted, it answers with the routings that were judged, if there are any.

    Raises InputError for no routings, two of one name, several networks, sampled loads, which are no exact numbers, and
    for service levels that fit no routing.
    """

    verb, place, function = "compare", 20, "compare"

    topology: str | None = spelled(
        replace(
            TOPOLOGY,
            value="[TOPOLOGY]",
            kind=str | None,
            text=f"{TOPOLOGY.text} Without one, --hosts and --radix say what is to be built.",
        ),
        default=None,
        init=False,
    )
    routings: Sequence[Routing] = argument(
        "[ROUTING...]",
        "Routings as for worst-case --routing; default: what the network does today and what it could run: ecmp "
        "(Ethernet), OpenSM's engines where installed, what is usual on the topology.",
        kind=list[str] | None,
        command_default=None,
        complete="routing",
        python="Routings on one network.",
    )
    _: KW_ONLY
    demands: GivenDemands = spelled(DEMANDS, default=None)
    traffics: Sequence[Traffic] = spelled(
        replace(
            TRAFFICS,
            text="A column for this traffic, too: a pattern or a file. May be given several times.",
            python="The throughput under these, too.",
        ),
        default=(),
    )
    traffic_model: str | None = option(
        "MODEL",
        "A column for the average case, sampled: permutation, shift, ring or as in worst-case.",
        default=None,
    )
    samples: int = option(
        "N",
        "With --traffic-model: number of random matrices (100).",
        default=100,
        kind=int | None,
        command_default=None,
        read=lambda _, samples: 100 if samples is None else samples,
    )
    seed: int = option(
        "S",
        "With --traffic-model: the seed of the matrices (0).",
        default=0,
        kind=int | None,
        command_default=None,
        read=lambda _, seed: seed or 0,
    )
    virtual_channels: bool = flag(
        "Look for virtual channels that make each routing deadlock-free (default where no routing is named).",
        "--virtual-channels/--no-virtual-channels",
        default=False,
        command_default=None,
        python="Look for virtual channels that make each routing deadlock-free.",
    )
    shifts: bool = flag(
        "A column for the worst of all shifts of the terminals (default where no routing is named).",
        "--shifts/--no-shifts",
        default=False,
        command_default=None,
        python="A column for the worst of all shifts of the terminals, too.",
    )
    opensm: bool | None = flag(
        "Compare the engines of the real OpenSM, too, run in ibsim (default where no routing is named, both are "
        "installed, and there are at most 1,500 switches and hosts).",
        "--opensm/--no-opensm",
        init=False,
        default=None,
    )
    deadlock: bool = flag(
        "Judge whether packets can deadlock on one virtual channel (default).",
        "--deadlock/--no-deadlock",
        default=True,
        command_default=None,
        read=lambda _, asked: asked is not False,
    )
    best: bool = flag(
        "Rank them, and bound the best oblivious routing by a linear program (default for fabrics, and where no "
        "routing is named).",
        "--best/--no-best",
        default=False,
        command_default=None,
        python="Rank them, and bound the best oblivious routing by a linear program.",
    )
    time_limit: float | None = option(
        "SECONDS", "For the linear program of --best; with --radix: in all (60).", default=None, read=seconds
    )
    levels: Mapping[str, ServiceLevels] | None = option(
        "[ROUTING=]FILE",
        "Path records with the service levels of a fabric's tables (saquery -p); may be given for each.",
        default=None,
        name="service_levels",
        kind=list[str] | None,
        python="Service levels, by name of a routing.",
    )
    sl2vl: list[str] | None = option(
        "[ROUTING=]FILE",
        "The tables from service levels to virtual lanes that go with them (opensm-sl2vl.dump).",
        init=False,
        kind=list[str] | None,
    )
    today: str = parameter(
        "By name, the routing that the network has today: it is kept where no other is better.",
        default="",
    )
    radix: int | None = spelled(RADIX, default=None, init=False)
    rails: int | None = spelled(RAILS, default=None, init=False)
    planes: int | None = spelled(PLANES, default=None, init=False)
    prices: str | None = spelled(PRICES, default=None, init=False)
    json: str | None = spelled(JSON_REPORT, init=False)
    csv: str | None = option("FILE", "Write the table for programs; - for standard output.", init=False)
    latex: str | None = option("FILE", "Write the table for LaTeX; - for standard output.", init=False)
    markdown: str | None = option("FILE", "Write the table as Markdown; - for standard output.", init=False)
    plot: str | None = option("FILE", "Draw bars of throughput: .svg, .png or .pdf.", init=False)
    theme: str = spelled(THEME, default="light", init=False)

    @property
    def title(self) -> str:
        return self.routings[0].network.name

    @classmethod
    def read(cls, given: Given) -> Question[Any]:
        if given["topology"] is None:
            return Candidates.asked_by(given)
        for name in ("radix", "rails", "planes", "prices"):
            if given[name] is not None:
                raise InputError(f"--{name} is for topologies to be built: compare --hosts 1024 --radix 64")
        from ..formats.infiniband.fabric import FabricNetwork
        from ..topologies.traffic_models import check_model

        samples, seed = given["samples"], given["seed"]
        if given["traffic_model"] is None and (samples is not None or seed is not None):
            raise InputError(f"{'--seed' if samples is None else '--samples'} goes with --traffic-model")
        own = cls.fields_given(given, "routings", "levels", "best", "shifts", "virtual_channels")
        if given["traffic_model"] is not None:
            check_model(given["traffic_model"], own["samples"], own["seed"])
        network, texts = given.network, given["routings"]
        unnamed = not texts
        if texts:
            routings = [given.routing(text) for text in texts]
            if given["opensm"]:
                from ..routing.named.offered import engines

                made = [x for x in engines(network) if x[0] not in texts]
                routings += [x for _, x in made if not isinstance(x, str)]
                texts = [*texts, *(text for text, x in made if not isinstance(x, str))]
        else:
            texts, routings = given.usual_routings(opensm=given["opensm"])
        levels = given.levels(given["service_levels"] or [], given["sl2vl"] or [], texts)
        fabric = isinstance(network, FabricNetwork) or network.own_routing is not None
        best = not given["demands"] and (fabric or unnamed) if given["best"] is None else given["best"]
        shifts = unnamed and network.num_terminals <= _MOST_SHIFTED if given["shifts"] is None else given["shifts"]
        virtual = unnamed and own["deadlock"] if given["virtual_channels"] is None else given["virtual_channels"]
        today = next((routings[k].name for k, x in enumerate(texts) if x == network.own_routing), "")
        by_name = {routings[k].name: x for k, x in levels.items()}
        return cls(routings, levels=by_name, best=best, shifts=shifts, virtual_channels=virtual, today=today, **own)

    def answer(self, setting: Setting = ALONE) -> Comparison:
        from ..machine.deadlines import was_interrupted
        from ..routing.named.described import report_name
        from ..worst.phase_loads import worst_shift_claim
        from .given_demands import bound_to
        from .worst_case import answer_average, answer_worst_case

        routings = self.routings
        if not routings:
            raise InputError("no routings to compare; at least one was expected")
        demands = bound_to(routings[0].network, self.demands)
        network, names = routings[0].network, [routing.name for routing in routings]
        for k, routing in enumerate(routings):
            if routing.name in names[:k]:
                raise InputError(f"routing {routing.name} is given twice")
            if routing.network is not network:
                raise InputError(
                    f"{routing.name} is on another network than {names[0]}: make it once, net = network(...), and all "
                    "routings on net"
                )
            if routing.is_sampled:
                raise InputError(f"{routing.name} is sampled; only exact loads can be compared")
        if demands is not None and demands.most_packets is not None:
            raise InputError(f"{demands.text} gives a curve, not one number; compare needs one set, such as sparse:16")
        if demands is not None and self.best:
            raise InputError(f"the best oblivious routing is known for permutations, not for {demands.text}")
        given = self.levels or {}
        for name in given:
            if name not in names:
                raise InputError(f"service levels are given for {name}, which is not one of the routings")
        if not self.deadlock and (self.virtual_channels or given):
            raise InputError("virtual channels and service levels are about deadlock, which is not to be judged")
        found: list[list[Claim]] = []
        unjudged: list[str | None] = []
        interrupted, words = False, None
        try:
            for routing in routings:
                claims = list(
                    answer_worst_case(routing, traffics=self.traffics, demands=demands, setting=setting).stated
                )
                if self.traffic_model is not None:
                    average = answer_average(
                        routing,
                        model=self.traffic_model,
                        samples=self.samples,
                        seed=self.seed,
                        known=claims,
                        setting=setting,
                    )
                    claims += average.claims()
                if self.shifts:
                    with setting.stage("shifts") as progress:
                        shift = worst_shift_claim(routing, progress=progress)
                    claims += [] if shift is None else [shift]
                found.append(claims)
                unjudged.append("deadlock is not judged: interrupted" if self.deadlock else None)
                if self.deadlock:
                    unjudged[-1] = judge_deadlock(
                        routing, given.get(routing.name), claims, self.virtual_channels, setting
                    )
            if self.best:
                from ..optimum.worst_case import least_load

                with setting.stage("best oblivious routing"):
                    least = min(rank(claims)[0] for claims in found)
                    bound, words = least_load(network, time_limit=self.time_limit, reached=least)
                interrupted = was_interrupted()
                if bound is not None:
                    found = [[*claims, bound] for claims in found]
        except KeyboardInterrupt:
            if not found:
                raise
            interrupted = True
        judged = routings[: len(found)]
        ranked = list(range(len(judged)))
        sentence = ""
        if self.best or demands is not None:
            ranked.sort(key=lambda k: (rank(found[k]), names[k] != self.today))
            rows = [(names[k], found[k]) for k in ranked if routings[k].whole_flows_of is None]
            if len(rows) > 1:
                sentence = recommendation(rows, today=self.today, over=None if demands is None else demands.text)
        qualified = [
            replace(x, about={**x.about, "routing": report_name(routings[k])}) for k in ranked for x in found[k]
        ]
        return Comparison(
            stated=qualified,
            topology=setting.topology,
            routings=tuple(routings[k] for k in ranked),
            by_routing=tuple(tuple(found[k]) for k in ranked),
            unjudged=tuple(unjudged[k] for k in ranked),
            best=words,
            levels={name: x for name, x in given.items() if name in {routing.name for routing in judged}},
            demands=demands,
            interrupted=interrupted,
            recommended=sentence,
            notes=_left_out(routings[len(found) :]) if interrupted and words is None else (),
        )


def judge_deadlock(
    routing: Routing, levels: ServiceLevels | None, claims: list[Claim], virtual: bool, setting: Setting
) -> str | None:
    """Add what is known of deadlock to ``claims``; says why not where it is not judged."""
    from ..worst.deadlock.channels import deadlock, lane_deadlock, virtual_channels

    if routing.whole_flows_of is not None:
        return f"a bound on whole flows, not a routing: for path lengths and deadlock see {routing.whole_flows_of.name}"
    try:
        with setting.stage("channel dependencies") as progress:
            if levels is not None:
                claims.append(lane_deadlock(routing, levels).claim())
            alone = deadlock(routing, progress=progress)
            claims.append(alone.claim())
    except InputError as error:  # too many paths
        return f"deadlock is not judged: {error}"
    try:
        with setting.stage("virtual channels") as progress:
            if virtual:
                claims.append(virtual_channels(routing, progress=progress, alone=alone).claim())
    except InputError as error:
        return f"virtual channels are not looked for: {error}"
    return None


def _left_out(routings: Sequence[Routing]) -> tuple[str, ...]:
    if not routings:
        return ("interrupted: the best oblivious routing is not bounded",)
    return (f"interrupted before {' and '.join(x.name for x in routings)} could be judged",)
