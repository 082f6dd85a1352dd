"""Maggs, Randomly Wired Multistage Networks: the studies of circuits and calls, at a size that is quick."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from routeproof.core.claim import Grade
from routeproof.report.figures.study import study_figure
from routeproof.report.figures.style import write_figure
from routeproof.studies.registry import run_study


def test_calls_sec_5(tmp_path: Path) -> None:
    """Clos and Cantor as their theorems say; a multi-Benes network blocks at load 1 and, proved, not at load 4."""
    result = run_study("maggs-nonblocking", trials=20, occupancies=("1/2", "1"))
    word = {row.label.removeprefix("strictly nonblocking: "): row.computed for row in result.rows}
    assert (word["clos:4,3,3"], word["clos:5,3,3"], word["cantor:3"], word["benes:3"]) == (
        "false",
        "true",
        "true",
        "false",
    )
    assert word["multi-benes:16,d=2,seed=1"] == word["multi-benes:16,d=2,seed=1, load 2"] == "false"
    assert word["multi-benes:16,d=2,seed=1, load 4"] == "true"
    assert all(row.agrees for row in result.rows if row.label.startswith("strictly") and row.published)
    for row in result.rows:
        if "series" in row.data:
            assert row.grade is Grade.SAMPLED
            assert row.data["trials"] == 20
            if row.data["series"].startswith(("cantor", "clos:15", "multi-benes:128")):
                assert row.data["hits"] == 0
    assert result.row("least d with d - 1 > 2d/3 + 2/3").computed == 6
    write_figure(tmp_path / "calls.svg", lambda look: study_figure(result, look))
    assert (tmp_path / "calls.svg").stat().st_size > 1000


def test_circuits_sec_3() -> None:
    """Bit-steps as counted; light loads connect everybody, full loads do not."""
    result = run_study("maggs-circuits", sizes=(6, 8), loads=(1, 16), trials=10)
    assert result.row("simple: bit-steps, N = 2^8, d = 3, load 8").computed == 30
    assert result.row("placeholders: bit-steps, N = 2^8, d = 3, load 8").computed == 54
    for name in ("simple", "placeholders"):
        assert result.row(f"{name}: all circuits connect, N = 256, d = 3, load 16").data["hits"] == 10
        full = result.row(f"{name}: all circuits connect, N = 256, d = 3, load 1").computed
        assert isinstance(full, tuple)
        assert full[0] == 0
        assert full[1] < Fraction(1, 2)
