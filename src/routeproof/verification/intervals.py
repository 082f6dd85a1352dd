"""Intervals of sampled claims, held against those that their trials give when they are run again."""

from __future__ import annotations

from ..core.claim import Claim, Interval
from ..core.errors import VerificationError
from ..core.sampling.intervals import probability_limits
from ..core.sampling.stopping import confidence_of_limits

__all__ = ["check_close", "check_interval", "check_share"]

_CLOSE = 1e-9  # other versions of numpy add up in another order


def check_close(name: str, told: float, own: float, what: str) -> None:
    """Raise VerificationError unless ``told`` is ``own``; ``what``: what gives it, and the verb ("the trials give")."""
    if not abs(told - own) <= _CLOSE * max(1.0, abs(own)):
        raise VerificationError(f"its {name} is {told}; {what} {own}")


def check_interval(told: Interval, own: tuple[float, float, float], what: str) -> None:
    """``own``: low, best and high; ``what`` as in ``check_close``."""
    for name, number in zip(("low", "best", "high"), own, strict=True):
        check_close(name, getattr(told, name), number, what)


def check_share(claim: Claim, hits: int, trials: int, what: str) -> None:
    """A probability that was estimated from ``hits`` of ``trials`` trials, with limits by Clopper & Pearson."""
    value = claim.value
    assert isinstance(value, Interval)
    low, high = probability_limits(hits, trials, confidence=confidence_of_limits(claim.evidence.data, value))
    check_interval(value, (low, hits / trials, high), f"{hits} of {trials} {what}")
