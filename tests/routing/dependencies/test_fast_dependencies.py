"""Dependencies by rule and by table are those of the paths written out, each with a packet that makes it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from routeproof.claims.context import Context
from routeproof.claims.routings.deadlock import check_deadlock
from routeproof.core.errors import InputError, VerificationError
from routeproof.routing.base.mixture import Mixture
from routeproof.routing.base.routing import Routing
from routeproof.routing.dependencies.channels import channel_dependencies, depends, turn_numbers
from routeproof.routing.grid.closed_form import GridRouting
from routeproof.routing.named.spec import routing_from_spec
from routeproof.routing.tables.next_hop import NextHop, NextHopRouting
from routeproof.topologies.family import network_from_spec
from routeproof.worst.deadlock.channels import deadlock

LINES = ("ring:2", "ring:3", "ring:4", "ring:5", "ring:4,oneway", "mesh:2", "mesh:3", "mesh:5", "hyperx:3", "hyperx:4")
PLANES = ("torus:2x2", "torus:2x3", "torus:3x3", "torus:4x3", "torus:5x2", "mesh:2x3", "mesh:4x3", "hyperx:2x3")
BLOCKS = ("torus:2x2x2", "torus:3x2x2", "mesh:2x2x2", "hyperx:2x2x3")
ON_LINES = ("dor", "dor:tie=plus", "valiant", "valiant:tie=plus", "romm", "romm:tie=plus", "romm:tie=union", "rlb")
ON_GRIDS = (*ON_LINES, "dor:order=yx", "o1turn", "valiant:order=random", "valiant:order=xy,yx", "valiant:order=yx,xy")
ON_PLANES = (*ON_GRIDS, "rlbth", "rlb:order=xy-yx", "romm:order=yx,xy", "u2turn")
ON_BLOCKS = ("dor", "valiant", "romm", "valiant:order=xyz,zyx", "valiant:order=yxz,xyz", "romm:order=xyz")
CASES = [(x, y) for xs, ys in ((LINES, ON_LINES), (PLANES, ON_PLANES), (BLOCKS, ON_BLOCKS)) for x in xs for y in ys]


def agrees(routing: Routing) -> int:
    """Compare with all paths; returns how many dependencies there are."""
    rows, columns = np.unique(routing.row_of).tolist(), np.unique(routing.column_of).tolist()
    wanted = {
        edge
        for i in rows
        for j in columns
        if routing.row_node[i] != routing.column_node[j]
        for _, path in routing.paths(i, j)
        for edge in pairwise(path)
    }
    found = channel_dependencies(routing)
    edges = list(zip(found.first.tolist(), found.second.tolist(), strict=True))
    assert edges == sorted(wanted), routing.name
    for k, (first, second) in enumerate(edges):
        assert depends(routing, int(found.row[k]), int(found.column[k]), first, second, by_paths=True)
    return len(edges)


@pytest.mark.parametrize("topology", [*LINES, *PLANES, *BLOCKS])
def test_grid_routings(topology: str) -> None:
    network = network_from_spec(topology)
    known = 0
    for name in (y for x, y in CASES if x == topology):
        try:
            routing = routing_from_spec(name, network)
        except InputError:  # not every option goes with every network
            continue
        assert isinstance(routing, (GridRouting, Mixture))
        agrees(routing)
        known += 1
    assert known >= 3


@pytest.mark.parametrize("topology", ["torus:4x3", "petersen", "random-regular:20,degree=3,seed=1", "kautz:2,3"])
def test_next_hop_tables(topology: str) -> None:
    network = network_from_spec(topology)
    rng = np.random.default_rng(3)
    distance = np.full((network.num_nodes, network.num_nodes), network.num_nodes)
    np.fill_diagonal(distance, 0)
    for _ in range(network.num_nodes):
        np.minimum.at(distance, network.tail, distance[network.head] + 1)
    table = np.full(distance.shape, -1)
    for v in range(network.num_nodes):
        out = np.flatnonzero(network.tail == v)
        for d in range(network.num_nodes):
            good = out[distance[network.head[out], d] == distance[v, d] - 1]
            if v != d:
                table[v, d] = rng.choice(good)
    routing = NextHop(table).on(network)
    assert isinstance(routing, NextHopRouting)
    assert agrees(routing) > 0


def test_the_long_way_round_is_a_leg_too() -> None:
    """RLB on a ring of three goes two hops only the long way; these alone make the cycle."""
    verdict = deadlock(routing_from_spec("rlb", network_from_spec("ring:3")))
    assert len(verdict.dependencies) == 6
    assert not verdict.free


def test_a_dimension_that_is_done_does_not_move_again() -> None:
    """U2TURN turns back only where nothing is to be done in the other dimension: not within two hops."""
    assert len(deadlock(routing_from_spec("u2turn", network_from_spec("mesh:3x3"))).cycle) > 2


def test_mixtures_of_both_kinds() -> None:
    network = network_from_spec("torus:4x3")
    assert agrees(routing_from_spec("mix:1/2*dor+1/2*valiant", network)) > 0


def test_large_grids_need_no_paths() -> None:
    network = network_from_spec("mesh:24x24")
    assert len(channel_dependencies(routing_from_spec("dor", network))) < 4 * network.num_channels
    assert len(channel_dependencies(routing_from_spec("valiant", network))) > 0


@pytest.mark.parametrize("name", ["valiant", "mix:1/2*dor+1/2*valiant"])
def test_a_packet_with_more_paths_than_are_written_out(name: str) -> None:
    """Its dependencies are judged by the rule, not on a few paths with the same loads (which takes minutes here)."""
    routing = routing_from_spec(name, network_from_spec("mesh:101x101"))
    verdict = deadlock(routing)
    claim, context = verdict.claim(), Context(routing, ())
    check_deadlock(context, claim, claim.value, claim.evidence.data)
    apart = replace(verdict, packets=verdict.packets[1:] + verdict.packets[:1])
    with pytest.raises(VerificationError, match="no packet of the pair"):
        check_deadlock(context, claim, claim.value, apart.claim().evidence.data)


def test_numbers_of_turns() -> None:
    network = network_from_spec("petersen")
    turns = turn_numbers(network)
    assert turns.count == len(turns.first) == len(turns.second) == 30 * 3 + 10 * 3
    for k, (a, b) in enumerate(zip(turns.first.tolist(), turns.second.tolist(), strict=True)):
        if a < network.num_channels:
            assert turns.start[a] + turns.rank[b] == k
            assert network.head[a] == network.tail[b]
        else:
            assert turns.inject[a - network.num_channels] + turns.rank[b] == k
            assert network.source[a - network.num_channels] == network.tail[b]
