"""Capacity: closed forms against searches and against routings built here, evidence against corruption."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from routeproof.claims.context import Context
from routeproof.claims.kinds import check_form
from routeproof.claims.routings.capacity import check_capacity, lengths_of
from routeproof.core.claim import Evidence
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.network import Network
from routeproof.core.traffic import Traffic
from routeproof.optimum.capacity import capacity_by_program
from routeproof.routing.graph.minimal import Minimal
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.worst.capacity import capacity, capacity_claims, known_capacity, length_bound
from routeproof.worst.loads import channel_loads_under, throughput
from tiny_routings import TableRouting, shortest_table

GRIDS = [
    "ring:2",
    "ring:3",
    "ring:6",
    "ring:7",
    "ring:5,oneway",
    "torus:4x3",
    "torus:5x5",
    "torus:2x2x2",
    "torus:2x6",
    "torus:3x4,oneway",
    "torus:6x4,bandwidth=2x1",
    "torus:4x4,bandwidth=3/2x1/7",
    "mesh:2",
    "mesh:5",
    "mesh:3x4",
    "mesh:2x3x2",
    "mesh:5x4,bandwidth=1x3",
    "hyperx:4",
    "hyperx:3x3",
    "hyperx:2x5,bandwidth=5x2",
    "hypercube:4",
]


def judged(network, claim, routing=None, data=None):
    """The capacity's value, if the verifier (which shares no code with ``worst``) accepts the evidence."""
    if routing is None:
        routing = routing_from_spec(claim.evidence.data["routing"], network)
    if data is not None:
        claim = replace(claim, evidence=Evidence("capacity", data))
    check_form(claim, ["capacity"])
    check_capacity(Context(routing, ()), claim, claim.value, claim.evidence.data)
    return claim.value


def dimension_order(network):
    """Pair loads of dimension-order routing with split ties, from the definition."""
    grid = network.grid
    table = {}
    for i, j in product(range(network.num_nodes), repeat=2):
        loads = {}
        at = grid.coordinates[i].tolist()
        for m, k in enumerate(grid.radix):
            goal = int(grid.coordinates[j, m])
            ahead = (goal - at[m]) % k
            if not ahead:
                continue
            if grid.kind == "hyperx":
                legs = [(Fraction(1), ahead - 1, 1, ahead)]
            elif grid.kind == "mesh":
                legs = [(Fraction(1), 0, 1, goal - at[m])] if goal > at[m] else [(Fraction(1), 1, -1, at[m] - goal)]
            elif grid.oneway or k == 2:
                legs = [(Fraction(1), 0, 1, ahead)]
            else:
                legs = [(Fraction(1), 0, 1, ahead), (Fraction(1), 1, -1, k - ahead)]
                if 2 * ahead == k:
                    legs = [(Fraction(1, 2), *leg[1:]) for leg in legs]
                else:
                    legs = [min(legs, key=lambda leg: leg[3])]
            for weight, slot, step, hops in legs:
                here = list(at)
                for _ in range(1 if grid.kind == "hyperx" else hops):
                    c = int(grid.channel_at[grid.node(here), m, slot])
                    loads[c] = loads.get(c, Fraction(0)) + weight
                    here[m] = (here[m] + step) % k
            at[m] = goal
        if i != j:
            table[i, j] = loads
    routing = TableRouting(network, table)
    routing.name = "dor"
    return routing


def uniform_throughput(routing):
    found = channel_loads_under(routing, Traffic.uniform(routing.network.num_terminals))
    return throughput(found, routing.network)


@pytest.mark.parametrize("spec", GRIDS)
def test_closed_forms_are_reached_by_a_routing_and_bounded_by_a_search(spec):
    network = network_from_spec(spec)
    claim = capacity(network)
    routing = dimension_order(network)
    assert claim.value == uniform_throughput(routing)
    assert claim.value == length_bound(network, lengths_of(network, claim.evidence.data["lengths"]))
    assert judged(network, claim, routing) == claim.value


@pytest.mark.parametrize("k", range(2, 12))
def test_published_capacity_of_k_ary_2_cubes(k):
    """8k/(k^2 - 1) for odd k, 8/k for even k; radix 2 has one channel each way, hence half of it."""
    wanted = Fraction(8 * k, k * k - 1) if k % 2 else Fraction(8, k)
    assert capacity(network_from_spec(f"torus:{k}x{k}")).value == (wanted if k > 2 else wanted / 2)


def test_large_grids_are_instant_and_checkable():
    network = network_from_spec("torus:14x14x14")
    claim = capacity(network)
    assert claim.value == Fraction(8, 14)
    assert judged(network, claim) == claim.value
    with pytest.raises(VerificationError, match="routing valiant reaches"):
        judged(network, claim, data={**claim.evidence.data, "routing": "valiant"})


def test_several_terminals_on_every_node():
    """Twice the terminals, half the rate each."""
    network = network_from_spec("torus:5x4")
    twice = replace(network, source=np.repeat(network.source, 2), sink=np.roll(np.repeat(network.sink, 2), 3))
    assert capacity(twice).value == capacity(network).value / 2
    assert capacity(twice).value == uniform_throughput(dimension_order(twice))


def shortest(network):
    return TableRouting(network, shortest_table(network))


def test_trees_have_a_busiest_cut():
    """Every routing on a tree is the same; the middle channels of a path of 5 nodes carry 6/5 each way."""
    path = Network.of("path", 5, [(i, i + 1) for i in range(4)] + [(i + 1, i) for i in range(4)])
    claim = capacity(path, shortest(path))
    assert claim.value == Fraction(5, 6)
    assert judged(path, claim, shortest(path)) == Fraction(5, 6)
    json.dumps(dict(claim.evidence.data))


def test_edge_symmetric_graphs_need_only_hops():
    """The Petersen graph has one path of at most 2 hops per pair: 15 hops of every 10 packets on 30 channels."""
    network = replace(network_from_spec("petersen"), spec=None)
    claim = capacity(network, shortest(network))
    assert claim.value == Fraction(2) == length_bound(network, lengths_of(network, {"kind": "all"}))
    assert claim.evidence.data["lengths"] == {"kind": "all"}


def test_bandwidths_in_proportion_need_reciprocal_lengths():
    """A ring whose + channels are twice as wide as its - channels, and a routing that fills all of them."""
    ends = [(i, (i + 1) % 3) for i in range(3)] + [(i, (i - 1) % 3) for i in range(3)]
    network = Network.of("uneven", 3, ends, bandwidth=[Fraction(2)] * 3 + [Fraction(1)] * 3)
    table = {(i, (i + 1) % 3): {i: Fraction(1)} for i in range(3)}
    # A third of the - traffic takes the two + channels: loads 1 + 2x and 1 - x, in proportion 2 : 1 at x = 1/4.
    for i in range(3):
        x = Fraction(1, 4)
        table[i, (i - 1) % 3] = {3 + i: 1 - x, i: x, (i + 1) % 3: x}
    routing = TableRouting(network, table)
    claim = capacity(network, routing)
    assert claim.value == 4
    assert claim.evidence.data["lengths"]["classes"][0] == {"length": 1, "channels": [0, 1, 2]}


def test_none_where_no_bound_is_met(monkeypatch):
    network = Network.of("kite", 4, [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2), (2, 3), (3, 2), (0, 3), (3, 0)])
    monkeypatch.setattr(Minimal, "on", lambda self, network: shortest(network))
    assert capacity(network) is None


def test_sampled_loads_reach_no_capacity():
    path = Network.of("path", 5, [(i, i + 1) for i in range(4)] + [(i + 1, i) for i in range(4)])
    guessed = shortest(path)
    guessed.is_sampled = True
    assert capacity(path, guessed).evidence.data["routing"] == "minimal:choice=per-path"


def test_no_traffic_no_capacity(monkeypatch):
    network = Network.of("lonely", 2, [(0, 1), (1, 0)], source=[0], sink=[0])
    monkeypatch.setattr(Minimal, "on", lambda self, network: shortest(network))
    assert capacity(network) is None
    assert length_bound(network, lengths_of(network, {"kind": "all"})) is None


def test_cuts_bound_every_routing():
    """Any lengths at all are a valid bound: they never fall below the capacity."""
    rng = np.random.default_rng(0)
    network = network_from_spec("torus:4x3,bandwidth=2x1")
    best = capacity(network).value
    for _ in range(50):
        bound = length_bound(network, rng.integers(0, 4, network.num_channels))
        assert bound is None or bound >= best


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lengths": {"kind": "dimension", "dimension": 0}}, "its lengths prove at most"),
        ({"lengths": {"kind": "dimension", "dimension": 7}}, "dimension 7"),
        ({"lengths": {"kind": "dimension", "dimension": True}}, "dimension is 'True'; a whole number"),
        ({"lengths": {"kind": "cut", "dimension": 0, "position": 0}}, "prove nothing"),
        ({"lengths": {"kind": "middle"}}, "kind is 'middle'"),
        ({"lengths": {"kind": "explicit", "classes": [{"length": -1, "channels": []}]}}, "small integer"),
        ({"lengths": {"kind": "explicit", "classes": [{"length": 1, "channels": [99]}]}}, "channel is 99"),
        ({"lengths": {"kind": "explicit", "classes": [{"length": 1, "channels": [0.5]}]}}, "is '0.5'; a whole number"),
        ({"lengths": {"kind": "explicit", "classes": [7]}}, "is '7'; an object was expected"),
        ({"lengths": [1, 2]}, "an object was expected"),
        ({"routing": None}, "routing is 'None'; a text was expected"),
    ],
)
def test_corrupted_evidence_is_refused(change, message):
    network = network_from_spec("torus:3x5")
    data = dict(capacity(network).evidence.data)
    assert data["lengths"] == {"kind": "dimension", "dimension": 1}
    with pytest.raises(VerificationError, match=message):
        judged(network, capacity(network), dimension_order(network), {**data, **change})


def test_a_routing_that_does_not_reach_it_is_refused():
    network = network_from_spec("torus:4x4")
    lopsided = TableRouting(network, shortest_table(network))
    lopsided.name = "dor"
    with pytest.raises(VerificationError, match="routing dor reaches"):
        judged(network, capacity(network), lopsided)


def test_lengths_by_cut_are_the_channels_between_two_positions():
    network = network_from_spec("mesh:4x3")
    cut = lengths_of(network, {"kind": "cut", "dimension": 1, "position": 2})
    ends = {
        (network.label(u), network.label(v)) for u, v in zip(network.tail[cut > 0], network.head[cut > 0], strict=True)
    }
    assert ends == {(f"({x},1)", f"({x},2)") for x in range(4)} | {(f"({x},2)", f"({x},1)") for x in range(4)}
    with pytest.raises(VerificationError, match="are not known for petersen"):
        lengths_of(network_from_spec("petersen"), {"kind": "dimension", "dimension": 0})


@pytest.mark.parametrize(
    ("spec", "value"),
    [("petersen", Fraction(2)), ("complete:5", Fraction(5)), ("hypercube:3", Fraction(2)), ("kautz:2,3", None)],
)
def test_without_a_routing_random_shortest_paths_are_tried(spec, value):
    network = replace(network_from_spec(spec), grid=None, symmetry=None)
    claim = capacity(network)
    assert value == (claim and claim.value)
    if claim is not None:
        assert claim.evidence.data["routing"] == "minimal:choice=per-path"
        assert judged(network, claim) == value


def test_hosts_with_one_link_are_bounded_by_it():
    """Four leaves with two hosts each, two spines: a host's link carries 7/8, every other link 3/4."""
    links = [(leaf, spine) for leaf in range(4) for spine in (4, 5)]
    links += [(6 + host, host // 2) for host in range(8)]
    hosts = range(6, 14)
    network = Network.of("leaf-spine", 14, links + [(v, u) for u, v in links], source=hosts, sink=hosts)
    claim = capacity(network)
    assert claim.value == Fraction(8, 7)
    uplinks = [c for c in range(network.num_channels) if max(network.tail[c], network.head[c]) > 5]
    assert claim.evidence.data["lengths"] == {"kind": "explicit", "classes": [{"length": 1, "channels": uplinks}]}
    assert judged(network, claim) == Fraction(8, 7)


def test_no_capacity_is_an_error_where_it_is_needed():
    assert known_capacity(network_from_spec("torus:3x3")) == 3
    with pytest.raises(InputError, match="the capacity of kautz:2,3 is not known"):
        known_capacity(network_from_spec("kautz:2,3"))


def test_what_is_not_settled_lies_between_two_proved_bounds():
    network = network_from_spec("random-regular:12,degree=3,seed=3")
    routing = routing_from_spec("minimal", network)
    low, high = capacity_claims(network, routing)
    assert (low.relation, high.relation, capacity(network, routing)) == (">=", "<=", None)
    assert low.value == uniform_throughput(routing) < high.value
    assert low.value <= capacity_by_program(network).value <= high.value
    for claim, wrong in ((low, low.value + Fraction(1, 1000)), (high, high.value - Fraction(1, 1000))):
        assert judged(network, claim, routing) == claim.value
        with pytest.raises(VerificationError, match=r"reaches|prove at most"):
            judged(network, replace(claim, value=wrong), routing)
        with pytest.raises(VerificationError, match=r"reaches|prove at most"):
            judged(network, replace(claim, relation="=="), routing)
    weaker = replace(low, value=low.value / 2)
    assert judged(network, weaker, routing) == low.value / 2  # a bound that is weaker than its evidence holds
