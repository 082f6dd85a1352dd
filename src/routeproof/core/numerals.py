"""Exact numbers as people read them: the fraction where it is short, and its decimals."""

from __future__ import annotations

import math
from fractions import Fraction

_PLAIN = 12  # powers of ten within which decimals are written out
_LONG = 26  # characters of a fraction that a table shows in full


def decimal_text(value: Fraction, digits: int = 4) -> str:
    """``value`` in decimals: in full where that is short, else rounded to ``digits`` decimals (exactly, half up).

    Values below 1/10 get ``digits`` significant digits instead, and values that would be rounded up to 1 more decimals;
    very small and very large ones get a power of ten.
    """
    if value == 0:
        return "0"
    if not 10**-_PLAIN <= abs(value) < 10**_PLAIN:
        return _scientific(value, digits)
    places = digits
    while abs(value) * 10**places < 10 ** (digits - 1) and places < 40:
        places += 1
    while (scaled := _scaled(abs(value), places)) == 10**places and abs(value) < 1 and places < _PLAIN:
        places += 1
    if abs(value) < 1:
        scaled = min(scaled, 10**places - 1)
    text = str(scaled).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    whole, rest = text[:-places], text[-places:]
    if Fraction(scaled, 10**places) == abs(value):
        rest = rest.rstrip("0")
    return f"{sign}{whole}.{rest}" if rest else f"{sign}{whole}"


def _scaled(value: Fraction, places: int) -> int:
    """``value`` in units of the last decimal, rounded half up."""
    scaled: int = (2 * value.numerator * 10**places + value.denominator) // (2 * value.denominator)
    return scaled


def _scientific(value: Fraction, digits: int) -> str:
    """``1.667e-4000``: ``digits`` significant digits, rounded half up."""
    exponent = math.floor((abs(value.numerator).bit_length() - value.denominator.bit_length()) * math.log10(2))
    while abs(value) >= Fraction(10) ** (exponent + 1):
        exponent += 1
    while abs(value) < Fraction(10) ** exponent:
        exponent -= 1
    shown = math.floor(abs(value) / Fraction(10) ** (exponent - digits + 1) + Fraction(1, 2))
    if shown == 10**digits:
        shown, exponent = shown // 10, exponent + 1
    text = str(shown)
    return f"{'-' if value < 0 else ''}{text[0]}.{text[1:]}e{exponent:+d}"


def fraction_text(value: Fraction, *, limit: int = _LONG) -> str:
    """``25/144``; a fraction that is too long to read is named by its size, never shown cut or rounded."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > 13_000:
        return f"({value.numerator.bit_length()}/{value.denominator.bit_length()} bits)"
    text = str(value)
    if len(text) <= limit:
        return text
    return f"({len(str(abs(value.numerator)))}/{len(str(value.denominator))} digits)"


def seconds_text(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.0f} s"


def trials_text(count: int) -> str:
    return f"{count} trial" if count == 1 else f"{count} trials"
