"""Progress on standard error, once the work has lasted: a bar with rate and time left on a terminal, or plain lines."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator

from ...report.terminal.escape import one_line
from .screen import alone_on_screen, note, waiting
from .settings import settings_here

__all__ = ["counted", "told", "working"]

_PATIENCE = 2.0  # seconds before a terminal shows anything
_PLAIN_PATIENCE, _PLAIN_PAUSE = 10.0, 30.0  # seconds before and between the lines that a log gets


def _watched() -> bool:
    """Is somebody looking at standard error who can see a line change?"""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _later(show: Callable[[], None]) -> threading.Timer:
    """``show()`` when the patience is over, unless it is cancelled."""
    timer = threading.Timer(max(0.0, _PATIENCE), show)
    timer.daemon = True
    timer.start()
    return timer


def working(what: str) -> contextlib.AbstractContextManager[None]:
    """While the work inside lasts, a terminal hears that it goes on, unless a bar says so."""
    if settings_here().quiet or not _watched():
        return contextlib.nullcontext()
    return waiting(what)


@contextlib.contextmanager
def counted(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar for work that reports ``(done, total)``; None where nobody wants it."""
    if settings_here().quiet:
        yield None
        return
    if not _watched():
        yield _plain_lines(what)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, markup=False, highlight=False)
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    start = time.monotonic()
    task = bar.add_task(what, total=None, rate="")
    first: int | None = None
    screen = contextlib.ExitStack()
    lock, shown, over = threading.Lock(), False, False

    def begin() -> None:
        nonlocal shown
        with lock:
            if not shown and not over:
                screen.enter_context(alone_on_screen())
                bar.start()
                shown = True

    def report(done: int, total: int) -> None:
        nonlocal first
        first = done if first is None else first
        bar.update(task, completed=done, total=total, rate=_rate(done - first, time.monotonic() - start))
        if not shown and time.monotonic() - start > _PATIENCE:
            begin()

    late = _later(begin)  # work that has nothing to report yet has a bar too
    try:
        yield report
    finally:
        late.cancel()
        with lock:
            over = True
        if shown:
            bar.stop()
        screen.close()


@contextlib.contextmanager
def told() -> Iterator[Callable[[str], None] | None]:
    """A line that says what is being done, for work that reports in words; None where nobody wants it."""
    if settings_here().quiet:
        yield None
        return
    start = time.monotonic()
    if not _watched():
        due = start + _PLAIN_PATIENCE

        def say(message: str) -> None:
            nonlocal due
            if time.monotonic() >= due:
                due = time.monotonic() + _PLAIN_PAUSE
                note(message)

        yield say
        return
    last = ""
    lock, shown, over = threading.Lock(), False, False
    screen = contextlib.ExitStack()

    def write() -> None:
        nonlocal shown
        with lock:
            if over or not last:
                return
            if not shown:
                screen.enter_context(alone_on_screen())
            sys.stderr.write(f"\r\x1b[2K{one_line(last, limit=100)}")
            sys.stderr.flush()
            shown = True

    def tell(message: str) -> None:
        nonlocal last
        last = message
        if time.monotonic() - start > _PATIENCE:
            write()

    late = _later(write)
    try:
        yield tell
    finally:
        late.cancel()
        with lock:
            over = True
        if shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
        screen.close()


def _plain_lines(what: str) -> Callable[[int, int], None]:
    """A line now and then, for logs."""
    start = time.monotonic()
    due = start + _PLAIN_PATIENCE
    first: int | None = None

    def report(done: int, total: int) -> None:
        nonlocal due, first
        first = done if first is None else first
        now = time.monotonic()
        if now < due or done >= total:
            return
        due = now + _PLAIN_PAUSE
        gained = done - first
        left = f", {_duration((total - done) * (now - start) / gained)} left" if gained else ""
        rate = _rate(gained, now - start)
        note(f"{what}: {done:,} of {total:,}{', ' if rate else ''}{rate}{left}")

    return report


def _rate(count: int, seconds: float) -> str:
    """How fast it goes, in the unit that gives a number above one."""
    if count <= 0 or seconds <= 0:
        return ""
    for unit, length in (("s", 1), ("min", 60), ("h", 3600)):
        if count * length >= seconds:
            rate = count * length / seconds
            return f"{rate:,.0f}/{unit}" if rate >= 100 else f"{rate:.3g}/{unit}"
    return f"{count * 86400 / seconds:.2g}/day"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
