"""Confidence intervals for sampled means and proportions that keep their promise, also when sampling stops early.

A proportion has the exact limits of Clopper & Pearson (``core.sampling.binomial``).  The mean of bounded values has
those of Waudby-Smith & Ramdas 2024 (JRSS B 86, "Estimating means of bounded random variables by betting", the hedged
capital): who bets against a mean m on each value before it is seen does not multiply the stake by 2 / error, if m is
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
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from ..errors import InputError

__all__ = ["confidence_of_look", "mean_limits", "normal_limits"]

Float64 = npt.NDArray[np.float64]
_CUT = 0.75  # of what a bet can lose
_ROUNDS = 60
_ERROR, _ERROR_EACH = 1e-9, 1e-13  # of the sum of logarithms, at most: in all, and more for each value (about 60 ulp)


def mean_limits(values: npt.ArrayLike, *, least: float, most: float, confidence: float = 0.99) -> tuple[float, float]:
    """(low, high) for the expectation of independent values between ``least`` and ``most``, in the order drawn.

    Raises InputError for no values, and for values beyond these bounds.
    """
    x = np.asarray(values, dtype=np.float64)
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
