"""``routeproof design``: what it states, what it writes, and what it refuses; corrupted reports are refused as well."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import digest
from routeproof.lp.exact import NotExactError
from routeproof.optimum.program import simplex as designed


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from routeproof.cli.main import main

    folder = tmp_path_factory.mktemp("design")
    report, routing = folder / "report.json", folder / "best.json"
    options = ["--objective", "worst-case", "--then", "path-length", "--output", str(routing), "--json", str(report)]
    assert main(["design", "torus:4x4", *options]) == 0
    return folder


def by_quantity(path: Path) -> dict[str, Any]:
    return {x["quantity"]: x for x in json.loads(path.read_text())["claims"]}


def test_the_report_states_the_optimum(made: Path, run: Any) -> None:
    found = by_quantity(made / "report.json")
    assert found["worst_case_load"]["value"] == "1"
    assert found["worst_case_throughput_of_capacity"]["value"] == "1/2"
    assert found["average_path_length_of_minimal"]["value"] == "27/20"
    claims = json.loads((made / "report.json").read_text())["claims"]
    bounds = [x for x in claims if x["relation"] != "=="]  # of the length, within the least worst-case load
    assert [(x["quantity"], x["relation"], x["value"], x["within"]) for x in bounds] == [
        ("average_path_length", ">=", "27/10", "worst_case_load <= 1")
    ]
    assert {x["grade"] for x in found.values()} == {"PROVED"}
    assert run("verify", str(made / "report.json")).status == 0


def test_the_routing_goes_through_the_other_verbs_unchanged(made: Path, run: Any) -> None:
    routing = str(made / "best.json")
    ran = run("worst-case", "torus:4x4", "--routing", routing, "--json", "-")
    values = {x["quantity"]: x["value"] for x in json.loads(ran.out)["claims"]}
    assert values["worst_case_load"] == "1"
    assert values["average_path_length_of_minimal"] == "27/20"
    assert run("check", routing).status == 0
    assert "valid routing" in run("check", routing).out


def changed(made: Path, edit: Any) -> Path:
    """The report with an edit and digests that fit again."""
    document = json.loads((made / "report.json").read_text())
    edit(document)
    for entry in [*document["claims"], document["subject"]]:
        entry["digest"] = digest(entry)
    path = made / "changed.json"
    path.write_text(json.dumps(document))
    return path


def claim(document: Any, quantity: str, relation: str = "==") -> Any:
    return next(x for x in document["claims"] if (x["quantity"], x["relation"]) == (quantity, relation))


def _less(document: Any) -> None:
    claim(document, "worst_case_load")["value"] = "9/10"


def _more(document: Any) -> None:
    entry = claim(document, "worst_case_load")
    entry["value"] = "11/10"


def _shorter(document: Any) -> None:
    claim(document, "average_path_length")["value"] = "13/5"


def _at_least_more(document: Any) -> None:
    entry = claim(document, "worst_case_load")
    data = entry["evidence"]["adversary"]
    entry.update(relation=">=", value="1000001/1000000", evidence={"kind": "adversary", **data})


def _weaker_adversary(document: Any) -> None:
    pair = claim(document, "average_path_length", ">=")["evidence"]["pairs"][-1]
    traffic = unpack_ints(pair["traffic"], what="traffic", max_items=64)
    traffic[:] = 0  # the pair can go round the only channel that is left
    traffic[0] = 10**6
    pair["traffic"] = pack_ints(traffic)


def _negative(document: Any) -> None:
    pair = claim(document, "average_path_length", ">=")["evidence"]["pairs"][0]
    traffic = unpack_ints(pair["traffic"], what="traffic", max_items=64)
    traffic[0] = -1
    pair["traffic"] = pack_ints(traffic)


def _same_class_twice(document: Any) -> None:
    pairs = claim(document, "average_path_length", ">=")["evidence"]["pairs"]
    pairs.append(pairs[0])


def _no_bound(document: Any) -> None:
    bound = claim(document, "average_path_length", ">=")
    del bound["evidence"]["within"], bound["within"]


def _looser_bound(document: Any) -> None:
    claim(document, "average_path_length", ">=")["evidence"]["within"] = {"worst_case_load": "1/2"}


def _wrong_symmetry(document: Any) -> None:
    claim(document, "average_path_length", ">=")["evidence"]["symmetry"]["declared"] = ["turn it round"]


def _another_routing(document: Any) -> None:
    pair = document["subject"]["routing"]["classes"][0]
    loads = unpack_ints(pair[3], what="loads", max_items=64)
    loads[0] += 1
    pair[3] = pack_ints(loads)


def _derived_from_a_bound(document: Any) -> None:
    entry = claim(document, "worst_case_load")
    data = entry["evidence"]["adversary"]
    entry.update(relation=">=", value="1/2", evidence={"kind": "adversary", **data})
    claim(document, "worst_case_throughput")["value"] = "2"


EDITS = [
    _less, _more, _shorter, _at_least_more, _weaker_adversary, _negative, _same_class_twice, _no_bound, _looser_bound,
    _wrong_symmetry, _another_routing, _derived_from_a_bound,
]  # fmt: skip


@pytest.mark.parametrize("edit", EDITS)
def test_corrupted_certificates_are_refused(edit: Any, made: Path, run: Any) -> None:
    ran = run("verify", str(changed(made, edit)))
    assert ran.status == 1, ran.err
    assert ran.err.count("\n") == 1


def test_an_edit_without_effect_passes(made: Path, run: Any) -> None:
    assert run("verify", str(changed(made, lambda document: None))).status == 0


def test_a_bound_from_below_alone_is_a_claim(made: Path, run: Any) -> None:
    def lower(document: Any) -> None:
        entry = claim(document, "worst_case_load")
        data = entry["evidence"]["adversary"]
        entry.update(relation=">=", value="99/100", evidence={"kind": "adversary", **data})
        document["claims"] = [entry]

    assert run("verify", str(changed(made, lower))).status == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--objective", "worst-case", "--path-length", "0.9"], "smallest feasible is 1"),
        (["--objective", "worst-case", "--path-length", "1e-400"], "a fraction of 1,329 bits"),
        (["--objective", "capacity", "--path-length", "1e400"], "at most 1,000,000 was expected"),
        (["--objective", "worst-case", "--path-length", "short"], "--path-length is 'short'"),
        (["--objective", "worst-case", "--time-limit", "0"], "--time-limit is 0.0"),
        (["--objective", "worst-case", "--paths", "tables", "--time-limit", "nan"], "--time-limit is nan"),
        (["--objective", "worst-case", "--paths", "single", "--time-limit", "inf"], "--time-limit is inf"),
        (["--objective", "best"], "best"),
        ([], "--objective"),
    ],
)
def test_bad_options(options: list[str], message: str, run: Any) -> None:
    ran = run("design", "torus:4x4", *options)
    assert ran.status == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_a_time_limit_gives_an_interval_that_is_verified(run: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    ran = run("design", "torus:6x5", "--objective", "worst-case", "--time-limit", "0.001", "--json", str(report))
    assert ran.status == 0, ran.err
    assert run("verify", str(report)).status == 0


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--objective", "capacity"], "--objective capacity"),
        (["--objective", "average-case"], "--objective average-case"),
        (["--objective", "worst-case", "--paths", "2turn"], "--paths 2turn"),
        (["--objective", "worst-case", "--paths", "tables"], "--paths tables"),
    ],
)
def test_a_solver_that_would_not_be_used_is_refused(run: Any, options: list[str], found: str) -> None:
    answer = run("design", "torus:4x4", *options, "--solver", "first-order")
    assert answer.status == 2
    assert "--solver" in answer.err
    assert found in answer.err


def _of_bandwidth(folder: Path, width: str) -> str:
    ends = [(a, b) for a in range(3) for b in range(3) if a != b]
    path = folder / "three.json"
    path.write_text(
        json.dumps({"format": "routeproof/network", "num_nodes": 3, "channels": [[a, b, width] for a, b in ends]})
    )
    return str(path)


@pytest.mark.parametrize("width", [f"{10**30}", f"1/{10**30}"])
def test_bandwidths_too_long_for_the_exact_program(tmp_path: Path, run: Any, width: str) -> None:
    three = _of_bandwidth(tmp_path, width)
    made = run("design", three, "--objective", "worst-case", "--json", str(tmp_path / "r.json"))
    assert made.status == 0, made.err
    found = json.loads((tmp_path / "r.json").read_text())["claims"]
    sides = {x["relation"]: Fraction(x["value"]) for x in found if x["quantity"] == "worst_case_load"}
    assert sides[">="] <= 2 / (3 * Fraction(width)) <= sides["<="] < sides[">="] * Fraction(1001, 1000)
    assert run("verify", str(tmp_path / "r.json")).status == 0
    refused = run("design", three, "--objective", "worst-case", "--solver", "simplex")
    assert refused.status == 2
    assert "in another unit" in refused.err


def test_a_network_too_large_is_refused_with_its_size(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routeproof.machine.memory.free_memory", lambda: 16 * 10**9)
    answer = run("design", "torus:40x40x40", "--objective", "worst-case")
    assert answer.status == 2
    assert "at least 32.8 GB" in answer.err
    assert answer.err.count("\n") == 1


def test_what_cannot_be_made_exact_within_paths_is_an_interval(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def cut_short(*_: object, **__: object) -> None:
        raise NotExactError("there is no basis")

    monkeypatch.setattr(designed, "exact_primal", cut_short)
    answer = run("design", "torus:4x4", "--objective", "worst-case", "--paths", "2turn")
    assert answer.status == 0
    assert "of what no routing can beat" in answer.out  # the bound on all routings, 1, is the better one
    refused = run("worst-case", "torus:4x4", "--routing", "2turn")
    assert refused.status == 2
    assert "was not made exact" in refused.err
