"""Progress: for terminals only, and only when it takes long."""

from __future__ import annotations

import io
import math
import sys

import pytest

from routeproof.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def work(monkeypatch: pytest.MonkeyPatch, *, terminal: str = "xterm", patience: float = -1.0) -> str:
    """What a piece of work writes to a standard error of this kind."""
    screen = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(progress, "_PATIENCE", patience)
    monkeypatch.setenv("TERM", terminal or "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", screen)
        with progress.counted("worst case") as report:
            if report is not None:
                report(1, 2)
                report(2, 2)
        with progress.told() as tell:
            if tell is not None:
                tell("Tornado\x1b[31m")
    return screen.getvalue()


def test_short_work_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert work(monkeypatch, patience=math.inf) == ""


def test_long_work_shows_a_bar_and_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = work(monkeypatch)
    assert "worst case" in shown
    assert "1/2" in shown
    assert "Tornado\\x1b[31m" in shown


@pytest.mark.parametrize("terminal", ["", "dumb"])
def test_no_terminal_no_progress(terminal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert work(monkeypatch, terminal=terminal) == ""
