"""Results with properties of their own; what all results have is ``result.Result``."""

from __future__ import annotations

from fractions import Fraction

from ..core.network import Network
from ..questions.adaptive import AdaptiveAnswer
from ..questions.deadlock import DeadlockAnswer
from ..questions.failures import FailuresAnswer
from ..questions.hashing import HashingAnswer, SplitAnswer
from ..routing.base.routing import Routing
from ..topologies.failures import Failure
from .result import Result


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
