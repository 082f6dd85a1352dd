"""Trees written as schedules: right, as fast as their pipelines promise, and the same when read again."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import routeproof as rp
from routeproof.cli.main import main
from routeproof.core.collective import broadcasts_of
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.schedules.check import check_schedule
from routeproof.core.schedules.schedule import Block, Place, Schedule, Step
from routeproof.formats.schedules.msccl_writer import msccl_text
from routeproof.formats.schedules.packed_trees import schedule_of_trees
from routeproof.formats.schedules.table import read_schedule, write_schedule
from routeproof.kernel.packings import Classes, packed_rate
from routeproof.optimum.collectives.result import best_broadcasts, few_trees
from routeproof.topologies.family import network_from_spec

F = Fraction
OPERATIONS = ["all-gather", "reduce-scatter", "broadcast", "all-reduce"]


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("text", ["complete:4", "mesh:2x3", "ring:4,oneway"])
def test_schedules_are_right(operation: str, text: str, tmp_path: Path) -> None:
    network, path = network_from_spec(text), tmp_path / "schedule.json"
    rp.collective(network, operation=operation, output=str(path), pieces=2)
    found = rp.schedule(path, topology=network)
    for quantity in ("deadlock_free", "race_free", "result_correct"):
        assert found.value(quantity) == "true"
    found.write(str(tmp_path / "report.json"))
    assert main(["verify", str(tmp_path / "report.json")]) == 0


@pytest.mark.parametrize("pieces", [1, 3, 9])
def test_pipelines_come_near_the_optimum(pieces: int, tmp_path: Path) -> None:
    """On a line of four: C + 2 phases of at most a C-th each."""
    network, path = network_from_spec("mesh:4"), tmp_path / "line.xml"
    rate = rp.collective(network, operation="all-gather", output=str(path), pieces=pieces).value(
        "collective_throughput"
    )
    claims = rp.schedule(path, topology=network).claims()
    ends = {x.relation: x.number * rate for x in claims if x.quantity == "collective_time"}
    assert max(ends.values()) <= F(pieces + 3 - 1, pieces)
    assert min(ends.values()) >= 1


@pytest.mark.parametrize("operation", ["all-gather", "reduce-scatter", "all-reduce"])
def test_written_files_are_read_again(operation: str, tmp_path: Path) -> None:
    network = network_from_spec("mesh:2x2")
    phases = ["reduce-scatter", "all-gather"] if operation == "all-reduce" else [operation]
    best = [best_broadcasts(broadcasts_of(network, x)) for x in phases]
    made = schedule_of_trees(operation, [(x.task, x.trees) for x in best], range(4), name="x", pieces=2)
    for name in ("x.xml", "x.json"):
        write_schedule(made, tmp_path / name)
        assert replace(read_schedule(tmp_path / name), name="x") == made


def alone(task_network: Network) -> Classes:
    return Classes(np.arange(task_network.num_nodes), np.arange(task_network.num_channels))


@pytest.mark.parametrize(
    ("text", "k", "rate"),
    [("a100:2", 1, F(150, 7)), ("mi250:2", 1, F(10)), ("dgx1", 1, F(50, 3)), ("complete:4", 1, F(1)),
     ("mesh:3", 1, F(1, 2))],
)  # fmt: skip
def test_few_trees(text: str, k: int, rate: Fraction) -> None:
    network = network_from_spec(text)
    task = broadcasts_of(network, "all-gather")
    best = best_broadcasts(task, trees=False)
    few = few_trees(best, k)
    assert few.rate == rate <= best.cut.rate
    assert packed_rate(task, few.trees, alone(network), copies=task.reached) == rate
    assert all(x.weight == rate / k for x in few.trees) or k > 1


def test_few_trees_by_all_weights() -> None:
    """Every weight b / m of a small network, tried one by one."""
    network = Network.of("uneven", 3, [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)], bandwidth=[3, 3, 2, 2, 1, 1],
                         source=[0, 1, 2], sink=[0, 1, 2])  # fmt: skip
    task = broadcasts_of(network, "all-gather")
    sets = [np.array([v >> x & 1 for x in range(3)], dtype=bool) for v in range(1, 7)]

    def holds(inside: np.ndarray, y: Fraction) -> int:
        leaving = np.flatnonzero(inside[network.tail] & ~inside[network.head])
        return sum(int(network.bandwidth[c] // y) for c in leaving)

    for k in (1, 2, 3):
        weights = {F(b, m) for b in (1, 2, 3) for m in range(1, 13)}
        fits = [k * y for y in weights if all(holds(s, y) >= k * int(s.sum()) for s in sets)]
        assert few_trees(best_broadcasts(task, trees=False), k).rate == max(fits)


def test_many_trees_come_near_the_optimum_on_wide_channels() -> None:
    wide = Network.of("wide", 3, [(0, 1), (1, 0), (1, 2), (2, 1)], bandwidth=[10**15, 10**15, 7, 7],
                      source=[0, 1, 2], sink=[0, 1, 2])  # fmt: skip
    best = best_broadcasts(broadcasts_of(wide, "all-gather", ranks=[1, 2]), trees=False)
    assert few_trees(best, 1).rate == few_trees(best, 1000).rate == best.cut.rate == 7


def test_several_waits_are_not_written_as_msccl() -> None:
    steps = (Step("send", None, None, 1, ((0, 0), (1, 0))),)
    with pytest.raises(InputError, match="rank 0, thread block 0, step 0 waits for 2 steps"):
        msccl_text(Schedule("x", "all-gather", 2, ((Block(steps, 1),), ()), (1, 1), (2, 2), (0, 0)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--operation", "all-gather", "--output", "x.txt"], "a schedule is written as .json"),
        (["--operation", "all-to-all", "--output", "x.xml"], "all-to-all has none"),
        (["--operation", "all-gather", "--bound", "--output", "x.xml"], "--bound has none"),
        (["--operation", "all-gather", "--pieces", "3"], "--pieces goes with --output"),
        (["--operation", "all-reduce", "--trees", "3"], "an all-reduce is two"),
        (["--operation", "all-gather", "--output", "x.xml", "--pieces", "1000000"], "at most 1048576 are written"),
        (["--algorithm", "ring", "--routing", "dor", "--output", "x.xml"], "--output is for the best"),
    ],
)
def test_refused(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["collective", "mesh:2x2", *options]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_ranks_at_one_node_are_refused() -> None:
    network = network_from_spec("fat-tree:4")
    with pytest.raises(InputError, match="several ranks are at one node"):
        rp.collective(network, operation="all-gather", output="x.xml")


def test_more_chunks_than_are_judged() -> None:
    many = ((Block((Step("copy", Place("i", 0), Place("o", 0), 1 << 20),) * 3),), ())
    with pytest.raises(InputError, match="its steps are for 3145728 chunks in all; at most 2097152 are judged"):
        check_schedule(Schedule("x", "all-reduce", 1 << 20, many, (1 << 20,) * 2, (1 << 20,) * 2, (0, 0)))
