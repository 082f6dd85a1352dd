"""Confidence intervals for sampled means, proportions and medians that keep their promise, also when sampling stops
early.

A proportion has the exact limits of Clopper & Pearson 1934 (Biometrika 26), found in floating point and rounded
outwards: the sums count as larger than they are by more than their error, most of which is that of the logarithms of
factorials.  A median has order statistics (Thompson 1936, Annals of Mathematical Statistics 7): the number of values at
most the median is binomial, so that x_(k) .. x_(n + 1 - k) misses it with probability 2 P(B(n, 1/2) < k) at most.

The mean of bounded values has the limits of Waudby-Smith & Ramdas 2024 (JRSS B 86, "Estimating means of bounded random
variables by betting", the hedged capital): who bets against
a mean m on each value before it is seen does not multiply the stake by 2 / error, if m is
the mean, with a larger probability than error / 2 (Ville); all m against which that happened are left out.  Neither
asks for a normal distribution or for many samples.  What differs from the paper: each side has half of the error and
its own capital, and the bets are cut at 3/4 of what can be lost.  Capital falls as m rises, so that one bisection finds
all m against which enough was won; what floating point may have added to it is asked for on top, and limits round
outwards.

Looking again and again until an interval is narrow enough makes ordinary intervals fail too often.  Here the k-th look
has 1 / (k (k + 1)) of the error, so that all looks together keep the confidence (Boole's inequality);
``core.sampling.stopping`` says when looks come.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from ..arrays import Float64
from ..errors import InputError

_CUT = 0.75  # of what a bet can lose
_ROUNDS = 60
_ERROR, _ERROR_EACH = 1e-9, 1e-13  # of the sum of logarithms, at most: in all, and more for each value (about 60 ulp)


def mean_limits(
    values: npt.ArrayLike, *, least: float | Fraction, most: float | Fraction, confidence: float = 0.99
) -> tuple[float, float]:
    """(low, high) for the expectation of independent values between ``least`` and ``most``, in the order drawn.

    Fractions that no float equals are rounded outwards.
    Raises InputError for no values, and for values beyond these bounds.
    """
    x = np.asarray(values, dtype=np.float64)
    least, most = _beyond(least, -math.inf), _beyond(most, math.inf)
    if not len(x):
        raise InputError("there are no samples; at least one was expected")
    if not (x.min() >= least and x.max() <= most):
        raise InputError(f"a sample lies outside {least} .. {most}: it runs from {x.min()} to {x.max()}")
    if most <= least:
        return least, most
    width, mean = most - least, float(x.mean())
    scaled = (x - least) / width
    log = math.log(2 / (1 - confidence))
    low = least + width * _lowest(scaled, log)
    high = most - width * _lowest(1 - scaled, log)
    room = 4 * (math.ulp(least) + math.ulp(most))  # of scaling there and back
    return max(least, min(mean, low - room)), min(most, max(mean, high + room))


def _beyond(limit: float | Fraction, side: float) -> float:
    """The limit as a float, or the next one to this side."""
    near = float(limit)
    return near if Fraction(near) == limit else math.nextafter(near, side)


def _lowest(x: Float64, log: float) -> float:
    """The largest m in 0 .. 1, from below, against which the bets on larger values win more than exp(``log``)."""
    count = len(x)
    enough = log + _ERROR + count * _ERROR_EACH
    order = np.arange(1, count + 1)
    mean = (0.5 + np.cumsum(x)) / (order + 1)
    variance = (0.25 + np.cumsum((x - mean) ** 2)) / (order + 1)
    before = np.concatenate([[0.25], variance[:-1]])  # of what was seen before each bet
    bet = np.sqrt(2 * log / (count * before))
    low, high = 0.0, 1.0
    for _ in range(_ROUNDS):
        m = (low + high) / 2
        won = float(np.log1p(np.minimum(bet, _CUT / m) * (x - m)).sum())
        low, high = (m, high) if won > enough else (low, m)
    return low


def normal_limits(values: npt.ArrayLike, *, confidence: float = 0.99) -> tuple[float, float]:
    """(low, high) as the central limit theorem has it: an approximation, good for many values that are not very skewed.

    Nothing is proved about its coverage: it is given beside ``mean_limits``, and named, where that is far wider.
    """
    x = np.asarray(values, dtype=np.float64)
    mean = float(x.mean())
    if len(x) < 2:
        return -math.inf, math.inf
    spread = NormalDist().inv_cdf((1 + confidence) / 2) * float(x.std(ddof=1)) / math.sqrt(len(x))
    return mean - spread, mean + spread


def confidence_of_look(look: int, confidence: float) -> float:
    """The confidence of the interval at look 1, 2, ... that leaves ``confidence`` for all of them together."""
    return 1 - (1 - confidence) / (look * (look + 1))


def probability_limits(hits: int, trials: int, *, confidence: float = 0.99) -> tuple[float, float]:
    """(low, high): the probability lies between them with the given confidence, whatever it is.

    Raises InputError unless 0 <= hits <= trials, trials >= 1.
    """
    if not 0 <= hits <= trials or trials < 1:
        raise InputError(f"{hits} of {trials} trials: at most all of them, and at least one trial, was expected")
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
