"""Whole numbers near floats."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from routeproof.lp.exact import fraction_near, rounded_down, whole_near, without_common_factor


def test_short_fractions_come_first() -> None:
    first = next(whole_near(np.array([1 / 3, 0.5, 1.0, 0.0])))
    assert first.tolist() == [2, 3, 6, 0]


def test_every_candidate_is_about_proportional() -> None:
    values = np.random.default_rng(1).random(20)
    every = list(whole_near(values))
    assert len(every) >= 5
    for whole in every:
        assert whole / whole.max() == pytest.approx(values / values.max(), abs=5e-3)
    assert list(whole_near(np.zeros(3))) == []


def test_rounded_down_is_never_more() -> None:
    values = np.array([[0.1, 0.7], [0.3, 0.0]])
    whole, scale = rounded_down(values)
    assert (whole <= values * scale).all()
    assert whole.max() == 1 << 40
    assert rounded_down(values, beside=7.0)[1] == (1 << 40) / 7
    assert rounded_down(np.zeros(2))[0].tolist() == [0, 0]


def test_fractions() -> None:
    assert fraction_near(0.3333333, 10) == Fraction(1, 3)
    assert fraction_near(Fraction(5, 7), 2) == Fraction(5, 7)
    assert 0 <= 0.3 - fraction_near(0.3, None) < Fraction(1, 1 << 40)
    assert without_common_factor([6, 0, 9 * 10**30 + 3]).tolist() == [2, 0, 3 * 10**30 + 1]
    assert without_common_factor([0, 0]).tolist() == [0, 0]
