"""Sampling until intervals are as narrow as asked, without losing their confidence: looks at fixed numbers of trials.

The interval at look k has 1 / (k (k + 1)) of the error (``sampling.confidence_of_look``), and looks come at ``first``
trials, twice, four times as many, at last at ``limit``.  So the interval at which sampling stops covers as often as it
says, whatever makes it stop.  What is looked at are the first trials by number: neither workers nor an interruption
change where sampling ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from ..claim import Interval
from ..errors import InputError, VerificationError
from ..rational import parse_fraction
from .intervals import confidence_of_look

FIRST_LOOK = 100  # fixed, so that nobody can choose it to suit what was found
MOST_TRIALS = 100_000  # where a width is asked for and no number of trials
_LARGEST = 1 << 40
Seen = TypeVar("Seen", bound=Interval)
_DIGITS = 15


@dataclass(frozen=True)
class Width:
    """How narrow an interval shall be: ``amount`` itself, or so much of the best estimate."""

    amount: Fraction
    relative: bool = False

    def __str__(self) -> str:
        return f"{100 * self.amount}%" if self.relative else str(self.amount)

    def holds(self, low: float, best: float, high: float) -> bool:
        return high - low <= float(self.amount) * (abs(best) if self.relative else 1.0)


def parse_width(text: str) -> Width:
    """``0.01``, ``1/50``: high - low at most that; ``5%``: at most that part of the best estimate.

    Raises InputError for anything else, and for numbers of more than 15 digits.
    """
    plain = text.strip()
    relative = plain.endswith("%")
    try:
        amount = parse_fraction(plain.removesuffix("%").strip(), what="the width")
    except InputError:
        amount = Fraction(0)
    if not 0 < amount < 10**_DIGITS or amount.denominator > 10**_DIGITS:
        raise InputError(
            f"the width is {text[:40]!r}; more than 0, such as 0.01 or 5%, with at most {_DIGITS} digits, was expected"
        )
    return Width(amount / 100 if relative else amount, relative)


@dataclass(frozen=True)
class Stopping:
    """Looks at ``first``, 2 ``first``, 4 ``first``, ... and ``limit`` trials, until all intervals have their width.

    Reports are verified with looks from FIRST_LOOK on; other ones are for the use of the library alone.
    """

    width: Width
    limit: int = MOST_TRIALS
    first: int = FIRST_LOOK

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= _LARGEST or self.first < 1:
            raise InputError(f"at most {self.limit} trials were asked for; 1 to {_LARGEST:,} was expected")

    def spans(self) -> Iterator[tuple[int, int]]:
        """(start, stop): the trials that each look adds."""
        start, stop = 0, min(self.first, self.limit)
        while start < stop:
            yield start, stop
            start, stop = stop, min(2 * stop, self.limit)

    def confidence(self, trials: int, confidence: float = 0.99) -> float:
        """That of the interval at the look after ``trials``, so that all looks together have ``confidence``."""
        looks = [stop for _, stop in self.spans()]
        if trials not in looks:
            raise VerificationError(
                f"its {trials} trials are not one of the looks at {self.first}, twice as many, ... {self.limit} trials"
            )
        return confidence_of_look(1 + looks.index(trials), confidence)

    def enough(self, intervals: Iterable[Interval]) -> bool:
        """Are all as narrow as was asked?"""
        return all(self.width.holds(x.low, x.best, x.high) for x in intervals)

    def notes(self, intervals: Iterable[Interval]) -> list[str]:
        """A line for people where the limit came first."""
        wide = [x for x in intervals if not self.width.holds(x.low, x.best, x.high)]
        if not wide:
            return []
        return [f"The width {self.width} was not reached within {wide[0].trials} trials: the interval is as it says."]

    def data(self) -> dict[str, Any]:
        """For evidence; ``confidence_of_limits`` reads it."""
        return {"until_width": str(self.width), "first_look": self.first, "most_trials": self.limit}


def confidence_of_limits(data: Mapping[str, Any], value: Interval) -> float:
    """The confidence with which the limits of ``value`` are to be formed: less error where sampling could stop early.

    ``data``: its evidence.  Raises VerificationError where that names no looks, or where sampling ended at none of
    them, or before it had its width.
    """
    if "until_width" not in data:
        if {"first_look", "most_trials"} & set(data):
            raise VerificationError("it tells of looks at its trials, but of no width that they were for")
        return value.confidence
    first, limit = data.get("first_look"), data.get("most_trials")
    if type(first) is not int or first != FIRST_LOOK:
        raise VerificationError(f"its first look is after {str(first)[:20]} trials; {FIRST_LOOK} was expected")
    if type(limit) is not int or not 1 <= limit <= _LARGEST:
        raise VerificationError(f"it has at most {str(limit)[:20]} trials; a whole number was expected")
    try:
        width = parse_width(str(data["until_width"])[:80])
    except InputError as error:
        raise VerificationError(str(error)) from None
    if value.trials < limit and not width.holds(value.low, value.best, value.high):
        raise VerificationError(f"sampling ended after {value.trials} of {limit} trials without the width {width}")
    return Stopping(width, limit).confidence(value.trials, value.confidence)


def sample_until(stopping: Stopping | None, trials: int, look: Callable[[int, int], Sequence[Seen]]) -> Sequence[Seen]:
    """The intervals of the last ``look(start, stop)``, which adds trials ``start`` to ``stop`` - 1.

    One look at all of ``trials``; or, with ``stopping``, looks until all intervals are as narrow as it asks.
    """
    found: Sequence[Seen] = ()
    for start, stop in [(0, trials)] if stopping is None else stopping.spans():
        found = look(start, stop)
        if stopping is not None and stopping.enough(found):
            break
    return found


def stopping_asked(until_width: str | None, most: int | None) -> Stopping | None:
    """What the options ask for: at most ``most`` trials (100,000); None where no width is asked for."""
    if until_width is None:
        return None
    return Stopping(parse_width(until_width), MOST_TRIALS if most is None else most)
