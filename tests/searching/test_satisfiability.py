"""The solver's thread has ended whenever ``solve`` has, also where somebody interrupts."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from routeproof.searching.satisfiability import solve


class Waiting:
    """A solver that ends a while after it is interrupted, which somebody does once more meanwhile."""

    def __init__(self) -> None:
        self.told, self.ended = threading.Event(), False

    def solve_limited(self, *, expect_interrupt: bool) -> None:
        assert expect_interrupt
        self.told.wait()
        time.sleep(0.1)
        self.ended = True

    def interrupt(self) -> None:
        self.told.set()
        signal.raise_signal(signal.SIGINT)

    def clear_interrupt(self) -> None:
        assert self.ended


def test_an_interrupt_waits_for_the_solver() -> None:
    solver = Waiting()
    with pytest.raises(KeyboardInterrupt):
        solve(solver, 0.0)
    assert solver.ended
