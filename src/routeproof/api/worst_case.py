"""``rp.worst_case``: the exact worst case of a routing, with its proof; ``rp.average_case``: over random traffic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.claim import Interval
from ..core.errors import InputError
from ..core.network import Network
from ..core.permutation import Permutation
from ..core.sampling.stopping import stopping_asked
from ..core.traffic import Traffic
from ..demand_sets.demand_set import DemandSet
from ..questions.answer import RoutingAnswer
from ..questions.given_demands import Demands, bound_to
from ..questions.worst_case import WorstCaseAnswer, answer_average, answer_worst_case
from ..report.notebook.progress import setting_here, stage_here
from ..routing.base.routing import Routing
from .result import Result, check_routing

if TYPE_CHECKING:
    from ..report.notebook.inline import InlineFigure
    from ..worst.scan.exact import WorstCase


class WorstCaseResult(Result[WorstCaseAnswer]):
    """The worst case of ``routing``: ``load``, ``throughput``, ``channel`` and ``permutation``, exact.

    What else the command reports (capacity, uniform traffic, given traffic, path lengths) is computed when it is first
    asked for: by ``claims()``, ``capacity``, ``to_frame()``, ``page()``, ``write()`` or a notebook.
    """

    def __init__(
        self,
        routing: Routing,
        worst: WorstCase,
        traffics: Sequence[Traffic],
        *,
        all_channels: bool,
        whole: WorstCaseAnswer | None = None,
    ) -> None:
        self.worst_case = worst
        """All that is known of the worst case; see ``worst.scan.exact.WorstCase``."""
        self._traffics, self._all_channels = traffics, all_channels
        self._whole = whole
        self._title, self._routing = f"{routing.name} on {routing.network.name}", routing

    @property
    def answer(self) -> WorstCaseAnswer:
        if self._whole is None:
            self._whole = answer_worst_case(
                self.routing,
                traffics=self._traffics,
                all_channels=self._all_channels,
                worst=self.worst_case,
                whole_flows=True,
                setting=setting_here(),
            )
        return self._whole

    @property
    def routing(self) -> Routing:
        assert self._routing is not None
        return self._routing

    @property
    def network(self) -> Network:
        return self.worst_case.network

    @property
    def load(self) -> Fraction:
        """The largest load per unit of bandwidth that admissible traffic can put on a channel."""
        return self.worst_case.load

    @property
    def throughput(self) -> Fraction:
        """The rate that is guaranteed to saturate no channel, in packets per cycle and terminal."""
        return self.worst_case.throughput

    @property
    def channel(self) -> int:
        """A channel with the largest load."""
        return self.worst_case.channel

    @property
    def worst_channels(self) -> Sequence[int]:
        """All channels with that load that are known; every one where ``all_channels`` was asked for."""
        return self.worst_case.worst_channels

    @property
    def num_focus_channels(self) -> int:
        """How many channels were judged; symmetry answers for the others."""
        return self.worst_case.num_focus_channels

    @property
    def symmetry_used(self) -> Sequence[str]:
        """The symmetries that made it so few."""
        return self.worst_case.symmetry_used

    @property
    def permutation(self) -> Permutation | None:
        """Traffic that puts that load on it: who sends to whom; None for other models than balanced."""
        return self.worst_case.permutation

    @property
    def traffic(self) -> Sequence[tuple[int, int, Fraction]] | None:
        """For other models than balanced: (source, destination, rate) of traffic that puts that load on it."""
        return self.worst_case.traffic

    @property
    def channel_loads(self) -> Sequence[Fraction] | None:
        """The exact worst load per bandwidth of every channel, where ``all_channels`` was asked for."""
        return self.worst_case.channel_loads

    def hottest(self, count: int = 20) -> list[tuple[str, Fraction]]:
        """(name, worst load per bandwidth) of the channels with the highest worst case, the highest first.

        Raises InputError unless ``all_channels`` was asked for.
        """
        return [(self.network.channel_label(c), load) for c, load in self.worst_case.hottest(count)]

    @property
    def capacity(self) -> Fraction | None:
        """The capacity of the network: the best throughput of uniform traffic; None where no method settles it."""
        return self.answer.capacity

    def plot(
        self,
        figure: str = "flows",
        *,
        path: str | Path | None = None,
        theme: str = "light",
        title: str | None = None,
        size: tuple[float, float] | None = None,
    ) -> InlineFigure:
        """A figure for a notebook, by a name that ``--figure`` takes, such as matrix; ``theme`` light or dark.

        ``path``: also write it into this file (.svg, .png or .pdf); ``title``, ``size`` in inches: instead of its own.
        Raises InputError for other names.
        """
        from ..report.figures.style import drawn_as, theme_named
        from ..report.figures.worst_case import draw_analysis
        from ..report.notebook.inline import inline_figure

        with drawn_as(title=title, size=size):
            if path is not None:
                draw_analysis(self.answer, path, figure=figure, theme=theme_named(theme))
            return inline_figure(self.answer, figure, theme)

    def _repr_html_(self) -> str:
        """For notebooks: the claims, and the picture of the worst case where one can be drawn."""
        table = super()._repr_html_()
        try:
            return table + self.plot()._repr_svg_()
        except (InputError, ArithmeticError):  # too many channels, nothing saturates
            return table


class AverageCaseResult(Result[RoutingAnswer]):
    """``throughput``: an interval for the mean, with how often it holds; of capacity where that is known."""

    @property
    def throughput(self) -> Interval:
        value = self.claims()[0].value
        assert isinstance(value, Interval)
        return value


def worst_case(
    routing: Routing,
    *,
    traffics: Sequence[Traffic] = (),
    model: str = "balanced",
    rates: tuple[Sequence[Fraction], Sequence[Fraction]] | None = None,
    demands: Demands | DemandSet | str | Sequence[str] | None = None,
    symmetry: str = "auto",
    all_channels: bool = False,
) -> WorstCaseResult:
    """The largest load per bandwidth over all channels and all admissible traffic, exactly, with its proof.

        >>> from routeproof import DOR, mesh, worst_case
        >>> wc = worst_case(DOR().on(mesh(3, 3)))
        >>> wc.load, wc.throughput, wc.network.channel_label(wc.channel)
        (Fraction(2, 1), Fraction(1, 2), '(0,0) -> (0,1)')

    - ``model``: "balanced" (every terminal sends and receives at one rate: a permutation is worst), "unbalanced" (rows
      of the traffic at most the rate, columns at most 1) or "hose" (``rates``: what each terminal may send, receive);
    - ``demands``: in place of a model, the set of demands that can happen, such as ``rp.demands.sparse(16)``, or a
      text as --demands takes it;
    - ``traffics``: other traffic to judge beside it;
    - ``symmetry``: "auto" uses declared symmetries that the routing is checked to respect, or finds the network's;
      "none" treats every channel;
    - ``all_channels``: also the exact worst case of every single channel.

    Source: Towles & Dally 2002 (SPAA), sec. 2 to 4; known as maximum-weight matching, or assignment, per channel.
    Raises InputError for bad options, networks on which no channel is ever loaded, and loads beyond 64-bit arithmetic.
    """
    from ..worst.scan.exact import worst_case as exact

    check_routing(routing)
    wanted = bound_to(routing.network, demands)
    if wanted is not None:
        if model != "balanced" or rates is not None:
            raise InputError("demands say what terminals may send, as model and rates do: one of them was expected")
        whole = answer_worst_case(
            routing,
            traffics=traffics,
            demands=wanted,
            symmetry=symmetry,
            all_channels=all_channels,
            whole_flows=True,
            setting=setting_here(),
        )
        return WorstCaseResult(routing, whole.worst_case, traffics, all_channels=all_channels, whole=whole)
    with stage_here()("worst case") as progress:
        worst = exact(
            routing, model=model, rates=rates, symmetry=symmetry, all_channels=all_channels, progress=progress
        )
    return WorstCaseResult(routing, worst, traffics, all_channels=all_channels)


def average_case(
    routing: Routing,
    *,
    model: str = "permutation",
    samples: int | None = None,
    until_width: str | None = None,
    seed: int = 0,
) -> AverageCaseResult:
    """The mean, over random traffic matrices, of the throughput of ``routing``: SAMPLED, with its interval.

        >>> import routeproof as rp
        >>> mean = rp.average_case(rp.DOR().on(rp.mesh(3, 3)), samples=10).throughput
        >>> mean.low <= mean.best <= mean.high, mean.trials
        (True, 10)

    - ``model``: "permutation", "shift", "ring", "two-permutations", "three-permutations" or "sinkhorn";
    - ``samples``: how many matrices (100); ``until_width``: as many as make the interval so narrow, such as "5%", at
      most ``samples`` (100,000).

    Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.4.  Raises InputError for bad options.
    """
    check_routing(routing)
    count = 100 if samples is None else samples
    stopping = stopping_asked(until_width, samples)
    answer = answer_average(routing, model=model, samples=count, seed=seed, stopping=stopping, setting=setting_here())
    return AverageCaseResult(answer, f"{routing.name} on {routing.network.name}, average case", routing)
