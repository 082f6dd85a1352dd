"""Curves that were stopped: what is reached lies on the whole curve or above, what is proved on it or below."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from routeproof import InputError, network
from routeproof.cli.main import main
from routeproof.demand_sets.sparse import sparse
from routeproof.formats.documents.report import digest
from routeproof.optimum import tradeoff as module
from routeproof.optimum.curve import Breakpoint, lower_hull
from routeproof.optimum.tradeoff import worst_case_tradeoff
from routeproof.routing.named.names import named_routing
from routeproof.worst.scan.exact import worst_case


def stop_after(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody interrupts while a program after the ``count`` first ones is solved."""
    real, solved = module.solve, list[int]()

    def solve(*given: Any, **options: Any) -> Any:
        solved.append(1)
        if len(solved) > count:
            raise KeyboardInterrupt
        return real(*given, **options)

    monkeypatch.setattr(module, "solve", solve)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 8])
def test_what_is_known_is_on_both_sides_of_the_curve(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    net = network("torus:4x4")
    whole = worst_case_tradeoff(net)
    dor = named_routing("dor", net)
    stop_after(count, monkeypatch)
    found = worst_case_tradeoff(net, beside=[(dor, worst_case(dor))], time_limit=1000.0)
    assert not found.complete
    assert found.load_bound.least_load() <= whole.points[0].load <= found.points[0].load
    for k in range(60):
        load = found.points[0].load + Fraction(k, 60)
        least, true, reached = (x(load) for x in (found.least_length, whole.least_length, found.reached_length))
        assert least is not None
        assert true is not None
        assert reached is not None
        assert found.minimal <= least <= true <= reached
    for point in found.points:
        assert (worst_case(point.routing).load, point.description()) == (point.load, point.description())
        if point.adversary is not None:
            assert point.length == max(whole.minimal, whole.least_length(point.load) or 0)


def test_without_anything_there_is_no_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(0, monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        worst_case_tradeoff(network("torus:4x4"))


def test_over_a_set_of_demands(monkeypatch: pytest.MonkeyPatch) -> None:
    net = network("petersen")
    whole = worst_case_tradeoff(net, demands=sparse(10, 3))
    stop_after(3, monkeypatch)
    found = worst_case_tradeoff(net, demands=sparse(10, 3), time_limit=1000.0)
    assert found.load_bound.least_load() == whole.points[0].load == found.points[0].load


def points(*given: tuple[int, int]) -> list[tuple[Fraction, Fraction]]:
    hull = lower_hull(Breakpoint(Fraction(x), Fraction(y), {}) for x, y in given)
    return [(x.load, x.length) for x in hull]


def test_the_hull_has_no_point_that_a_mixture_reaches() -> None:
    assert points((1, 5), (2, 3), (3, 1), (2, 9), (1, 6), (4, 1)) == [(1, 5), (3, 1)]
    assert points((1, 5), (2, 2), (3, 1)) == [(1, 5), (2, 2), (3, 1)]


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    stop_after(4, monkeypatch)
    options = ["--against", "worst-case", "--time-limit", "1000", "--routing", "dor"]
    files = ["--json", str(tmp_path / "report.json"), "--plot", str(tmp_path / "curve.svg")]
    assert main(["tradeoff", "torus:4x4", *options, *files]) == 0
    assert "or below; no worst-case load is below 1;" in capsys.readouterr().out
    return tmp_path / "report.json"


def test_the_report_says_both_ends_and_is_verified(report: Path) -> None:
    claims = json.loads(report.read_text())["claims"]
    assert {x["relation"] for x in claims if x["quantity"] == "average_path_length"} >= {"<=", ">="}
    assert main(["verify", str(report)]) == 0


def test_a_bound_that_says_more_is_refused(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(report.read_text())
    bound = next(x for x in document["claims"] if x["relation"] == ">=" and x["quantity"] == "average_path_length")
    bound["value"] = str(Fraction(bound["value"]) + Fraction(1, 1000))
    bound["digest"] = digest(bound)
    report.write_text(json.dumps(document))
    assert main(["verify", str(report)]) == 1
    assert "not verified" in capsys.readouterr().err


def test_the_average_case_has_no_time_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tradeoff", "ring:4", "--against", "average-case", "--time-limit", "3"]) == 2
    assert "--time-limit is for --against worst-case" in capsys.readouterr().err
    with pytest.raises(InputError, match="one process"):
        worst_case_tradeoff(network("ring:4"), engine=object(), time_limit=1.0)  # type: ignore[arg-type]
