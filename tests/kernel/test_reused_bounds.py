"""Bounds that survive changes of loads: never below the truth, and close where the changes fill rows or columns."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from routeproof.core.loads import LoadBlock
from routeproof.core.rational import Rationals
from routeproof.kernel.reused_bounds import Potentials, potentials_of, raised_bounds

ONE = np.ones(6, dtype=np.int64)


def base_of(load: np.ndarray, column: np.ndarray) -> Potentials:
    """Of loads over 12, shape (C, 6, 6), with these potentials of columns."""
    c, i, j = (x.astype(np.int32) for x in np.nonzero(load))
    offset = np.searchsorted(c, np.arange(len(load) + 1)).astype(np.int64)
    entries = Rationals(load[c, i, j], np.full(len(c), 12))
    block = LoadBlock(np.arange(len(load), dtype=np.int32), offset, i, j, entries)
    return potentials_of([block], column, ONE, ONE, scale=24)


def bounds_after(base: Potentials, load: np.ndarray, left: np.ndarray) -> list[Fraction]:
    c, i, j = (x.astype(np.int32) for x in np.nonzero(load))
    entries = Rationals(load[c, i, j], np.full(len(c), 12))
    bound = raised_bounds(base, ONE, ONE, left=(left, left), channel=c, row=i, column=j, load=entries)
    return [Fraction(int(x), base.scale) for x in bound]


@pytest.mark.parametrize("seed", range(40))
def test_bounds_stay_above_every_assignment(seed: int) -> None:
    rng = np.random.default_rng(seed)
    load = rng.integers(0, 13, size=(4, 6, 6)) * (rng.random((4, 6, 6)) < 0.5)
    base = base_of(load, rng.integers(0, 12, size=(4, 6)))
    now = np.where(rng.random(load.shape) < 0.3, rng.integers(0, 20, size=load.shape), load)
    left = (rng.random(6) < 0.8).astype(np.int64)
    for c, bound in enumerate(bounds_after(base, now, left)):
        alive = now[c] * left[:, None] * left
        rows, columns = linear_sum_assignment(alive, maximize=True)
        assert bound >= Fraction(int(alive[rows, columns].sum()), 12)


def test_a_column_of_small_loads_rises_once() -> None:
    """Every terminal sends a little more to one: a permutation takes one of them, and the bound rises by one."""
    load = np.diag([12] * 6)[None]
    base = base_of(load, np.zeros((1, 6), dtype=np.int64))
    now = load.copy()
    now[0, :, 2] += 13 * (load[0, :, 2] == 0)
    assert bounds_after(base, now, ONE) == [6 + Fraction(1, 12)]
    assert bounds_after(base, now.transpose(0, 2, 1), ONE) == [6 + Fraction(1, 12)]


def test_a_row_and_a_column_together_rise_once_each() -> None:
    base = base_of(np.zeros((1, 6, 6), dtype=np.int64), np.zeros((1, 6), dtype=np.int64))
    now = np.zeros((1, 6, 6), dtype=np.int64)
    now[0, 1, :], now[0, :, 4] = 2, 2
    assert bounds_after(base, now, ONE) == [Fraction(2 + 2, 12)]
