"""The option --alpha: how long a phase takes before anything moves."""

from __future__ import annotations

from fractions import Fraction

from ...core.errors import InputError
from ..given import Given
from ..question import Option


def _alpha(_: Given, text: str | None) -> Fraction:
    from ...core.rational import parse_fraction

    return Fraction(0) if text is None else parse_fraction(text, what="--alpha")


def checked_latency(alpha: Fraction | int) -> Fraction:
    """Raises InputError for a time below 0."""
    if alpha < 0:
        raise InputError(f"--alpha is {alpha}; a latency of 0 or more was expected")
    return Fraction(alpha)


ALPHA = Option(
    value="A",
    text="With --algorithm: latency of a phase, in cycles, when every rank has one unit (0).",
    kind=str | None,
    read=_alpha,
    python="Latency of a phase, in cycles, when every rank has one unit.",
)
