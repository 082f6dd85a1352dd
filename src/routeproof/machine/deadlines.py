"""Time limits, and Ctrl-C while a certificate is made: what was reached is worth the short wait; asked for twice, it
ends at once.

Who looks at a ``Deadline`` between two steps is late by the longest step.  ``ended_in_time`` therefore raises where the
work is, as Ctrl-C does, by the alarm of POSIX systems: once at a first time, which certificates are not disturbed by,
and at a last one whatever is done.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from .interrupts import Watch, is_importing, process_watch, raises_interrupts

_LOGGER = logging.getLogger(__name__)
_TOO_LONG = "interrupted: to certify what was reached would take longer; --time-limit SECONDS allows for that"
_CERTIFIED = "interrupted: what was reached is certified"


class Deadline:
    """A limit of ``seconds`` from now on, or none: one for a whole command, whose stages take parts of what is left.

    ``clock``: in seconds, from anywhere.
    """

    def __init__(self, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = None if seconds is None else clock() + seconds

    def left(self, least: float = 0.0) -> float | None:
        """Seconds, at least ``least``; None where there is no limit."""
        return None if self._end is None else max(self._end - self._clock(), least)

    def part(self, share: float) -> float | None:
        """Seconds: this share of what is left; None where there is no limit."""
        return None if self._end is None else share * max(self._end - self._clock(), 0.0)

    @contextmanager
    def measured(self, times: float) -> Iterator[None]:
        """What runs inside will run again at the end: so many times the seconds that it takes are kept for that, at
        most half of what is left."""
        begun = self._clock()
        yield
        if self._end is not None:
            now = self._clock()
            self._end -= min(times * (now - begun), max(self._end - now, 0.0) / 2)

    @property
    def over(self) -> bool:
        return self._end is not None and self._clock() >= self._end


class OutOfTimeError(KeyboardInterrupt):
    """The time is over.  Whoever keeps what was reached at Ctrl-C does so here."""


@dataclass(eq=False)
class _Alarm:
    """``first``, ``last``: when it raises, by ``time.monotonic``; ``held``: so many certificates are being made."""

    first: float
    last: float
    held: int = 0
    raised: bool = False
    done: bool = False
    outer: list[_Alarm] = field(default_factory=list)

    def hear(self, _: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if (
            self.done or is_importing(frame) or _is_compiling(frame)
        ):  # it would come out as another error, or not at all
            return
        if now >= min([self.last, *(x.last for x in self.outer)]):
            raise OutOfTimeError
        if now >= self.first and not (self.raised or self.held):
            self.raised = True
            raise OutOfTimeError

    def set(self) -> None:
        signal.signal(signal.SIGALRM, self.hear)
        soonest = min([self.first, *(x.last for x in self.outer)])
        signal.setitimer(signal.ITIMER_REAL, max(soonest - time.monotonic(), _TICK), _TICK)


def _is_compiling(frame: FrameType | None) -> bool:
    """Is a kernel being compiled?  Whoever is stopped there leaves it half done."""
    while frame is not None:
        if any(x in frame.f_code.co_filename for x in ("/numba/", "/llvmlite/")):
            return True
        frame = frame.f_back
    return False


_TICK = 0.1  # seconds between two looks, once the first time is over
_alarms: list[_Alarm] = []  # the innermost last: there is one timer in a process


@contextmanager
def ended_in_time(first: float | None, last: float | None = None) -> Iterator[None]:
    """Inside, OutOfTimeError is raised ``first`` seconds from now, later while interrupts are held, and at the latest
    after ``last`` seconds (None: ``first``); ``first`` None: never.

    Only the main thread can be told, and only where the process does not use the alarm itself; elsewhere nothing is.
    """
    free = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if first is None or not free or not (_alarms or signal.getsignal(signal.SIGALRM) is signal.SIG_DFL):
        yield
        return
    now = time.monotonic()
    own = _Alarm(now + first, now + (first if last is None else last), outer=list(_alarms))
    _alarms.append(own)
    try:
        own.set()
        yield
    finally:
        own.done = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        _alarms.remove(own)
        if _alarms:
            _alarms[-1].set()
        else:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)


def shown_gap(show: object, words: str) -> Callable[[int, float], None] | None:
    """Rounds and gap in ``words``, where the stage has somebody to show them to."""
    return (lambda rounds, gap: show(words.format(rounds, gap))) if callable(show) else None


def certified_before_interrupt() -> None:
    """The last line of an interrupted process says that what was reached is certified."""
    watch = process_watch()
    if watch is not None and watch.heard:
        watch.reached = _CERTIFIED


def was_interrupted() -> bool:
    """Has somebody interrupted this process, which is a command's?  Then what is reached is the answer."""
    watch = process_watch()
    return watch is not None and watch.heard


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
    with _alarms_held():
        yield from _held()


@contextmanager
def _alarms_held() -> Iterator[None]:
    alarms = list(_alarms)
    for x in alarms:
        x.held += 1
    try:
        yield
    finally:
        for x in alarms:
            x.held -= 1


def _held() -> Iterator[Held]:
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
    reached = ""
    try:
        yield held
        if held.happened or (watch is not None and watch.heard):
            reached = _CERTIFIED
    finally:
        signal.signal(signal.SIGINT, before)
        if watch is not None:
            watch.heard |= held.happened
            watch.line, watch.reached = Watch.line, reached
