"""Confidence intervals for sampled means and proportions that keep their promise, also when sampling stops early.

A proportion has the exact limits of Clopper & Pearson (``core.binomial``).  The mean of bounded values has those of
Hoeffding 1963 (JASA 58, Theorem 2) and of Maurer & Pontil 2009 (COLT, Theorem 4: "empirical Bernstein"), each with half
of the error, whichever are closer; neither asks for a normal distribution or for many samples.

Looking again and again until an interval is narrow enough makes ordinary intervals fail too often.  Here the k-th look
has 1 / (k (k + 1)) of the error, so that all looks together keep the confidence (Boole's inequality).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .binomial import probability_limits
from .errors import InputError

__all__ = ["SampledMean", "confidence_of_look", "mean_limits", "sample_until"]


@dataclass(frozen=True)
class SampledMean:
    """The expectation lies in ``low .. high`` with probability ``confidence``; ``best`` is the mean of all ``trials``.

    ``looks``: how often the interval was looked at; ``reached``: is it as narrow as was asked for?
    """

    low: float
    best: float
    high: float
    trials: int
    looks: int
    confidence: float
    reached: bool


def mean_limits(values: npt.ArrayLike, *, least: float, most: float, confidence: float = 0.99) -> tuple[float, float]:
    """(low, high) for the expectation of independent values between ``least`` and ``most``.

    Raises InputError for no values, and for values beyond these bounds.
    """
    x = np.asarray(values, dtype=np.float64)
    if not len(x):
        raise InputError("there are no samples; at least one was expected")
    if not (x.min() >= least and x.max() <= most):
        raise InputError(f"a sample lies outside {least} .. {most}: it runs from {x.min()} to {x.max()}")
    n, width, mean = len(x), most - least, float(x.mean())
    log = math.log(4 / (1 - confidence))  # two sides, two bounds
    spread = width * math.sqrt(log / (2 * n))
    if n > 1:
        variance = float(x.var(ddof=1))
        spread = min(spread, math.sqrt(2 * variance * log / n) + 7 * width * log / (3 * (n - 1)))
    return max(least, mean - spread), min(most, mean + spread)


def confidence_of_look(look: int, confidence: float) -> float:
    """The confidence of the interval at look 1, 2, ... that leaves ``confidence`` for all of them together."""
    return 1 - (1 - confidence) / (look * (look + 1))


def sample_until(
    draw: Callable[[int, int], Sequence[float] | npt.NDArray[np.float64]],
    *,
    width: float,
    least: float = 0.0,
    most: float = 1.0,
    proportion: bool = False,
    confidence: float = 0.99,
    first: int = 64,
    limit: int = 1 << 20,
) -> SampledMean:
    """Draw samples until the interval is at most ``width`` wide, or ``limit`` samples are drawn.

    ``draw(start, stop)`` gives the samples with these numbers; sample k is always the same (its seed follows from k),
    so that a run that goes on adds up with one that stopped.  Looks come at ``first`` samples, at twice, four times
    as many.
    ``proportion``: all samples are 0 or 1, and the limits are exact.
    """
    if not width > 0 or not 0 < confidence < 1 or first < 1 or limit < first or most <= least:
        raise InputError(
            f"a width of {width}, a confidence of {confidence} and {first} to {limit} samples make no sense together"
        )
    values = np.zeros(0)
    look = 0
    while True:
        look += 1
        count = min(first << (look - 1), limit)
        values = np.concatenate([values, np.asarray(draw(len(values), count), dtype=np.float64)])
        if len(values) != count:
            raise InputError(f"{len(values)} samples were drawn; {count} were expected")
        now = confidence_of_look(look, confidence)
        if proportion:
            hits = int(values.sum())
            if not ((values == 0) | (values == 1)).all():
                raise InputError("a sample of a proportion is neither 0 nor 1")
            low, high = probability_limits(hits, count, confidence=now)
        else:
            low, high = mean_limits(values, least=least, most=most, confidence=now)
        reached = high - low <= width
        if reached or count == limit:
            return SampledMean(low, float(values.mean()), high, count, look, confidence, reached)
