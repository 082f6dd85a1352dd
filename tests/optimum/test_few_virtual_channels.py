"""The best routing that few virtual channels free of deadlock: its paths, its proof, and forged proofs."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import routeproof as rp
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.formats.documents.report import digest
from routeproof.routing.dependencies.virtual_dependencies import by_turns
from routeproof.routing.grid.lines import channel_places
from routeproof.routing.named.names import named_routing
from routeproof.routing.path_sets.names import path_set
from routeproof.worst.deadlock.channels import virtual_channels


def simple_paths(network: rp.Network, source: int, destination: int) -> Iterator[list[int]]:
    """Every path that visits no node twice."""
    stack: list[tuple[int, list[int], set[int]]] = [(source, [], {source})]
    while stack:
        node, path, seen = stack.pop()
        if node == destination:
            yield path
            continue
        for c in np.nonzero(network.tail == node)[0].tolist():
            if int(network.head[c]) not in seen:
                stack.append((int(network.head[c]), [*path, c], seen | {int(network.head[c])}))


@pytest.mark.parametrize(
    ("network", "most"),
    [(rp.mesh(3, 3), 1), (rp.mesh(3, 3), 2), (rp.mesh(2, 2, 2), 2), (rp.torus(3, 3), 2), (rp.torus(3, 3), 4),
     (rp.torus(3, 3), 5), (rp.hypercube(3), 2), (rp.torus(4, 2), 3)],
    ids=str,
)  # fmt: skip
def test_the_paths_are_all_that_so_many_virtual_channels_allow(network: rp.Network, most: int) -> None:
    grid = network.grid
    assert grid is not None
    places, order = channel_places(network, grid), tuple(range(grid.num_dimensions))
    wide = 2 if grid.kind == "torus" and max(grid.radix) > 2 else 1
    allowed = path_set(f"virtual-channels:{most}", network)
    for i, j in itertools.permutations(range(network.num_nodes), 2):
        fits = [
            path
            for path in simple_paths(network, i, j)
            if by_turns(places, np.array([path], dtype=np.int32), order).max() < most // wide * wide
        ]
        assert sorted(allowed.paths(i, j)) == sorted(fits)
        assert [path for path in simple_paths(network, i, j) if allowed.holds(i, j, path)] == fits
        assert not any(allowed.holds(j, i, path) or allowed.holds(i, j, path[1:]) for path in fits)


def test_with_one_virtual_channel_a_mesh_has_dimension_order_alone() -> None:
    net = rp.mesh(3, 4)
    best = rp.design(net, max_virtual_channels=1)
    assert best.value("worst_case_load") == rp.worst_case(rp.DOR().on(net)).load
    assert best.value("virtual_channels") == 1
    assert rp.deadlock(best.routing).free


def test_two_virtual_channels_are_as_good_as_any_number_on_a_small_mesh() -> None:
    net = rp.mesh(3, 3)
    few, free = rp.design(net, max_virtual_channels=2), rp.design(net)
    assert few.value("worst_case_load") == free.value("worst_case_load") == Fraction(7, 6)
    assert few.value("virtual_channels") == 2


@pytest.mark.parametrize("objective", ["worst-case", "capacity", "average-case"])
def test_the_report_is_verified(objective: str, tmp_path: Path, capsys: Any) -> None:
    report = tmp_path / "report.json"
    asked = ["design", "mesh:3x3", "--objective", objective, "--max-virtual-channels", "2", "--json", str(report)]
    assert main([*asked, *(["--samples", "5"] if objective == "average-case" else [])]) == 0
    capsys.readouterr()
    assert main(["verify", str(report)]) == 0
    assert json.loads(report.read_text())["subject"]["design"]["paths"] == "virtual-channels:2"


def test_forged_optima_are_refused(tmp_path: Path, capsys: Any) -> None:
    report = tmp_path / "report.json"
    wanted = ["design", "mesh:3x3", "--objective", "worst-case", "--max-virtual-channels", "2", "--json", str(report)]
    assert main(wanted) == 0
    document = json.loads(report.read_text())
    load = document["claims"][0]
    assert load["evidence"]["kind"] == "optimum"

    def more_paths(x: Any) -> None:
        x["claims"][0]["evidence"]["adversary"]["paths"] = "virtual-channels:4"

    def turned_round(x: Any) -> None:
        x["claims"][0]["evidence"]["adversary"]["symmetry"]["reversal"] = True

    def all_paths(x: Any) -> None:
        del x["claims"][0]["evidence"]["adversary"]["paths"]

    def routing_turned_round(x: Any) -> None:
        x["subject"]["routing"]["symmetry"]["reversal"] = True

    def another_set(x: Any) -> None:
        x["subject"]["routing"]["allowed"] = "virtual-channels:4"

    def fewer_channels(x: Any) -> None:
        x["claims"][-1]["value"] = "0"

    for change in (more_paths, turned_round, all_paths, routing_turned_round, another_set, fewer_channels):
        forged = json.loads(json.dumps(document))
        change(forged)
        for part in (forged["subject"], *forged["claims"]):
            part["digest"] = digest(part)
        report.write_text(json.dumps(forged))
        assert main(["verify", str(report)]) in (1, 2), change
        assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("network", "most", "says"),
    [
        (rp.torus(2, 3, oneway=True), 1, "no routing of .* is known that 1 virtual channel can free of deadlock"),
        (rp.mesh(3, 3), 0, "at least 1 was expected"),
        (rp.torus(8, 8, 8), 8, "too many paths"),
    ],
)
def test_what_cannot_be_had_is_one_line(network: rp.Network, most: int, says: str) -> None:
    with pytest.raises(InputError, match=says):
        rp.design(network, max_virtual_channels=most)


@pytest.mark.parametrize(
    ("network", "most", "says"),
    [
        (rp.torus(4, 4), 1, "at least 2 were expected"),
        (rp.petersen(), 2, "need a torus or mesh"),
        (rp.hyperx(3, 3), 2, "need a torus or mesh"),
    ],
)
def test_the_best_capacity_is_among_paths_by_turns(network: rp.Network, most: int, says: str) -> None:
    with pytest.raises(InputError, match=says):
        rp.design_capacity(network, max_virtual_channels=most)


_NAMES = ("dor", "o1turn", "valiant", "ival", "romm", "minimal", "ecmp", "sssp", "updown", "dmodk", "dragonfly-minimal")


@pytest.mark.parametrize(
    "text",
    ["torus:3x3", "torus:4x3", "mesh:3x3", "ring:5", "random-regular:8,degree=3,seed=1", "dragonfly:1,2,1",
     "fat-tree:2", "hyperx:2x3"],
)  # fmt: skip
@pytest.mark.parametrize("most", [1, 2, 3])
def test_no_design_is_below_a_name_under_any_assignment(text: str, most: int, tmp_path: Path) -> None:
    network, loads = rp.network(text), list[Fraction]()
    for name in _NAMES:
        with suppress(InputError):
            routing = named_routing(name, network)
            if virtual_channels(routing).count <= most:
                loads.append(rp.worst_case(routing).load)
    found = rp.design(network, max_virtual_channels=most)
    made, lanes = found.answer.made, found.answer.lanes
    assert lanes is not None
    assert lanes.count == found.value("virtual_channels") <= most
    assert made.load <= min(loads)
    assert made.least_load >= rp.design(network).answer.made.least_load
    assert found.claims()[-1].about["assignment"] == lanes.assignment
    report = tmp_path / "report.json"
    found.write(report)
    assert main(["verify", str(report)]) == 0


def test_two_lanes_by_descents_are_enough_for_valiant_on_a_small_torus(tmp_path: Path) -> None:
    found = rp.design(rp.torus(3, 3), max_virtual_channels=2)
    assert (found.answer.made.known, found.value("worst_case_load")) == ("valiant", Fraction(2, 3))
    hops = tmp_path / "hops.csv"
    found.write_routing(hops, virtual_channels=True)
    assert {row.rsplit(",", 1)[1] for row in hops.read_text().split()[1:]} == {"0", "1"}


def test_too_few_lanes_are_refused_with_how_many_would_do() -> None:
    one_way = rp.network("kautz:2,2")
    with pytest.raises(InputError, match=r"1 virtual channel can free of deadlock; at least 2 was expected$"):
        rp.design(one_way, max_virtual_channels=1)
    assert rp.design(one_way, max_virtual_channels=2).answer.lanes is not None


def test_an_interrupt_leaves_the_design_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("routeproof.questions.design.in_lanes.lanes_of", interrupted)
    assert rp.design(rp.torus(3, 3), max_virtual_channels=2).value("worst_case_load") == 1


def test_options_that_exclude_each_other(capsys: Any) -> None:
    asked = ["design", "mesh:3x3", "--objective", "worst-case", "--max-virtual-channels", "2"]
    for more in (["--paths", "2turn"], ["--paths", "tables"], ["--solver", "interior"]):
        assert main([*asked, *more]) == 2
        assert "--" in capsys.readouterr().err
    with pytest.raises(InputError, match="one of them"):
        rp.design(rp.mesh(3, 3), max_virtual_channels=2, paths="2turn")
