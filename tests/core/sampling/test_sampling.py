"""Intervals that hold as often as they say: exactly where that can be counted, else over many seeded experiments."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from routeproof.core.claim import Interval
from routeproof.core.errors import InputError
from routeproof.core.sampling.intervals import confidence_of_look, mean_limits, probability_limits
from routeproof.core.sampling.stopping import Stopping, Width
from routeproof.core.sampling.trial_intervals import trial_interval


@pytest.mark.parametrize("trials", [1, 7, 30])
@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_the_coverage_of_proportions_counted(trials: int, confidence: float) -> None:
    limits = [probability_limits(k, trials, confidence=confidence) for k in range(trials + 1)]
    for p in np.linspace(0.001, 0.999, 97):
        chance = [math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(trials + 1)]
        assert sum(x for x, (low, high) in zip(chance, limits, strict=True) if low <= p <= high) >= confidence


@pytest.mark.parametrize(("hits", "trials"), [(1, 1), (1, 9), (7, 20), (60, 61), (90, 200), (200, 200)])
@pytest.mark.parametrize("confidence", [0.9, 0.99, 1 - 0.01 / 306])
def test_limits_of_proportions_are_rounded_outwards(hits: int, trials: int, confidence: float) -> None:
    def at_least(k: int, p: Fraction) -> Fraction:
        return sum((math.comb(trials, j) * p**j * (1 - p) ** (trials - j) for j in range(k, trials + 1)), Fraction(0))

    low, high = probability_limits(hits, trials, confidence=confidence)
    side = Fraction(1 - confidence) / 2
    assert side * Fraction(999_999, 1_000_000) < at_least(hits, Fraction(low)) <= side
    above = 1 - at_least(hits + 1, Fraction(high))
    assert above <= side if hits < trials else high == 1


@pytest.mark.parametrize("kind", ["rare", "flat", "steady", "skewed"])
def test_bets_win_enough_in_exact_arithmetic(kind: str) -> None:
    """The limits are means against which 2 / error was won indeed, each bet being made before its value."""
    x = KINDS[kind](np.random.default_rng(3), 60)
    low, high = mean_limits(x, least=0.0, most=1.0)
    for limit, values in ((Fraction(low), x), (1 - Fraction(high), 1 - x)):
        capital, seen, spread = Fraction(1), 0.5, 0.25
        for k, value in enumerate(values.tolist(), 1):
            bet = Fraction(math.sqrt(2 * math.log(2 / (1 - 0.99)) / (len(x) * (spread / k))))
            capital *= 1 + min(bet, Fraction(3, 4) / limit if limit else bet) * (Fraction(value) - limit)
            seen += value
            spread += (value - seen / (k + 1)) ** 2
        assert capital > 200 or limit <= 0
    assert 0 < low < high < 1 or kind == "rare"


KINDS = {
    "rare": lambda rng, n: (rng.random(n) < 0.02).astype(float),
    "flat": lambda rng, n: rng.random(n),
    "steady": lambda rng, n: 0.5 + 0.01 * rng.random(n),
    "skewed": lambda rng, n: rng.random(n) ** 8,
}
MEANS = {"rare": 0.02, "flat": 0.5, "steady": 0.505, "skewed": 1 / 9}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [3, 40, 400])
def test_the_coverage_of_means(kind: str, count: int) -> None:
    rng = np.random.default_rng(1)
    missed = 0
    for _ in range(500):
        low, high = mean_limits(KINDS[kind](rng, count), least=0.0, most=1.0, confidence=0.9)
        missed += not low <= MEANS[kind] <= high
    assert probability_limits(missed, 500, confidence=0.999)[0] <= 0.1


Draw = Callable[[int, int], Sequence[float] | npt.NDArray[np.float64]]


def sampled(draw: Draw, stopping: Stopping, kind: str = "fraction", confidence: float = 0.99) -> Interval:
    """The interval at which sampling stops; ``draw(start, stop)`` are the samples of these numbers."""
    values: list[float] = []
    for start, stop in stopping.spans():
        values.extend(draw(start, stop))
        found = trial_interval(kind, values, confidence=stopping.confidence(stop, confidence))
        if stopping.enough([found]):
            break
    return found


@pytest.mark.parametrize("kind", ["fraction", "probability"])
def test_stopping_at_the_wanted_width_keeps_the_confidence(kind: str) -> None:
    missed, trials = 0, []
    for seed in range(250):
        rng = np.random.default_rng(seed)

        def draw(start: int, stop: int, rng: np.random.Generator = rng) -> npt.NDArray[np.float64]:
            return (rng.random(stop - start) < 0.2).astype(float)

        found = sampled(draw, Stopping(Width(Fraction("0.12")), 1 << 20, 16), kind, 0.9)
        assert found.high - found.low <= 0.12
        missed += not found.low <= 0.2 <= found.high
        trials.append(found.trials)
    assert probability_limits(missed, 250, confidence=0.999)[0] <= 0.1
    assert max(trials) <= 1 << 13


def test_little_variance_is_worth_something() -> None:
    x = KINDS["steady"](np.random.default_rng(0), 2000)
    low, high = mean_limits(x, least=0.0, most=1.0)
    assert high - low < 0.02
    found = sampled(lambda a, b: x[a:b], Stopping(Width(Fraction("0.05")), 2000, 125))
    assert found.trials < 2000
    assert found.low <= 0.505 <= found.high


def test_all_looks_together_have_the_error() -> None:
    assert sum(1 - confidence_of_look(k, 0.99) for k in range(1, 10_000)) < 0.01


def test_samples_that_make_no_sense() -> None:
    with pytest.raises(InputError, match="there are no samples"):
        mean_limits([], least=0.0, most=1.0)
    with pytest.raises(InputError, match=r"a sample lies outside 0.0 .. 1.0"):
        mean_limits([0.5, 2.0], least=0.0, most=1.0)
    stopping = Stopping(Width(Fraction("1e-9")), 100, 64)
    found = sampled(lambda a, b: [float(k % 2) for k in range(a, b)], stopping)
    assert found.trials == 100
    assert not stopping.enough([found])
