"""Results with properties of their own; what all results have is ``result.Result``."""

from __future__ import annotations

from fractions import Fraction

from ..core.network import Network
from ..questions.adaptive import AdaptiveAnswer
from ..questions.deadlock import DeadlockAnswer
from ..routing.base.routing import Routing
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
