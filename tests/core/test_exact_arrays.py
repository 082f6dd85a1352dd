"""Exact arithmetic on arrays of rationals: int64 or Python integers, never a wrong number."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from routeproof.core.errors import InputError
from routeproof.core.exact_arrays import (
    concatenate,
    grouped_sum,
    over_scale,
    plus,
    ragged,
    reduced,
    times,
)
from routeproof.core.rational import INT64_MAX, Rationals, shown
from routeproof.routing.base import pair_table
from routeproof.routing.base.pair_table import PairTable

EDGE = st.sampled_from([0, 1, 2, 3, 2**31, 2**32 + 1, 2**62, INT64_MAX - 1, INT64_MAX, 2**63, 3**50])
NUMBER = st.builds(lambda a, b, sign: Fraction(sign * a, b), EDGE, EDGE.filter(bool), st.sampled_from([1, -1]))
SMALL = st.fractions(-10, 10, max_denominator=12)
NUMBERS = st.lists(st.one_of(SMALL, NUMBER), min_size=1, max_size=8) | st.lists(SMALL, min_size=1, max_size=8)


def exact(values: Rationals, wanted: list[Fraction]) -> None:
    assert values.fractions() == wanted
    for a, b, x in zip(values.num.tolist(), values.den.tolist(), wanted, strict=True):
        assert (a, b) == (x.numerator, x.denominator)


@given(NUMBERS, NUMBER)
def test_products(values: list[Fraction], factor: Fraction) -> None:
    exact(times(Rationals.of(values), factor), [x * factor for x in values])


@given(NUMBERS, NUMBERS)
def test_sums(one: list[Fraction], two: list[Fraction]) -> None:
    size = min(len(one), len(two))
    one, two = one[:size], two[:size]
    exact(plus(Rationals.of(one), Rationals.of(two)), [x + y for x, y in zip(one, two, strict=True)])


@given(st.lists(NUMBERS, max_size=6))
def test_sums_of_runs(runs: list[list[Fraction]]) -> None:
    start = np.array([0, *accumulate(len(run) for run in runs)][: len(runs)], dtype=np.int64)
    exact(grouped_sum(Rationals.of(x for run in runs for x in run), start), [sum(run, Fraction(0)) for run in runs])


@given(st.lists(st.integers(-(2**62), 2**62), max_size=8), EDGE.filter(bool))
def test_lowest_terms(values: list[int], scale: int) -> None:
    exact(over_scale(np.array(values, dtype=np.int64), scale), [Fraction(x, scale) for x in values])
    den = np.full(len(values), min(scale, INT64_MAX), dtype=np.int64)
    exact(reduced(np.array(values, dtype=np.int64), den), [Fraction(x, min(scale, INT64_MAX)) for x in values])


@given(NUMBERS, NUMBERS)
def test_one_after_the_other(one: list[Fraction], two: list[Fraction]) -> None:
    exact(concatenate([Rationals.of(one), Rationals.of(two)]), one + two)
    assert len(concatenate([])) == 0


def test_ragged_ranges() -> None:
    assert ragged(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist() == [5, 6, 9, 10, 11]


def test_fractions_in_messages_are_short() -> None:
    assert shown(Fraction(25, 144)) == "25/144"
    assert shown(Fraction(1, 3) + Fraction(1, 2**5000)) == "0.333333333 (a fraction of 5,002 bits)"
    assert shown(Fraction(2**5000)) == "a fraction of 5,001 bits"


def test_a_table_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_table, "MAX_ENTRIES", 3)
    four = np.arange(4)
    with pytest.raises(InputError, match="more than 3 non-zero pair loads"):
        PairTable.of(four, four, four, Rationals.ones(4), shape=(4, 4, 4))
    with pytest.raises(InputError, match="too many for a table"):
        PairTable.of(four[:1], four[:1], four[:1], Rationals.ones(1), shape=(2**30, 2**30, 2**30))
