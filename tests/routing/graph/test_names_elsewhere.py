"""``ecmp`` is what switches do; names that meant something else get one line, where it matters."""

from __future__ import annotations

import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import routeproof as rp
from brute_routing import all_loads
from routeproof.cli.main import main
from routeproof.core.errors import InputError, RouteproofWarning
from routeproof.routing.graph.ecmp import paths_are_uneven
from routeproof.routing.named.described import routing_from_description
from routeproof.routing.named.spec import routing_from_spec

MESH = rp.mesh(3, 3)
NETWORKS = [
    "mesh:2x2", "mesh:3x2", "mesh:3x3", "ring:6", "torus:4x4", "torus:4x6", "hypercube:3", "petersen", "complete:5",
    "fat-tree:4", "xgft:3x3,w=2x2", "kautz:2,3", "dragonfly:2,4,2", "dragonfly-plus:2,2,2,2", "slim-fly:5",
    "rail-optimized:4,4,nvlink=9,spines=2", "random-regular:12,degree=3,seed=1", "mesh:3x3,dead-links=0-1",
]  # fmt: skip


def by_hand(network: rp.Network) -> dict[tuple[int, int, int], Fraction]:
    """Loads of an even split at every node over the channels that lead nearer, packet by packet."""
    far = network.num_nodes
    loads: dict[tuple[int, int, int], Fraction] = {}
    for d in np.nonzero(network.demand)[0].tolist():
        hops = [0 if v == d else far for v in range(network.num_nodes)]
        for _ in range(far):
            for u, v in zip(network.tail.tolist(), network.head.tolist(), strict=True):
                hops[u] = min(hops[u], hops[v] + 1)
        for s in np.nonzero(network.supply)[0].tolist():
            amount = {s: Fraction(1)}
            for u in sorted(range(network.num_nodes), key=lambda x: -hops[x]):
                near = [c for c in range(network.num_channels)
                        if network.tail[c] == u and hops[int(network.head[c])] == hops[u] - 1]  # fmt: skip
                for c in near if amount.get(u) else []:
                    loads[c, s, d] = amount[u] / len(near)
                    v = int(network.head[c])
                    amount[v] = amount.get(v, Fraction(0)) + amount[u] / len(near)
    return loads


@pytest.mark.filterwarnings("ignore:ecmp splits")
@pytest.mark.parametrize("text", ["mesh:3x3", "torus:4x6", "rail-optimized:4,4,nvlink=9,spines=2", "fat-tree:4"])
def test_it_splits_evenly_at_every_switch(text: str) -> None:
    network = rp.network(text)
    assert all_loads(routing_from_spec("ecmp", network)) == by_hand(network)


@pytest.mark.parametrize("text", NETWORKS)
def test_a_line_where_it_meant_something_else_and_only_there(text: str) -> None:
    network = rp.network(text)
    now, before = (routing_from_spec(f"ecmp:choice={x}", network) for x in ("per-hop", "per-path"))
    assert (now.name, before.name) == ("minimal:choice=per-hop", "minimal:choice=per-path")
    differ = all_loads(now) != all_loads(before)
    assert paths_are_uneven(network, np.ones(network.num_channels, dtype=np.int64)) == differ
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert all_loads(routing_from_spec("ecmp", network)) == all_loads(now)
    assert [x.category for x in told] == [RouteproofWarning] * differ
    assert all("every hop since 0.2.0" in str(x.message) and "ecmp:choice=per-path" in str(x.message) for x in told)


@pytest.mark.parametrize("text", ["worst-hash:ecmp", "ecmp:choice=per-hop", "minimal", "mix:1*minimal:choice=per-hop"])
def test_no_line_where_nothing_changed(text: str) -> None:
    routing_from_spec(text, MESH)  # warnings are errors


def weighted(metrics: dict[tuple[str, str], int]) -> str:
    nodes = sorted({x for pair in metrics for x in pair})
    edges = "".join(
        f"edge [ source {nodes.index(a)} target {nodes.index(b)} metric {x} ]" for (a, b), x in metrics.items()
    )
    return f"graph [ {''.join(f'node [ id {k} label {chr(34)}{x}{chr(34)} ]' for k, x in enumerate(nodes))} {edges} ]"


def test_by_weight_it_is_per_hop_too(tmp_path: Path) -> None:
    # Two hops a-b-z and, at the same weight, a-c-d-z and a-c-e-z: a half each at a; per path a third.
    uneven = {("a", "b"): 2, ("b", "z"): 2, ("a", "c"): 1, ("c", "d"): 1, ("c", "e"): 1, ("d", "z"): 2, ("e", "z"): 2}
    (tmp_path / "net.gml").write_text(weighted(uneven))
    network = rp.network(str(tmp_path / "net.gml"))
    with pytest.warns(RouteproofWarning, match="every hop since"):
        now = all_loads(routing_from_spec("ecmp:weight=metric", network))
    assert now == all_loads(routing_from_spec("minimal:choice=per-hop,weight=metric", network))
    assert now != all_loads(routing_from_spec("ecmp:choice=per-path,weight=metric", network))
    (tmp_path / "net.gml").write_text(weighted({**uneven, ("c", "e"): 2}))  # two paths, and they part at a
    routing_from_spec("ecmp:weight=metric", rp.network(str(tmp_path / "net.gml")))


@pytest.mark.parametrize(
    ("old", "now"),
    [
        ("hashed-ecmp", "ecmp"), ("Hashed-ECMP", "ecmp"), ("hashed-ecmp:hash=same", "ecmp:hash=same"),
        ("worst-hash:hashed-ecmp", "ecmp"), ("mix:1*hashed-ecmp", "ecmp"),
    ],
)  # fmt: skip
def test_an_old_name_says_what_to_write(old: str, now: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worst-case", "fat-tree:4", "--routing", old, "--quiet"]) == 0
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"is an old name; write {now}\n" in said


def test_reports_keep_their_names() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for spec in ("minimal:choice=per-hop", "minimal:choice=per-path", "hashed-ecmp:hash=same", "ecmp:hash=same"):
            assert routing_from_description({"spec": spec}, rp.network("fat-tree:4")).network.num_terminals == 16


def test_one_hash_goes_hop_by_hop() -> None:
    tree = rp.network("fat-tree:4")
    assert routing_from_spec("ecmp:choice=per-hop,hash=same", tree).name == "ecmp:hash=same"
    with pytest.raises(InputError, match="goes without choice=per-path"):
        routing_from_spec("ecmp:choice=per-path,hash=same", tree)


UP_DOWN = [
    ("fat-tree:4", "1", 4),
    ("leaf-spine:4,4,4", "1", 4),
    ("fat-tree:4,hosts", "1", 4),
    ("xgft:4x4,w=1x2", "1/2", 2),
]


@pytest.mark.parametrize(("text", "throughput", "tops"), UP_DOWN)
def test_up_and_down_over_any_top_switch(text: str, throughput: str, tops: int) -> None:
    network = rp.network(text)
    assert rp.worst_case(routing_from_spec("updown:root=top", network)).throughput == Fraction(throughput)
    assert rp.deadlock(routing_from_spec("updown:root=top", network)).value("deadlock_free") == "true"
    with pytest.warns(RouteproofWarning, match=rf"has one root, .*; all {tops} switches .*updown:root=top"):
        one = routing_from_spec("updown", network)
    assert one.name == "updown"  # of reports
    assert rp.worst_case(one).throughput < Fraction(throughput)
    described = routing_from_description({"spec": "updown:root=top"}, network)
    assert all_loads(described) == all_loads(routing_from_spec("updown:root=top", network))


@pytest.mark.parametrize("text", ["torus:4x4", "petersen", "bcube:4,1", "dragonfly-plus:2,2,2,2", "torus:4x4,hosts"])
def test_without_levels_there_is_one_root(text: str) -> None:
    network = rp.network(text)
    routing_from_spec("updown", network)  # no line
    with pytest.raises(InputError, match="no switches of a highest level"):
        routing_from_spec("updown:root=top", network)


def test_a_fat_tree_with_a_dead_link_keeps_its_roots() -> None:
    network = rp.network("fat-tree:4,dead-links=L2.0-L3.0")
    assert rp.worst_case(routing_from_spec("updown:root=top", network)).throughput == Fraction(3, 4)


def test_no_line_where_nobody_typed_the_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "rail-optimized:4,4,nvlink=9,spines=2", "--no-opensm"]) == 0  # where the two differ
    said = capsys.readouterr()
    assert "minimal:choice=per-hop" in said.out
    assert "0.2.0" not in said.err
