"""``--until-width`` on every verb that samples: judged by verify, the same on any number of workers, replayed alone."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from routeproof.formats.documents.report import digest
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.topologies.traffic_models import sample_traffic
from routeproof.worst.average import largest_loads

TRIAL = "random:seed={trial}"
VERBS = {
    "calls": ["simulate", "calls", "multi-benes:16,d=2,seed=7", "--events", "30", "--together", "3"],
    "cubes": ["simulate", "packets", "hypercube:4", "-p", "bit-reversal", "--algorithm", "valiant-brebner"],
    "packets": ["simulate", "packets", "multibutterfly:16,d=2,seed=7", "-p", TRIAL, "-L", "4"],
    "circuits": ["simulate", "circuits", "multibutterfly:16,d=2,seed=7", "-p", TRIAL, "-L", "2"],
    "pipelined": ["simulate", "circuits", "multibutterfly:16,d=2,seed={trial}", "-p", "shuffle", "--algorithm",
                  "pipelined", "--faults", "random:count=3,seed={trial}"],
    "faults": ["simulate", "faults", "multibutterfly:16,d=2,seed=7", "--faults", "random:count=5,seed={trial}"],
    "average": ["worst-case", "torus:4x3", "--routing", "romm", "--traffic-model", "two-permutations", "--seed", "4"],
    "failures": ["failures", "mesh:4x3", "--routing", "minimal", "--links", "3", "--seed", "5"],
}  # fmt: skip
WIDE = {"pipelined": 0.6, "failures": 0.4}
MOST = {"average": "--samples", "failures": "--samples"}


def sampled(document: Any) -> list[Any]:
    return [x for x in document["claims"] if x["grade"] == "SAMPLED"]


@pytest.mark.parametrize("verb", VERBS)
def test_sampling_goes_on_until_intervals_are_narrow(run: Any, tmp_path: Path, verb: str) -> None:
    report = tmp_path / "report.json"
    width = WIDE.get(verb, 0.25)
    ran = run(*VERBS[verb], "--until-width", str(width), "--json", str(report))
    assert ran.status == 0, ran.err
    document = json.loads(report.read_text())
    found = [x["value"] for x in sampled(document)]
    assert found
    if verb != "packets":  # its unit is steps
        assert all(x["high"] - x["low"] <= width for x in found)
    assert {x["trials"] for x in found} <= {100 << k for k in range(10)}
    assert {x["confidence"] for x in found} == {0.99}
    assert run("verify", str(report)).status == 0
    if verb in ("packets", "pipelined", "faults"):
        return
    for key, value in (("first_look", 10), ("most_trials", 7), ("until_width", "1/1000")):
        changed = json.loads(report.read_text())
        sampled(changed)[0]["evidence"][key] = value
        for entry in changed["claims"]:
            entry["digest"] = digest(entry)
        (tmp_path / "changed.json").write_text(json.dumps(changed))
        assert run("verify", str(tmp_path / "changed.json")).status == 1, key
    for key, value in (("low", 0.0), ("trials", found[0]["trials"] * 2), ("seed", 99)):
        changed = json.loads(report.read_text())
        sampled(changed)[0]["value"][key] = value
        for entry in changed["claims"]:
            entry["digest"] = digest(entry)
        (tmp_path / "changed.json").write_text(json.dumps(changed))
        assert run("verify", str(tmp_path / "changed.json")).status == 1, key


@pytest.mark.parametrize("verb", [x for x in VERBS if x != "pipelined"])
def test_at_most_so_many_trials(run: Any, tmp_path: Path, verb: str) -> None:
    report = tmp_path / "report.json"
    most = MOST.get(verb, "--trials")
    ran = run(*VERBS[verb], "--until-width", "0.0001%", most, "130", "--json", str(report))
    assert ran.status == 0, ran.err
    document = json.loads(report.read_text())
    if verb != "packets":
        assert {x["value"]["trials"] for x in sampled(document)} == {130}
        assert "was not reached within 130 trials" in ran.out
    assert run("verify", str(report)).status == 0


@pytest.mark.parametrize("verb", ["calls", "circuits", "average"])
def test_workers_and_interruptions_change_nothing(run: Any, tmp_path: Path, verb: str) -> None:
    words = [*VERBS[verb], "--until-width", "0.2"]
    texts = []
    for name, more in (
        ("plain", []),
        ("two", ["--workers", "2", "--run", str(tmp_path / "run")]),
        ("again", ["--workers", "1", "--run", str(tmp_path / "run")]),
    ):
        report = tmp_path / f"{name}.json"
        ran = run(*words, *more, "--json", str(report))
        assert ran.status == 0, ran.err
        texts.append(report.read_text())
        if name == "two":  # as after a kill: every other piece is gone
            with contextlib.closing(sqlite3.connect(tmp_path / "run" / "records.sqlite")) as database, database:
                assert database.execute("DELETE FROM record WHERE rowid % 2").rowcount >= 1
    assert texts[0] == texts[1] == texts[2]


def test_a_trial_of_calls_is_replayed_alone(run: Any, tmp_path: Path) -> None:
    counts = ("requests", "blocked_without_path", "hang_ups", "calls_in_progress", "together_connected")
    totals = dict.fromkeys(counts, 0)
    words = VERBS["calls"]
    for trial in range(5):
        report = tmp_path / f"{trial}.json"
        assert run(*words, "--replay", str(trial), "--json", str(report)).status == 0
        assert run("verify", str(report)).status == 0
        document = json.loads(report.read_text())
        assert not sampled(document)
        for claim in document["claims"]:
            if claim["quantity"] in totals:
                totals[claim["quantity"]] += int(claim["value"])
    report = tmp_path / "all.json"
    assert run(*words, "--trials", "5", "--json", str(report)).status == 0
    stated = {x["quantity"]: x["value"] for x in json.loads(report.read_text())["claims"]}
    assert {x: int(stated[x]) for x in counts} == totals


def test_a_trial_of_circuits_is_replayed_alone(run: Any, tmp_path: Path) -> None:
    words = VERBS["circuits"]
    whole = 0
    for trial in range(8):
        report = tmp_path / "one.json"
        assert run(*(x.replace("{trial}", str(trial)) for x in words), "--json", str(report)).status == 0
        found = {x["quantity"]: x["value"] for x in json.loads(report.read_text())["claims"]}
        whole += found["delivered"] == "8"
    assert run(*words, "--trials", "8", "--json", str(report)).status == 0
    assert sampled(json.loads(report.read_text()))[0]["value"]["best"] == whole / 8


def test_a_matrix_is_drawn_again_alone() -> None:
    network = network_from_spec("torus:4x3")
    sample = sample_traffic(network, "two-permutations", count=6, seed=4)
    alone = sample_traffic(network, "two-permutations", count=1, seed=4, first=5)
    assert (sample[5] == alone[0]).all()
    routing = routing_from_spec("romm", network)
    assert largest_loads(routing, sample)[5] == pytest.approx(largest_loads(routing, alone)[0], rel=1e-12)


def test_the_bounds_that_an_average_rests_on_are_checked(run: Any, tmp_path: Path) -> None:
    report, changed = tmp_path / "report.json", tmp_path / "changed.json"
    words = ["worst-case", "mesh:3x3", "--routing", "dor", "--traffic-model", "sinkhorn", "--samples", "20"]
    assert run(*words, "--json", str(report)).status == 0
    assert run("verify", str(report)).status == 0
    for key, value, message in (
        ("least", "2/5", "not the worst case"),
        ("most", "1", "bandwidth over hops"),
        ("normal_approximation", [0.0, 1.0], "normal approximation"),
        ("traffic", "permutation", "names no traffic model, or another one"),
        ("samples", 19, "another sample"),
    ):
        document = json.loads(report.read_text())
        claim = sampled(document)[0]
        claim["evidence"][key] = value
        claim["digest"] = digest(claim)
        changed.write_text(json.dumps(document))
        ran = run("verify", str(changed))
        assert ran.status == 1
        assert message in ran.err, key
    document = json.loads(report.read_text())
    document["claims"] = [x for x in document["claims"] if not x["quantity"].startswith("worst_case")]
    changed.write_text(json.dumps(document))
    assert "does not state worst_case_load" in run("verify", str(changed)).err


def test_calls_are_swept_like_the_others(run: Any, tmp_path: Path) -> None:
    report = tmp_path / "sweep.json"
    words = ["simulate", "calls", "multi-benes:{n},d=2,seed={seed}", "--occupancy", "{p}", "--trials", "20"]
    words += ["--sweep", "n=8,16", "--sweep", "seed=1..2", "--sweep", "p=1/2,1", "--events", "20", "--together", "2"]
    ran = run(*words, "--json", str(report))
    assert ran.status == 0, ran.err
    assert "8 runs" in ran.out
    assert run("verify", str(report)).status == 0
    document = json.loads(report.read_text())
    alone = tmp_path / "alone.json"
    plain = ["simulate", "calls", "multi-benes:16,d=2,seed=2", "--occupancy", "1/2", "--trials", "20", "--events", "20"]
    assert run(*plain, "--together", "2", "--json", str(alone)).status == 0
    point = {"n": "16", "seed": "2", "p": "1/2"}
    there = {x["quantity"]: x["value"] for x in document["claims"] if x["point"] == point}
    here = {x["quantity"]: x["value"] for x in json.loads(alone.read_text())["claims"]}
    assert there == {x: here[x] for x in there}
    for key, value in (("occupancy", "1/3"), ("topology", "multi-benes:{n},d=3,seed={seed}"), ("load", 2)):
        changed = json.loads(report.read_text())
        changed["subject"][key] = value
        (tmp_path / "changed.json").write_text(json.dumps(changed))
        assert run("verify", str(tmp_path / "changed.json")).status == 1, key


@pytest.mark.parametrize("verb", ["calls", "circuits", "average", "failures"])
def test_more_samples_go_on_where_fewer_ended(verb: str, run: Any, tmp_path: Path) -> None:
    most, kept = MOST.get(verb, "--trials"), str(tmp_path / "run")
    pieces = []
    for number in ("100", "200"):
        assert run(*VERBS[verb], most, number, "--run", kept, "--json", str(tmp_path / "on.json")).status == 0
        with contextlib.closing(sqlite3.connect(tmp_path / "run" / "records.sqlite")) as database:
            pieces.append(set(database.execute("SELECT piece, digest, seconds FROM record")))
    assert pieces[0] < pieces[1]  # the first ones were not done again
    assert run(*VERBS[verb], most, "200", "--json", str(tmp_path / "alone.json")).status == 0
    assert (tmp_path / "on.json").read_bytes() == (tmp_path / "alone.json").read_bytes()
    other = run(
        *VERBS[verb], most, "200", "--run", kept, *(("--epsilon", "1/3") if verb == "circuits" else ("--seed", "77"))
    )
    assert other.status == 2
    assert "belongs to another command" in other.err


def test_trials_at_every_point_of_a_sweep(run: Any, tmp_path: Path) -> None:
    report, again, alone = (str(tmp_path / x) for x in ("sweep.json", "again.json", "alone.json"))
    words = ["simulate", "circuits", "-p", TRIAL, "--until-width", "0.3", "--trials", "200"]
    sweep = ["multibutterfly:{n},d=2,seed=7", "--sweep", "n=8,16", "--sweep", "load=2,4"]
    ran = run(*words, *sweep, "--json", report, "--workers", "1")
    assert ran.status == 0
    assert "4 points, each of 100" in ran.out
    assert run("verify", report).status == 0
    assert run(*words, *sweep, "--json", again, "--workers", "2", "--run", str(tmp_path / "run")).status == 0
    assert Path(again).read_bytes() == Path(report).read_bytes()
    assert run(*words, "multibutterfly:16,d=2,seed=7", "--load", "4", "--json", alone).status == 0
    document = json.loads(Path(report).read_text())
    point = {"n": "16", "load": "4"}
    there = {x["quantity"]: x["value"] for x in document["claims"] if x["point"] == point}
    assert there == {x["quantity"]: x["value"] for x in json.loads(Path(alone).read_text())["claims"]}
    for key, value in (("topology", "multibutterfly:{n},d=2,seed=8"), ("each", "runs"), ("permutation", ["shuffle"])):
        changed = json.loads(Path(report).read_text())
        changed["subject"][key] = value
        changed["subject"]["digest"] = digest(changed["subject"])
        (tmp_path / "changed.json").write_text(json.dumps(changed))
        assert run("verify", str(tmp_path / "changed.json")).status == 1, key


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["simulate", "calls", "benes:3", "--until-width", "0"], "the width is '0'; more than 0"),
        (["simulate", "calls", "benes:3", "--replay", "3", "--trials", "9"], "one trial again"),
        (["simulate", "calls", "benes:3", "--replay", "-1"], "numbered from 0"),
        (["simulate", "calls", "benes:{n}", "--sweep", "n=3", "--strict"], "leave --strict"),
        (["simulate", "calls", "benes:3", "--sweep", "n=3"], "stands nowhere"),
        (["simulate", "circuits", "benes:3", "-p", "shuffle", "--trials", "9"], "would be alike"),
        (["simulate", "circuits", "benes:3", "-p", TRIAL, "--trials", "0"], "0 trials"),
        (["simulate", "circuits", "benes:3", "-p", TRIAL, "--trials", "9", "--sweep", "trial=1,2"], "--trials counts"),
        (["simulate", "circuits", "benes:3", "-p", TRIAL, "--trials", "9", "--sweep", "k=1,2"], "{k} stands nowhere"),
        (["simulate", "circuits", "benes:3", "-p", TRIAL, "--trials", "9", "--sweep", "load=1,3"], "at load 1: in"),
        (["simulate", "packets", "butterfly:3", "-p", "adversary:tries=3,seed={trial}", "--trials", "9"], "adversary"),
        (["simulate", "packets", "butterfly:3", "-p", TRIAL, "--trials", "5"], "5 trials are too few"),
        (["worst-case", "torus:4x4", "--routing", "dor", "--until-width", "0.1"], "exact without them"),
        (["worst-case", "torus:4x4", "--routing", "dor", "--traffic-model", "zipf"], "traffic model is 'zipf'"),
        (
            ["worst-case", "torus:4x4", "-r", "dor", "--traffic-model", "sinkhorn", "--seed", "-1"],
            "the seed of the sample",
        ),
        (["worst-case", "torus:4x4", "-r", "dor", "--traffic-model", "sinkhorn", "--model", "unbalanced"], "balanced"),
        (["failures", "torus:4x4", "-r", "dor", "--links", "3", "--until-width", "x"], "width"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(run: Any, words: list[str], message: str) -> None:
    ran = run(*words)
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert message in ran.err
