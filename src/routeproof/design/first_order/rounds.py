"""Rounds of the first-order method until its interval is narrow, the time is over, or somebody interrupts."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ...machine.one_thread import one_blas_thread
from .method import FirstOrder, Judgement

__all__ = ["Rounds", "run_rounds"]

_FINE = 3e-7
_FIRST = 100
_MORE = 1.3  # rounds between judgements grow by this; a judgement costs about as much as two to six rounds
_MOST_ROUNDS = 20_000
_UNEVEN = 4.0


@dataclass(frozen=True)
class Rounds:
    """``gap``: of the last iterate, in floats; ``complete``: neither was the time over nor did anybody interrupt."""

    judgement: Judgement | None
    gap: float
    complete: bool


def run_rounds(
    method: FirstOrder,
    gap_of: Callable[[Judgement], float],
    *,
    enough: float,
    seconds: float | None = None,
    balance: bool = False,
    tell: Callable[[int, float], None] | None = None,
) -> Rounds:
    """Make rounds until ``gap_of`` is below 3e-7, or at most ``enough`` and no longer falling fast: faster than the
    square of the rounds grows; at most 20,000.  At least one is made, whatever ``seconds`` says.  ``tell``: called with
    rounds and gap.

    ``balance``: change the penalty where one side of the interval (load >= ...) lags behind the other.
    """
    start = time.monotonic()
    end = None if seconds is None else start + seconds
    begun, due = method.rounds, method.rounds + _FIRST
    last: Judgement | None = None
    gap, before, since = float("inf"), float("inf"), begun
    try:
        with one_blas_thread(), ThreadPoolExecutor(method.threads) as pool:
            while method.rounds - begun < _MOST_ROUNDS:
                method.step(pool)
                if end is not None and time.monotonic() > end:
                    return Rounds(last, gap, False)
                if method.rounds < due:
                    continue
                last = method.judge(pool)
                gap = gap_of(last)
                if tell is not None:
                    tell(method.rounds - begun, gap)
                made, earlier = method.rounds - begun, max(since - begun, 1)
                if gap <= _FINE or (gap <= enough and gap > before * (earlier / made) ** 2):
                    break
                before, since = gap, method.rounds
                due = method.rounds + int((_MORE - 1) * made)
                if balance:
                    _balance(method, last)
    except KeyboardInterrupt:
        method.refresh()  # some sources may be a round ahead of others
        return Rounds(last, gap, False)
    return Rounds(last, gap, True)


def _balance(method: FirstOrder, found: Judgement) -> None:
    below, above = method.load - found.least_load(), found.load - method.load
    if below <= 0 or above <= 0:
        return
    if below > _UNEVEN * above:
        method.punish(method.penalty / 2)
    elif above > _UNEVEN * below:
        method.punish(method.penalty * 2)
