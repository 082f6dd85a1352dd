"""Phases of a user's own: usual algorithms written out are right, and what is missing is named by phase and rank."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from routeproof.core.errors import InputError
from routeproof.core.schedules.own_phases import Message, OwnPhases
from routeproof.core.schedules.phases import phases_of


def ring(n: int, operation: str, chunks: int = 1) -> OwnPhases:
    """A ring written out piece by piece."""
    steps = range(n - 1)
    phases = []
    if operation != "all-gather":
        phases += [[Message(r, (r + 1) % n, _pieces((r - k - 1) % n, chunks)) for r in range(n)] for k in steps]
    if operation != "reduce-scatter":
        phases += [[Message(r, (r + 1) % n, _pieces((r - k) % n, chunks)) for r in range(n)] for k in steps]
    return OwnPhases(operation, n, chunks, tuple(map(tuple, phases)))


def _pieces(unit: int, chunks: int) -> tuple[int, ...]:
    return tuple(range(unit * chunks, (unit + 1) * chunks))


def shifts(n: int) -> OwnPhases:
    some = [tuple(Message(i, (i + s) % n, (i * n + (i + s) % n,)) for i in range(n)) for s in range(1, n)]
    return OwnPhases("all-to-all", n, 1, tuple(some))


@pytest.mark.parametrize(("n", "operation"), list(product((2, 3, 5), ("all-gather", "reduce-scatter", "all-reduce"))))
def test_rings_are_right(n: int, operation: str) -> None:
    for chunks in (1, 3):
        own = ring(n, operation, chunks)
        own.check()
        sent = sum((len(x.source) * x.amount * x.times for x in own.loads()), Fraction(0))
        assert sent == sum(len(x.source) * x.amount * x.times for x in phases_of("ring", operation, n))


def test_shifts_and_a_broadcast_are_right() -> None:
    shifts(4).check()
    assert next(shifts(4).loads()).amount == Fraction(1, 4)
    OwnPhases("broadcast", 3, 1, ((Message(0, 1, (0,)),), (Message(1, 2, (0,)),))).check()


@pytest.mark.parametrize("operation", ["all-gather", "reduce-scatter", "all-reduce"])
def test_every_message_of_a_ring_is_needed(operation: str) -> None:
    own = ring(3, operation)
    for k, some in enumerate(own.phases):
        for j in range(len(some)):
            fewer = (*own.phases[:k], (*some[:j], *some[j + 1 :]), *own.phases[k + 1 :])
            with pytest.raises(InputError, match=r"phase \d|after the last phase rank \d"):
                replace(own, phases=fewer).check()


REFUSED = [
    (Message(0, 1, (1,)), "phase 0: rank 0 sends piece 1 to rank 1, and does not have it"),
    (Message(0, 0, (0,)), "phase 0: rank 0 sends to itself"),
    (Message(0, 9, (0,)), "phase 0: a message names rank 9; ranks are 0 to 2"),
    (Message(0, 1, (7,)), "phase 0: rank 0 sends piece 7; pieces are 0 to 2"),
    (Message(0, 1, ()), "phase 0: rank 0 sends no piece"),
    (Message(0, 1, (0, 0)), "phase 0: rank 0 sends piece 0 twice to rank 1"),
    (Message(0, 1, (0,)), "after the last phase rank 0 lacks piece 1, which rank 1 had"),
]


@pytest.mark.parametrize(("message", "reason"), REFUSED, ids=lambda x: x if isinstance(x, str) else "")
def test_what_is_wrong_is_named(message: Message, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        OwnPhases("all-gather", 3, 1, ((message,),)).check()


def test_a_contribution_is_added_once() -> None:
    there = (Message(0, 1, (1,)), Message(2, 1, (1,)))
    own = OwnPhases("reduce-scatter", 3, 1, (there, (Message(0, 1, (1,)),)))
    own = replace(own, phases=(*own.phases[:1], (Message(1, 0, (1,)),), (Message(0, 2, (1,)),), (Message(2, 1, (1,)),)))
    with pytest.raises(InputError, match="after the last phase rank 0 has a sum of piece 0 without the contribution"):
        own.check()
    twice = OwnPhases("all-reduce", 3, 1, ((Message(0, 1, (0,)), Message(0, 2, (0,))), (Message(1, 2, (0,)),)))
    with pytest.raises(InputError, match="phase 1: rank 2 receives piece 0 from rank 1, and the contribution"):
        twice.check()
