"""The illustrative figures of the papers: what is checked of each, and that they are drawn."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from routeproof.report.figure_study import plot_study
from routeproof.report.style import DARK
from routeproof.studies.registry import STUDIES, run_study

ILLUSTRATED = ("towles-dally-2002-figures", "towles-dally-boyd-2003-figures")


@pytest.mark.parametrize("name", ILLUSTRATED)
def test_all_that_the_captions_tell_holds_and_is_drawn(name: str, tmp_path: Path) -> None:
    assert STUDIES[name].drawn
    found = run_study(name)
    assert not found.disagreements
    assert any(row.published for row in found.rows)
    for form in ("svg", "png"):
        plot_study(found, tmp_path / f"figures.{form}")
        assert (tmp_path / f"figures.{form}").stat().st_size > 20_000
    again = tmp_path / "again.svg"
    plot_study(found, again)
    assert again.read_bytes() == (tmp_path / "figures.svg").read_bytes()
    plot_study(found, again, theme=DARK)
    assert again.read_bytes() != (tmp_path / "figures.svg").read_bytes()


def test_figure_8_of_towles_and_dally_is_a_worst_case() -> None:
    found = run_study("towles-dally-2002-figures")
    whole = found.row("Figure 8: load of c, and the rows beside exchanging")
    assert (
        whole.computed == Fraction(8, 3) == found.row("Figure 8: exact worst case of ROMM on the 5-ary 2-cube").computed
    )
    assert sorted(whole.data["image"]) == list(range(25))
