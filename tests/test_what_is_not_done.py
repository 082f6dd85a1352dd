"""What the documentation says that this package does not do: every sentence that can be tried is tried here.

A row fails when the sentence has left its page, or when what it denies exists after all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from routeproof.cli.main import main

DOCS = Path(__file__).parent.parent / "docs"

# (page, words on it, a command that would do it, what it answers)
NOT_DONE = [
    ("peers.md", "Delorme", "worst-case delorme:3 --routing minimal", "'delorme:3' is neither a known family"),
    ("peers.md", "Bundlefly", "worst-case bundlefly:3 --routing minimal", "'bundlefly:3' is neither a known family"),
    ("peers.md", "arrangement networks", "worst-case arrangement:4,2 --routing minimal", "neither a known family"),
    ("peers.md", "fairness among flows", "design ring:4 --objective fairness", "fairness"),
    ("peers.md", "adaptive routings (UGAL", "worst-case torus:4x4 --routing ugal", "ugal"),
    ("peers.md", "(UGAL, adaptive turn models)", "simulate load torus:4x4 --routing ugal", "ugal"),
    ("peers.md", "No flow control", "simulate load torus:4x4 --routing dor --flow-control credits", "No such option"),
    ("peers.md", "no energy", "worst-case torus:4x4 --routing dor --energy", "No such option"),
    ("peers.md", "counts of disjoint paths", "check torus:4x4 --disjoint-paths", "No such option"),
    ("peers.md", "no topology optimisation", "design ring:4 --objective topology", "topology"),
    ("peers.md", "no fabric management", "opensm ring:4", "No such command"),
    ("peers.md", "make layers of non-minimal paths", "worst-case slim-fly:5 --routing lnmp", "lnmp"),
    ("demands.md", "are families of sets", "failures ring:4 -r minimal --demands unbalanced", "unbalanced"),
    ("demands.md", "only `worst-case` takes both", "tradeoff ring:4 --against worst-case -d sparse:all", "sparse"),
    ("demands.md", "and `compare` the first", "compare ring:4 minimal -d sparse:all", "sparse"),
    ("demands.md", "only `worst-case` takes", "design ring:4 --objective worst-case -d unbalanced", "unbalanced"),
    ("demands.md", "`unbalanced` and `sparse:all` are", "adaptive ring:4 -d unbalanced", "unbalanced"),
    (
        "topologies.md",
        "Paley supernodes are not made",
        "worst-case polarstar:11,3,supernode=paley -r minimal",
        "supernode",
    ),
    ("routings.md", "`ugal` and `goal` are adaptive", "worst-case torus:4x4 --routing goal", "goal"),
]


@pytest.mark.parametrize("row", NOT_DONE, ids=lambda row: row[2])
def test_what_is_said_not_to_exist_does_not(row: tuple[str, str, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    page, words, command, answer = row
    assert words in " ".join((DOCS / page).read_text(encoding="utf-8").split())
    assert main(command.split()) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert answer in told, told


# Named beside other tools, and there
DONE = [
    "orthogonal-fat-tree:3", "mlfm:3", "polarfly:3", "spectralfly:3,5", "polarstar:3,3", "dragonfly-plus:2,2,2,2",
    "fat-clique:2,2,2,2", "fat-tree:4,pods=2",
]  # fmt: skip


@pytest.mark.parametrize("family", DONE)
def test_what_others_have_and_we_have(family: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worst-case", family, "--routing", "minimal", "--quiet"]) == 0, capsys.readouterr().err


def test_failures_take_matrices_and_boxes(tmp_path: Path) -> None:
    matrix = tmp_path / "m.csv"
    matrix.write_text("source,destination,rate\n0,1,1/2\n1,0,1/2\n2,1,1/4\n")
    for demands in (f"matrix:{matrix}", f"box:{matrix},margin=2"):
        assert main(["failures", "ring:3", "-r", "minimal", "--demands", demands, "--quiet"]) == 0
