"""Theorem 2 of Hwang, Yao & Dasgupta: reproduced, and bettered wherever it was not optimal already."""

from __future__ import annotations

from routeproof.studies.registry import run_study


def test_theorem_2() -> None:
    result = run_study("hwang-yao-dasgupta-theorem-2")
    assert not result.disagreements
    for row in result.rows:
        assert row.agrees is True
        steps, published = int(str(row.computed)), int(row.published)
        assert row.data["lower_bound"] <= steps <= published
        assert steps < published or steps == row.data["lower_bound"]
    assert result.row("many-one, d = 6").computed == 11
    assert result.row("permutation, d = 9").computed == 9
