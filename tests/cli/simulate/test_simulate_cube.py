"""``routeproof simulate packets`` on cubes: schedules with their evidence, verified; clear refusals."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import digest


def claims(path: Path) -> dict[str, Any]:
    return {x["quantity"]: x["value"] for x in json.loads(path.read_text())["claims"]}


@pytest.mark.parametrize(
    ("algorithm", "steps"),
    [("e-cube", "7"), ("greedy", "6"), ("borodin-hopcroft", "10"), ("hamiltonian", "8"), ("destination-graph", "6")],
)
def test_bit_reversal_on_the_six_cube(algorithm: str, steps: str, run: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    wanted = ["hypercube:6", "--algorithm", algorithm, "--permutation", "bit-reversal", "--json", str(report)]
    assert run("simulate", "packets", *wanted).status == 0
    assert claims(report)["steps"] == steps
    assert claims(report)["delivered"] == "64"
    assert run("verify", str(report)).status == 0
    document = json.loads(report.read_text())
    claim = document["claims"][0]
    claim["value"] = str(int(steps) - 1)
    claim["digest"] = digest(claim)
    report.write_text(json.dumps(document))
    ran = run("verify", str(report))
    assert ran.status == 1
    assert f"the schedule has {steps}" in ran.err


def test_a_document_is_run_and_its_moves_are_its_own(run: Any, tmp_path: Path) -> None:
    graph, report = tmp_path / "graph.json", tmp_path / "report.json"
    wanted = ["--radix", "3", "--dimensions", "3", "--steps", "5", "--minimum", "--output", str(graph)]
    assert run("search", "many-one", *wanted, "--time-limit", "1e9").status == 0
    request = tmp_path / "request.json"
    request.write_text(json.dumps([0] * 20 + [5] * 6 + [None]))
    ran = run("simulate", "packets", str(graph), "--many-one", str(request), "--json", str(report))
    assert ran.status == 0
    assert claims(report)["delivered"] == "26"
    assert run("verify", str(report)).status == 0
    document = json.loads(report.read_text())
    document["subject"]["graph"]["paths"]["001"] = [[0, 0], [3, 1]]
    report.write_text(json.dumps(document))
    assert run("verify", str(report)).status in (1, 2)


def test_trials_are_run_again_by_verify(run: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    wanted = ["hypercube:4", "--algorithm", "valiant-brebner", "-p", "bit-reversal", "--trials", "40", "--seed", "3"]
    ran = run("simulate", "packets", *wanted, "--json", str(report))
    assert ran.status == 0
    assert "40 trials" in ran.out
    assert run("verify", str(report)).status == 0
    document = json.loads(report.read_text())
    [claim] = document["claims"]
    claim["value"]["seed"] = 4
    claim["digest"] = digest(claim)
    report.write_text(json.dumps(document))
    assert run("verify", str(report)).status == 1


def test_small_runs_list_their_links(run: Any) -> None:
    ran = run("simulate", "packets", "hypercube:2", "--algorithm", "destination-graph", "--many-one", "all-to:0")
    assert "step 1: 01 -> 00, 10 -> 00" in ran.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["hypercube:3", "-p", "bit-reversal", "--algorithm", "e-cub"], "did you mean 'e-cube'"),
        (["hypercube:3"], "0 requests are given"),
        (["hypercube:3", "-p", "uniform"], "is not a permutation"),
        (["hypercube:3", "-p", "nothing"], "neither a known pattern"),
        (["hypercube:3", "-p", "all-to:0"], "--many-one instead"),
        (["hypercube:3", "--many-one", "all-to:8"], "a node from 0 to 7"),
        (["hypercube:3", "-p", "bit-reversal", "--trials", "5"], "is deterministic"),
        (["hypercube:3", "-p", "bit-reversal", "--load", "2"], "multistage"),
        (["hypercube:3", "-p", "bit-reversal", "--epsilon", "nan"], "multistage"),
        (["hypercube:3", "-p", "bit-reversal", "--threshold", "2"], "multistage"),
        (["hyperx:3x4", "-p", "tornado"], "not a t-nary d-cube"),
        (["hypercube:3,bandwidth=2", "-p", "bit-reversal"], "not a t-nary d-cube"),
        (["hyperx:3x3", "-p", "tornado", "--algorithm", "hamiltonian"], "binary cubes"),
        (["hypercube:13", "-p", "tornado", "--algorithm", "hamiltonian"], "d = 13"),
        (
            ["hyperx:11x11", "-p", "tornado", "--algorithm", "destination-graph"],
            "the catalogue has no permutation graph",
        ),
        (["butterfly:8", "-p", "bit-reversal", "--trials", "3"], "all trials would be alike"),
        (["butterfly:8", "-p", "bit-reversal", "--algorithm", "e-cube"], "known: greedy, upfal"),
        (["hypercube:8", "-p", "bit-reversal", "--plot", "x.svg"], "would show nothing"),
        (["hypercube:3", "-p", "bit-reversal", "--plot", "x.doc"], "cannot draw"),
    ],
)
def test_bad_requests(arguments: list[str], words: str, run: Any) -> None:
    ran = run("simulate", "packets", *arguments)
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert words in ran.err


def test_the_picture_of_a_run_has_the_theme_that_was_asked_for(tmp_path: Path, run: Any) -> None:
    light, dark = tmp_path / "light.svg", tmp_path / "dark.svg"
    for path, theme in ((light, "light"), (dark, "dark")):
        ran = run("simulate", "packets", "hypercube:2", "-p", "bit-reversal", "--plot", str(path), "--theme", theme)
        assert ran.status == 0, ran.err
    assert "#14171b" in dark.read_text()
    assert "#14171b" not in light.read_text()


@pytest.mark.parametrize("name", ["run.svg", "run.png", "run.gif"])
def test_pictures(name: str, run: Any, tmp_path: Path) -> None:
    path = tmp_path / name
    ran = run(
        "simulate",
        "packets",
        "hypercube:3",
        "--algorithm",
        "destination-graph",
        "-p",
        "bit-reversal",
        "--plot",
        str(path),
    )
    assert ran.status == 0, ran.err
    assert path.stat().st_size > 5000


def test_tampered_schedules_are_refused(run: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    wanted = ["hypercube:2", "--algorithm", "greedy", "-p", "bit-complement", "--json", str(report)]
    assert run("simulate", "packets", *wanted).status == 0
    whole = json.loads(report.read_text())
    evidence = whole["claims"][0]["evidence"]
    moves = unpack_ints(evidence["moves"], what="moves", max_items=100).tolist()
    for change, words in (
        ({"moves": pack_ints([0, *moves[1:]])}, "the packet from 00 to 11 ends at 01"),
        ({"moves": pack_ints([9, *moves[1:]])}, "outside 0 to 2"),
        ({"moves": pack_ints(moves[1:])}, "as many for each were expected"),
        ({"moves": "i1:4:xx"}, "its moves is not a packed list"),
        ({"moves": None}, "a list of numbers, or the same packed was expected"),
        ({"origin": pack_ints([0, 0, 2, 3])}, "ends at"),
        ({"destination": pack_ints([4, 2, 1, 0])}, "outside 0 to 3"),
        ({"seed": 3}, "a seed belongs to algorithms that draw at random"),
        ({"with": "stages"}, "which nothing checks"),
    ):
        document = copy.deepcopy(whole)
        claim = document["claims"][0]
        claim["evidence"] = {**evidence, **change}
        claim["digest"] = digest(claim)
        report.write_text(json.dumps(document))
        ran = run("verify", str(report))
        assert ran.status == 1, change
        assert words in ran.err, (change, ran.err)
        assert ran.err.count("\n") == 1
