"""Progress: for terminals only, and only when it takes long."""

from __future__ import annotations

import io
import math
import re
import sys
import threading
from collections.abc import Callable

import pytest

from routeproof.cli.frame import progress, screen


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def work(monkeypatch: pytest.MonkeyPatch, *, terminal: str = "xterm", patience: float = -1.0) -> str:
    """What a piece of work writes to a standard error of this kind."""
    shown = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(progress, "_PATIENCE", patience)
    monkeypatch.setenv("TERM", terminal or "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", shown)
        patch.setattr(progress, "_later", lambda _: threading.Timer(0, lambda: None))  # only what is reported counts
        with progress.bar("worst case") as report:
            if report is not None:
                report(1, 2)
                report(2, 2)
        with progress.status_line() as tell:
            if tell is not None:
                tell("Tornado\x1b[31m")
    return shown.getvalue()


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


def terminal_here(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """From now on, standard error is a terminal."""
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setenv("TERM", "xterm")
    return made


def test_work_that_has_nothing_to_report_yet_has_a_bar_too(monkeypatch: pytest.MonkeyPatch) -> None:
    later: list[Callable[[], None]] = []

    def keep(show: Callable[[], None]) -> threading.Timer:
        later.append(show)
        return threading.Timer(0, show)

    monkeypatch.setattr(progress, "_later", keep)
    monkeypatch.setattr(progress, "_PATIENCE", math.inf)
    terminal = terminal_here(monkeypatch)
    with progress.bar("classes"):
        assert terminal.getvalue() == ""
        later[0]()
        assert "classes" in terminal.getvalue()
    with progress.status_line() as tell:
        assert tell is not None
        later[1]()  # nothing was said: nothing is shown
        tell("blocks")
        assert "blocks" not in terminal.getvalue()
        later[1]()
        assert terminal.getvalue().endswith("blocks")
    before = terminal.getvalue()
    later[0]()
    later[1]()
    assert terminal.getvalue() == before  # too late


def test_a_terminal_hears_that_the_command_works_until_something_else_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    class Waited(Terminal):
        shown = threading.Event()

        def write(self, text: str) -> int:
            if "working" in text:
                self.shown.set()
            return super().write(text)

    monkeypatch.setattr(screen, "_PATIENCE", 0.0)
    monkeypatch.setattr(screen, "_PAUSE", 0.001)
    monkeypatch.setattr(sys, "stderr", terminal := Waited())
    with screen.waiting("deadlock"):
        assert terminal.shown.wait(600)
        with screen.alone_on_screen():
            before = len(terminal.getvalue())
            screen.note("a line")
            assert terminal.getvalue()[before:] == "a line\n"
        terminal.shown.clear()
        assert terminal.shown.wait(600)
    assert re.search(r"deadlock: working, \d+ s", terminal.getvalue())
    assert terminal.getvalue().endswith("\r\x1b[2K")
    assert not screen._waiting


def test_only_terminals_hear_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with progress.working("deadlock"):
        assert not screen._waiting
    terminal_here(monkeypatch)
    with progress.working("deadlock"):
        assert screen._waiting
