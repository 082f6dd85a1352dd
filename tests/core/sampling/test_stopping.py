"""Intervals that keep their confidence though sampling stops as soon as they are narrow enough."""

from __future__ import annotations

import functools
from fractions import Fraction

import numpy as np
import pytest

from routeproof.core.claim import Interval
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.sampling.intervals import mean_limits, normal_limits, probability_limits
from routeproof.core.sampling.stopping import Stopping, Width, confidence_of_limits, parse_width
from routeproof.core.sampling.trial_intervals import trial_interval

Float64 = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


limits = functools.cache(probability_limits)


def too_often(missed: int, experiments: int, error: float) -> bool:
    """Is it beyond chance (0.1 %) that an interval with this error missed so often?"""
    return probability_limits(missed, experiments, confidence=0.998)[0] > error


def test_widths_are_absolute_or_relative() -> None:
    assert parse_width("1/50") == Width(Fraction(1, 50))
    assert parse_width(" 5 % ") == Width(Fraction(1, 20), relative=True)
    for width in (Width(Fraction(1, 7)), Width(Fraction(1, 30), relative=True)):
        assert parse_width(str(width)) == width
    assert Width(Fraction(1, 10)).holds(0.2, 0.25, 0.3)
    assert not Width(Fraction(1, 10), relative=True).holds(0.2, 0.25, 0.3)
    assert not Width(Fraction(1, 10), relative=True).holds(0.0, 0.0, 0.001)
    for text in ("0", "-1", "5%%", "wide", "1e999999", "", "nan", "inf", "1e-300", "1e400", "1e15", "1/0"):
        with pytest.raises(InputError, match=f"the width is '{text}'; more than 0"):
            parse_width(text)
    assert parse_width(str(parse_width("1e-15%"))) == parse_width("1e-15%")


def test_looks_come_at_fixed_numbers_of_trials() -> None:
    stopping = Stopping(parse_width("0.1"), 900, first=100)
    assert list(stopping.spans()) == [(0, 100), (100, 200), (200, 400), (400, 800), (800, 900)]
    assert list(Stopping(parse_width("0.1"), 30, first=100).spans()) == [(0, 30)]
    assert 1 - stopping.confidence(100) == pytest.approx(0.005)
    assert 1 - stopping.confidence(900) == pytest.approx(0.01 / 30)
    assert sum(1 - stopping.confidence(stop) for _, stop in stopping.spans()) < 0.01
    with pytest.raises(VerificationError, match="not one of the looks"):
        stopping.confidence(300)
    with pytest.raises(InputError, match="at most 0 trials"):
        Stopping(parse_width("0.1"), 0, first=100)


@pytest.mark.parametrize(("chance", "width"), [(0.02, "100%"), (0.3, "0.15"), (0.97, "0.05")])
def test_a_probability_is_covered_wherever_sampling_stops(chance: float, width: str) -> None:
    stopping = Stopping(parse_width(width), 6400, first=50)
    missed, ends = 0, set()
    for seed in range(300):
        rng = np.random.default_rng(seed)
        hits = 0
        for start, stop in stopping.spans():
            hits += int(rng.binomial(stop - start, chance))
            low, high = limits(hits, stop, confidence=stopping.confidence(stop, 0.9))
            if stopping.enough([Interval(low, hits / stop, high, stop, seed)]):
                break
        missed += not low <= chance <= high
        ends.add(stop)
    assert not too_often(missed, 300, 0.1)
    assert len(ends) > 1 or chance == 0.3  # the rule does stop at different looks


def test_looking_on_without_sharing_the_error_misses_too_often() -> None:
    """Why the looks share it: a sampler that stops when its 90 % interval leaves out the truth."""
    missed = {"all of it": 0, "shared": 0}
    stopping = Stopping(parse_width("0.1"), 20 << 6, first=20)
    for seed in range(250):
        rng = np.random.default_rng(seed)
        hits, fails = 0, set()
        for start, stop in stopping.spans():
            hits += int(rng.binomial(stop - start, 0.5))
            for part, confidence in (("all of it", 0.9), ("shared", stopping.confidence(stop, 0.9))):
                low, high = limits(hits, stop, confidence=confidence)
                if not low <= 0.5 <= high:
                    fails.add(part)
        for part in fails:
            missed[part] += 1
    assert too_often(missed["all of it"], 250, 0.1)
    assert not too_often(missed["shared"], 250, 0.1)


KINDS = {
    "rare": (lambda rng, n: (rng.random(n) < 0.02).astype(float), 0.02),
    "flat": (lambda rng, n: rng.random(n), 0.5),
    "steady": (lambda rng, n: 0.5 + 0.01 * rng.random(n), 0.505),
    "skewed": (lambda rng, n: rng.random(n) ** 8, 1 / 9),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_mean_is_covered_wherever_sampling_stops(kind: str) -> None:
    draw, mean = KINDS[kind]
    stopping = Stopping(parse_width("0.1"), 3200, first=50)
    missed = 0
    rng = np.random.default_rng(11)
    for _ in range(250):
        x = draw(rng, stopping.limit)
        for _, stop in stopping.spans():
            found = trial_interval("fraction", x[:stop].tolist(), confidence=stopping.confidence(stop, 0.9), stated=0.9)
            if stopping.enough([found]):
                break
        missed += not found.low <= mean <= found.high
    assert not too_often(missed, 250, 0.1)


def test_the_normal_approximation_is_no_proof() -> None:
    """It misses rare events far too often, where the proved interval keeps its word."""
    rng = np.random.default_rng(2)
    missed = {"normal": 0, "proved": 0}
    for _ in range(500):
        x = KINDS["rare"][0](rng, 40)
        for name, (low, high) in (
            ("normal", normal_limits(x, confidence=0.9)),
            ("proved", mean_limits(x, least=0.0, most=1.0, confidence=0.9)),
        ):
            missed[name] += not low <= 0.02 <= high
    assert too_often(missed["normal"], 500, 0.1)
    assert not too_often(missed["proved"], 500, 0.1)


def test_medians_are_covered() -> None:
    rng = np.random.default_rng(3)
    missed = 0
    for _ in range(500):
        x = rng.geometric(0.1, 60).astype(float)  # its median is 7
        found = trial_interval("median", x.tolist(), confidence=0.9)
        missed += not found.low <= 7 <= found.high
    assert not too_often(missed, 500, 0.1)


def test_what_evidence_tells_of_looks() -> None:
    stopping = Stopping(parse_width("0.1"), 900, first=100)
    value = Interval(0.2, 0.25, 0.29, 400, 7)
    assert confidence_of_limits({}, value) == 0.99
    assert confidence_of_limits(stopping.data(), value) == stopping.confidence(400)
    for change, words in (
        ({"first_look": 200}, "first look is after 200"),
        ({"first_look": "100"}, "first look"),
        ({"most_trials": None}, "a whole number"),
        ({"most_trials": 399}, "not one of the looks"),
        ({"until_width": "no"}, "width"),
        ({"until_width": "0.01"}, "ended after 400 of 900 trials without the width 1/100"),
    ):
        with pytest.raises(VerificationError, match=words):
            confidence_of_limits({**stopping.data(), **change}, value)
    for key in ("first_look", "most_trials"):
        with pytest.raises(VerificationError, match="of no width that they were for"):
            confidence_of_limits({key: stopping.data()[key]}, value)
