"""Results with properties of their own; what all results have is ``result.Result``."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.display import small_table
from ..core.network import Network
from ..questions.adaptive import AdaptiveAnswer
from ..questions.compare import Comparison, by_column
from ..questions.deadlock import DeadlockAnswer
from ..questions.designing import DesignAnswer
from ..questions.expansion import ExpansionAnswer
from ..questions.failures import FailuresAnswer
from ..questions.hashing import HashingAnswer, SplitAnswer
from ..questions.tradeoff import AverageTradeoffAnswer, TradeoffAnswer
from ..routing.base.routing import Routing
from ..topologies.failures import Failure
from .result import DrawnResult, Result

if TYPE_CHECKING:
    import pandas


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


class HashingResult(Result[HashingAnswer]):
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
        from ..routing.files.table import routing_writer
        from ..worst.deadlock.channels import with_virtual_channels

        write = routing_writer(str(path))
        write(with_virtual_channels(self.routing) if virtual_channels else self.routing)


class ExpansionResult(Result[ExpansionAnswer]):
    """The least neighbourhood of subsets of every size, with the subsets, as claims."""
