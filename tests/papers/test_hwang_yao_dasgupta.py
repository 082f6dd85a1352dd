"""Theorem 2 of Hwang, Yao & Dasgupta: reproduced, and bettered wherever it was not optimal already."""

from __future__ import annotations

from routeproof.core.claim import Grade
from routeproof.studies.registry import run_study


def test_theorem_2() -> None:
    result = run_study("hwang-yao-dasgupta-theorem-2", trials=5)
    assert not result.disagreements
    for row in result.rows:
        if not row.published:
            continue
        assert row.agrees is True
        steps, published = int(str(row.computed)), int(row.published)
        assert row.data["lower_bound"] <= steps <= published
        assert steps < published or steps == row.data["lower_bound"]
    assert result.row("many-one, d = 6").computed == 11
    assert result.row("permutation, d = 9").computed == 9
    assert result.row("permutation, d = 10").computed == 10
    assert result.row("e-cube with queues, bit-reversal, d = 10").computed == 21
    assert result.row("Hamiltonian circuits (our reconstruction), d = 8").computed == 16
    for d in range(3, 13):
        row = result.row(f"Valiant-Brebner ends within 2d steps, d = {d}")
        assert row.grade is Grade.SAMPLED


def test_figures() -> None:
    result = run_study("hwang-yao-dasgupta-figures")
    assert not result.disagreements
    assert [row.computed for row in result.rows] == [3, 4, 3, 4, 7, 11, 2]
    assert all(row.agrees for row in result.rows)
