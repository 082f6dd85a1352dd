"""``routeproof check`` and ``verify`` on destination graphs, honest and hostile."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from routeproof.core.errors import VerificationError
from routeproof.formats.documents.report import digest, read_report
from routeproof.verification import verify_claims

PATHS = {
    "001": [[3, 1]],
    "010": [[2, 1]],
    "100": [[1, 1]],
    "011": [[2, 1], [3, 1]],
    "101": [[1, 1], [0, 0], [3, 1]],
    "110": [[1, 1], [2, 1]],
    "111": [[1, 1], [2, 1], [3, 1]],
}
DOCUMENT = {"format": "routeproof/destination-graph", "radix": 2, "dimensions": 3, "paths": PATHS}


def written(tmp_path: Path, document: Any, name: str = "graph.json") -> str:
    path = tmp_path / name
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return str(path)


def test_verdicts_and_witness(run: Any, tmp_path: Path) -> None:
    ran = run("check", written(tmp_path, DOCUMENT), "--json", "-")
    assert ran.status == 0
    found = {x["quantity"]: x for x in json.loads(ran.out)["claims"]}
    assert {k: x["value"] for k, x in found.items()} == {
        "valid_many_one": "false",
        "valid_permutation": "true",
        "minimum_routing": "true",
        "c1_prime": "false",
        "c2_prime": "true",
        "steps": "3",
    }
    meeting = found["valid_many_one"]["evidence"]["meeting"]
    assert meeting == {"packets": [[4, 1], [6, 1]], "step": 3, "link": [0, 1]}


def test_a_permutation_that_fails_is_shown_and_verified(run: Any, tmp_path: Path) -> None:
    ecube = {f"{u:04b}": [[i + 1, 1] if u >> (3 - i) & 1 else [0, 0] for i in range(4)] for u in range(1, 16)}
    graph = written(tmp_path, {**DOCUMENT, "dimensions": 4, "paths": ecube})
    report = str(tmp_path / "report.json")
    ran = run("check", graph, "--json", report)
    assert "not valid permutation: the packets " in ran.out
    assert run("verify", report).status == 0


def test_a_worst_case_goes_through_the_same_door(run: Any, tmp_path: Path) -> None:
    report = str(tmp_path / "report.json")
    ran = run("worst-case", "hyperx:2x2x2", "--routing", written(tmp_path, DOCUMENT), "--json", report)
    assert ran.status == 0
    assert run("verify", report).status == 0
    ran = run("worst-case", "hyperx:3x3", "--routing", written(tmp_path, DOCUMENT))
    assert ran.status == 2
    assert "is for the 2-nary 3-cube, hyperx:2x2x2; the network is hyperx:3x3" in ran.err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"paths": {**PATHS, "111": [[1, 1]]}}, "the path of node 111 ends at 011, not at 0"),
        ({"paths": {k: x for k, x in PATHS.items() if k != "110"}}, "node 110 has no path"),
        ({"paths": {**PATHS, "112": []}}, "paths has the node '112'; 3 digits from 0 to 1 were expected"),
        ({"paths": {**PATHS, "11": []}}, "paths has the node '11'"),
        ({"paths": {**PATHS, "111": [[4, 1]]}}, "the path of node 111: step 1 is [4, 1]"),
        ({"paths": {**PATHS, "111": [[1, 2]]}}, "the path of node 111: step 1 is [1, 2]"),
        ({"paths": {**PATHS, "111": [[0, 1]]}}, "the path of node 111: step 1 is [0, 1]"),
        ({"paths": {**PATHS, "111": [[1]]}}, "the path of node 111: step 1 is [1]; a move [i, j] was expected"),
        ({"paths": {**PATHS, "111": [[1, 1.5]]}}, "the path of node 111: step 1 is [1, 3/2]"),
        ({"paths": {**PATHS, "111": [[True, True]]}}, "the path of node 111: step 1 is"),
        ({"paths": {**PATHS, "111": "abc"}}, "the path of node 111 is 'abc'"),
        ({"paths": {**PATHS, "000": [[1, 1], [1, 1]]}}, "node 000 is the destination"),
        ({"paths": []}, "an object was expected"),
        ({"radix": 1}, "radix >= 2"),
        ({"radix": "2"}, "an integer was expected"),
        ({"radix": 10**9}, "too large"),
        ({"dimensions": 10**9}, "too large"),
        ({"dimensions": -1}, "dimensions >= 1"),
        ({"extra": 1}, "unknown key 'extra'"),
        ({"paths": {**PATHS, "111": [[0, 0]] * 70_000}}, "too long"),
    ],
    ids=lambda x: x[:40].replace("/", " ") if isinstance(x, str) else "",
)
def test_documents_that_make_no_sense(change: dict[str, Any], words: str, run: Any, tmp_path: Path) -> None:
    ran = run("check", written(tmp_path, {**DOCUMENT, **change}))
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert words in ran.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (json.dumps(DOCUMENT) + " x", "not valid JSON"),
        (json.dumps(DOCUMENT)[:-5], "is it cut off?"),
        (json.dumps(DOCUMENT).replace('"010"', '"001"'), "has the key '001' twice"),
    ],
)
def test_texts_that_are_no_document(text: str, words: str, run: Any, tmp_path: Path) -> None:
    ran = run("check", written(tmp_path, text))
    assert ran.status == 2
    assert words in ran.err


def tampered(report: dict[str, Any], number: int, change: dict[str, Any]) -> dict[str, Any]:
    result = copy.deepcopy(report)
    claim = result["claims"][number]
    claim.update(change)
    claim["digest"] = digest(claim)
    return result


def test_false_claims_are_refused(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    run("check", written(tmp_path, DOCUMENT), "--json", str(path))
    report = json.loads(path.read_text())
    kind = {"kind": "destination-graph"}
    meeting = report["claims"][0]["evidence"]["meeting"]
    changes: list[tuple[int, dict[str, Any], str]] = [
        (0, {"value": "true", "evidence": kind}, "meet at step 3"),
        (1, {"value": "false", "evidence": kind}, "no 'meeting'"),
        (1, {"value": "false", "evidence": {**kind, "meeting": meeting}}, "no permutation contains them"),
        (1, {"grade": "EXHAUSTED"}, "makes it PROVED"),
        (1, {"evidence": {"kind": "document"}}, "which proves nothing here"),
        (1, {"relation": ">="}, "its evidence is for =="),
        (1, {"about": "x"}, "which nothing checks"),
        (1, {"unit": "steps"}, "unit"),
        (2, {"value": "false"}, "it holds of all paths"),
        (3, {"value": "true"}, "but nodes 101 and 111 both make"),
        (5, {"value": "2"}, "the last move is at step 3"),
        (5, {"value": "true"}, "a number was expected"),
        (5, {"quantity": "stages"}, "says nothing about stages"),
        (0, {"evidence": {**kind, "meeting": {**meeting, "step": 2}}}, "does not cross"),
        (0, {"evidence": {**kind, "meeting": {**meeting, "link": [0]}}}, "must have two packets"),
        (0, {"evidence": {**kind, "meeting": {**meeting, "packets": [[4, 1]]}}}, "must have two packets"),
    ]
    for number, change, words in changes:
        path.write_text(json.dumps(tampered(report, number, change)))
        ran = run("verify", str(path))
        assert ran.status == 1, (change, ran.err)
        assert words in ran.err
        assert f"claims[{number}]" in ran.err
    subject, _ = read_report(written(tmp_path, report))
    with pytest.raises(VerificationError, match="no claims"):
        verify_claims(subject, [])
    ran = run("verify", written(tmp_path, report), "--routing", "dor")
    assert ran.status == 2
