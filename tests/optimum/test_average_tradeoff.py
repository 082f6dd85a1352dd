"""Path length against average case: points that meet their bounds, pieces of work, and reports that verify."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from routeproof import InputError, network
from routeproof.cli.main import main
from routeproof.engine import Engine
from routeproof.formats.documents.report import digest
from routeproof.optimum.average_case import average_case_tradeoff
from routeproof.optimum.tradeoff import worst_case_tradeoff


def test_throughput_falls_with_the_bound_on_path_length() -> None:
    curve = average_case_tradeoff(network("torus:4x4"), count=12, num_points=4)
    lengths = [x.length / curve.minimal for x in curve.points]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] == 1
    inside = [x.inside.best for x in curve.points]
    assert inside == sorted(inside, reverse=True)
    for point in curve.points:
        point.routing.check()
        assert (point.inside.seed, point.fresh.seed) == (0, 1)


def test_an_engine_does_the_same(tmp_path: Path) -> None:
    net, folder = network("torus:3x3"), str(tmp_path / "run")
    here = average_case_tradeoff(net, count=6, num_points=3)
    with Engine(workers=1, run=folder) as engine:
        there = average_case_tradeoff(net, count=6, num_points=3, engine=engine)
    assert [(x.length, x.inside, x.fresh) for x in here.points] == [(x.length, x.inside, x.fresh) for x in there.points]


def test_an_engine_does_the_exact_curve_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    net, folder = network("petersen"), str(tmp_path / "run")
    here = worst_case_tradeoff(net)
    for _ in range(2):
        with Engine(workers=1, run=folder) as engine:
            there = worst_case_tradeoff(net, engine=engine)
        assert [(x.load, x.length, x.evidence) for x in here.points] == [
            (x.load, x.length, x.evidence) for x in there.points
        ]
    with Engine(workers=1) as engine, pytest.raises(InputError, match="both given"):
        worst_case_tradeoff(net, engine=engine, checkpoint=str(tmp_path / "file"))


@pytest.mark.parametrize("more", [["--against", "worst-case"], ["--against", "average-case", "--points", "2"]])
def test_a_run_directory_is_kept(more: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "rd"
    assert main(["tradeoff", "mesh:2x2", *more, "--workers", "1", "--run", str(folder)]) == 0
    assert any(folder.iterdir())


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("average")
    options = ["--points", "3", "--samples", "8", "--named", "--json", str(folder / "report.json")]
    words = ["tradeoff", "torus:3x3", "--against", "average-case", *options, "--plot", str(folder / "curve.svg")]
    assert main(words) == 0
    assert (folder / "curve.svg").read_text().count("<svg") == 1
    return folder / "report.json"


def test_the_report_is_verified(report: Path) -> None:
    assert main(["verify", str(report)]) == 0
    claims = json.loads(report.read_text())["claims"]
    names = {x["routing"] for x in claims if x["quantity"] == "average_case_throughput_of_capacity"}
    assert {"dor", "valiant", "ival", "designed as 2turn", "designed 0"} <= names
    assert {x["sample"] for x in claims if x["grade"] == "SAMPLED"} == {"fresh", "optimised"}


def _value(claims: Any) -> None:
    claims[0]["value"]["best"] *= 1.01


def _another_routing(claims: Any) -> None:
    claims[0]["evidence"]["routing"] = {"spec": "dor"}


def _another_name(claims: Any) -> None:
    claims[0]["routing"] = "dor"


def _shorter(claims: Any) -> None:
    next(x for x in claims if x["quantity"] == "average_path_length")["value"] = "1"


@pytest.mark.parametrize("edit", [_value, _another_routing, _another_name, _shorter])
def test_corrupted_curves_are_refused(edit: Any, report: Path) -> None:
    document = json.loads(report.read_text())
    edit(document["claims"])
    for entry in document["claims"]:
        entry["digest"] = digest(entry)
    path = report.with_name("changed.json")
    path.write_text(json.dumps(document))
    assert main(["verify", str(path)]) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--against", "worst-case", "--samples", "3"], "--samples is for --against average-case"),
        (["--against", "average-case", "--checkpoint", "x"], "--checkpoint is for --against worst-case"),
        (["--against", "worst-case", "--checkpoint", "x", "--workers", "2"], "--checkpoint is for one process"),
        (["--against", "average-case", "--points", "1"], "1 points"),
    ],
)
def test_options_that_contradict(
    options: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tradeoff", "torus:3x3", *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("against", ["worst-case", "average-case"])
def test_interpolations(
    against: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Figure 5: lengths are the mean (12), and loads too where the routings share a worst permutation (13)."""
    monkeypatch.setenv("COLUMNS", "200")
    path, picture = tmp_path / "report.json", tmp_path / "figure.svg"
    options = ["--between", "dor..ival", "--json", str(path), "--plot", str(picture)]
    more = ["--samples", "4", "--points", "2"] if against == "average-case" else []
    assert main(["tradeoff", "torus:4x4", "--against", against, *options, *more]) == 0
    assert "mix:1/2*dor+1/2*ival" in capsys.readouterr().out
    found = [x for x in json.loads(path.read_text())["claims"] if x["relation"] == "<="][-9:]
    assert len(found) == 9
    lengths = [Fraction(x["value"]) for x in found]
    loads = [Fraction(x["within"].rpartition(" ")[2]) for x in found]
    for values in (lengths, loads):
        assert values == [values[0] + (values[-1] - values[0]) * Fraction(k, 8) for k in range(9)]
    assert main(["tradeoff", "torus:4x4", "--against", against, "--between", "dor"]) == 2


def test_points_within_bounds() -> None:
    curve = average_case_tradeoff(network("ring:6"), count=5, num_points=2)
    assert curve.points[-1].length == curve.minimal
    assert curve.points[0].length >= Fraction(curve.minimal)
