"""Confidence limits from counts: for a probability, and for the median of any distribution.

Those of a probability (Clopper & Pearson 1934, Biometrika 26) are found in floating point and rounded outwards: the
sums count as larger than they are by more than their error, most of which is that of the logarithms of factorials.
Those of a median are order statistics (Thompson 1936, Annals of Mathematical Statistics 7): the number of values at
most the median is binomial, so that x_(k) .. x_(n + 1 - k) misses it with probability 2 P(B(n, 1/2) < k) at most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from ..errors import InputError

__all__ = ["median_limits", "probability_limits"]

_ROUNDS = 60


def probability_limits(hits: int, trials: int, *, confidence: float = 0.99) -> tuple[float, float]:
    """(low, high): the probability lies between them with the given confidence, whatever it is.

    Raises InputError unless 0 <= hits <= trials, trials >= 1.
    """
    if not 0 <= hits <= trials or trials < 1:
        raise InputError(f"{hits} of {trials} trials is no count")
    side = (1 - confidence) / 2 * (1 - _error(trials))
    low = 0.0 if not hits else _bisect(lambda p: _at_least(hits, trials, p) < side)
    high = 1.0 if hits == trials else 1 - _bisect(lambda q: _at_least(trials - hits, trials, q) < side)
    return low, math.nextafter(high, 1.0)


def _error(n: int) -> float:
    """The relative error of a sum, at most: 16 ulp of log n!, and what the confidence was rounded by."""
    return min(0.5, 1e-9 + 16 * math.ulp(math.lgamma(n + 1)))


def _bisect(too_low: Callable[[float], bool]) -> float:
    """The largest number, from below, for which the monotone test holds."""
    a, b = 0.0, 1.0
    for _ in range(_ROUNDS):
        middle = (a + b) / 2
        a, b = (middle, b) if too_low(middle) else (a, middle)
    return a


def _at_least(k: int, n: int, p: float) -> float:
    """The probability of k hits or more in n trials."""
    if p <= 0 or p >= 1:
        return float(p >= 1 or k == 0)
    if k <= n * p:  # beyond the middle, what is left out is the smaller part
        return 1.0 - _falling(k - 1, -1, n, p)
    return min(1.0, _falling(k, 1, n, p))


def _falling(x: int, step: int, n: int, p: float) -> float:
    """The sum of the probabilities of x, x + step, ... hits, which fall: it ends where they no longer count."""
    if x < 0:
        return 0.0
    log = math.lgamma(n + 1) - math.lgamma(x + 1) - math.lgamma(n - x + 1) + x * math.log(p) + (n - x) * math.log1p(-p)
    parts: list[float] = []
    term, odds = math.exp(log), p / (1 - p)
    while not parts or (0 <= x <= n and term > parts[0] * 1e-18):
        parts.append(term)
        term *= (n - x) / (x + 1) * odds if step > 0 else x / ((n - x + 1) * odds)
        x += step
    return math.fsum(parts)


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
