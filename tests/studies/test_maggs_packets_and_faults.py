"""The studies of packets and of faults, at sizes that take a moment, and the figures of studies."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from routeproof.cli.main import main
from routeproof.core.claim import Grade
from routeproof.report.figures.study import study_figure
from routeproof.report.figures.style import write_figure
from routeproof.studies.registry import STUDIES, run_study


def test_steps_grow_with_the_root_on_butterflies_only() -> None:
    found = run_study("maggs-packets", sizes=(6, 10), permutations=(1, 4), trials=8)
    steps = {row.label: row.computed for row in found.rows}
    assert steps["butterfly, N = 2^10: bit-reversal"] == 25
    assert steps["multibutterfly, d = 2, N = 2^10: bit-reversal"] == 9
    for row in found.rows:
        if row.grade is Grade.SAMPLED:
            assert isinstance(row.computed, tuple)
            assert row.computed[0] <= Fraction(str(row.data["best"])) <= row.computed[1]


def test_faults_hurt_the_butterfly_more(tmp_path: Path) -> None:
    found = run_study("leighton-maggs-1992-faults", log_inputs=6, faults=(0, 6), trials=8)
    pairs = {row.label: row.computed for row in found.rows if row.label.endswith("pairs joined")}
    assert pairs["butterfly, 0 faults: pairs joined"] == 1
    butterfly, random = (
        pairs["butterfly, 6 faults: pairs joined"],
        pairs["multibutterfly, d = 2, 6 faults: pairs joined"],
    )
    assert isinstance(butterfly, tuple)
    assert isinstance(random, tuple)
    assert butterfly[1] < random[0]
    for form in ("svg", "png"):
        write_figure(tmp_path / f"faults.{form}", lambda look: study_figure(found, look))
        assert (tmp_path / f"faults.{form}").stat().st_size > 5000


def test_a_table_has_no_figure_and_says_which_studies_have(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert not STUDIES["towles-dally-2002-figure-9"].drawn
    assert main(["study", "towles-dally-2002-figure-9", "--plot", str(tmp_path / "x.svg")]) == 2
    error = capsys.readouterr().err
    assert "maggs-packets" in error
    assert error.count("\n") == 1
