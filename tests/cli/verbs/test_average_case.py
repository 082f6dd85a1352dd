"""The average case on the command line: of fabrics, and of several routings side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

FABRIC = Path(__file__).parents[2] / "data" / "infiniband"


def test_engines_that_tie_are_told_apart_and_verified(run: Any, tmp_path: Path) -> None:
    report = str(tmp_path / "report.json")
    words = ["--traffic-model", "shift", "--samples", "30", "--seed", "3", "--traffic", "ring", "--no-best"]
    ran = run("compare", "fat-tree:4", "dmodk", "smodk", "up-down", *words, "--json", report)
    assert ran.status == 0, ran.err
    assert "every other number is proved" in ran.out
    assert "30 trials, seed 3" in ran.out
    assert run("verify", report).status == 0
    claims = json.loads(Path(report).read_text())["claims"]
    average = {x["routing"]: x["value"]["best"] for x in claims if x["quantity"].startswith("average_case")}
    assert average["dmodk"] > min(average.values())
    assert len([x for x in claims if x.get("traffic") == "ring" and x["quantity"] == "throughput"]) == 3


def test_forwarding_tables_of_a_fabric_have_an_average_case(run: Any, tmp_path: Path) -> None:
    report = str(tmp_path / "report.json")
    fabric = [str(FABRIC / "ring5.topo"), "--routing", str(FABRIC / "ring5.lft")]
    assert run("worst-case", *fabric, "--traffic-model", "ring", "--json", report).status == 0
    assert run("verify", report).status == 0
    document = json.loads(Path(report).read_text())
    (claim,) = (x for x in document["claims"] if x["grade"] == "SAMPLED")
    assert claim["traffic"] == "ring"


@pytest.mark.parametrize("words", [["--samples", "5"], ["--seed", "1"]])
def test_samples_of_compare_need_a_model(words: list[str], run: Any) -> None:
    ran = run("compare", "ring:5", "dor", "valiant", *words)
    assert ran.status == 2
    assert f"{words[0]} goes with --traffic-model" in ran.err
