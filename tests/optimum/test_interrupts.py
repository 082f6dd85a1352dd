"""Ctrl-C while a design is made: what was reached is certified, asked for twice it ends."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from routeproof import network
from routeproof.demand_sets.hull import Hull
from routeproof.demand_sets.transport import TransportSet
from routeproof.formats.demands.spec import demands_from_spec
from routeproof.lp.exact import ExactPoint, Program
from routeproof.lp.solver import Proposal
from routeproof.machine.deadlines import Deadline, held_interrupts
from routeproof.optimum.adversary import Adversary
from routeproof.optimum.design import Design
from routeproof.optimum.matrix_flow.design import design_for_matrices
from routeproof.optimum.program import simplex
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


@pytest.mark.parametrize("demands", [None, "sparse:3"])
def test_an_interrupt_while_the_shorter_paths_are_made_exact_keeps_the_best_worst_case(
    demands: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoiled = _spoil_second_stage(monkeypatch)
    own = simplex.exact_primal

    def interrupted(program: Program, proposal: Proposal) -> ExactPoint:
        if spoiled:
            raise KeyboardInterrupt
        return own(program, proposal)

    monkeypatch.setattr(simplex, "exact_primal", interrupted)
    made = _designed(demands)
    assert spoiled
    assert not made.complete
    assert made.load == made.least_load
    assert made.least_length is None


@pytest.mark.parametrize("demands", [None, "sparse:3"])
def test_shorter_paths_that_the_time_cuts_off_do_not_replace_the_best_worst_case(
    demands: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoiled = _spoil_second_stage(monkeypatch)
    monkeypatch.setattr(Deadline, "over", property(lambda _: bool(spoiled)))
    made = _designed(demands)
    assert len(spoiled) == 2  # the second program is asked for again, with some room
    assert not made.complete
    assert made.load == made.least_load
    assert made.least_length is not None
    assert made.least_length <= made.length


def test_matrices_keep_the_best_routing_where_the_time_cuts_shorter_paths_off(monkeypatch: pytest.MonkeyPatch) -> None:
    net = network("mesh:3x3")
    hull = Hull(9, "matrix:a", ({(0, 8): Fraction(1), (2, 6): Fraction(2)},), ("a",))
    best = design_for_matrices(net, hull)
    spoiled = _spoil_second_stage(monkeypatch)
    monkeypatch.setattr(Deadline, "over", property(lambda _: bool(spoiled)))
    made = design_for_matrices(net, hull, shortest=True)
    assert spoiled
    assert made.load == best.load == made.least_load


def _designed(demands: str | None) -> Design:
    net = network("mesh:3x3")
    given = None if demands is None else demands_from_spec([demands], net)
    assert given is None or isinstance(given, TransportSet)
    return design_worst_case(net, shortest=True, solver="simplex", demands=given)


def _spoil_second_stage(monkeypatch: pytest.MonkeyPatch) -> list[Proposal]:
    """From the second program on the solver is stopped at a point that is far from good, without a basis."""
    own, spoiled, count = simplex.solve, list[Proposal](), 0

    def stopped(program: Program, **options: Any) -> Proposal:
        nonlocal count
        count += 1
        found = own(program, **options)
        if count == 1:
            return found
        far = np.random.default_rng(1).random(len(found.x))
        spoiled.append(Proposal(far, found.y))
        return spoiled[-1]

    monkeypatch.setattr(simplex, "solve", stopped)
    return spoiled
