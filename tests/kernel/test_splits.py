"""Tests of measured splits: against scipy, and against all ways in which flows can fall."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import pytest
from scipy.stats import binomtest, multinomial

from routeproof.core.errors import InputError
from routeproof.kernel import splits
from routeproof.kernel.splits import check_split, p_value, reached, tolerance, usual_test


def outcomes(n: int, weights: Sequence[int]) -> dict[tuple[int, ...], Fraction]:
    """The probability of every split, by letting each flow fall on each member."""
    total, found = sum(weights), dict[tuple[int, ...], Fraction]()
    for falls in itertools.product(range(len(weights)), repeat=n):
        key = tuple(falls.count(k) for k in range(len(weights)))
        found[key] = found.get(key, Fraction(0)) + Fraction(math.prod(weights[k] for k in falls), total**n)
    return found


@pytest.mark.parametrize(("counts", "weights"), [
    ((47, 53), (1, 1)), ((400, 500), (1, 1)), ((0, 9), (1, 1)), ((30, 5), (3, 1)), ((2, 90), (1, 20)),
])  # fmt: skip
def test_two_members_as_scipy(counts: tuple[int, int], weights: tuple[int, int]) -> None:
    found = p_value(counts, weights, "likelihood")
    wanted = binomtest(counts[0], sum(counts), weights[0] / sum(weights)).pvalue
    assert found.low == found.high
    assert float(found.low) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(("counts", "weights"), [
    ((3, 5), (1, 1)), ((1, 2, 4), (1, 1, 1)), ((6, 1, 0), (1, 2, 3)), ((2, 2, 2), (1, 1, 1)),
    ((0, 3, 1, 2), (2, 1, 1, 1)),
])  # fmt: skip
def test_all_ways_in_which_flows_can_fall(counts: tuple[int, ...], weights: tuple[int, ...]) -> None:
    n, total = sum(counts), sum(weights)
    every = outcomes(n, weights)
    assert sum(every.values()) == 1
    likelihood = sum(p for p in every.values() if p <= every[counts])
    assert p_value(counts, weights, "likelihood") == (likelihood, likelihood)
    away = {key: max(abs(k - Fraction(n * w, total)) for k, w in zip(key, weights, strict=True)) for key in every}
    deviation = sum(p for key, p in every.items() if away[key] >= away[counts])
    assert p_value(counts, weights, "deviation") == (deviation, deviation)
    level = Fraction(1, 10)
    flows, least = tolerance(n, weights, level)
    assert least
    assert sum(p for key, p in every.items() if away[key] >= flows) <= level
    assert sum(p for key, p in every.items() if away[key] >= flows - 1) > level


def test_a_member_at_a_time_where_all_together_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    counts, weights = (20, 30, 25), (1, 1, 1)
    exact = p_value(counts, weights, "deviation").low
    flows, least = tolerance(75, weights, Fraction(1, 100))
    monkeypatch.setattr(splits, "_MOST_STEPS", 0)
    low, high = p_value(counts, weights, "deviation")
    assert low <= exact <= high
    more, _ = tolerance(75, weights, Fraction(1, 100))
    assert least
    assert more >= flows


def test_several_members_as_scipy() -> None:
    found = float(p_value((5, 5, 5, 9), (1, 1, 1, 1), "likelihood").low)
    law = multinomial(24, [0.25] * 4)
    mine = law.pmf([5, 5, 5, 9])
    every = (x for x in itertools.product(range(25), repeat=3) if sum(x) <= 24)
    assert found == pytest.approx(sum(p for x in every if (p := law.pmf([*x, 24 - sum(x)])) <= mine * (1 + 1e-9)))


def test_what_is_no_split() -> None:
    for counts, weights in (([5], [1]), ([0, 0], [1, 1]), ([1, -1], [1, 1]), ([1, 2], [1]), ([1, 2], [0, 1]),
                            ([10**6, 1], [1, 1]), ([40_000, 1], [1 << 19, 1 << 19])):  # fmt: skip
        with pytest.raises(InputError):
            check_split(counts, weights)
    with pytest.raises(InputError, match="--test deviation"):
        p_value([100] * 16, [1] * 16, "likelihood")
    assert usual_test([100] * 16) == "deviation"
    assert usual_test([100] * 2) == "likelihood"
    assert reached(10, [1, 1], Fraction(0)) == (1, 1)
