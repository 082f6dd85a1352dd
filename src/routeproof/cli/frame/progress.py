"""Progress on standard error, once the work has lasted: a bar with rate and time left on a terminal, or plain lines."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator

from ...core.escape import one_line
from ...core.spread import Progress, Stage
from .engine_options import settings_here
from .screen import alone_on_screen, note, say_last, waiting

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
def _late_on_screen(
    show: Callable[[], None], hide: Callable[[], None], ready: Callable[[], bool] = lambda: True
) -> Iterator[Callable[[], None]]:
    """What is called when there is something new: it is shown, alone on the screen, once the work has lasted.

    ``show()`` is called by a timer too, so that work which reports late is seen; never after the work inside.
    """
    start, lock, shown, over = time.monotonic(), threading.Lock(), False, False
    screen = contextlib.ExitStack()

    def show_now() -> None:
        nonlocal shown
        with lock:
            if over or not ready():
                return
            if not shown:
                screen.enter_context(alone_on_screen())
            shown = True
            show()

    def renew() -> None:
        if time.monotonic() - start > _PATIENCE:
            show_now()

    late = _later(show_now)
    try:
        yield renew
    finally:
        late.cancel()
        with lock:
            over = True
        if shown:
            hide()
        screen.close()


@contextlib.contextmanager
def bar(what: str) -> Iterator[Progress | None]:
    """A bar for work that reports ``(done, total)``; None where nobody wants it."""
    if settings_here().quiet:
        yield None
        return
    if not _watched():
        yield _plain_lines(what)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    shown = Bar(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(),
        console=Console(stderr=True, markup=False, highlight=False),
        transient=True,
    )
    start, task = time.monotonic(), shown.add_task(what, total=None, rate="")
    first: int | None = None
    with _late_on_screen(shown.start, shown.stop) as renew:

        def report(done: int, total: int) -> None:
            nonlocal first
            first = done if first is None else first
            shown.update(task, completed=done, total=total, rate=_rate(done - first, time.monotonic() - start))
            renew()

        yield report


def announced_bars() -> Stage:
    """A bar for every stage.  The first run that needs compiled kernels takes some seconds for them: it says so, but
    not before the work begins, when all input has been judged."""
    said: list[str] = []

    def announce() -> None:
        if not said:
            said.append("compiling kernels (first run only)")
            note(said[0])

    @contextlib.contextmanager
    def stage(name: str) -> Iterator[Progress | None]:
        with _announcing(announce), bar(name) as progress:
            yield progress

    return stage


@contextlib.contextmanager
def _announcing(announce: Callable[[], None]) -> Iterator[None]:
    """Inside, ``announce()`` is called before kernels are compiled."""
    from ...machine.compiled import Kernel

    before = Kernel.announce
    Kernel.announce = before if settings_here().quiet else announce
    try:
        yield
    finally:
        Kernel.announce = before


@contextlib.contextmanager
def solving(name: str) -> Iterator[Callable[[str], None] | None]:
    """A stage of solving a program, named on standard error while it lasts; an interrupt says that nothing was
    certified."""
    try:
        with status_line(name) as tell:
            if tell is not None:
                tell(name)
            yield tell
    except KeyboardInterrupt:
        say_last(f"interrupted during the stage '{name}', before anything was certified")
        raise


@contextlib.contextmanager
def status_line(_: str = "") -> Iterator[Callable[[str], None] | None]:
    """A line that says what is being done, for work that reports in words; None where nobody wants it."""
    if settings_here().quiet:
        yield None
        return
    if not _watched():
        is_due = _now_and_then()

        def say(message: str) -> None:
            if is_due():
                note(message)

        yield say
        return
    last = ""

    def write(text: str) -> None:
        sys.stderr.write(f"\r\x1b[2K{text}")
        sys.stderr.flush()

    with _late_on_screen(lambda: write(one_line(last, limit=100)), lambda: write(""), lambda: bool(last)) as renew:

        def tell(message: str) -> None:
            nonlocal last
            last = message
            renew()

        yield tell


def _now_and_then() -> Callable[[], bool]:
    """Asked again and again: is it time for another line in a log?"""
    due = time.monotonic() + _PLAIN_PATIENCE

    def is_due() -> bool:
        nonlocal due
        if time.monotonic() < due:
            return False
        due = time.monotonic() + _PLAIN_PAUSE
        return True

    return is_due


def _plain_lines(what: str) -> Progress:
    """A line now and then, for logs."""
    start, is_due = time.monotonic(), _now_and_then()
    first: int | None = None

    def report(done: int, total: int) -> None:
        nonlocal first
        first = done if first is None else first
        if done >= total or not is_due():
            return
        gained, seconds = done - first, time.monotonic() - start
        left = f", {_duration((total - done) * seconds / gained)} left" if gained else ""
        rate = _rate(gained, seconds)
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
