"""Progress on standard error: only on a terminal, and only once the work has lasted two seconds."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator

from ..report.escape import one_line

__all__ = ["counted", "told"]

_PATIENCE = 2.0


def _watched() -> bool:
    """Is somebody looking at standard error who can see a line change?"""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@contextlib.contextmanager
def counted(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar for work that reports ``(done, total)``; None where nobody would see it."""
    if not _watched():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, markup=False, highlight=False)
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    start = time.monotonic()
    task = bar.add_task(what, total=None)
    shown = False

    def report(done: int, total: int) -> None:
        nonlocal shown
        bar.update(task, completed=done, total=total)
        if not shown and time.monotonic() - start > _PATIENCE:
            bar.start()
            shown = True

    try:
        yield report
    finally:
        if shown:
            bar.stop()


@contextlib.contextmanager
def told() -> Iterator[Callable[[str], None] | None]:
    """A line that says what is being done, for work that reports in words; None where nobody would see it."""
    if not _watched():
        yield None
        return
    start = time.monotonic()
    shown = False

    def tell(message: str) -> None:
        nonlocal shown
        if time.monotonic() - start > _PATIENCE:
            sys.stderr.write(f"\r\x1b[2K{one_line(message, limit=100)}")
            sys.stderr.flush()
            shown = True

    try:
        yield tell
    finally:
        if shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
