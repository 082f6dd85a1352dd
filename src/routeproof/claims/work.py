"""How much work a report may ask for: what is done again is counted before it is begun.

A small file can ask for days of simulation.  Work is counted in steps, of which a second does about a million; what
takes more than ``MOST_STEPS`` in all is refused, unless the caller lifts the limit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..core.errors import InputError

MOST_STEPS = 600_000_000
_left: ContextVar[float | None] = ContextVar("steps left", default=None)


@contextmanager
def limited(steps: float | None) -> Iterator[None]:
    """Within it ``spend`` allows so many steps in all; None: any number."""
    token = _left.set(steps)
    try:
        yield
    finally:
        _left.reset(token)


def spend(steps: float, what: str) -> None:
    """Raise InputError if ``what`` takes more steps than are left; else take them off."""
    left = _left.get()
    if left is None:
        return
    if steps > left:
        seconds = f"{steps / 1e6:,.0f}" if steps < 1e15 else "over 10^9"
        raise InputError(
            f"{what} would take about {seconds} s, and {left / 1e6:,.0f} s are left; a report may ask for "
            f"{MOST_STEPS / 1e6:.0f} s in all unless --no-limit is given"
        )
    _left.set(left - max(0, steps))
