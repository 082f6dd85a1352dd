"""``routeproof simulate``: the claims that scripts read, and bad input in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routeproof import InputError, simulate_packets
from routeproof.formats.documents.wiring import write_wiring
from routeproof.simulate.packets.upfal import route_packets
from routeproof.topologies.multistage.banyan import multibutterfly


def claims(text: str) -> dict[str, Any]:
    document = json.loads(text)
    assert {x["grade"] for x in document["claims"]} == {"EXHAUSTED"}
    return {x["quantity"]: x["value"] for x in document["claims"]}


def test_packets_by_family_and_by_file_are_the_same(run: Any, tmp_path: Path) -> None:
    wiring = multibutterfly(64, d=2, seed=7)
    write_wiring(wiring, tmp_path / "wiring.json")
    expected = route_packets(wiring, np.random.default_rng(3).permutation(64), load=4)
    for text in ("multibutterfly:64,d=2,seed=7", str(tmp_path / "wiring.json")):
        ran = run("simulate", "packets", text, "--permutation", "random:seed=3", "--load", "4", "--json", "-")
        assert ran.status == 0, ran.err
        found = claims(ran.out)
        assert found == {
            "steps": str(expected.steps),
            "stages": str(expected.stages),
            "moves": str(64 * 6),
            "swaps": str(expected.swaps),
            "delivered": "64",
        }


def test_several_and_partial_permutations_from_a_file(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "permutations.json"
    path.write_text("[[0, 1, 2, 3], [3, null, -1, 0]]")
    ran = run("simulate", "packets", "butterfly:2", "-p", str(path), "-L", "2", "--json", "-")
    assert claims(ran.out)["delivered"] == "6"
    ran = run("simulate", "packets", "butterfly:2", "-p", str(path), "-L", "2")
    assert "2 permutations (partial: not all inputs send)" in ran.out


def test_greedy_makes_no_claim_about_stages(run: Any) -> None:
    ran = run("simulate", "packets", "butterfly:4", "-p", "bit-reversal", "--algorithm", "greedy", "--json", "-")
    assert set(claims(ran.out)) == {"steps", "moves", "delivered"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["packets", "multibutterfly:48,d=2,seed=1", "-p", "random:seed=1"], "power of two"),
        (["packets", "butterfly:3"], "no permutation is given"),
        (["packets", "butterfly:3", "-p", "uniform"], "not a permutation"),
        (["packets", "butterfly:3", "-p", "transpose"], "even power of two"),
        (["packets", "butterfly:3", "-p", "random:seed=1", "-L", "9"], "load is 9"),
        (["packets", "torus:3x3", "-p", "random:seed=1"], "levels and wires"),
        (["packets", "butterfly:3", "-p", "holes.json"], "both go to 1"),
        (["packets", "butterfly:3", "-p", "short.json"], "3 entries"),
        (["packets", "butterfly:3", "-p", "wide.json"], "entry 0 is 8"),
    ],
)
def test_bad_input(arguments: list[str], words: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("holes.json").write_text("[1, 1, 2, 3, 4, 5, 6, 7]")
    Path("short.json").write_text("[1, 0, 2]")
    Path("wide.json").write_text("[8, 1, 2, 3, 4, 5, 6, 7]")
    ran = run("simulate", *arguments)
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert words in ran.err


def test_faults_give_counts_and_lists(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "faults.json"
    path.write_text("[[3, 5], [2, 0], [0, 7]]")
    arguments = ("multibutterfly:8,d=2,seed=1", "--faults", str(path), "--epsilon", "1/4", "--threshold", "2")
    ran = run("simulate", "faults", *arguments, "--json", "-")
    assert ran.status == 0, ran.err
    found = claims(ran.out)
    lists = {x["quantity"]: x["evidence"].get("list") for x in json.loads(ran.out)["claims"]}
    for quantity in ("surviving_inputs", "surviving_outputs"):
        assert int(found[quantity]) == len(lists[quantity])
    assert 7 not in lists["surviving_inputs"]
    assert 5 not in lists["surviving_outputs"]
    assert found["survivors_connected"] == "true"
    ran = run("simulate", "packets", arguments[0], "-p", "bit-reversal", *arguments[1:], "--json", "-")
    assert 0 < int(claims(ran.out)["delivered"]) < 8


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no faults are given"),
        (["--faults", "random:count=5"], "needs seed="),
        (["--faults", "random:count=500,seed=1"], "at most 32"),
        (["--faults", "nowhere.json"], "there is no file"),
        (["--faults", "random:count=1,seed=1", "--epsilon", "2"], "epsilon is 2"),
        (["--faults", "random:count=1,seed=1", "--epsilon", "x"], "epsilon"),
        (["--faults", "random:count=1,seed=1", "--threshold", "3"], "1 to 2"),
    ],
)
def test_bad_faults(arguments: list[str], words: str, run: Any) -> None:
    ran = run("simulate", "faults", "multibutterfly:8,d=2,seed=1", *arguments)
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert words in ran.err


def test_circuits(run: Any) -> None:
    ran = run("simulate", "circuits", "multibutterfly:64,d=3,seed=7", "-p", "bit-reversal", "-L", "8", "--json", "-")
    assert ran.status == 0, ran.err
    found = claims(ran.out)
    assert (found["delivered"], found["moves"], found["swaps"], found["stages"]) == ("8", "48", "0", "6")
    assert int(found["steps"]) >= 6


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-p", "bit-reversal", "-L", "3"], "does not divide"),
        (["-p", "bit-reversal", "-L", "65"], "load is 65"),
        (["-p", "random:seed=1", "-p", "random:seed=2"], "one was expected"),
    ],
)
def test_bad_circuits(arguments: list[str], words: str, run: Any) -> None:
    ran = run("simulate", "circuits", "multibutterfly:64,d=3,seed=7", *arguments)
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert words in ran.err


def test_pipelined_circuits(run: Any) -> None:
    arguments = ("multibutterfly:64,d=3,seed=7", "-p", "bit-reversal", "-L", "8", "--algorithm", "pipelined")
    ran = run("simulate", "circuits", *arguments, "--json", "-")
    assert ran.status == 0, ran.err
    found = claims(ran.out)
    assert (found["delivered"], found["moves"], found["swaps"]) == ("8", "48", "0")
    assert int(found["bit_steps"]) == 3 * int(found["steps"]) + 3 * int(found["stages"])
    for more, words in ((["--rho", "1"], "rho is 1"), (["--rho", "x"], "rho"), (["--distance", "0"], "distance")):
        ran = run("simulate", "circuits", *arguments, *more)
        assert (ran.status, ran.err.count("\n")) == (2, 1)
        assert words in ran.err


def test_calls(run: Any) -> None:
    strict = ["--strict", "--time-limit", "1e9"]
    ran = run("simulate", "calls", "multi-benes:16,d=2,seed=1", "-L", "4", *strict, "--trials", "50", "--json", "-")
    assert ran.status == 0, ran.err
    found = {x["quantity"]: x for x in json.loads(ran.out)["claims"]}
    assert found["strictly_nonblocking"]["value"] == "true"
    assert found["strictly_nonblocking"]["grade"] == "PROVED"
    assert found["requests"]["value"] == found["connected"]["value"]
    value = found["blocking_probability"]["value"]
    assert (found["blocking_probability"]["grade"], value["trials"], value["low"]) == ("SAMPLED", 50, 0)
    assert 0 < value["high"] < 0.2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["multi-benes:48,d=2,seed=1"], "power of two"),
        (["multi-benes:16,d=2,seed=1", "-L", "3"], "load is 3"),
        (["multi-benes:16,d=2,seed=1", "-L", "32"], "load is 32"),
        (["clos:3,2,2", "-L", "2"], "load is 2; 1 was expected"),
        (["clos:3,2,2", "--beta", "2"], "not a multi-Benes"),
        (["multi-benes:16,d=2,seed=1", "--beta", "1"], "beta is 1; from 3/2"),
        (["multi-benes:16,d=2,seed=1", "--beta", "x"], "beta"),
        (["clos:3,2,2", "--occupancy", "2"], "occupancy is 2"),
        (["clos:3,2,2", "--trials", "0"], "trials is 0"),
        (["clos:3,2,2", "--adversary", "-1"], "--adversary is -1"),
        (["clos:3,2,2", "--time-limit", "0"], "--time-limit"),
        (["torus:3x3"], "cycle"),
        (["nowhere.json"], "nowhere.json"),
    ],
)
def test_bad_calls(arguments: list[str], words: str, run: Any) -> None:
    ran = run("simulate", "calls", *arguments)
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert words in ran.err


def test_circuits_are_drawn_where_the_network_is_small(run: Any, tmp_path: Path) -> None:
    picture = tmp_path / "circuits.svg"
    verb = ["simulate", "circuits", "multibutterfly:16,d=2,seed=7", "-p", "bit-reversal", "--load", "4"]
    ran = run(*verb, "--faults", "random:count=2,seed=3", "--plot", str(picture))
    assert ran.status == 0, ran.err
    assert picture.read_text().startswith("<?xml")
    for wrong, words in (
        ([*verb, "--plot", "circuits.txt"], "svg"),
        ([*verb, "--sweep", "load=1,2", "--plot", str(picture)], "leave --sweep and --trials out"),
        (["simulate", "circuits", "butterfly:11", "-p", "bit-reversal", "--plot", str(picture)], "10,000 at most"),
    ):
        ran = run(*wrong)
        assert ran.status == 2
        assert words in ran.err


def test_a_trace_is_of_one_run_of_upfals_algorithm(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    verb = ["simulate", "packets", "multibutterfly:8,d=2,seed=7", "-p", "bit-reversal", "--trace", str(path)]
    assert run(*verb).status == 0
    assert path.read_text().startswith("step,permutation,source,destination,level,row\n1,0,")
    for more, words in (
        (["--algorithm", "greedy"], "queues"),
        (["--sweep", "load=1,2"], "many runs"),
        (["--trials", "2"], "leave --trace out"),
    ):
        ran = run(*verb, *more)
        assert ran.status == 2
        assert words in ran.err


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"algorithm": "greedy"}, "trace follows one run of Upfal's algorithm, greedy packets wait in queues"),
        ({"sweep": ["load=1,2"]}, "a sweep is many runs"),
        ({"trials": 2}, "leave trace out"),
    ],
)
def test_nor_is_it_of_others_in_python(more: Any, words: str, tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    with pytest.raises(InputError, match=words):
        simulate_packets("multibutterfly:8,d=2,seed=7", "bit-reversal", trace=str(path), **more)
    assert not path.exists()
