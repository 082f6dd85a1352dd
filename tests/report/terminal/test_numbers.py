"""Numbers and foreign text as people read them."""

from __future__ import annotations

import unicodedata
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routeproof.core.display import decimal_text, fraction_text
from routeproof.core.escape import one_line, printable


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(25, 144), "0.1736"),
        (Fraction(0), "0"),
        (Fraction(3), "3"),
        (Fraction(-5, 2), "-2.5"),
        (Fraction(9, 10), "0.9"),
        (Fraction(1, 3000), "0.0003333"),
        (Fraction(199999, 200000), "0.999995"),
        (Fraction(200001, 200000), "1.0000"),
        (1 - Fraction(1, 10**20), "0.999999999999"),
        (Fraction(-199999, 200000), "-0.999995"),
        (Fraction(10**11 + 1, 3), "33333333333.6667"),
        (Fraction(10**40 + 1, 3), "3.333e+39"),
        (Fraction(-1, 10**4000), "-1.000e-4000"),
        (Fraction(99999, 10**400), "1.000e-395"),
        (Fraction(10**12), "1.000e+12"),
    ],
)
def test_decimals(value: Fraction, text: str) -> None:
    assert decimal_text(value) == text


@given(st.fractions())
def test_decimals_are_near_the_value_and_exact_where_they_end_early(value: Fraction) -> None:
    text = decimal_text(value)
    assert abs(Fraction(text) - value) <= abs(value) / 1000
    if len(text.partition(".")[2]) < 4:
        assert Fraction(text) == value


@given(st.fractions())
def test_a_fraction_is_shown_in_full_or_named(value: Fraction) -> None:
    text = fraction_text(value)
    assert Fraction(text) == value if not text.startswith("(") else "digits" in text


def test_monstrous_fractions_are_named_by_size() -> None:
    assert fraction_text(Fraction(1, 3**80)) == "(1/39 digits)"
    assert "bit" in fraction_text(Fraction(1, 2**100_000))
    assert decimal_text(Fraction(2**100_000 + 1, 2**100_000)) == "1.0000"


@given(st.text())
def test_printable_text_has_nothing_hidden(text: str) -> None:
    for x in printable(text):
        assert unicodedata.category(x) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
    assert "\n" not in one_line(text)


def test_escapes_are_visible() -> None:
    assert printable("a\x1b[31mb") == "a\\x1b[31mb"
    assert printable("\u202edlrow") == "\\u202edlrow"
    assert printable("abcdef", limit=4) == "abc…"
    assert one_line("two\r\n lines") == "two lines"
