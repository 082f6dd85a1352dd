"""What the verbs print and write, as scripts and people rely on it."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

RING = '''
def route(state, node, destination):
    """Both ways around a ring of eight, at random, never turning back."""
    if state is None:
        return [("1/2", 1, (node + 1) % 8), ("1/2", -1, (node - 1) % 8)]
    return [(1, state, (node + state) % 8)]
'''


def claims(text: str) -> dict[str, Any]:
    """The values of the claims that nothing but the model qualifies."""
    document = json.loads(text)
    assert document["format"] == "routeproof/report"
    plain = {"quantity", "model", "relation", "value", "unit", "grade", "source", "evidence", "digest"}
    return {x["quantity"]: x["value"] for x in document["claims"] if set(x) <= plain}


def test_worst_case_of_romm_on_the_nine_ary_two_cube(run: Any) -> None:
    ran = run("worst-case", "torus:9x9", "--routing", "romm", "--traffic", "tornado", "-t", "transpose", "--json", "-")
    assert ran.status == 0
    found = claims(ran.out)
    assert found["worst_case_load"] == "32/5"
    assert found["worst_case_throughput"] == "5/32"
    assert found["worst_case_throughput_of_capacity"] == "25/144"
    assert found["capacity"] == "9/10"
    assert found["average_path_length"] == "40/9"
    assert found["average_path_length_of_minimal"] == "1"
    every = json.loads(ran.out)["claims"]
    under = {x["traffic"]: x["value"] for x in every if x["quantity"] == "throughput_of_capacity"}
    assert under == {"uniform": "1", "tornado": "5/18", "transpose": "5/9"}
    assert {x["grade"] for x in every} == {"PROVED"}


def test_the_table_says_the_same(run: Any) -> None:
    ran = run("worst-case", "torus:9x9", "--routing", "romm")
    assert ran.err == ""
    assert re.search(r"as a fraction of capacity +25/144 +0\.1736 +of capacity +PROVED", ran.out)
    assert re.search(r"worst channel +\(\d,\d\) -> \(\d,\d\) \(channel \d+\), and 323 more", ran.out)
    assert re.search(r"worst permutation +\d+ pairs cross it, with 32/5 in all", ran.out)
    assert re.search(r"symmetry +translate.*1 focus\s+channel for 324", ran.out)
    assert all(line == line.rstrip() for line in ran.out.splitlines())


@pytest.mark.parametrize("options", [[], ["--no-symmetry"], ["--all-channels"]])
def test_symmetry_changes_the_work_and_not_the_answer(options: list[str], run: Any) -> None:
    ran = run("worst-case", "torus:4x3", "--routing", "dor", "--json", "-", *options)
    assert claims(ran.out)["worst_case_load"] == "3/2"
    assert ran.status == 0


def test_all_channels_are_claimed_and_verified_one_by_one(run: Any, tmp_path: Path) -> None:
    report = str(tmp_path / "report.json")
    ran = run("worst-case", "mesh:3x2", "--routing", "valiant", "--all-channels", "--json", report)
    assert "every channel's own worst case" in ran.out
    document = json.loads(Path(report).read_text())
    single = {x["channel"]: Fraction(x["value"]) for x in document["claims"] if "channel" in x}
    assert sorted(single) == list(range(14))
    top = next(x for x in document["claims"] if x["quantity"] == "worst_case_load" and "channel" not in x)
    assert max(single.values()) == Fraction(top["value"])
    ran = run("verify", report)
    assert ran.status == 0
    assert "14 single channels: verified" in ran.out


@pytest.mark.parametrize(
    ("network", "routing"),
    [
        ("torus:4x4", "romm"),
        ("mesh:4x2", "valiant"),
        ("random-regular:16,degree=3,seed=1", "minimal:choice=per-path"),
        ("petersen", "minimal"),
        ("torus:4x3,kill-links=2,kill-seed=7", "minimal:choice=per-hop"),
        ("hyperx:3x3,bandwidth=2x1", "dor"),
        ("ring:6", "mix:1/3*dor+2/3*valiant"),
    ],
)
def test_a_report_is_verified(network: str, routing: str, run: Any, tmp_path: Path) -> None:
    report = str(tmp_path / "report.json")
    assert run("worst-case", network, "--routing", routing, "--json", report).status == 0
    ran = run("verify", report)
    assert (ran.status, ran.err) == (0, "")
    assert "verified" in ran.out
    assert run("verify", report, "--json", "-").status == 0


def test_a_false_claim_is_named_and_ends_with_one(run: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    run("worst-case", "ring:5", "--routing", "dor", "--json", str(report))
    text = report.read_text()
    assert '"value": "1/2"' in text
    report.write_text(text.replace('"value": "1/2"', '"value": "1/3"', 1))
    ran = run("verify", str(report))
    assert (ran.status, ran.out) == (1, "")
    assert re.fullmatch(r"not verified: claims\[\d\] .*\n", ran.err)


@pytest.mark.parametrize(
    ("model", "throughput"), [("balanced", "1/2"), ("unbalanced", "1"), ("hose", "1/2")], ids=lambda x: x
)
def test_models(model: str, throughput: str, run: Any, tmp_path: Path) -> None:
    rates = tmp_path / "rates.txt"
    rates.write_text("# sends receives\n2, 1\n1 2\n1 1\n1 1\n")
    options = ["--rates", str(rates)] if model == "hose" else []
    ran = run("worst-case", "mesh:4", "--routing", "dor", "--model", model, *options, "--json", "-")
    assert ran.status == 0
    if model != "balanced":
        assert {x["model"] for x in json.loads(ran.out)["claims"] if x["quantity"].startswith("worst")} == {model}
    assert "worst_case_throughput" in claims(ran.out)


def test_a_table_and_a_function_of_the_same_algorithm_agree(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("both_ways.py").write_text(RING)
    pairs = []
    for i in range(8):
        for j in range(8):
            if i != j:
                clockwise = [2 * ((i + k) % 8) for k in range((j - i) % 8)]
                back = [2 * ((i - k) % 8) + 1 for k in range((i - j) % 8)]
                paths = [{"weight": "1/2", "channels": clockwise}, {"weight": "1/2", "channels": back}]
                pairs.append({"source": i, "destination": j, "paths": paths})
    document = {"format": "routeproof/routing", "network": {"spec": "ring:8"}, "pairs": pairs}
    Path("table.json").write_text(json.dumps(document))
    assert run("check", "table.json").out.count("true") == 1
    answers = [
        claims(run("worst-case", "ring:8", "--routing", routing, "--json", "-").out)
        for routing in ("table.json", "both_ways:route")
    ]
    assert answers[0] == answers[1]
    assert answers[0]["worst_case_load"] == "7/2"


def test_sampled_loads_are_intervals_and_never_proved(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sampled_ways.py").write_text(RING)
    options = ["--samples", "100", "--seed", "3", "--traffic", "tornado"]
    ran = run("worst-case", "ring:8", "--routing", "sampled_ways:route", *options, "--json", "-")
    document = json.loads(ran.out)
    for claim in document["claims"]:
        assert (claim["grade"] == "SAMPLED") == (claim["quantity"] != "capacity")
    value = next(x["value"] for x in document["claims"] if x["quantity"] == "worst_case_load")
    assert value["low"] <= 3.5 <= value["high"]
    assert (value["trials"], value["seed"]) == (100, 3)
    table = run("worst-case", "ring:8", "--routing", "sampled_ways:route", *options).out
    assert "SAMPLED, no proof: 99 % interval, 100 trials, seed 3" in table
    for refused in (
        ["ring:8", "-r", "dor", "--samples", "100"],
        ["ring:8", "-r", "sampled_ways:route", "--samples", "3"],
        ["ring:8", "-r", "mix:1/2*dor+1/2*sampled_ways:route,samples=10"],
        ["ring:8", "-r", "sampled_ways:route", "--samples", "10", "--model", "unbalanced"],
    ):
        ran = run("worst-case", *refused)
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(("name", "start"), [("a.svg", b"<?xml"), ("b.png", b"\x89PNG"), ("c.PDF", b"%PDF")])
def test_pictures(name: str, start: bytes, run: Any, tmp_path: Path) -> None:
    file = tmp_path / name
    ran = run("worst-case", "torus:4x3", "--routing", "romm", "--plot", str(file))
    assert ran.status == 0
    assert file.read_bytes().startswith(start)
    assert [x.name for x in tmp_path.iterdir()] == [name]


def test_json_alone_on_standard_output(run: Any, tmp_path: Path) -> None:
    picture = str(tmp_path / "a.svg")
    ran = run("worst-case", "ring:5", "--routing", "dor", "--json", "-", "--plot", picture)
    assert json.loads(ran.out)["claims"]
    ran = run("check", picture.replace("a.svg", "missing"), "--json", "-")
    assert (ran.status, ran.out) == (2, "")


def test_warnings_are_lines_on_standard_error(run: Any, tmp_path: Path) -> None:
    graph = tmp_path / "loop.gml"
    graph.write_text("graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 0 ] edge [ source 0 target 1 ] ]")
    ran = run("worst-case", str(graph), "--routing", "minimal", "--json", "-")
    assert json.loads(ran.out)
    assert ran.err == f"warning: file {graph}: a self-loop dropped (at node 0)\n"


def test_names_from_files_are_harmless(run: Any, tmp_path: Path) -> None:
    labels = ["[red]a[/red]", "b\u202e", "<c>", "[/]", "x" * 500]
    channels = [[i, (i + 1) % 5] for i in range(5)]
    document = {"format": "routeproof/network", "num_nodes": 5, "channels": channels, "labels": labels}
    file = tmp_path / "net.json"
    file.write_text(json.dumps({**document, "name": "[bold]n"}))
    ran = run("worst-case", str(file), "--routing", "minimal", "--plot", str(tmp_path / "a.svg"))
    assert ran.status == 0
    assert "[red]a[/red]" in ran.out
    assert "[bold]n" in ran.out
    assert "\u202e" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= 160


@pytest.mark.parametrize("form", ["json", "graphml", "gml"])
def test_convert_keeps_the_network(form: str, run: Any, tmp_path: Path) -> None:
    target = str(tmp_path / f"net.{form}")
    ran = run("convert", "mesh:3x2,bandwidth=3/2x1", target)
    assert (ran.status, ran.err) == (0, "")
    assert "14 channels" in ran.out
    loads = [
        claims(run("worst-case", network, "--routing", "minimal", "--json", "-").out)["worst_case_load"]
        for network in (target, "mesh:3x2,bandwidth=3/2x1")
    ]
    assert loads[0] == loads[1]
    assert run("check", target).status == 0


def test_check_judges_and_gives_the_reason(run: Any, tmp_path: Path) -> None:
    cases = {
        "permutation.txt": ("1 2 0", "valid_permutation", "true", ""),
        "twice.txt": ("1 1 0", "valid_permutation", "false", "nobody goes to 2"),
        "list.json": ("[2, 1, 0]", "valid_permutation", "true", ""),
        "cut.json": (
            json.dumps({"format": "routeproof/network", "num_nodes": 3, "channels": [[0, 1], [1, 0], [1, 2]]}),
            "connected",
            "false",
            "no path leads from terminal 2",
        ),
    }
    for name, (text, quantity, value, reason) in cases.items():
        file = tmp_path / name
        file.write_text(text)
        ran = run("check", str(file), "--json", "-")
        assert ran.status == 0
        claim = next(x for x in json.loads(ran.out)["claims"] if x["quantity"] == quantity)
        assert claim["value"] == value
        assert reason in claim["evidence"].get("witness", "")
        assert reason in " ".join(run("check", str(file)).out.split())


def test_check_judges_routings(run: Any, tmp_path: Path) -> None:
    ways = {(0, 1): [0], (0, 2): [1], (1, 0): [3], (1, 2): [2], (2, 0): [4], (2, 1): [5]}
    for weight, path, value in (("1", [0], "true"), ("1/2", [0], "false"), ("1", [2], "false")):
        pairs = [
            {"source": i, "destination": j, "paths": [{"weight": 1, "channels": channels}]}
            for (i, j), channels in ways.items()
        ]
        pairs[0]["paths"] = [{"weight": weight, "channels": path}]
        file = tmp_path / "routing.json"
        file.write_text(json.dumps({"format": "routeproof/routing", "network": {"spec": "ring:3"}, "pairs": pairs}))
        ran = run("check", str(file), "--json", "-")
        assert claims(ran.out)["valid_routing"] == value


def test_study_list_and_document(run: Any) -> None:
    assert "towles-dally-2002-table-1" in run("study").out
    assert run("study", "list").out == run("study").out
    ran = run("study", "towles-dally-2002-figure-9", "--json", "-")
    document = json.loads(ran.out)
    assert ran.status == 0
    assert len(document["claims"]) == len(document["rows"]) > 0
    assert {"quantity", "relation", "value", "grade", "evidence"} <= set(document["claims"][0])
    assert "computed" in run("study", "towles-dally-2002-figure-9").out
