"""Flows that pick channels at random: against all choices of all flows, one by one."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.kernel import independent_flows
from routeproof.kernel.independent_flows import Class, components, within

F = Fraction


def by_force(classes: list[Class], room: dict[int, int]) -> Fraction:
    """The weight of all outcomes in which no channel has more flows than room."""
    flows = [[*chance.items(), (None, 1 - sum(chance.values()))] for n, chance in classes for _ in range(n)]
    total = Fraction(0)
    for outcome in itertools.product(*flows):
        chosen = [c for c, _ in outcome]
        if all(chosen.count(c) <= most for c, most in room.items()):
            weight = Fraction(1)
            for _, p in outcome:
                weight *= p
            total += weight
    return total


CASES: list[tuple[list[Class], dict[int, int]]] = [
    ([(4, {0: F(1, 2), 1: F(1, 2)})], {0: 2, 1: 2}),
    ([(5, {0: F(1, 4), 1: F(1, 2)})], {0: 1, 1: 3}),
    ([(3, {0: F(1, 3)}), (2, {0: F(1)})], {0: 3}),
    ([(2, {0: F(1, 2), 1: F(1, 2)}), (2, {1: F(1, 3), 2: F(2, 3)})], {0: 1, 1: 1, 2: 1}),
    ([(3, {0: F(1, 2), 1: F(1, 2)}), (2, {5: F(2, 3), 6: F(1, 3)})], {0: 2, 1: 2, 5: 1, 6: 1}),
    ([(2, {0: F(1)})], {0: 1}),
    ([(1, {0: F(1)})], {0: -1}),
]


@pytest.mark.parametrize(("classes", "room"), CASES)
def test_every_choice_of_every_flow(classes: list[Class], room: dict[int, int]) -> None:
    exact = by_force(classes, room)
    assert within(classes, room) == (exact, exact)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 3), st.dictionaries(st.integers(0, 3), st.integers(1, 4), min_size=1, max_size=3)),
        min_size=1,
        max_size=3,
    ),
    st.integers(0, 3),
)
def test_exact_or_between_bounds(given_classes: list[tuple[int, dict[int, int]]], most: int) -> None:
    classes: list[Class] = [
        (n, {c: F(w, sum(weights.values()) + most) for c, w in weights.items()}) for n, weights in given_classes
    ]
    room = {c: most for _, chance in classes for c in chance}
    exact = by_force(classes, room)
    assert within(classes, room) == (exact, exact)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(independent_flows, "_MOST_STATES", 0)
        low, high = within(classes, room)
    assert low <= exact <= high


def test_many_flows_are_bounded_by_single_channels(monkeypatch: pytest.MonkeyPatch) -> None:
    classes: list[Class] = [(6, {0: F(1, 2), 1: F(1, 2)})]
    exact = within(classes, {0: 4, 1: 4}).low
    monkeypatch.setattr(independent_flows, "_MOST_STEPS", 30)
    monkeypatch.setattr(independent_flows, "_MOST_STATES", 0)
    low, high = within(classes, {0: 4, 1: 4})
    assert low <= exact <= high
    assert low < high


def test_components_hang_together_by_channels() -> None:
    a, b, c = (1, {0: F(1)}), (1, {0: F(1, 2), 1: F(1, 2)}), (1, {2: F(1)})
    assert sorted(map(len, components([a, b, c]))) == [1, 2]
    assert sorted(map(len, components([b, c, (1, {2: F(1, 2), 1: F(1, 2)})]))) == [3]


def test_probabilities_above_one_are_no_flow() -> None:
    with pytest.raises(ArithmeticError):
        within([(2, {0: F(2, 3), 1: F(2, 3)})], {0: 1, 1: 1})
