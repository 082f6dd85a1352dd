"""Fractions of any length as text: Python's own conversions stop at 4300 digits, exact loads need not."""

from __future__ import annotations

import re
from fractions import Fraction

MAX_CHARACTERS = 200_000  # bounds the time that reading takes; a fraction of two 300,000-bit integers fits
_FRACTION = re.compile(r"(-?)(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?", re.ASCII)
_DIGITS = 4000  # per chunk
_CHUNK = 10**_DIGITS


def _integer_to_text(value: int) -> str:
    chunks = []
    while value >= _CHUNK:
        value, low = divmod(value, _CHUNK)
        chunks.append(str(low).zfill(_DIGITS))
    return "".join([str(value), *reversed(chunks)])


def _integer_from_text(digits: str) -> int:
    first = len(digits) % _DIGITS or _DIGITS
    value = int(digits[:first])
    for at in range(first, len(digits), _DIGITS):
        value = value * _CHUNK + int(digits[at : at + _DIGITS])
    return value


def fraction_to_text(value: Fraction | int) -> str:
    """``str(Fraction)``, without its limit on digits: "25/144", "-3"."""
    exact = Fraction(value)
    sign = "-" if exact < 0 else ""
    text = sign + _integer_to_text(abs(exact.numerator))
    return text if exact.denominator == 1 else f"{text}/{_integer_to_text(exact.denominator)}"


def fraction_from_text(text: str) -> Fraction | None:
    """The fraction that ``fraction_to_text`` made a text of; None for any other text, or one that is too long."""
    match = _FRACTION.fullmatch(text) if len(text) <= MAX_CHARACTERS else None
    if match is None:
        return None
    sign, numerator, denominator = match.groups()
    value = Fraction(_integer_from_text(numerator), _integer_from_text(denominator or "1"))
    return -value if sign else value
