"""What notebooks show: tables, DataFrames, figures, pages; nothing in a name can do harm."""

from __future__ import annotations

import builtins
from fractions import Fraction
from typing import Any

import pytest

from routeproof import DOR, ROMM, Network, Valiant, compare, mesh, named_routing, torus, traffic, worst_case
from routeproof.core.claim import Claim, Evidence, Grade, Interval
from routeproof.core.errors import InputError
from routeproof.report.notebook.frames import frame_of_claims, frame_of_study
from routeproof.studies.result import Row, StudyResult
from routeproof.worst.scan.exact import worst_case as exact_worst_case


@pytest.fixture(scope="module")
def analysis() -> Any:
    return worst_case(ROMM().on(torus(4, 4)))


def test_an_analysis_shows_numbers_and_a_picture(analysis: Any) -> None:
    shown = analysis._repr_html_()
    assert "worst-case throughput" in shown
    assert "PROVED" in shown
    assert "<svg" in shown


@pytest.mark.parametrize("figure", ["flows", "matrix", "histogram", "accepted"])
def test_figures_inside(analysis: Any, figure: str) -> None:
    assert analysis.plot(figure, theme="dark")._repr_svg_().startswith("<svg")
    with pytest.raises(InputError, match="figure is 'pie'"):
        analysis.plot("pie")


def test_a_page_inside_a_frame(analysis: Any) -> None:
    shown = analysis.page()._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert shown.count("<") == 2  # the frame alone: the page in it is escaped
    assert "allow-same-origin" not in shown


def test_frames_are_exact(analysis: Any) -> None:
    pytest.importorskip("pandas")
    frame = analysis.to_frame()
    row = frame[frame["quantity"] == "worst_case_throughput"].iloc[0]
    assert row["value"] == analysis.throughput
    assert isinstance(row["value"], Fraction)
    sampled = Claim("steps", "==", Interval(1.0, 2.0, 3.0, 10, 7), Grade.SAMPLED, Evidence("sampled"))
    assert frame_of_claims([sampled])["decimal"].tolist() == [2.0]
    both = compare([DOR().on(net := torus(3, 3)), Valiant().on(net)]).to_frame()
    assert both.index.tolist() == ["dor", "valiant"]
    assert both.loc["dor", "worst_case_throughput"] > both.loc["valiant", "worst_case_throughput"] / 10
    study = StudyResult("t", "u", "v", (Row("a", Fraction(1, 2), "0.5", agrees=True),))
    assert frame_of_study(study)["computed"].tolist() == [Fraction(1, 2)]
    assert "agrees" in study._repr_html_()


def test_a_comparison_shows_every_column_that_was_asked_for() -> None:
    net = torus(3, 3)
    compared = compare([DOR().on(net), Valiant().on(net)], traffics=[traffic("tornado", net)], virtual_channels=True)
    shown = compared._repr_html_()
    assert "tornado</th>" in shown
    assert "deadlock-free on one virtual channel</th>" in shown
    assert shown.count("<tr>") == 3
    assert "<svg" in compared.plot().svg


def test_a_missing_pandas_says_what_to_do(analysis: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *others: Any, **more: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return real(name, *others, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(InputError, match=r"pip install 'routeproof\[notebook\]'"):
        analysis.to_frame()


def test_names_are_escaped() -> None:
    net = Network.of("<script>", 3, [(0, 1), (1, 2), (2, 0)], labels=["<b>", "\x1b[0m", "\u202e"])
    routing = named_routing("minimal:choice=per-path", net)
    for thing in (
        exact_worst_case(routing),
        worst_case(routing),
        *worst_case(routing).claims(),
        compare([routing]),
    ):
        shown = thing._repr_html_()
        assert "<script>" not in shown
        assert "<b>" not in shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown


def test_values_as_text() -> None:
    def text(value: Any, relation: str = "==") -> str:
        return Claim("steps", relation, value, Grade.PROVED, Evidence("y")).value_text()

    assert text(Fraction(25, 144)) == "25/144"
    assert text(Fraction(3), "<=") == "<= 3"
    assert text("true") == "true"
    assert text(Interval(0.25, 0.3, 0.5, 1, 1)) == "0.2500 .. 0.5000"
    assert "bits" in text(Fraction(1, 3**1000))
    assert "worst case" not in exact_worst_case(DOR().on(mesh(2, 2)))._repr_html_()
