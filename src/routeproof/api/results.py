"""Results with properties of their own, by function; what all results have is ``result.Result``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..core.claim import Claim, Interval
from ..core.cube.destination_graph import DestinationGraph
from ..core.display import small_table
from ..core.errors import InputError
from ..core.network import Network
from ..core.traffic import Permutation
from ..questions.adaptive import AdaptiveAnswer
from ..questions.answer import Answer, RoutingAnswer
from ..questions.compare import Comparison
from ..questions.deadlock import DeadlockAnswer
from ..questions.designing import DesignAnswer
from ..questions.document import DocumentAnswer
from ..questions.expansion import ExpansionAnswer
from ..questions.failures.every_failure import FailuresAnswer
from ..questions.hashing import HashingAnswer, SplitAnswer
from ..questions.of_one_routing import WorstCase
from ..questions.ranked import by_column
from ..questions.search import SearchAnswer
from ..questions.tradeoff import AverageTradeoffAnswer, TradeoffAnswer
from ..questions.worst_case import WorstCaseAnswer
from ..report.notebook.progress import setting_here
from ..routing.base.routing import Routing
from ..routing.files.table import routing_writer
from ..topologies.failures import Failure
from ..worst.deadlock.channels import with_virtual_channels
from ..worst.scan.exact import WorstCase as Scanned
from .result import DrawnResult, Result, drawn

if TYPE_CHECKING:
    import pandas

    from ..report.notebook.frames import InlineFigure


class WorstCaseResult(Result[WorstCaseAnswer]):
    """The worst case of ``routing``: ``load``, ``throughput``, ``channel`` and ``permutation``, exact.

    What else the command reports (capacity, uniform traffic, given traffic, path lengths) is computed when it is first
    asked for: by ``claims()``, ``capacity``, ``to_frame()``, ``page()``, ``write()`` or a notebook.
    """

    def __init__(self, asked: WorstCase, worst: Scanned, whole: WorstCaseAnswer | None = None) -> None:
        self.worst_case = worst
        """All that is known of the worst case; see ``worst.scan.exact.WorstCase``."""
        self._asked, self._whole = asked, whole
        self._title, self._routing = asked.title, asked.routing

    @classmethod
    def of(cls, asked: Any) -> Self:
        if asked.demands is None and asked.servers is None:
            return cls(asked, asked.scanned(setting_here()))
        whole = asked.answer(setting_here())
        return cls(asked, whole.worst_case, whole)

    @property
    def answer(self) -> WorstCaseAnswer:
        if self._whole is None:
            self._whole = self._asked.answer(setting_here(), worst=self.worst_case)
        return self._whole

    @property
    def routing(self) -> Routing:
        return self._asked.routing

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
        from ..report.figures.analysis import asked_figure
        from ..report.figures.style import drawn_as

        with drawn_as(title=title, size=size):
            return drawn(lambda look: asked_figure(self.answer, look, figure), path=path, theme=theme)

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


class AdaptiveResult(Result[AdaptiveAnswer]):
    """``low`` and ``high``: the ends of the interval, in load per bandwidth; ``demand``: the one that proves the lower
    end, by pair of terminals; ``routing``: the oblivious routing that was compared with."""

    @property
    def low(self) -> Fraction:
        return self.answer.found.low

    @property
    def high(self) -> Fraction:
        return self.answer.found.high

    @property
    def demand(self) -> dict[tuple[int, int], Fraction]:
        return dict(self.answer.found.hard.demand)

    @property
    def routing(self) -> Routing:
        return self.answer.routing

    @property
    def network(self) -> Network:
        return self.answer.network


class DeadlockResult(Result[DeadlockAnswer]):
    """``free``: no cycle of channel dependencies (with service levels: of virtual lanes)."""

    @property
    def free(self) -> bool:
        by_level = self.answer.by_level
        return self.answer.single.free if by_level is None else by_level.free


class FailuresResult(Result[FailuresAnswer]):
    """``loads``: the worst-case load after every failure, the worst first; None where it separates terminals."""

    @property
    def loads(self) -> dict[Failure, Fraction | None]:
        return {x.failure: x.load for x in self.answer.judged}


class HashingResult(DrawnResult[HashingAnswer]):
    """``reaches(load)``: (low, high) for the probability that some channel carries at least ``load`` per bandwidth;
    ``channel_reaches(channel, load)``: the same of one channel, exactly."""

    @property
    def network(self) -> Network:
        return self.answer.network

    def reaches(self, load: Fraction | int) -> tuple[Fraction, Fraction]:
        low, high = self.answer.flows.reaches(Fraction(load))
        return low, high

    def channel_reaches(self, channel: int, load: Fraction | int) -> Fraction:
        return self.answer.flows.channel_reaches(channel, Fraction(load))


class SplitResult(Result[SplitAnswer]):
    """``p_value``: how likely a fair hash is to split flows so unevenly, or more (at most so likely, where ``exact`` is
    False)."""

    @property
    def p_value(self) -> Fraction:
        return self.answer.chance.high

    @property
    def exact(self) -> bool:
        return self.answer.chance.low == self.answer.chance.high


class TradeoffResult(DrawnResult[TradeoffAnswer | AverageTradeoffAnswer]):
    """The curve; ``corners``: (worst-case load, average path length in hops) where it is exact, none where sampled."""

    @property
    def corners(self) -> list[tuple[Fraction, Fraction]]:
        if isinstance(self.answer, AverageTradeoffAnswer):
            return []
        return [(x.load, x.length) for x in self.answer.curve.points]


class CompareResult(DrawnResult[Comparison]):
    """``routings`` in the order in which they are shown, and what is claimed of each."""

    @property
    def routings(self) -> tuple[Routing, ...]:
        return self.answer.routings

    def to_frame(self) -> pandas.DataFrame:
        """A row for every routing, a column for every quantity, as a pandas DataFrame; values stay exact."""
        from ..report.notebook.frames import frame_of_table

        return frame_of_table(
            {
                routing.name: {name: x.value for name, x in by_column(claims).items()}
                for routing, claims in zip(self.routings, self.answer.by_routing, strict=True)
            }
        )

    def _table(self) -> tuple[list[str], list[list[str]]]:
        """A row for every routing, with the columns of the terminal."""
        from ..report.terminal.compare import comparison_table

        return comparison_table(self.answer)

    def _repr_html_(self) -> str:
        """For notebooks: a row for every routing, with the columns of the terminal."""
        return small_table(self._title, *self._table())


class DesignResult(Result[DesignAnswer[Any]]):
    """``routing``: what was designed; judge it further with ``worst_case``, ``deadlock`` and the others."""

    @property
    def routing(self) -> Routing:
        return self.answer.routing

    @property
    def network(self) -> Network:
        return self.answer.network

    def write_routing(self, path: str | Path, *, virtual_channels: bool = False) -> None:
        """Write the routing into a file: .json (a document), .sst.json, .csv (a row for every hop), or .lft (tables of
        InfiniBand); ``virtual_channels``: with the virtual channel of every hop.  Raises InputError.
        """
        write = routing_writer(str(path))
        write(with_virtual_channels(self.routing, self.answer.lanes) if virtual_channels else self.routing)


class ExpansionResult(Result[ExpansionAnswer]):
    """The least neighbourhood of subsets of every size, with the subsets, as claims."""


class CheckResult(Result[DocumentAnswer]):
    """What is true of a document; a verdict "false" carries the first thing wrong in its evidence."""


class SearchResult(DrawnResult[SearchAnswer]):
    """``graph``: what was found, None where there is none or the search ended without an answer (``settled``)."""

    @property
    def graph(self) -> DestinationGraph | None:
        return self.answer.found.graph

    @property
    def settled(self) -> bool:
        """Is it known whether there is such a graph?"""
        return self.answer.settled


class SimulationResult(DrawnResult[Answer]):
    """What came of a simulation, as claims: EXHAUSTED for one run, which anybody can run again; SAMPLED for trials."""


RESULTS: Mapping[str, type[Result[Any] | list[Claim]]] = {
    "adaptive": AdaptiveResult, "average_case": AverageCaseResult, "average_tradeoff": TradeoffResult,
    "check": CheckResult, "compare": CompareResult, "deadlock": DeadlockResult, "design": DesignResult,
    "design_average_case": DesignResult, "design_capacity": DesignResult, "design_tables": DesignResult,
    "expansion": ExpansionResult, "failures": FailuresResult, "hashing": HashingResult, "search": SearchResult,
    "simulate_adaptive_load": SimulationResult, "simulate_calls": SimulationResult,
    "simulate_circuits": SimulationResult, "simulate_cube": SimulationResult, "simulate_faults": SimulationResult,
    "simulate_load": SimulationResult, "simulate_packets": SimulationResult, "split": SplitResult,
    "tradeoff": TradeoffResult, "verify": list, "worst_case": WorstCaseResult,
}  # fmt: skip
"""What a function gives, by its name, where it is more than a ``Result``."""
