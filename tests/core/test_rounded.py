"""Rounded numbers: what is printed of a confidence, a share or an interval is never another one."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routeproof.core.display import estimate_text, outward_text, percent_text
from routeproof.core.rational import Rationals


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.99, "99 %"),
        (0.9851, "98.51 %"),
        (0.995, "99.5 %"),
        (0.9, "90 %"),
        (0.5, "50 %"),
        (0.07, "7 %"),
        (0.9999999, "99.99999 %"),
        (1e-9, "0.0000001 %"),
        (1.0, "100 %"),
        (0.0, "0 %"),
    ],
)
def test_a_confidence_is_printed_in_full(value: float, text: str) -> None:
    assert percent_text(value) == text


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (0.1234, 1, "12.3 %"),
        (0.99951, 1, "99.95 %"),
        (0.999951, 1, "99.995 %"),
        (0.99949, 1, "99.9 %"),
        (1.0, 1, "100.0 %"),
        (0.0004, 1, "0.04 %"),
        (0.0, 1, "0.0 %"),
        (1e-40, 0, "1.0e-38 %"),
    ],
)
def test_a_share_is_not_rounded_to_nothing_nor_to_all(value: float, places: int, text: str) -> None:
    assert percent_text(value, places) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.24714, 0.28622, "0.2471 .. 0.2863"),
        (0.3, 0.7, "0.3000 .. 0.7000"),
        (0.0, 1.0, "0.0000 .. 1.0000"),
        (0.00002, 0.99995, "0.00002 .. 0.99995"),
        (1e-30, 0.5, "1.0e-30 .. 0.5000"),
        (12.34561, math.inf, "12.3456 .. Infinity"),
    ],
)
def test_the_ends_of_an_interval_are_rounded_outwards(low: float, high: float, text: str) -> None:
    assert outward_text(low, high) == text


@given(st.floats(0, 1), st.floats(0, 1))
def test_what_is_printed_holds_the_interval_and_nothing_that_is_not_so(a: float, b: float) -> None:
    low, high = sorted((a, b))
    ends = [Fraction(x) for x in outward_text(low, high).split(" .. ")]
    assert ends[0] <= Fraction(repr(low))
    assert Fraction(repr(high)) <= ends[1]
    for value, *printed in ((low, ends[0]), (high, ends[1]), (a, Fraction(estimate_text(a)))):
        assert value == 0 or 0 not in printed
        assert value == 1 or 1 not in printed


@given(st.floats(0, 1))
def test_percentages_in_full_come_back(value: float) -> None:
    assert float(Fraction(percent_text(value).removesuffix(" %")) / 100) == value


def test_down_and_up_fit_the_same_numbers() -> None:
    """At a scale of 2^60 numbers up to 4 fit, and so do those down to -4: rounding down is rounding up the opposite."""
    for num, den in ((7, 2), (-7, 2), (3, 1), (-3, 1), (10, 3), (-10, 3)):
        found = Rationals.of([Fraction(num, den)]).ceil_fixed(60)
        assert int(found[0]) == math.ceil(Fraction(num, den) * 2**60)
    for num in (4, -4, 5, -5):
        with pytest.raises(OverflowError):
            Rationals.of([Fraction(num)]).ceil_fixed(60)
