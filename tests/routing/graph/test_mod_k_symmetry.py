"""Failures that D-mod-K made anew treats alike, against all loads after every single failure."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import routeproof as rp
from routeproof.cli.main import main
from routeproof.core.faults import Faults
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.routing.base.repair import placed_loads
from routeproof.topologies.failures import alike_failures
from routeproof.worst.failures import base_of, solve_failures
from true_reports import sealed


def _columns(name: str) -> Callable[[int, npt.NDArray, npt.NDArray], npt.NDArray[np.uint64]]:
    """Of the routing after the failure of a link, by one of its channels: a sum over the loads of each column, its
    channels and rows renamed; as ``pair_loads`` of the routing on the network that is left has them."""
    network = rp.network(name)
    routing = rp.named_routing("dmodk", network)
    rng = np.random.default_rng(5)
    number = rng.integers(0, 1 << 63, (network.num_nodes, network.num_channels)).astype(np.uint64)
    known: dict[int, tuple[npt.NDArray, ...]] = {}

    def columns(link: int, node: npt.NDArray, channel: npt.NDArray) -> npt.NDArray[np.uint64]:
        if link not in known:
            of = Faults([], [link, int(network.opposite[link])]).survivors(network)
            known[link] = placed_loads(routing, rp.named_routing("dmodk", of.network), of)
        c, row, column, load = known[link]
        assert (load.num == load.den).all()
        found = np.zeros(network.num_terminals, dtype=np.uint64)
        np.add.at(found, column, number[node[row], channel[c]])
        return found

    return columns


@pytest.mark.parametrize(
    "name", ["fat-tree:4", "fat-tree:6", "fat-tree:6,levels=2", "k-ary-tree:3,2", "k-ary-tree:2,3"]
)
def test_loads_after_a_failure_are_those_after_its_image(name: str) -> None:
    network, columns = rp.network(name), _columns(name)
    routing = rp.named_routing("dmodk", network)
    links = np.flatnonzero(network.tail < network.head)
    same = np.arange(network.num_nodes), np.arange(network.num_channels)
    compared = 0
    assert routing.maps_after(True)
    for g in routing.maps_after(True):
        for link in links[routing.alike_after(g, "links", links, anew=True)].tolist():
            image = int(g.channel[link])
            moved, there = columns(link, g.node, g.channel), columns(image, *same)
            for v in np.unique(network.sink).tolist():
                here, to = np.flatnonzero(network.sink == v), np.flatnonzero(network.sink == g.node[v])
                assert sorted(moved[here].tolist()) == sorted(there[to].tolist())
            compared += image != link
    assert compared


@pytest.mark.parametrize("name", ["fat-tree:4", "fat-tree:6", "fat-tree:8", "k-ary-tree:3,3"])
def test_every_failure_has_the_load_of_the_one_that_stands_for_it(name: str) -> None:
    network = rp.network(name)
    routing = rp.named_routing("dmodk", network)
    kinds = alike_failures(network, "links", routing.maps_after(True), routing.same_after(True))
    every = solve_failures(base_of(routing, "rebuild"), failures=[([], x.channels(network)) for x in kinds])
    of: dict[int, set[tuple[str, str, str]]] = {}
    for kind, x in zip(kinds.values(), every, strict=True):
        of.setdefault(kind, set()).add((x["load"], x["uniform"], x["bound"]["load"]))
    assert all(len(x) == 1 for x in of.values())
    assert len(of) <= len(kinds) / 2


def test_a_map_that_changes_the_numbers_of_terminals_left_over_is_not_taken() -> None:
    """Pods 0 and 1: their terminals differ mod 2, by which the channels that a failure leaves are chosen."""
    network = rp.network("fat-tree:6")
    routing = rp.named_routing("dmodk", network)
    links = np.flatnonzero(network.tail < network.head)
    by_name = {g.name: g for g in network.symmetry.generators}
    assert not routing.alike_after(by_name["permute x3 (0 and 1)"], "links", links, anew=True).any()
    assert not routing.alike_after(by_name["permute y3 (0 and 1)"], "links", links, anew=True).any()
    planes = routing.alike_after(by_name["permute y2 (0 and 1)"], "links", links, anew=True)
    level = rp.named_routing("dmodk", network).ways.level
    assert planes.tolist() == (level[network.tail[links]] == 1).tolist()


@pytest.mark.parametrize("name", ["fat-tree:4,dead-links=0-8", "fat-tree:4,bandwidth=2,cables=1", "xgft:2x3,w=1x2"])
def test_networks_of_which_little_is_known(name: str, tmp_path: Path) -> None:
    """An irregular tree, parallel cables, and one that loses levels: whatever is alike, the report verifies."""
    path = tmp_path / "report.json"
    assert main(["failures", name, "-r", "dmodk", "--json", str(path)]) == 0
    assert main(["verify", str(path)]) == 0


@pytest.mark.parametrize(("of", "wrong"), [("--links", "is not an automorphism"), ("--cables", "map cables to cables")])
def test_reports_with_other_maps_are_refused(
    of: str, wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.json"
    assert main(["failures", "fat-tree:6", "-r", "dmodk", of, "1", "--json", str(path)]) == 0
    assert "24 up to symmetry" in capsys.readouterr().out
    assert main(["verify", str(path)]) == 0
    document = json.loads(path.read_text())
    (all_of,) = [x for x in document["claims"] if x["evidence"]["kind"] == "every-failure"]
    network = rp.network("fat-tree:6")
    found = all_of["evidence"]["symmetry"]["found"]
    own = [pack_ints(g.node) for g in network.symmetry.generators]
    shifted = pack_ints(np.roll(np.arange(network.num_nodes), 1))
    for maps, why in (([], "alike"), (found[1:], "alike"), (own, "alike"), ([*found, shifted], wrong)):
        all_of["evidence"]["symmetry"]["found"] = maps
        path.write_text(json.dumps(sealed(document)))
        assert main(["verify", str(path)]) == 1
        assert why in capsys.readouterr().err


@pytest.mark.parametrize("repair", ["none", "split"])
@pytest.mark.parametrize("of", ["links", "switches"])
def test_without_a_new_routing_two_failures_stand_for_all(repair: str, of: str, tmp_path: Path) -> None:
    network = rp.network("fat-tree:6")
    routing = rp.named_routing("dmodk", network)
    kinds = alike_failures(network, of, routing.maps_after(False), routing.same_after(False))
    each = [(list(x.nodes), x.channels(network)) for x in kinds]
    every = solve_failures(base_of(routing, repair), failures=each)
    found: dict[int, set[tuple[str, ...]]] = {}
    for kind, x in zip(kinds.values(), every, strict=True):
        found.setdefault(kind, set()).add(tuple(str(x.get(y)) for y in ("load", "uniform", "cut")))
    assert [len(x) for x in found.values()] == [1] * (2 if of == "links" else 3)
    path = tmp_path / "report.json"
    verb = ["failures", "fat-tree:6", "-r", "dmodk", f"--{of}", "1", "--repair", repair, "--json", str(path)]
    assert main(verb) == 0
    assert main(["verify", str(path)]) == 0
