"""Processes of the engine's tests: the code that is tested here, and waiting for what happens, never for a time."""

from __future__ import annotations

import os
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import routeproof

PATIENCE = 600.0  # seconds after which a test gives up; nothing is decided by it


def python_path() -> str:
    """What PYTHONPATH must be for a process to find the pieces, and the package that is tested here."""
    places = [Path(__file__).parent, Path(routeproof.__file__).parent.parent]
    return os.pathsep.join(str(x) for x in places)


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": python_path(), **more}


def wait_until(what: Callable[[], object], going_on: Callable[[], bool] = lambda: True) -> None:
    """Wait until ``what()`` is so; a failure at once where nothing goes on any more."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert going_on() or what(), "it ended before"
        assert time.monotonic() < end, "nothing happens"
        time.sleep(0.01)


def lines(log: Path, *, without: str = "nobody") -> int:
    """How many pieces have left their trace there; ``without`` those done by processes whose TELL_AS is that."""
    told = log.read_text().splitlines() if log.exists() else []
    return sum(without not in x.split() for x in told)


def who_waits(log: Path) -> set[int]:
    """The processes that have come to the gate."""
    waits = log.with_name(f"{log.name}-waits")
    return {int(x.split()[1]) for x in waits.read_text().splitlines()} if waits.exists() else set()


class Beside(threading.Thread):
    """Does something once ``what()`` is so, beside what the test does; ``join`` raises what it raised."""

    def __init__(self, what: Callable[[], object], action: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self._what, self._action = what, action
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            wait_until(self._what)
            self._action()
        except BaseException as error:  # noqa: BLE001  # whatever it is, the test is told
            traceback.print_exc()  # the test may be waiting for what now never happens
            self._error = error

    def join(self, timeout: float | None = None) -> None:
        super().join(timeout)
        if self._error is not None:
            raise self._error


def after(what: Callable[[], object], action: Callable[[], object]) -> Beside:
    """Do something once ``what()`` is so; it is to be joined."""
    thread = Beside(what, action)
    thread.start()
    return thread
