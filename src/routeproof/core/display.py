"""Results for people: small tables as HTML, with all text escaped, exact numbers, and rounded ones.

Numbers are rounded so that none is called another: no probability is rounded to 0 or to 1.  A float is taken for the
decimal that JSON prints: 0.3 is three tenths.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from html import escape

_WIDE = Context(prec=800)  # holds every float, and its decimals
_MORE = 14  # decimals that are added before a power of ten is shown
_PLAIN = 12  # powers of ten within which decimals are written out
_LONG = 26  # characters of a fraction that a table shows in full


def small_table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table under a title; characters that do not print are shown as escapes."""
    head = "".join(f'<th style="text-align:left">{_safe(x)}</th>' for x in heads)
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align:left">{_safe(x)}</td>' for x in row) + "</tr>" for row in rows
    )
    top = f"<thead><tr>{head}</tr></thead>" if heads else ""
    return f"<div><strong>{_safe(title)}</strong><table>{top}<tbody>{body}</tbody></table></div>"


def _safe(text: str) -> str:
    shown = "".join(x if x.isprintable() else x.encode("unicode_escape").decode("ascii") for x in text)
    return escape(shown)


def short(value: object, limit: int = 60) -> str:
    """``repr`` (of a string: itself) for a message: one line, not too long, never raising."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except BaseException:  # noqa: BLE001  # a broken __repr__ must not hide the real message
        text = f"<{type(value).__name__}>"
    text = "".join(x if x.isprintable() else "?" for x in " ".join(text.split()))
    return text if len(text) <= limit else text[: limit - 3] + "..."


def one_line(error: BaseException) -> str:
    try:
        return short(str(error), 200)
    except BaseException:  # noqa: BLE001  # a broken __str__ must not hide the real message
        return ""


def percent_text(value: float, places: int | None = None) -> str:
    """``98.51 %`` of 0.9851: in full, or rounded to ``places`` decimals, more where 0 % or 100 % would not be true."""
    number = Decimal(repr(float(value))).scaleb(2, _WIDE)
    text = f"{number.normalize(_WIDE):f}" if places is None else _rounded(number, places, ROUND_HALF_EVEN, 100)
    return f"{text} %"


def estimate_text(value: float) -> str:
    """``0.3023``: rounded, with more decimals where 0 or 1 would not be true."""
    return _rounded(Decimal(repr(float(value))), 4, ROUND_HALF_EVEN, 1)


def outward_text(low: float, high: float, places: int = 4) -> str:
    """``0.2471 .. 0.2863``: both ends rounded outwards, with more decimals where 0 or 1 would not be true."""
    ends = (low, ROUND_FLOOR), (high, ROUND_CEILING)
    return " .. ".join(_rounded(Decimal(repr(float(x))), places, way, 1) for x, way in ends)


def _rounded(number: Decimal, places: int, rounding: str, whole: int) -> str:
    if not number.is_finite():
        return str(number)
    for more in range(places, places + _MORE):
        shown = number.quantize(Decimal(1).scaleb(-more), rounding=rounding, context=_WIDE)
        if shown == number or shown not in (0, whole):
            return f"{shown:f}"
    return f"{Context(prec=2, rounding=rounding).plus(number):.1e}"


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
