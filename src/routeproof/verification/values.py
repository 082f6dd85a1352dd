"""What a claim states, held against the value that its evidence gives when it is computed again."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..core.checks.multipliers import shown
from ..core.claim import Claim, Interval
from ..core.errors import VerificationError
from ..core.sampling.binomial import probability_limits
from ..core.sampling.stopping import confidence_told
from ..core.sampling.trial_intervals import TRIAL_METHODS, trial_interval

__all__ = ["check_close", "check_interval", "check_share", "check_trials", "check_value", "in_short", "stated"]

_CLOSE = 1e-9  # other versions of numpy add up in another order


def in_short(value: object) -> str:
    """A value for a message."""
    return shown(value) if isinstance(value, Fraction) else str(value)[:80]


def stated(claim: Claim) -> str:
    """The value that the claim states, short enough for a message."""
    return in_short(claim.value)


def check_value(claim: Claim, own: Fraction | int | str, what: str) -> None:
    """Raise VerificationError unless the claim states ``own``; ``what``: what gives it, and the verb ("the run
    gives")."""
    if claim.value != own:
        raise VerificationError(f"it is {stated(claim)}; {what} {in_short(own)}")


def check_close(name: str, reported: float, own: float, what: str) -> None:
    """Raise VerificationError unless ``reported`` is ``own``; ``what`` as in ``check_value``."""
    if not abs(reported - own) <= _CLOSE * max(1.0, abs(own)):
        raise VerificationError(f"its {name} is {reported}; {what} {own}")


def check_interval(value: Interval, own: tuple[float, float, float], what: str) -> None:
    """``own``: low, best and high; ``what`` as in ``check_value``."""
    for name, number in zip(("low", "best", "high"), own, strict=True):
        check_close(name, getattr(value, name), number, what)


def check_share(claim: Claim, hits: int, trials: int, what: str) -> None:
    """A probability that was estimated from ``hits`` of ``trials`` trials, with limits by Clopper & Pearson."""
    value = claim.value
    assert isinstance(value, Interval)
    low, high = probability_limits(hits, trials, confidence=confidence_told(claim.evidence.data, value))
    check_interval(value, (low, hits / trials, high), f"{hits} of {trials} {what}")


def check_trials(claim: Claim, kind: str, values: Sequence[float], what: str) -> None:
    """An interval from the ``values`` of all trials, by the method for this kind of quantity (``trial_intervals``)."""
    value, method = claim.value, claim.evidence.data["method"]
    assert isinstance(value, Interval)
    if method != TRIAL_METHODS[kind]:
        raise VerificationError(f"its method is {str(method)[:40]!r}; {TRIAL_METHODS[kind]} was expected")
    own = trial_interval(kind, values, confidence=confidence_told(claim.evidence.data, value))
    check_interval(value, (own.low, own.best, own.high), what)
