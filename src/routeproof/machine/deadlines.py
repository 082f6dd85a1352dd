"""Time limits, and Ctrl-C while a certificate is made: what was reached is worth the short wait; asked for twice, it
ends at once."""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .interrupts import Watch, process_watch, raises_interrupts

_LOGGER = logging.getLogger(__name__)
_TOO_LONG = "interrupted: to certify what was reached would take longer; --time-limit SECONDS allows for that"
_CERTIFIED = "interrupted: what was reached is certified"


class Deadline:
    """A limit of ``seconds`` from now on, or none."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self, least: float = 0.0) -> float | None:
        """Seconds, at least ``least``; None where there is no limit."""
        return None if self._end is None else max(self._end - time.monotonic(), least)

    @property
    def over(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end


def shown_gap(show: object, words: str) -> Callable[[int, float], None] | None:
    """Rounds and gap in ``words``, where the stage has somebody to show them to."""
    return (lambda rounds, gap: show(words.format(rounds, gap))) if callable(show) else None


@dataclass
class Held:
    """``happened``: somebody has interrupted."""

    happened: bool = False


@contextmanager
def held_interrupts() -> Iterator[Held]:
    """What runs inside goes on at the first interrupt, which is answered by a line; the second one ends it.

    Only the main thread can hear interrupts; elsewhere, and where the program handles them by itself, nothing is held.
    Where the process has a ``Watch``, that says how long the certificate may take.
    """
    held = Held()
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not raises_interrupts(before):
        yield held
        return
    watch = process_watch()
    if watch is not None:
        watch.line = _TOO_LONG

    def hear(*_: object) -> None:
        if held.happened:
            raise KeyboardInterrupt
        held.happened = True
        if watch is None:
            _LOGGER.warning("interrupted: certifying what was reached (interrupt again to give it up)")

    signal.signal(signal.SIGINT, hear)
    line = Watch.line
    try:
        yield held
        if held.happened or (watch is not None and watch.heard):
            line = _CERTIFIED
    finally:
        signal.signal(signal.SIGINT, before)
        if watch is not None:
            watch.heard |= held.happened
            watch.line = line
