"""One channel's transportation problem: the exact optimum, against enumeration and against scipy."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from routeproof.core.rational import Rationals
from routeproof.graphs.transport import solve_block, solve_exactly
from routeproof.graphs.transport_arrays import Channels


def best_by_enumeration(load: list[list[Fraction]], supply: list[int], demand: list[int]) -> Fraction:
    rows = [i for i, x in enumerate(supply) for _ in range(x)]
    columns = [j for j, x in enumerate(demand) for _ in range(x)]
    scale = math.lcm(*(x.denominator for line in load for x in line))
    size = max(len(rows), len(columns))
    table = [[0] * size for _ in range(size)]
    for a, i in enumerate(rows):
        for b, j in enumerate(columns):
            table[a][b] = int(load[i][j] * scale)
    orders = itertools.permutations(range(size))
    return Fraction(max(sum(table[a][p[a]] for a in range(size)) for p in orders), scale)


def random_load(rng: random.Random, kind: str) -> Fraction:
    if rng.random() < 0.4:
        return Fraction(0)
    if kind == "thousands of bits":
        den = rng.choice([3**1300, 7**700, 11, 13, 3**1300])
        return Fraction(rng.choice([den // 3, den // 3 + 1, den // 7, 1, den // 5]), den)
    if kind == "many denominators":
        return Fraction(rng.randint(1, 60), rng.choice([59, 61, 67, 71, 73, 79, 83, 89, 97, 101]))
    return Fraction(rng.randint(1, 4), rng.choice([1, 2, 3]))


@pytest.mark.parametrize("kind", ["small", "many denominators", "thousands of bits"])
def test_optimum_potentials_and_flow_meet_and_match_enumeration(kind: str) -> None:
    rng = random.Random(5)
    for _ in range(120):
        num_rows, num_columns = rng.randint(1, 4), rng.randint(1, 4)
        supply = [rng.choice([0, 1, 1, 2]) for _ in range(num_rows)]
        demand = [rng.choice([0, 1, 1, 2]) for _ in range(num_columns)]
        while sum(supply) > 6:
            supply[rng.randrange(num_rows)] = 0
        while sum(demand) > 6:
            demand[rng.randrange(num_columns)] = 0
        load = [[random_load(rng, kind) for _ in range(num_columns)] for _ in range(num_rows)]
        entries = [(i, j, x) for i, line in enumerate(load) for j, x in enumerate(line) if x]
        answer = solve_exactly(
            np.array([e[0] for e in entries], dtype=np.int32),
            np.array([e[1] for e in entries], dtype=np.int32),
            Rationals.of([e[2] for e in entries]),
            np.array(supply, dtype=np.int64),
            np.array(demand, dtype=np.int64),
        )
        assert answer.value == best_by_enumeration(load, supply, demand)
        u = dict(zip(answer.row.tolist(), answer.u, strict=True))
        v = dict(zip(answer.column.tolist(), answer.v, strict=True))
        assert all(x >= 0 for x in [*u.values(), *v.values()])
        for i, j, x in entries:
            if supply[i] and demand[j]:
                assert u[i] + v[j] >= x
        assert sum(supply[i] * x for i, x in u.items()) + sum(demand[j] * x for j, x in v.items()) == answer.value
        assert sum(int(f) * e[2] for f, e in zip(answer.flow, entries, strict=True)) == answer.value
        for i in range(num_rows):
            assert sum(int(f) for f, e in zip(answer.flow, entries, strict=True) if e[0] == i) <= supply[i]
        for j in range(num_columns):
            assert sum(int(f) for f, e in zip(answer.flow, entries, strict=True) if e[1] == j) <= demand[j]


def test_agrees_with_scipy_on_larger_problems_whatever_the_start() -> None:
    from scipy.optimize import linear_sum_assignment

    rng = np.random.default_rng(3)
    for size in (1, 7, 40, 90):
        dense = rng.integers(1, 1000, (size, size)) * (rng.random((size, size)) < 0.2)
        row, column = (x.astype(np.int32) for x in np.nonzero(dense))
        weight = dense[row, column].astype(np.int64)
        ones = np.ones(size, dtype=np.int64)
        expected = dense[linear_sum_assignment(dense, maximize=True)].sum()
        offset = np.array([0, len(row)])
        stop = np.array([-1])
        levels = (
            rng.integers(0, 40, (1, size)).astype(np.uint8),
            rng.integers(0, 40, (1, size)).astype(np.uint8),
        )
        start = rng.integers(0, 1500, size)
        for options in ({}, {"levels": levels}, {"start_v": start}):
            channels = Channels(offset, row, column, weight, ones, ones)
            solved = solve_block(channels, stop=stop, full=True, **options)
            assert solved.value[0] == expected
            assert (solved.flow * weight).sum() == expected


def test_a_channel_is_left_as_soon_as_its_potentials_prove_the_threshold() -> None:
    row = np.array([0, 0, 1, 1], dtype=np.int32)
    column = np.array([0, 1, 0, 1], dtype=np.int32)
    weight = np.array([5, 4, 4, 1], dtype=np.int64)
    ones = np.ones(2, dtype=np.int64)
    for stop in (-1, 7, 8, 9, 20):
        channels = Channels(np.array([0, 4]), row, column, weight, ones, ones)
        solved = solve_block(channels, stop=np.array([stop]))
        assert solved.optimal[0] == (stop < 8)
        assert solved.value[0] == 8 if stop < 8 else 8 <= solved.value[0] <= max(stop, 8)


def test_loads_that_pass_64_bits_are_refused_not_wrapped() -> None:
    zero = np.zeros(1, dtype=np.int32)
    one = np.ones(1, dtype=np.int64)
    with pytest.raises(OverflowError):
        solve_exactly(zero, zero, Rationals.of([Fraction(2**70)]), one, one)
    huge = solve_exactly(zero, zero, Rationals.of([Fraction(2**50 * 3 + 1, 3)]), one, one)
    assert huge.value == Fraction(2**50 * 3 + 1, 3)
