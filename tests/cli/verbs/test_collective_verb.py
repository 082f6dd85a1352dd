"""The verb collective: what it prints, and one line for what makes no sense."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Run


def test_a_table_and_a_report_that_verifies(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    found = run("collective", "mesh:2x3", "--operation", "all-reduce", "--json", str(path))
    assert found.status == 0
    assert "7/30" in found.out
    assert "trees, used both ways; no other way is faster" in found.out
    assert {x["operation"] for x in json.loads(path.read_text())["claims"]} == {
        "all-gather",
        "reduce-scatter",
        "all-reduce",
    }
    assert run("verify", str(path)).status == 0


def test_ranks_by_file(run: Run, tmp_path: Path) -> None:
    ranks = tmp_path / "ranks"
    ranks.write_text("3 0\n")
    found = run("collective", "mesh:2x2", "--operation", "all-gather", "--ranks", str(ranks), "--json", "-")
    assert found.status == 0
    assert json.loads(found.out)["subject"]["ranks"] == [3, 0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["torus:3x3", "--operation", "gather"], "'gather' is not one of"),
        (["torus:3x3", "--operation", "all-gather", "--root", "1"], "--root is for a broadcast; all-gather has none"),
        (["torus:3x3", "--operation", "broadcast", "--root", "9"], "--root: terminal 9; terminals are 0 to 8"),
        (["torus:3x3", "--operation", "all-reduce", "--multicast"], "--multicast is for all-gather and broadcast"),
        (["torus:3x3", "--operation", "all-to-all", "--bound"], "an all-to-all has none"),
        (["butterfly:4", "--operation", "all-gather"], "a rank of a collective sends and receives at one node"),
        (["torus:3x3", "--operation", "all-gather", "--ranks", "none"], "none"),
    ],
)
def test_one_line_for_what_makes_no_sense(run: Run, arguments: list[str], message: str) -> None:
    found = run("collective", *arguments)
    assert found.status == 2
    assert message in found.err
    assert len(found.err.strip().splitlines()) == 1
