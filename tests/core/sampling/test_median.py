"""Intervals for medians: their coverage, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from routeproof.core.errors import InputError
from routeproof.core.sampling.intervals import median_limits


@pytest.mark.parametrize("count", [8, 20, 41])
def test_they_cover_the_median_of_skewed_and_of_discrete_distributions(count: int) -> None:
    rng = np.random.default_rng(count)
    for draw, median in ((rng.exponential, np.log(2)), (lambda size: rng.integers(0, 5, size=size), 2.0)):
        hits = 0
        for _ in range(1000):
            low, _, high = median_limits(draw(size=count).tolist())
            hits += low <= median <= high
        assert hits >= 980


def test_order_statistics_by_hand() -> None:
    assert median_limits(list(range(1, 9))) == (1, 4.5, 8)
    assert median_limits(list(range(1, 21)))[::2] == (4, 17)  # P(B(20, 1/2) <= 3) = 0.0013, <= 4 is 0.0059
    with pytest.raises(InputError, match="8 were expected"):
        median_limits([1.0] * 7)


def test_many_trials_and_too_few() -> None:
    assert median_limits([float(x) for x in range(20_000)])[1] == 9999.5
    with pytest.raises(InputError, match=r"5 trials are too few for a median with 99\.5 % confidence; 9 were expected"):
        median_limits([1.0] * 5, confidence=0.995)
