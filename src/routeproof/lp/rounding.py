"""From floats to whole numbers and fractions: candidates near a point, of which exact arithmetic chooses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Float64, Int64

DENOMINATORS = (1_000, 100_000, 10_000_000)
_LONGEST = 1 << 40  # of a common denominator
_BITS = (8, 14, 20, 28, 40)
_FINE = 1 << 40


def whole_near(values: Float64) -> Iterator[Int64]:
    """Whole numbers in about the same proportions, ``values`` >= 0: first such as have short fractions, as vertices do;
    then rounded up to ever more bits.  None where all are 0."""
    top = float(values.max(initial=0.0))
    if top <= 0:
        return
    for most in DENOMINATORS[:2]:
        fractions = [Fraction(x).limit_denominator(most) for x in (values / top).tolist()]
        common = math.lcm(*(x.denominator for x in fractions))
        if common < _LONGEST:
            yield np.array([int(x * common) for x in fractions], dtype=np.int64)
    for bits in _BITS:
        yield np.ceil(values / top * (1 << bits)).astype(np.int64)


def rounded_down(values: Float64, *, beside: float = 0.0) -> tuple[Int64, float]:
    """Whole numbers in about the same proportions, and what they were multiplied by: so much that the largest, or
    ``beside``, becomes 2^40."""
    top = max(float(values.max()), beside)
    scale = _FINE / top if top > 0 else 1.0
    return np.floor(values * scale).astype(np.int64), scale


def fraction_near(amount: float | Fraction, most: int | None) -> Fraction:
    """The nearest fraction with a denominator up to ``most``; without, not above it.  A fraction is as it is."""
    if isinstance(amount, Fraction):
        return amount
    return Fraction(math.floor(amount * _FINE), _FINE) if most is None else Fraction(amount).limit_denominator(most)


def without_common_factor(numbers: Sequence[Any] | npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Python's integers (dtype object), as small as they may be in these proportions."""
    common = math.gcd(*(int(x) for x in numbers)) or 1
    return np.array([*(int(x) // common for x in numbers), None], dtype=object)[:-1]
