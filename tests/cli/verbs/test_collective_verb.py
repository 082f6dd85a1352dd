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


def test_an_algorithm_on_a_routing(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    ring = ("collective", "torus:4x4", "--routing", "dor", "--algorithm", "ring")
    found = run(*ring, "--alpha", "1/3", "--order", "random:2", "--json", str(path))
    assert found.status == 0
    assert "time, all-gather, algorithm ring, alpha 1/3" in found.out
    assert "the best of 2 random orders (seed 0) and the given one: other orders may be better" in found.out
    assert json.loads(path.read_text())["subject"]["ranks"] == [*range(16)]  # no channel has two messages
    assert run("verify", str(path)).status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--algorithm", "pairwise", "-r", "dor"], "pairwise takes a power of two of ranks, and there are 9"),
        (["--algorithm", "tree", "-r", "dor", "--operation", "all-to-all"], "tree is for broadcast and all-reduce"),
        (["--algorithm", "ring", "-r", "dor", "--alpha", "-1"], "--alpha is -1"),
        (["--algorithm", "ring", "-r", "dor", "--alpha", "x"], "--alpha"),
        (["--algorithm", "ring", "-r", "dor", "--seed", "1"], "--seed goes with --order"),
        (["--algorithm", "ring", "-r", "dor", "--root", "1"], "--root is for a broadcast; all-gather has none"),
        (["--algorithm", "ring", "-r", "dor", "--bound"], "--bound is for the best of all schedules"),
        (["--algorithm", "ring"], "no routing is given"),
        (["--algorithm", "ring", "-r", "worst-hash:ecmp:choice=per-path"], "a routing that packets can follow"),
        (["--routing", "dor", "--operation", "all-gather"], "--routing goes with --algorithm"),
        (["--order", "search", "--operation", "all-gather"], "--order goes with --algorithm"),
        ([], "--operation is needed"),
        (["--algorithm", "ring", "-r", "dor", "--ranks", "{ranks}"], "a rank already"),
        (["--algorithm", "ring", "-r", "dor", "--ranks", "{strangers}"], "9"),
    ],
)
def test_one_line_for_an_algorithm_that_makes_no_sense(
    run: Run, tmp_path: Path, arguments: list[str], message: str
) -> None:
    for name, text in (("ranks", "3 0 3\n"), ("strangers", "1 9\n")):
        (tmp_path / name).write_text(text)
    given = [x.format(ranks=tmp_path / "ranks", strangers=tmp_path / "strangers") for x in arguments]
    found = run("collective", "torus:3x3", *given)
    assert found.status == 2
    assert message in found.err
    assert len(found.err.strip().splitlines()) == 1


@pytest.mark.parametrize("order", ["random:1", "search"])
@pytest.mark.parametrize("ranks", [None, [3, 0, 8, 5], [8, 7, 6, 5, 4, 3, 2, 1, 0]])
def test_an_all_to_all_in_another_order_verifies(run: Run, tmp_path: Path, order: str, ranks: list[int] | None) -> None:
    """The rate of uniform traffic does not depend on the order, and its evidence speaks of the network as it is."""
    path, given = tmp_path / "r.json", []
    if ranks is not None:
        (tmp_path / "ranks.txt").write_text("\n".join(map(str, ranks)))
        given = ["--ranks", str(tmp_path / "ranks.txt")]
    shift = ("collective", "mesh:3x3", "--routing", "dor", "--algorithm", "linear-shift", "--order", order, *given)
    assert run(*shift, "--json", str(path)).status == 0
    assert run("verify", str(path)).status == 0


def test_several_jobs(run: Run, tmp_path: Path) -> None:
    jobs, path = tmp_path / "jobs", tmp_path / "r.json"
    jobs.write_text("a: 0 2 4\nb: 1 3 5\n")
    asked = ("collective", "mesh:6", "--routing", "dor", "--jobs", str(jobs))
    found = run(*asked, "--algorithm", "ring:all-reduce,b=tree", "--alpha", "1/2", "--json", str(path))
    assert found.status == 0
    assert "together  2 cycles of 1 -> 2, if phases meet in the worst way" in found.out
    assert json.loads(path.read_text())["subject"]["jobs"]["b"] == {
        "ranks": [1, 3, 5], "operation": "broadcast", "algorithm": "tree",
    }  # fmt: skip
    assert run("verify", str(path)).status == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "--jobs goes with --algorithm"),
        (["--algorithm", "ring", "--order", "search"], "--order does not go with --jobs"),
        (["--algorithm", "snake"], "the algorithm is 'snake'"),
        (["--algorithm", "a=ring"], "--algorithm says nothing of job b"),
        (["--algorithm", "ring,tree"], "--algorithm names ring and tree for all jobs"),
        (["--algorithm", "ring,c=tree"], "there is no job 'c'"),
        (["--algorithm", "ring,a=tree,a=tree"], "--algorithm names job a twice"),
        (["--algorithm", "ring:scan"], "the operation is 'scan'"),
        (["--algorithm", "pairwise"], "job a: pairwise takes a power of two of ranks, and there are 3"),
        (["--algorithm", ""], "--algorithm is empty"),
        (["--algorithm", "ring, b="], "--algorithm: ' b=' names no algorithm; NAME or JOB=NAME was expected"),
        (["--algorithm", "tree,a=ring,b=ring"], "--algorithm: tree is for no job"),
        (["--algorithm", "ring", "--alpha", "-1"], "--alpha is -1"),
        (["--algorithm", "ring", "--host-cables", "0"], "--host-cables is 0"),
    ],
)
def test_one_line_for_jobs_that_make_no_sense(run: Run, tmp_path: Path, given: list[str], message: str) -> None:
    (tmp_path / "jobs").write_text("a: 0 2 4\nb: 1 3 5\n")
    found = run("collective", "mesh:6", "--routing", "dor", "--jobs", str(tmp_path / "jobs"), *given)
    assert found.status == 2
    assert message in found.err
    assert len(found.err.strip().splitlines()) == 1
