"""Next-hop tables give the same loads whether they are read off the trees or walked packet by packet."""

from __future__ import annotations

import random
from collections import deque
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from routeproof.core.arrays import Int32
from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.rational import Rationals
from routeproof.machine.memory import memory_allowed
from routeproof.routing.base import pair_table
from routeproof.routing.base.pair_table import PairTable
from routeproof.routing.base.tabled import TabledRouting
from routeproof.routing.graph.mod_k import ModK
from routeproof.routing.tables import crossings
from routeproof.routing.tables.next_hop import NextHop, NextHopRouting
from routeproof.symmetry.automorphisms import find_automorphisms
from routeproof.topologies.family import network_from_spec
from routeproof.worst.scan.exact import worst_case

Columns = Literal["node", "terminal"]


def _some_network(seed: int) -> Network:
    """Links both ways along a random tree and a few more, some of them twice; terminals anywhere, not on every node."""
    rng = random.Random(seed)
    size = rng.randint(2, 7)
    links = [(v, rng.randrange(v)) for v in range(1, size)]
    links += [
        (a, b) for a, b in ((rng.randrange(size), rng.randrange(size)) for _ in range(rng.randint(0, 6))) if a != b
    ]
    ends = [rng.randrange(size) for _ in range(rng.randint(1, 9))]
    channels = [pair for a, b in links for pair in ((a, b), (b, a))]
    return Network.of(f"random {seed}", size, channels, source=ends, sink=ends)


def _some_table(network: Network, columns: Columns, seed: int) -> Int32:
    """For every destination a random tree."""
    rng = random.Random(seed)
    target = list(range(network.num_nodes)) if columns == "node" else network.sink.tolist()
    table = np.full((network.num_nodes, len(target)), -1, dtype=np.int32)
    for d, end in enumerate(target):
        reached, waiting = {end}, deque([end])
        while waiting:
            v = waiting.popleft() if rng.random() < 0.5 else waiting.pop()
            into = [c for c in range(network.num_channels) if network.head[c] == v]
            rng.shuffle(into)
            for c in into:
                u = int(network.tail[c])
                if u not in reached:
                    reached.add(u)
                    table[u, d] = c
                    waiting.append(u)
    return table


def _walked(network: Network, table: Int32, columns: Columns) -> TabledRouting:
    """The routing by its pair loads, found by walking every packet's way."""
    target = range(network.num_nodes) if columns == "node" else network.sink.tolist()
    ends = sorted({int(x) for x in network.sink}) if columns == "node" else range(network.num_terminals)
    found = []
    for i in sorted({int(x) for x in network.source}):
        for d in ends:
            v = i
            while v != target[d]:
                c = int(table[v, d])
                found.append((c, i, d))
                v = int(network.head[c])
    flat = np.array(found, dtype=np.int64).reshape(-1, 3)
    one = np.ones(len(flat), dtype=np.int64)
    shape = (network.num_channels, network.num_nodes, table.shape[1])
    loads = PairTable.of(flat[:, 0], flat[:, 1], flat[:, 2], Rationals(one, one), shape=shape)
    return TabledRouting(network, "walked", loads, columns=columns)


@given(st.integers(0, 10**6), st.sampled_from(["node", "terminal"]))
def test_loads_are_those_of_every_packets_way(seed: int, columns: Columns) -> None:
    network = _some_network(seed)
    table = _some_table(network, columns, seed)
    routing, plain = NextHopRouting(network, "t", table, columns), _walked(network, table, columns)
    rng = np.random.default_rng(seed)
    asked = rng.permutation(network.num_channels)
    rows = rng.random(network.num_nodes) < 0.6
    for some in (None, rows):
        mine, theirs = (x.channel_loads(asked, rows=some) for x in (routing, plain))
        for name in ("channel", "offset", "row", "column"):
            assert np.array_equal(getattr(mine, name), getattr(theirs, name)), name
        assert mine.load.fractions() == theirs.load.fractions()
    whole = routing.channel_loads(asked)
    assert [routing.expected_loads(c) for c in asked] == np.diff(whole.offset).tolist()
    pairs = [(i, d) for i in np.unique(network.source) for d in np.unique(routing.column_of)]
    ends = np.array(pairs)[rng.permutation(len(pairs))]
    mine_by, theirs_by = (x.pair_loads(ends[:, 0], ends[:, 1]) for x in (routing, plain))
    assert np.array_equal(mine_by.offset, theirs_by.offset)
    assert np.array_equal(mine_by.channel, theirs_by.channel)
    for name in ("offset", "row", "column"):
        assert np.array_equal(getattr(routing.pair_table(), name), getattr(plain.table, name))
    assert routing.respects_reversal() == plain.respects_reversal()


@given(st.integers(0, 10**6))
def test_symmetry_is_that_of_the_loads(seed: int) -> None:
    rng = random.Random(seed)
    network = network_from_spec(rng.choice(["ring:5", "mesh:3x2", "complete:4", "fat-tree:2", "torus:3x3"]))
    if rng.random() < 0.3:
        table = _some_table(network, "node", seed)
    else:  # always the first channel of a shortest way, in an order of the channels that some symmetry keeps
        table = NextHop(_first_channels(network)).on(network).next_channel
    routing, plain = NextHopRouting(network, "t", table, "node"), _walked(network, table, "node")
    group = network.symmetry or find_automorphisms(network)
    assert group is not None
    for g in group.generators:
        assert routing.respects(g) == plain.respects(g)
    assert routing.respects_reversal() == plain.respects_reversal()


def _first_channels(network: Network) -> Int32:
    from routeproof.graphs.shortest import hops_to_all

    hops = hops_to_all(network)  # [d, v] and [v, d] are alike on these networks
    table = np.full((network.num_nodes, network.num_nodes), -1, dtype=np.int32)
    for c in reversed(range(network.num_channels)):
        v, w = int(network.tail[c]), int(network.head[c])
        nearer = hops[:, w] < hops[:, v]
        table[v, nearer] = c
    return table


def test_dimension_order_is_seen_to_be_symmetric() -> None:
    net = network_from_spec("ring:5")
    routing = NextHop(_first_channels(net)).on(net)
    assert net.symmetry is not None
    assert [routing.respects(g) for g in net.symmetry.generators].count(True) >= 1
    assert worst_case(routing).symmetry_used


def test_few_columns_at_a_time_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    net = network_from_spec("fat-tree:4")
    whole = ModK("destination").on(net).crossings
    monkeypatch.setattr(crossings, "_TILE", 3)
    parts = ModK("destination").on(net).crossings
    for name in ("offset", "of", "first", "last", "order", "pairs"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name)), name


def test_more_runs_than_memory_are_refused() -> None:
    net = network_from_spec("fat-tree:8")
    with memory_allowed(42_000), pytest.raises(InputError, match=r"dmodk on fat-tree:8.* --memory allows 42\.0 KB"):
        ModK("destination").on(net).crossings  # noqa: B018  # made only where they are asked for


def test_terminals_apart_of_a_packet_that_is_lost() -> None:
    """The first source that is lost on the way to a destination is named, with what happens to its packets."""
    net = Network.of("line", 3, [(0, 1), (1, 0), (1, 2), (2, 1)])
    table = np.array([[-1, 0, 0], [1, -1, 1], [3, 3, -1]])
    with pytest.raises(InputError, match="does not deliver from node 0 to node 2: packets run in the loop 0 -> 1 -> 0"):
        NextHop(table).on(net)


@pytest.mark.parametrize("spec", ["fat-tree:4", "fat-tree:6,pods=3", "xgft:3x4,w=1x2"])
def test_worst_cases_are_those_of_the_pair_table(spec: str) -> None:
    """Streamed from the trees, and from all pair loads in one table: the same exact loads of all channels."""
    net = network_from_spec(spec)
    routing = ModK("destination").on(net)
    assert isinstance(routing, NextHopRouting)
    plain = TabledRouting(net, "pairs", routing.pair_table(), columns=routing.columns)
    streamed, held = (worst_case(x, all_channels=True) for x in (routing, plain))
    assert streamed.channel_loads == held.channel_loads
    assert streamed.load == held.load


def test_forwarding_tables_have_no_limit_of_pair_loads_but_listed_paths_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_table, "MAX_ENTRIES", 100)
    net = network_from_spec("fat-tree:4")
    assert worst_case(ModK("destination").on(net)).load == 3
    with pytest.raises(InputError, match="more than 100 non-zero pair loads, too many for a table in memory"):
        ModK("source").on(net)
    with pytest.raises(InputError, match="more than 100 non-zero pair loads"):
        ModK("destination").on(net).pair_table()
