"""The largest ratio of load to bandwidth among some channels: a sweep, and what it leaves open solved exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.spread import Spread
from ...core.stage import Progress
from ...routing.base.routing import Routing
from .exact_optimum import ExactSolution
from .sweep import sweep
from .sweep_block import Sweep, base_totals
from .transport import solve_one
from .transport_arrays import Rates

__all__ = ["SettledRatios"]


class SettledRatios:
    """``best``: the largest ratio so far; ``ratios``: exact, of every channel that may reach it; ``solved``: optima."""

    def __init__(self, routing: Routing, rates: Rates, *, strict: bool = False, workers: int | None = 1) -> None:
        self.routing, self.rates = routing, rates
        self.options: dict[str, Any] = {"strict": strict, "workers": workers}
        self.best = Fraction(0)
        self.ratios: dict[int, Fraction] = {}
        self.solved: dict[int, ExactSolution] = {}

    def solve(self, c: int) -> ExactSolution:
        """The exact optimum of channel c."""
        if c not in self.solved:
            block = self.routing.channel_loads([c])
            self.take(c, solve_one(block, self.rates), base_totals(block, self.rates)[0])
        return self.solved[c]

    def take(self, c: int, solution: ExactSolution, base: Fraction = Fraction(0)) -> None:
        """``solution`` is that of channel c, whose base part adds ``base``."""
        self.solved[c] = solution
        self.ratios[c] = (solution.value / self.rates.unit + base) / self.routing.network.bandwidth[c]
        self.best = max(self.best, self.ratios[c])

    def sweep(
        self,
        channels: npt.ArrayLike,
        *,
        all_channels: bool = False,
        progress: Progress | None = None,
        spread: Spread | None = None,
    ) -> Sweep:
        """Bound or settle ``channels``; options as in ``sweep.sweep``."""
        found = sweep(
            self.routing, np.array(channels, dtype=np.int32), self.rates, lower=self.best, all_channels=all_channels,
            progress=progress, spread=spread, **self.options,
        )  # fmt: skip
        best = max(self.best, found.lower)
        exact = found.weights.exact
        self.ratios.update(found.upper if exact and not all_channels else found.values)
        # Channels whose rounded-up optimum reaches the best ratio, or that have no bound yet, are settled exactly.
        unsure = set() if exact else {c for c, x in found.upper.items() if x >= best}
        for c in sorted(unsure.union(found.open).difference(self.ratios)):
            self.solve(c)
        self.best = max([best, *self.ratios.values()])
        return found

    def prove(self, channels: npt.ArrayLike) -> tuple[Sweep, dict[int, ExactSolution]]:
        """Proofs that ``channels`` stay at or below the best ratio: rounded ones, and what rounding leaves open."""
        again = sweep(self.routing, np.array(channels, dtype=np.int32), self.rates, lower=self.best, **self.options)
        return again, {c: self.solve(c) for c in again.open}
