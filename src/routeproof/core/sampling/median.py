"""Confidence limits for a median from order statistics: exact for any distribution, and narrow with few trials.

The number of values at most the median is binomial, so that x_(k) .. x_(n + 1 - k) misses it with probability
2 P(B(n, 1/2) < k) at most (Thompson 1936, Annals of Mathematical Statistics 7).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from ..errors import InputError

__all__ = ["median_limits"]


def median_limits(values: Sequence[float], *, confidence: float = 0.99) -> tuple[float, float, float]:
    """(low, median, high): the median of the distribution lies between low and high with the given confidence.

    Of an even number of values the median is the mean of the middle two.  Raises InputError for too few values: 8 are
    needed for 99 %.
    """
    ordered = sorted(values)
    count = len(ordered)
    room = math.floor(Fraction(1 - confidence).limit_denominator(10**9) / 2 * (1 << count))
    ways = below = 1  # 2^n P(B(n, 1/2) = k) and 2^n P(B(n, 1/2) <= k)
    k = 0
    while below <= room:
        ways = ways * (count - k) // (k + 1)
        k += 1
        below += ways
    if not k:
        needed = math.ceil(1 - math.log2(1 - confidence))
        raise InputError(
            f"{count} trials are too few for a median with {100 * confidence:.6g} % confidence; {needed} were expected"
        )
    middle = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    return ordered[k - 1], middle, ordered[count - k]
