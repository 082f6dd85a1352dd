"""``routeproof check`` and ``worst-case`` on wiring documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from routeproof.formats.documents.wiring import wiring_to_document
from routeproof.topologies.multistage.banyan import multibutterfly


@pytest.fixture
def document() -> dict[str, Any]:
    return wiring_to_document(multibutterfly(8, d=2, seed=1))


def judged(run: Any, path: Path) -> dict[str, str]:
    ran = run("check", str(path), "--json", "-")
    assert ran.status == 0, ran.err
    return {x["quantity"]: x["value"] for x in json.loads(ran.out)["claims"]}


def test_a_good_wiring(run: Any, tmp_path: Path, document: dict[str, Any]) -> None:
    path = tmp_path / "wiring.json"
    path.write_text(json.dumps(document))
    found = judged(run, path)
    assert found["valid_wiring"] == found["degrees"] == found["one_logical_path"] == "true"
    assert (found["inputs"], found["multiplicity"], found["num_edge_levels"]) == ("8", "2", "3")


def test_a_wiring_with_wrong_degrees_says_so(run: Any, tmp_path: Path, document: dict[str, Any]) -> None:
    document["wire"][1][0] = document["wire"][1][1]
    path = tmp_path / "wiring.json"
    path.write_text(json.dumps(document))
    found = judged(run, path)
    assert found["valid_wiring"] == found["degrees"] == "false"
    ran = run("check", str(path))
    assert "up-edges" in ran.out


def test_a_wire_that_is_no_permutation_is_bad_input(run: Any, tmp_path: Path, document: dict[str, Any]) -> None:
    document["wire"][1][0][0] = document["wire"][1][0][1]
    path = tmp_path / "wiring.json"
    path.write_text(json.dumps(document))
    ran = run("check", str(path))
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert "not a permutation" in ran.err


def test_the_main_job_reads_wirings(run: Any, tmp_path: Path, document: dict[str, Any]) -> None:
    path = tmp_path / "wiring.json"
    path.write_text(json.dumps(document))
    ran = run("worst-case", str(path), "--routing", "minimal:choice=per-hop", "--json", str(tmp_path / "report.json"))
    assert ran.status == 0, ran.err
    assert run("verify", str(tmp_path / "report.json")).status == 0
