"""Sums of fractions by segment, against Fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routeproof.core import segment_sums as sums
from routeproof.core.exact_arrays import times as times_of
from routeproof.core.rational import Rationals

COUNT = 5


def plain(segment, load, weight, count=COUNT):
    total = [Fraction(0)] * count
    for k, x, w in zip(segment, load, weight, strict=True):
        total[k] += x * w
    return total


terms = st.lists(
    st.tuples(
        st.integers(0, COUNT - 1),
        st.fractions(0, 2**66) | st.fractions(0, 3, max_denominator=20) | st.fractions(0, 2, max_denominator=2**62),
        st.integers(0, 2**63) | st.integers(0, 3),
    ),
    max_size=60,
)


@settings(max_examples=150)
@given(terms)
def test_sums_are_exact_whatever_the_size(items):
    segment = np.array([k for k, _, _ in items], dtype=np.int64)
    load = [x for _, x, _ in items]
    weight = [w for _, _, w in items]
    weights = np.array(weight if max(weight, default=0) < 2**63 else np.array(weight, dtype=object))
    if not items:
        weights = np.zeros(0, dtype=np.int64)
    part = sums.partial_sums(segment, Rationals.of(load), weights, COUNT)
    wanted = plain(segment.tolist(), load, weight)
    assert sums.add_up(part).fractions() == wanted
    assert sums.add_up(part, np.array([3, 1])).fractions() == [wanted[3], wanted[1]]
    low, high = sums.bounds_of(part)
    assert all(int(a) <= x * 2**sums.BITS <= int(b) for a, x, b in zip(low, wanted, high, strict=True))
    assert sums.add_up(sums.exact_total(part)).fractions() == [sum(wanted)]
    times = np.arange(COUNT)
    assert sums.add_up(sums.exact_total(part, times)).fractions() == [sum(k * x for k, x in enumerate(wanted))]
    twice = sums.merged([part, part], COUNT)
    assert sums.add_up(twice).fractions() == [2 * x for x in wanted]
    assert times_of(sums.add_up(part), Fraction(1, 2**64)).fractions() == [x / 2**64 for x in wanted]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("top", [30, 2**20, 2**40, 2**62])
def test_denominators_are_told_apart(seed, top):
    """Small, hashed and colliding: 3,000 entries among few or many distinct values."""
    rng = np.random.default_rng(seed)
    values = rng.integers(1, top, 3000) if seed % 2 else rng.choice(rng.integers(1, top, 40), 3000)
    kept, which = sums._distinct(values)
    assert np.array_equal(kept[which], values)
    assert len(np.unique(kept)) == len(kept) == len(np.unique(values))


def test_nothing_at_all():
    empty = sums.merged([], 3)
    assert sums.add_up(empty).fractions() == [0, 0, 0]
    assert sums.is_cheap(empty)
    low, high = sums.bounds_of(empty)
    assert low.tolist() == high.tolist() == [0, 0, 0]
