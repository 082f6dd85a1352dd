"""Better tables by local search: judged exactly, never worse than the start, with the properties asked for."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from places import INFINIBAND
from routeproof import design
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.infiniband.fabric import FabricNetwork
from routeproof.formats.infiniband.forwarding_tables import read_forwarding_tables
from routeproof.formats.resolve import resolve_network
from routeproof.kernel.table_bounds import ONE, Lids
from routeproof.optimum.tables.bounds import counted_bound
from routeproof.optimum.tables.exchange import _State, improve_tables, usual_start
from routeproof.optimum.tables.starts import (
    completed,
    completed_table,
    few_inner_tables,
    leaf_shifted_tables,
    shortest_tables,
    up_down_tables,
)
from routeproof.optimum.tables.symmetric import images_of, symmetric_below, symmetrised
from routeproof.optimum.tables.tables import single_paths_of, tables_of, tables_of_paths
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.fabrics.forwarding_tables import forwarding_ports, routing_of_tables
from routeproof.routing.named.names import ROUTINGS, named_routing
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.tables.next_hop import NextHopRouting, next_hops_of
from routeproof.worst.deadlock.channels import deadlock
from routeproof.worst.locality import average_path_length, minimal_average
from routeproof.worst.scan.exact import worst_case

pytestmark = pytest.mark.filterwarnings("ignore:updown has one root")

NETWORKS = ["torus:4x4", "ring:5", "hypercube:3", "random-regular:12,degree=3,seed=1", "torus:2x3,bandwidth=2x1"]


@pytest.mark.parametrize("spec", NETWORKS)
@pytest.mark.parametrize("options", [{}, {"minimal": True}, {"deadlock_free": True}])
def test_never_worse_than_the_start(spec: str, options: dict[str, bool]) -> None:
    net = resolve_network(spec)
    found = improve_tables(net, proposals=3000, **options)
    assert worst_case(found.routing).load <= worst_case(found.start).load
    found.routing.check()
    if "minimal" in options:
        assert average_path_length(found.routing) == minimal_average(net)
    if "deadlock_free" in options:
        assert deadlock(found.routing).free


def test_a_better_one_is_found() -> None:
    net = resolve_network("torus:4x4")
    start = NextHopRouting(net, "start", shortest_tables(net), "terminal")
    better = improve_tables(net, start, proposals=20_000, minimal=True).routing
    assert worst_case(better).load < worst_case(start).load


@pytest.mark.parametrize("spec", ["dragonfly:2,4,2", "fat-tree:4", "mesh:4x3"])
def test_with_shortest_paths_alone_the_start_has_them(spec: str) -> None:
    net = resolve_network(spec)
    assert average_path_length(usual_start(net, minimal=True)) == minimal_average(net)


def test_where_no_time_is_left_nothing_is_proposed_and_no_named_table_is_judged() -> None:
    assert improve_tables(resolve_network("ring:5"), proposals=1000, time_limit=0.0).proposals == 0
    assert usual_start(resolve_network("mesh:4x3"), time_limit=0.0).name == "shortest"


def test_missing_entries_are_completed_by_shortest_ways_to_nodes_that_have_one() -> None:
    net = resolve_network("mesh:3x2")
    made = completed(net, np.full_like(shortest_tables(net), -1))
    assert average_path_length(NextHopRouting(net, "made", made, "terminal")) == minimal_average(net)
    one_way = Network.of("one way", 2, [(0, 1)])
    with pytest.raises(InputError, match="no path leads from node"):
        completed(one_way, np.full((2, 2), -1))


def test_networks_that_are_too_large_are_refused_before_anything_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    for spec, paths, sizes in [("torus:64x128", "tables", "8,192 nodes and 8,192"), ("ring:900", "single", "810,000")]:
        assert main(["design", spec, "--objective", "worst-case", "--paths", paths]) == 2
        error = capsys.readouterr().err
        assert f"{sizes} destinations are too many for the search of tables" in error
        assert error.count("\n") == 1
    with pytest.raises(InputError, match=re.escape("design_tables(network, single=True) makes it")):
        design(resolve_network("ring:4"), paths="single")


@pytest.mark.parametrize("ports", [4, 6, 8])
def test_fat_trees_of_three_levels_begin_with_the_best_tables(ports: int) -> None:
    """Half the ports: no tables load the channels of a leaf less.  Numbers of nodes and so on do not matter."""
    tree, rng = resolve_network(f"fat-tree:{ports}"), np.random.default_rng(ports)
    least = counted_bound(tree)
    assert least is not None
    assert least.value == Fraction(ports, 2)
    assert worst_case(usual_start(tree)).load == worst_case(usual_start(tree, deadlock_free=True)).load == least.value
    number = rng.permutation(tree.num_nodes)
    ends = rng.permutation(number[np.stack([tree.tail, tree.head], axis=1)])
    host = number[rng.permutation(tree.source)]
    mixed = Network.of("mixed", tree.num_nodes, ends.tolist(), source=host, sink=host)
    assert worst_case(usual_start(mixed)).load == least.value < worst_case(named_routing("dmodk", mixed)).load


@pytest.mark.parametrize("spec", ["fat-tree:4,dead-links=1-8", "xgft:4x3x6,w=1x2x3", "xgft:2x3x4,w=1x3x2"])
def test_other_trees_of_three_levels_have_leaf_shifted_tables_that_deliver(spec: str) -> None:
    tree = resolve_network(spec)
    shifted = completed_table(tree, leaf_shifted_tables(tree), name="shifted")  # a lost packet is an error
    assert average_path_length(shifted) == minimal_average(tree)
    with pytest.raises(InputError, match="2 levels; a fat tree of 3"):
        leaf_shifted_tables(resolve_network("fat-tree:4,levels=2"))


@pytest.mark.parametrize(
    "spec",
    ["random-regular:20,degree=4,seed=1", "mesh:4x3", "kautz:2,3", "leaf-spine:4,3,2", "torus:4x3,bandwidth=2x1"],
)
def test_trees_with_few_inner_nodes_keep_the_load_that_they_promise(spec: str) -> None:
    """A channel carries at most the packets of its tail, and one for each destination that others reach through it."""
    net = resolve_network(spec)
    table = few_inner_tables(net)
    inner = np.zeros(net.num_channels, dtype=int)
    for t, column in enumerate(table.T):
        ways = [c for v, c in enumerate(column.tolist()) if v != net.sink[t]]
        passed = {int(net.head[c]) for c in ways}
        inner += np.bincount([c for c in ways if int(net.tail[c]) in passed], minlength=net.num_channels)
    routing = NextHopRouting(net, "few inner", table, "terminal")
    promised = max(
        (n + int(net.supply[v])) / b for n, v, b in zip(inner.tolist(), net.tail, net.bandwidth, strict=True)
    )
    assert worst_case(routing).load <= promised


def test_random_networks_begin_with_few_inner_nodes() -> None:
    net = resolve_network("random-regular:64,degree=6,seed=1")
    start = usual_start(net)
    assert start.name == "few-inner"
    assert worst_case(start).load < worst_case(named_routing("sssp", net)).load
    with pytest.raises(InputError, match="too large to grow"):
        few_inner_tables(resolve_network("ring:300"))


def test_the_curve_falls_from_the_start_to_what_is_found() -> None:
    net = resolve_network("random-regular:12,degree=3,seed=1,bandwidth=2")
    start = NextHopRouting(net, "start", up_down_tables(net), "terminal")
    found = improve_tables(net, start, proposals=2000)
    steps, loads = zip(*found.curve, strict=True)
    assert (steps[0], loads[0], loads[-1]) == (0, worst_case(start).load, worst_case(found.routing).load)
    assert sorted(steps) == list(steps)
    assert sorted(set(loads), reverse=True) == list(loads)
    assert len(loads) > 1


def test_the_same_seed_gives_the_same_table() -> None:
    net = resolve_network("random-regular:12,degree=3,seed=1")
    one, two = (improve_tables(net, proposals=2000, seed=3).routing.next_channel for _ in range(2))
    assert np.array_equal(one, two)


@pytest.mark.parametrize("spec", [*NETWORKS, "fat-tree:4"])
def test_the_search_counts_as_the_judge_does(spec: str) -> None:
    """Its matchings with capacities, after many exchanges, are the exact worst cases of all channels."""
    net = resolve_network(spec)
    tables = tables_of(NextHopRouting(net, "start", shortest_tables(net), "terminal"))
    state = _State(net, tables, tables.gathered(list(tables.parts)), minimal=False, ordered=False, seed=1)
    state.run(500, 1.0)
    routing = NextHopRouting(net, "now", state.problem.next_channel, "terminal")
    loads = worst_case(routing, all_channels=True).channel_loads
    assert loads is not None
    assert [Fraction(int(x)) / b for x, b in zip(state.search.value, net.bandwidth, strict=True)] == loads


@pytest.mark.parametrize(
    ("spec", "lids"),
    [
        ("torus:4x3", ONE),
        ("torus:3x3,concentration=2,bandwidth=2x1", ONE),
        ("hypercube:3", Lids(2, pinned=True)),
        ("torus:3x3,concentration=2", Lids(2, pinned=True)),
        ("torus:3x3", Lids(9, pinned=True, single=True)),
    ],
)
def test_symmetric_tables_stay_so_and_count_as_the_judge_does(spec: str, lids: Lids) -> None:
    net = resolve_network(spec)
    start = usual_start(net, lids=ONE if lids.single else lids)
    tables = tables_of_paths(start) if lids.single else tables_of(start, pinned=lids.pinned)
    images = images_of(tables)
    assert images is not None
    columns = symmetrised(tables.gathered([completed(net, part) for part in tables.parts]), images)
    state = _State(net, tables, columns.copy(), minimal=False, ordered=False, seed=1, images=images)
    assert state.run(300, 1.0)
    now = state.problem.next_channel
    assert not np.array_equal(now, columns)
    for node, channel, column in zip(images.node, images.channel, images.column, strict=True):
        assert np.array_equal(now[np.ix_(node, column)], np.where(now >= 0, channel[now], -1))
    routing = (
        single_paths_of(net, [now[:, x] for x in tables.use], name="now")
        if lids.single
        else tables.routing(now, name="now")
    )
    loads = worst_case(routing, all_channels=True).channel_loads
    assert [Fraction(int(state.search.value[c])) / net.bandwidth[c] for c in images.rep.tolist()] == loads


@pytest.mark.parametrize(("spec", "least", "named"), [("hypercube:6", 3, 4), ("torus:4x4x4", 4, 8)])
def test_symmetric_tables_are_better_than_those_with_a_name(spec: str, least: int, named: int) -> None:
    """By clauses of one destination."""
    pytest.importorskip("pysat")
    found = improve_tables(resolve_network(spec), proposals=1, minimal=True)
    assert worst_case(found.start).load == named
    assert worst_case(found.routing).load == least
    found.routing.check()


def test_clauses_know_the_terminals_of_one_node_apart() -> None:
    pytest.importorskip("pysat")
    net = resolve_network("torus:3x3,concentration=2,bandwidth=2x1")
    images = images_of(tables_of(usual_start(net)))
    assert images is not None
    for bound in (4, 3, 2, 1):
        table = symmetric_below(net, images, Fraction(bound), minimal=False)
        if table is not None:
            assert worst_case(NextHopRouting(net, "found", table, "terminal")).load < bound
    assert table is None


@pytest.mark.parametrize("spec", ["fat-tree:4,levels=2", "mesh:3x3", "random-regular:8,degree=3,seed=1"])
def test_where_there_are_no_translations_no_tables_are_symmetric(spec: str) -> None:
    assert images_of(tables_of(usual_start(resolve_network(spec)))) is None


@pytest.mark.parametrize(
    "spec", ["torus:4x4", "mesh:4x3", "dragonfly:2,4,2", "slim-fly:5", "fat-tree:4", "hypercube:4", "ring:6"]
)
@pytest.mark.parametrize("ordered", [False, True])
def test_the_search_never_begins_above_a_table_with_a_name(spec: str, ordered: bool) -> None:
    net = resolve_network(spec)
    begin = worst_case(usual_start(net, deadlock_free=ordered)).load
    for name in [*ROUTINGS.own, "dor:tie=plus", "dor:order=yx"]:
        with suppress(InputError):
            routing = named_routing(name, net)
            if next_hops_of(routing) is not None and (not ordered or deadlock(routing).free):
                assert begin <= worst_case(routing).load, name


MIXTURES = [
    ("torus:4x3", "mix:1/2*dor:tie=plus+1/2*dor:tie=plus,order=yx"),
    ("torus:3x3,concentration=2,bandwidth=2x1", "mix:1/3*dor:order=xy+2/3*sssp"),
]


@pytest.mark.parametrize(("spec", "name"), MIXTURES)
def test_the_search_counts_mixtures_as_the_judge_does(spec: str, name: str) -> None:
    net = resolve_network(spec)
    tables = tables_of(routing_from_spec(name, net))
    state = _State(net, tables, tables.gathered(list(tables.parts)), minimal=False, ordered=False, seed=1)
    state.run(300, 1.0)
    now = tables.routing(state.problem.next_channel, name="now")
    loads = worst_case(now, all_channels=True).channel_loads
    assert loads is not None
    shares = [Fraction(int(x), tables.scale) for x in state.search.value]
    assert [x / b for x, b in zip(shares, net.bandwidth, strict=True)] == loads


def test_mixtures_get_better_and_keep_what_is_asked_for() -> None:
    net = resolve_network("torus:4x3")
    start = routing_from_spec(MIXTURES[0][1], net)
    found = improve_tables(net, start, proposals=3000, minimal=True)
    assert isinstance(found.routing, Mixture)
    assert [w for w, _ in found.routing.parts] == [Fraction(1, 2)] * 2
    assert worst_case(found.routing).load <= worst_case(start).load
    assert average_path_length(found.routing) == minimal_average(net)
    tree = resolve_network("mesh:3x3")
    start = routing_from_spec("mix:1/2*dor+1/2*updown:paths=one", tree)
    with pytest.raises(InputError, match="not a deterministic table"):
        improve_tables(tree, routing_from_spec("mix:1/2*dor+1/2*minimal", tree))
    with pytest.raises(InputError, match="common denominator"):
        improve_tables(tree, routing_from_spec("mix:1/99991*dor+99990/99991*dor:order=yx", tree))


def test_several_lids_a_host(tmp_path: Path) -> None:
    """Tables of a fabric with LMC 1: searched, written for OpenSM, and read back the same."""
    topo, start = INFINIBAND / "ring3-lmc1.topo", INFINIBAND / "ring3-lmc1.lft"
    better, report = tmp_path / "better.lft", tmp_path / "report.json"
    verb = ["design", str(topo), "--objective", "worst-case", "--paths", "tables", "--start", str(start)]
    assert main([*verb, "--proposals", "2000", "--output", str(better), "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0
    net = resolve_network(str(topo))
    again, before = routing_from_spec(str(better), net), routing_from_spec(str(start), net)
    claims = json.loads(report.read_text())["claims"]
    stated = next(Fraction(x["value"]) for x in claims if x["quantity"] == "worst_case_load" and x["relation"] == "==")
    assert worst_case(again).load == stated <= worst_case(before).load
    found = improve_tables(net, before, proposals=2000, name=str(better))
    assert isinstance(found.routing, Mixture)
    assert isinstance(again, Mixture)
    for (_, one), (_, two) in zip(found.routing.parts, again.parts, strict=True):
        assert np.array_equal(
            one.channel_loads(range(net.num_channels)).row, two.channel_loads(range(net.num_channels)).row
        )
    assert np.array_equal(forwarding_ports(net, found.routing), forwarding_ports(net, again))


def test_a_host_with_fewer_lids_uses_its_own_again() -> None:
    net = resolve_network(str(INFINIBAND / "ring3-lmc1.topo"))
    assert isinstance(net, FabricNetwork)
    fewer = replace(net, hosts=(replace(net.hosts[0], lmc=0), *net.hosts[1:]))
    tables = read_forwarding_tables(str(INFINIBAND / "ring3-lmc1.lft"), net)
    start = routing_of_tables(fewer, tables, name="start", what="the tables")
    assert tables_of(start).num_columns == 2 * fewer.num_terminals - 1
    found = improve_tables(fewer, start, proposals=1000).routing
    ports = forwarding_ports(fewer, found)
    assert isinstance(found, Mixture)
    lid = net.hosts[0].lid
    torn = [(w, part) for w, part in found.parts]
    other = torn[1][1]
    assert isinstance(other, NextHopRouting)
    assert (ports[:, lid] != 255).all()
    for c, v in enumerate(fewer.tail.tolist()):
        if v == fewer.hosts[0].switch or c == other.next_channel[v, 0]:
            continue
        entry = other.next_channel.copy()
        entry[v, 0] = c
        try:
            torn[1] = (torn[1][0], NextHopRouting(fewer, "torn", entry, "terminal"))
        except InputError:
            continue
        with pytest.raises(InputError, match="its port has 1 of the lids needed"):
            forwarding_ports(fewer, Mixture(torn))
        return
    raise AssertionError("no other way was found")


def test_up_down_tables_cannot_deadlock() -> None:
    for spec in NETWORKS:
        net = resolve_network(spec)
        if net.reverse is not None:
            assert deadlock(NextHopRouting(net, "up-down", up_down_tables(net), "terminal")).free


def test_where_tables_with_a_name_cannot_deadlock_the_search_may_begin_with_them() -> None:
    net = resolve_network("torus:3x3")
    assert worst_case(usual_start(net)).load == worst_case(usual_start(net, deadlock_free=True)).load == 1
    assert deadlock(usual_start(net, deadlock_free=True)).free
    cyclic = resolve_network("torus:4x4")
    assert not deadlock(usual_start(cyclic)).free
    assert deadlock(usual_start(cyclic, deadlock_free=True)).free


def test_starts_that_are_refused() -> None:
    net = resolve_network("torus:4x4")
    with pytest.raises(InputError, match="not a deterministic table"):
        improve_tables(net, routing_from_spec("minimal", net))
    with pytest.raises(InputError, match="cycles of channel dependencies"):
        improve_tables(net, routing_from_spec("dor:tie=plus", net), deadlock_free=True)
    one_way = Network.of("one way", 3, [(0, 1), (1, 2)])
    with pytest.raises(InputError, match="no path"):
        improve_tables(one_way)


def test_loads_of_a_deterministic_routing_are_a_table() -> None:
    net = resolve_network("mesh:3x3")
    dor = routing_from_spec("dor", net)
    table = next_hops_of(dor)
    assert table is not None
    assert worst_case(table, all_channels=True).channel_loads == worst_case(dor, all_channels=True).channel_loads
    assert next_hops_of(routing_from_spec("o1turn", net)) is None


def test_the_verb(tmp_path: Path) -> None:
    tables, report = tmp_path / "tables.json", tmp_path / "report.json"
    verb = ["design", "random-regular:8,degree=3,seed=2", "--objective", "worst-case", "--paths", "tables"]
    assert main([*verb, "--proposals", "2000", "--output", str(tables), "--json", str(report)]) == 0
    assert main(["verify", str(report)]) == 0
    assert re.fullmatch(r"(\S+ after \d+(, )?)+", json.loads(report.read_text())["subject"]["design"]["curve"])
    assert main(["worst-case", "random-regular:8,degree=3,seed=2", "--routing", str(tables)]) == 0
    assert main([*verb, "--path-length", "1"]) == 2
    assert main([*verb, "--symmetry", "none"]) == 2
    assert main(["design", "ring:5", "--objective", "worst-case", "--deadlock-free"]) == 2
    assert main([*verb, "--output", str(tmp_path / "tables.lft")]) == 2
