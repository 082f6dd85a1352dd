"""The curve of path length against the worst case over a set of demands: its corners, and what verify refuses."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from routeproof import InputError, network
from routeproof.cli.main import main
from routeproof.demand_sets.demand_set import DemandSet
from routeproof.demand_sets.permutations import permutations
from routeproof.demand_sets.sparse import sparse
from routeproof.demand_sets.transport import TransportSet, between
from routeproof.engine import Engine
from routeproof.formats.demands.jobs import within
from routeproof.formats.demands.pairs import among
from routeproof.formats.demands.rates import hose
from routeproof.optimum.tradeoff import worst_case_tradeoff
from routeproof.optimum.worst_case import design_worst_case
from routeproof.worst.scan.exact import worst_case_over
from true_reports import sealed

_FROM = {"a": [0, 1, 4], "b": [2, 3, 5]}
_SETS: dict[str, DemandSet] = {
    "sparse": sparse(6, 2),
    "jobs": within(_FROM, 6),
    "pairs": among([(0, 5), (5, 0), (1, 4), (2, 0), (3, 5)], 6),
    "hose": hose([1, 2, 1, 1, 1, 2], [1, 2, 1, 1, 1, 2]),
    "box": between({(0, 5): (Fraction(1), Fraction(2)), (5, 0): (Fraction(0), Fraction(3))}, 6)
    & TransportSet(6, "total", total=Fraction(3)),
}


def _set(name: str) -> TransportSet:
    found = _SETS[name]
    assert isinstance(found, TransportSet)
    return found


@pytest.mark.parametrize("name", list(_SETS))
def test_the_curve_is_what_designs_with_a_bound_on_path_lengths_find(name: str) -> None:
    net, demands = network("mesh:3x2"), _set(name)
    curve = worst_case_tradeoff(net, demands=demands)
    best = design_worst_case(net, demands=demands, shortest=True)
    assert (curve.points[0].load, curve.points[0].length) == (best.load, best.length)
    assert curve.points[-1].length == curve.minimal
    for ratio in (Fraction(1), Fraction(11, 10)):
        made = design_worst_case(net, demands=demands, path_length=ratio)
        least = curve.least_length(made.load)
        assert least is not None
        assert least <= ratio * curve.minimal
        assert made.load == curve.points[0].load or least == ratio * curve.minimal
    if demands.box is None:
        for point in curve.points:
            assert worst_case_over(point.routing, demands, symmetry="none").load == point.load


def test_over_permutations_it_is_the_curve_without_demands() -> None:
    net = network("torus:4x4")
    plain, over = (worst_case_tradeoff(net, demands=x) for x in (None, permutations(16)))
    assert [(x.load, x.length) for x in plain.points] == [(x.load, x.length) for x in over.points]


def test_fewer_packets_lower_the_curve() -> None:
    net = network("torus:4x4")
    few, all_of_them = (worst_case_tradeoff(net, demands=x) for x in (sparse(16, 3), None))
    assert few.points[0].load < all_of_them.points[0].load
    for point in all_of_them.points:
        least = few.least_length(point.load)
        assert least is not None
        assert least <= point.length


def test_processes_find_the_same_curve(tmp_path: Path) -> None:
    net, demands = network("mesh:3x2"), _set("jobs")
    here = worst_case_tradeoff(net, demands=demands)
    with Engine(workers=2, run=str(tmp_path / "run")) as engine:
        there = worst_case_tradeoff(net, demands=demands, engine=engine)
    assert [(x.load, x.length, x.evidence) for x in here.points] == [
        (x.load, x.length, x.evidence) for x in there.points
    ]


def test_reports_are_verified_and_corrupted_ones_refused(tmp_path: Path) -> None:
    jobs, target, bad = tmp_path / "jobs.txt", tmp_path / "curve.json", tmp_path / "bad.json"
    jobs.write_text("a: 0 1 4 8\nb: 2 3 5 6\n")
    command = ["tradeoff", "mesh:3x3", "--against", "worst-case", "--demands", f"within:{jobs}", "--routing", "dor"]
    assert main([*command, "--demands", "sparse:5", "--json", str(target)]) == 0
    assert main(["verify", str(target)]) == 0

    def refused(change: Any) -> bool:
        report: dict[str, Any] = json.loads(target.read_text())
        change(report)
        bad.write_text(json.dumps(sealed(report)))
        return main(["verify", str(bad)]) == 1

    def shorter(report: dict[str, Any]) -> None:
        claim = report["claims"][0]
        claim["value"] = str(Fraction(claim["value"]) - Fraction(1, 1000))

    def of_permutations(report: dict[str, Any]) -> None:
        del report["claims"][0]["demands"]

    def of_another_set(report: dict[str, Any]) -> None:
        del report["subject"]["demands"]["total"]

    def less_traffic(report: dict[str, Any]) -> None:
        report["claims"][0]["evidence"]["adversary"]["pairs"].pop()

    def the_routing_of_another_corner(report: dict[str, Any]) -> None:
        corners = [x for x in report["claims"] if x["evidence"]["kind"] == "optimum"]
        corners[0]["evidence"]["routing"] = corners[-1]["evidence"]["routing"]

    for change in (shorter, of_permutations, of_another_set, less_traffic, the_routing_of_another_corner):
        assert refused(change), change.__name__


def test_sets_that_have_no_such_curve_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["tradeoff", "mesh:3x2", "--against"]
    assert main([*command, "worst-case", "--demands", "routable"]) == 2
    said = capsys.readouterr().err
    assert "the curve over routable is not available; permutations, sparse:16, " in said
    assert all(x in said for x in (" between:JOBS, ", " box:FILE,", "or several were expected"))
    assert main([*command, "average-case", "--demands", "sparse:2"]) == 2
    assert "--demands is for --against worst-case" in capsys.readouterr().err
    with pytest.raises(InputError, match="permutations is about 5 terminals, mesh:3x2 has 6"):
        worst_case_tradeoff(network("mesh:3x2"), demands=permutations(5))
