"""Ctrl-C while a design is made: what was reached is certified, asked for twice it ends."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import pytest

from routeproof import network
from routeproof.machine.deadlines import held_interrupts
from routeproof.optimum.adversary import Adversary
from routeproof.optimum.worst_case import design_worst_case


@pytest.mark.parametrize("solver", ["interior", "first-order"])
def test_an_interrupt_while_judging_ends_with_what_was_reached(
    solver: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    judging = []

    @contextmanager
    def stage(name: str) -> Iterator[None]:
        judging.append(name)
        yield

    own = Adversary.__init__

    def interrupted(self: Adversary, *args: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        own(self, *args)

    monkeypatch.setattr(Adversary, "__init__", interrupted)
    made = design_worst_case(network("torus:4x4"), shortest=True, solver=solver, stage=stage)
    assert judging[-3:] == ["worst case", "judging", "judging"]
    assert not made.complete
    assert made.least_length is None
    assert made.least_load <= 1 <= made.load < made.least_load * Fraction(1001, 1000)
    assert "interrupt again to give it up" in caplog.text


def test_a_second_interrupt_ends_it() -> None:
    with held_interrupts() as held:
        signal.raise_signal(signal.SIGINT)
        assert held.happened
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
