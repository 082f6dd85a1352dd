"""Better tables by local search: judged exactly, never worse than the start, with the properties asked for."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from routeproof.analysis.deadlock import deadlock
from routeproof.analysis.locality import average_path_length, minimal_average
from routeproof.analysis.worst_case import worst_case
from routeproof.cli.main import main
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.formats.resolve import resolve_network
from routeproof.routing.next_hop import NextHopRouting, next_hops_of
from routeproof.routing.spec import routing_from_spec
from routeproof.search.exchange import _State, improve_tables, shortest_tables, up_down_tables

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


def test_the_same_seed_gives_the_same_table() -> None:
    net = resolve_network("random-regular:12,degree=3,seed=1")
    one, two = (improve_tables(net, proposals=2000, seed=3).routing.next_channel for _ in range(2))
    assert np.array_equal(one, two)


@pytest.mark.parametrize("spec", [*NETWORKS, "fat-tree:4"])
def test_the_search_counts_as_the_judge_does(spec: str) -> None:
    """Its matchings with capacities, after many exchanges, are the exact worst cases of all channels."""
    net = resolve_network(spec)
    state = _State(net, shortest_tables(net), minimal=False, ordered=False, seed=1)
    state.run(500, 1.0)
    routing = NextHopRouting(net, "now", state.next_channel, "terminal")
    loads = worst_case(routing, all_channels=True).channel_loads
    assert loads is not None
    assert [Fraction(int(x)) / b for x, b in zip(state.value, net.bandwidth, strict=True)] == loads


def test_up_down_tables_cannot_deadlock() -> None:
    for spec in NETWORKS:
        net = resolve_network(spec)
        if net.reverse is not None:
            assert deadlock(NextHopRouting(net, "up-down", up_down_tables(net), "terminal")).free


def test_starts_that_are_refused() -> None:
    net = resolve_network("torus:4x4")
    with pytest.raises(InputError, match="no deterministic table"):
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
    assert main(["worst-case", "random-regular:8,degree=3,seed=2", "--routing", str(tables)]) == 0
    assert main([*verb, "--path-length", "1"]) == 2
    assert main(["design", "ring:5", "--objective", "worst-case", "--deadlock-free"]) == 2
    assert main([*verb, "--output", str(tmp_path / "tables.lft")]) == 2
