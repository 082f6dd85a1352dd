"""Long work in a notebook: a line below the cell says which piece it is at, and goes when the piece is done."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import copy_context
from dataclasses import dataclass
from html import escape
from typing import Any

from ...core.spread import Stage, silent
from ...questions.answer import Setting

_PATIENCE = 1.0  # seconds before anything is shown
_PAUSE = 0.25  # seconds between two pictures of the bar


def setting_here() -> Setting:
    """The setting of one call from Python."""
    return Setting(stage=stage_here(), words=words_here)


def stage_here() -> Stage:
    """What shows the stages of one call: a line in a notebook; nowhere else anything."""
    display = _display()
    return silent if display is None else _Line(display).stage


@contextlib.contextmanager
def words_here(what: str) -> Iterator[Callable[[str], None] | None]:
    """For work that says in words how far it is; None outside notebooks."""
    display = _display()
    if display is None:
        yield None
        return
    line = _Line(display)
    with line.stage(what):
        yield lambda words: line.say(f"{what}: {words}")


def _display() -> Callable[..., Any] | None:
    """IPython's ``display``, where a kernel runs this code; a terminal's prompt has none."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if getattr(shell, "kernel", None) is None:
        return None
    from IPython.display import display  # type: ignore[import-not-found,unused-ignore]

    found: Callable[..., Any] = display
    return found


@dataclass(frozen=True)
class _Shown:
    """``done`` of ``total``, where these are known; nothing at all without words."""

    words: str
    done: int = 0
    total: int = 0

    def __repr__(self) -> str:
        return f"{self.words}: {self.done:,} of {self.total:,}" if self.total else self.words

    def _repr_html_(self) -> str:
        bar = f'<progress max="{self.total}" value="{self.done}"></progress> ' if self.total else ""
        return f"<div>{bar}{escape(repr(self))}</div>" if self.words else ""


class _Line:
    """One place below the cell, for all stages of one call."""

    def __init__(self, display: Callable[..., Any]) -> None:
        self._display, self._handle, self._lock = display, None, threading.Lock()
        self._last, self._start = 0.0, time.monotonic()

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[Any]:
        """What is shown while the stage lasts; a timer shows it of work that never reports.

        Work reports ``(done, total)``; solvers, which do not know how many iterations they need, report in words.
        """
        inside = copy_context()
        late = threading.Timer(_PATIENCE, lambda: inside.run(self._show, _Shown(name)))
        late.daemon = True
        late.start()
        try:
            yield lambda *how: self.say(*how) if len(how) == 1 else self._now_and_then(_Shown(name, *how))
        finally:
            late.cancel()
            with self._lock:
                if self._handle is not None:
                    self._handle.update(_Shown(""))
            self._last = 0.0

    def say(self, words: str) -> None:
        self._now_and_then(_Shown(words))

    def _now_and_then(self, shown: _Shown) -> None:
        now = time.monotonic()
        if now - self._start >= _PATIENCE and now - self._last >= _PAUSE:
            self._last = now
            self._show(shown)

    def _show(self, shown: _Shown) -> None:
        with self._lock:
            if self._handle is None:
                self._handle = self._display(shown, display_id=True)
            else:
                self._handle.update(shown)
