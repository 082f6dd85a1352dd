"""What is asked of one routing: its exact worst case, and the average case beside it or alone.

What finds the answers is ``worst_case``; here stand the questions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..core.errors import InputError
from .answer import ALONE, RoutingAnswer, Setting, timed
from .given import Given
from .question import Question, flag, option, question, spelled
from .shared import DEMANDS, JSON_REPORT, ROUTING, THEME, TOPOLOGY, TRAFFICS, UNTIL_WIDTH

if TYPE_CHECKING:
    from ..core.traffic import Traffic
    from ..demand_sets.servers import Servers
    from ..routing.base.routing import Routing
    from ..worst.scan.exact import WorstCase as Scanned
    from .given_demands import GivenDemands
    from .worst_case import WorstCaseAnswer

_MODELS = ("balanced", "unbalanced", "hose")


def _sample(given: Given, samples: int | None) -> Routing:
    """The routing, ``samples`` packets of a pair drawn where it is a function; with an average case there are none."""
    average = given["traffic_model"] is not None
    return given.sampled_routing(None if average else samples, None if average else given["seed"])


def _first_sample(given: Given, _: str | None) -> Routing:
    from ..core.sampling.stopping import stopping_asked

    stopping = stopping_asked(given["until_width"], given["samples"])
    return _sample(given, given["samples"] if stopping is None else next(stop for _, stop in stopping.spans()))


def _rates(given: Given, path: str | None) -> Any:
    hose = given["model"] == "hose"
    if path is None and hose:
        raise InputError("the hose model needs --rates FILE: what each terminal sends and receives")
    if path is not None and not hose:
        raise InputError("--rates goes with --model hose; the other models have their own rates")
    if path is None:
        return None
    from ..formats.demands.rates import read_rates

    return read_rates(path, given.network.num_terminals)


@question
class WorstCase(Question["WorstCaseAnswer"]):
    """The largest load per bandwidth over all channels and all admissible traffic, exactly, with its proof.

        >>> from routeproof import DOR, mesh, worst_case
        >>> wc = worst_case(DOR().on(mesh(3, 3)))
        >>> wc.load, wc.throughput, wc.network.channel_label(wc.channel)
        (Fraction(2, 1), Fraction(1, 2), '(0,0) -> (0,1)')

    Source: Towles & Dally 2002 (SPAA), sec. 2 to 4; known as maximum-weight matching, or assignment, per channel.
    Raises InputError for bad options, networks on which no channel is ever loaded, and loads beyond 64-bit arithmetic.
    """

    function = "worst_case"

    topology: str = spelled(TOPOLOGY, init=False)
    routing: Routing = spelled(replace(ROUTING, read=_first_sample))
    _: KW_ONLY
    traffics: Sequence[Traffic] = spelled(TRAFFICS, default=())
    demands: GivenDemands = spelled(replace(DEMANDS, read=lambda given, _: given.demands), default=None)
    model: str = option(
        None,
        "What terminals may send and receive; hose needs --rates.",
        default="balanced",
        choices=_MODELS,
        python="Every terminal sends and receives at one rate (balanced: a permutation is worst); rows of the traffic "
        "are at most the rate, columns at most 1 (unbalanced); or ``rates`` say it (hose).",
    )
    rates: tuple[Sequence[Fraction], Sequence[Fraction]] | None = option(
        "FILE",
        "What each terminal sends and receives, for --model hose.",
        default=None,
        kind=str | None,
        read=_rates,
    )
    all_channels: bool = flag(
        "The exact worst case of every channel, not only the worst.", "--all-channels", default=False
    )
    top: int | None = option(
        "N", "With --all-channels: how many channels with the highest load are named (20).", init=False, min=1
    )
    symmetry: str = flag(
        "Analyse every channel, even those that are equivalent by symmetry.",
        "--no-symmetry",
        default="auto",
        name="no_symmetry",
        command_default=False,
        read=lambda _, none: "none" if none else "auto",
        python='"auto": declared symmetries that the routing is checked to respect, or those found of the network; '
        '"none" treats every channel.',
    )

    def scanned(self, setting: Setting) -> Scanned:
        """The worst case under the model, alone."""
        from ..worst.scan.exact import worst_case

        with setting.stage("worst case") as progress:
            return worst_case(
                self.routing, model=self.model, rates=self.rates, symmetry=self.symmetry,
                all_channels=self.all_channels, progress=progress,
            )  # fmt: skip

    @property
    def servers(self) -> Servers | None:
        """Inside which the worst traffic is not meant to stay: those of the network's hosts, where nothing was asked
        for that says which traffic is meant."""
        from .fabrics.inside_servers import servers_of_hosts

        asked = self.demands is not None or self.model != "balanced" or self.rates is not None
        return None if asked or self.routing.is_sampled else servers_of_hosts(self.routing.network)

    def answer(self, setting: Setting = ALONE, **known: Any) -> WorstCaseAnswer:
        """Where the worst permutation sends inside a server, the worst case is that over traffic across servers.

        ``known``: what else ``answer_worst_case`` takes, such as the worst case that was found."""
        from ..demand_sets.servers import across_servers
        from .fabrics.inside_servers import INSIDE_LEFT_OUT, sends_inside
        from .given_demands import bound_to
        from .worst_case import answer_worst_case

        wanted = bound_to(self.routing.network, self.demands)
        if wanted is not None and (self.model != "balanced" or self.rates is not None):
            raise InputError(
                "--demands says what terminals may send, as --model and --rates do: one of them was expected"
            )
        kept: dict[str, Any] = {
            "traffics": self.traffics, "all_channels": self.all_channels, "symmetry": self.symmetry,
            "whole_flows": True, "setting": setting,
        }  # fmt: skip
        found = answer_worst_case(self.routing, model=self.model, rates=self.rates, demands=wanted, **kept, **known)
        servers = self.servers
        if servers is None or not sends_inside(found.worst_case, servers):
            return found
        across = answer_worst_case(self.routing, demands=across_servers(servers), **kept)
        return replace(across, notes=(*across.notes, INSIDE_LEFT_OUT))


def _figure(given: Given, name: str | None) -> str:
    """The figure that --plot draws."""
    demands = given.demands
    usual = "flows" if demands is None or not demands.several_jobs else "jobs"
    if demands is not None and demands.most_packets is not None:
        usual = "packets"
    return name or usual


@question
class WorstCaseVerb(WorstCase):
    """The exact worst case of a routing on a network, with its proof.

    For example: routeproof worst-case torus:9x9 --routing romm --traffic tornado --plot romm.svg
    """

    verb, place, long = "worst-case", 10, "asked"
    plot_check = "figures.analysis:check_asked"

    traffic_model: str | None = option(
        "MODEL",
        "Also the average case, sampled: permutation, shift, ring, two-permutations, three-permutations, sinkhorn.",
        default=None,
    )
    samples: int | None = option(
        "N",
        "Estimate the loads of a routing function from N packets a pair; with --traffic-model: number of "
        "random matrices (100; with --until-width at most 100000).",
        default=None,
    )
    until_width: str | None = spelled(UNTIL_WIDTH, default=None)
    seed: int | None = option("S", "The seed of --samples (default: 0).", default=None)
    json: str | None = spelled(JSON_REPORT, init=False)
    plot: str | None = option("FILE", "Draw the worst case: .svg, .png or .pdf.", init=False)
    figure: str | None = option(
        "FIGURE",
        "What --plot draws: {figures}. Default: flows; packets of sparse:all, jobs of jobs.",
        default=None,
        complete="figure",
        read=_figure,
    )
    theme: str = spelled(THEME, default="light", init=False)
    sample: Callable[[int], Routing] | None = None

    @classmethod
    def read(cls, given: Given) -> WorstCaseVerb:
        if given["top"] is not None and not given["all_channels"]:
            raise InputError("--top goes with --all-channels, which finds the worst case of every channel")
        if given["traffic_model"] is not None:
            _check_average(given)
        return cls(**cls.fields_given(given), sample=lambda samples: _sample(given, samples))

    @timed
    def answer(self, setting: Setting = ALONE, **known: Any) -> WorstCaseAnswer:
        from ..core.claim import Interval
        from ..core.sampling.stopping import stopping_asked

        stopping = stopping_asked(self.until_width, self.samples)
        if self.traffic_model is not None:
            found = super().answer(setting, **known)
            beside = AverageCase(
                self.routing, model=self.traffic_model, samples=self.samples, until_width=self.until_width,
                seed=self.seed or 0,
            )  # fmt: skip
            average = beside.answer(setting, known=found.stated)
            return replace(found, average=average, notes=[*found.notes, *average.notes])
        found = super().answer(setting, stopping=stopping, **known)
        if stopping is None or self.sample is None:
            return found
        for start, stop in stopping.spans():
            if start:  # the first sample is judged already
                more = replace(self, routing=self.sample(stop))
                found = super(WorstCaseVerb, more).answer(setting, stopping=stopping)
            sampled = [x.value for x in found.stated if isinstance(x.value, Interval)]
            if stopping.enough(sampled):
                break
        return replace(found, notes=[*found.notes, *stopping.notes(sampled)])


def _check_average(given: Given) -> None:
    from ..routing.grid.two_turns import check_not_made_for
    from ..topologies.traffic_models import check_model

    model, samples, seed = given["traffic_model"], given["samples"], given["seed"] or 0
    check_model(model, 1 if samples is None else samples, seed)
    check_not_made_for(given["routing"] or "", traffic=model, seed=seed)
    if given["model"] != "balanced":
        raise InputError(f"--traffic-model goes with --model balanced, what random traffic is; found {given['model']}")


@question
class AverageCase(Question[RoutingAnswer]):
    """The mean, over random traffic matrices, of the throughput of ``routing``: SAMPLED, with its interval.

        >>> import routeproof as rp
        >>> mean = rp.average_case(rp.DOR().on(rp.mesh(3, 3)), samples=10).throughput
        >>> mean.low <= mean.best <= mean.high, mean.trials
        (True, 10)

    Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.4.  Raises InputError for bad options.
    """

    routing: Routing = spelled(ROUTING)
    _: KW_ONLY
    model: str = option(
        None,
        'Of random traffic: "permutation", "shift", "ring", "two-permutations", "three-permutations", "sinkhorn".',
        default="permutation",
    )
    samples: int | None = option(None, "How many matrices (100).", default=None)
    until_width: str | None = option(
        None,
        'As many as make the interval so narrow, such as "5%", at most ``samples`` (100,000).',
        default=None,
    )
    seed: int = option(None, "Of the matrices.", default=0)

    function = "average_case"

    @property
    def title(self) -> str:
        return f"{super().title}, average case"

    def answer(self, setting: Setting = ALONE, **known: Any) -> RoutingAnswer:
        """``known``: what else ``answer_average`` takes."""
        from ..core.sampling.stopping import stopping_asked
        from .worst_case import answer_average

        return answer_average(
            self.routing, model=self.model, samples=100 if self.samples is None else self.samples, seed=self.seed,
            stopping=stopping_asked(self.until_width, self.samples), setting=setting, **known,
        )  # fmt: skip
