"""Standard output and standard error: results on the one, warnings and progress on the other."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from ...core.escape import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType

T = TypeVar("T")

_WIDE = 160  # columns, where the output is no terminal
_NARROW = 60  # columns below which tables would be cut: a narrower terminal wraps the lines itself
_PATIENCE, _PAUSE = 2.0, 0.5  # seconds before a terminal hears that the work goes on, and between looks at that


def show(*parts: RenderableType) -> None:
    """Print results: no markup, no guessing, no colour where none is wanted (NO_COLOR, TERM=dumb, no terminal).

    Where the output is no terminal, lines may be long and end without blanks.
    """
    from rich.console import Console

    _hide_waiting()
    terminal = sys.stdout.isatty()
    width = None if terminal or os.environ.get("COLUMNS") else _WIDE
    console = Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False)
    console.width = max(console.width, _NARROW)
    if terminal:
        for part in parts:
            console.print(part)
        return
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


@contextlib.contextmanager
def holding(variable: ContextVar[T], value: T) -> Iterator[None]:
    """Inside, ``variable`` has this value."""
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def note(message: str) -> None:
    """One line on standard error."""
    _hide_waiting()
    sys.stderr.write(one_line(message) + "\n")
    sys.stderr.flush()


def say_last(message: str) -> None:
    """The line on standard error with which an interrupted command ends."""
    from ...machine.interrupts import process_watch

    watch = process_watch()
    if watch is None:
        note(message)
    else:
        watch.line, watch.reached = message, ""


class Waiting:
    """A line on a terminal's standard error which says that a command works, while nothing else is shown there."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.Lock()
        self._start = self._last = time.monotonic()
        self._others, self._shown, self._over = 0, False, threading.Event()
        threading.Thread(target=self._go_on, daemon=True).start()

    def hide(self, *, others: int = 0) -> None:
        """Take the line away, before something else is written; ``others``: so many more, or fewer, bars are there."""
        with self._lock:
            self._others += others
            self._last = time.monotonic()
            if self._shown:
                sys.stderr.write("\r\x1b[2K")
                sys.stderr.flush()
            self._shown = False

    def end(self) -> None:
        """Take the line away for good."""
        self._over.set()
        self.hide()

    def _go_on(self) -> None:
        while not self._over.wait(_PAUSE):
            with self._lock:
                now = time.monotonic()
                if self._over.is_set() or self._others or now - self._last < _PATIENCE - _PAUSE:
                    continue
                sys.stderr.write(f"\r\x1b[2K{self._what}: working, {now - self._start:.0f} s")
                sys.stderr.flush()
                self._shown = True


_waiting: list[Waiting] = []  # one at most: there is one standard error


@contextlib.contextmanager
def waiting(what: str) -> Iterator[None]:
    """``Waiting`` while the work inside lasts."""
    _waiting.append(Waiting(what))
    try:
        yield
    finally:
        _waiting.pop().end()


@contextlib.contextmanager
def alone_on_screen() -> Iterator[None]:
    """Inside, something else is shown on the terminal than that the command works."""
    here = _waiting[-1:]
    for x in here:
        x.hide(others=1)
    try:
        yield
    finally:
        for x in here:
            x.hide(others=-1)


def _hide_waiting() -> None:
    for x in _waiting:
        x.hide()
