"""Programs that grow: a convex function minimised by its tangents, with and without points in between."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from routeproof.lp.solver import Generation, Solver


class Tangents(Generation):
    """Minimise the largest of ``|x - c|^2`` over the given c, for x in the unit square: t >= f(y) + f'(y) (x - y)."""

    def __init__(self, centres: Sequence[Sequence[float]], shares: Sequence[float], accuracy: float) -> None:
        self.centres, self.shares, self.accuracy = np.array(centres), shares, accuracy
        self.solver = Solver()
        self.solver.load(
            np.array([1.0, 0.0, 0.0]), np.array([9.0, 1.0, 1.0]), np.zeros(0), np.zeros(0), [0], [], np.zeros(0)
        )
        self.best, self.low, self.high = np.array([0.5, 0.5]), 0.0, float("inf")

    def solve(self) -> bool:
        self.solver.run()
        x, _ = self.solver.solution()
        self.own, self.low = x[1:], float(x[0])
        return True

    def separate(self, share: float) -> int:
        y = self.between(share)
        value = ((y - self.centres) ** 2).sum(axis=1)
        if value.max() < self.high:
            self.best, self.high = y, float(value.max())
        c = int(value.argmax())
        slope = 2 * (y - self.centres[c])
        if value[c] + slope @ (self.own - y) <= self.low + 1e-9:
            return 0
        self.solver.add_row(value[c] - slope @ y, np.inf, [0, 1, 2], [1.0, *-slope])
        return 1

    def is_near(self) -> bool:
        return self.high - self.low <= self.accuracy


@pytest.mark.parametrize("shares", [(0.0,), (0.5, 0.0), (0.8, 0.3, 0.0)])
def test_rows_come_in_until_both_sides_meet(shares: Sequence[float]) -> None:
    work = Tangents([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]], shares, 1e-5)
    told: list[int] = []
    assert work.generate(tell=told.append)
    assert told == list(range(1, work.rounds + 1))
    assert work.low <= (5 / 8) ** 2 + 1e-6  # the circle round the three points
    assert work.high == pytest.approx((5 / 8) ** 2, abs=2e-5)


def test_rounds_have_a_limit() -> None:
    work = Tangents([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]], (0.0,), 0.0)
    assert not work.generate(most=2)
    assert work.rounds == 2
    assert not work.generate(most=1)
    assert work.rounds == 3
