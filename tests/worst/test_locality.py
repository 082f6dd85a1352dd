"""Path lengths: closed forms against searches, searches against networkx."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from routeproof.core.errors import InputError
from routeproof.core.network import Network
from routeproof.core.traffic import Traffic
from routeproof.graphs import total_distance as total_distances
from routeproof.graphs.total_distance import total_distance
from routeproof.topologies.family import network_from_spec
from routeproof.worst.loads import channel_loads_under
from routeproof.worst.locality import (
    average_path_length,
    minimal_average,
    path_length_claims,
)
from tiny_routings import TableRouting, WithBase, shortest_table

GRIDS = [
    "ring:2",
    "ring:3",
    "ring:8",
    "ring:7,oneway",
    "ring:2,oneway",
    "torus:4x3",
    "torus:5x5",
    "torus:2x2x2",
    "torus:2x6",
    "torus:3x4,oneway",
    "mesh:2",
    "mesh:5",
    "mesh:3x4",
    "mesh:2x3x2",
    "hyperx:4",
    "hyperx:3x3",
    "hyperx:2x5",
    "hypercube:4",
]


def without_grid(network: Network) -> Network:
    return replace(network, grid=None, symmetry=None, spec=None)


def by_networkx(network, lengths):
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(network.num_nodes))
    for u, v, x in zip(network.tail.tolist(), network.head.tolist(), lengths, strict=True):
        graph.add_edge(u, v, weight=int(x))
    far = dict(nx.all_pairs_dijkstra_path_length(graph))
    return sum(far[i][j] for i in network.source.tolist() for j in network.sink.tolist())


@pytest.mark.parametrize("spec", GRIDS)
def test_grids_in_closed_form_equal_the_search(spec):
    network = network_from_spec(spec)
    assert minimal_average(network) == minimal_average(without_grid(network))


@pytest.mark.parametrize("spec", ["petersen", "kautz:2,2", "random-regular:40,degree=3,seed=1", "ring:6,oneway"])
def test_hops_equal_networkx(spec):
    network = network_from_spec(spec)
    ones = [1] * network.num_channels
    assert minimal_average(network) == Fraction(by_networkx(network, ones), network.num_terminals**2)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("most", [1, 2, 5])
def test_any_small_lengths_equal_networkx(seed, most):
    """Lengths 0 .. most, parallel channels, terminals in unequal numbers: some nodes have none, some have several."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 90))
    ring = [(i, (i + 1) % size) for i in range(size)]
    more = [(int(u), int(v)) for u, v in rng.integers(0, size, (2 * size, 2)) if u != v]
    count = int(rng.integers(1, 2 * size))
    ends = {"source": rng.integers(0, size, count), "sink": rng.integers(0, size, count)}
    network = Network.of("random", size, ring + more, **ends)
    lengths = rng.integers(0, most + 1, network.num_channels)
    assert total_distance(network, lengths) == by_networkx(network, lengths)


def test_searches_in_groups_give_the_same_sum(monkeypatch):
    network = network_from_spec("random-regular:200,degree=4,seed=3")
    whole = total_distance(network)
    monkeypatch.setattr(total_distances, "_CHUNK_WORDS", 1)
    assert total_distance(network) == whole


def test_unconnected_terminals_are_named():
    two = Network.of("two halves", 4, [(0, 1), (1, 0), (2, 3), (3, 2)], labels=["a", "b", "c", "d"])
    with pytest.raises(InputError, match="two halves is not connected: no path from a to c"):
        minimal_average(two)
    # Unconnected nodes without terminals do not matter.
    assert minimal_average(replace(two, source=[0, 1], sink=[0, 1])) == Fraction(1, 2)
    with pytest.raises(InputError, match="not connected"):
        total_distance(two, [0, 0, 3, 3])


def test_bad_lengths_are_refused():
    network = network_from_spec("ring:3")
    with pytest.raises(InputError, match="length of channel 2 is -1"):
        total_distance(network, [1, 1, -1, 1, 1, 1])
    with pytest.raises(InputError, match="lengths must be 6 integers"):
        total_distance(network, [1, 1])
    with pytest.raises(InputError, match="lengths must be 6 integers"):
        total_distance(network, [1.5] * 6)


def test_a_grid_that_does_not_hold_is_refused():
    """A wrong layout would make a closed form silently wrong."""
    network = network_from_spec("torus:4x4")
    swapped = network.grid.channel_at.copy()
    swapped[[3, 4]] = swapped[[4, 3]]
    with pytest.raises(InputError, match="channel 16 goes from node 3 to node 7; the network does not have it"):
        minimal_average(replace(network, grid=replace(network.grid, channel_at=swapped)))
    doubled = replace(
        network,
        tail=np.append(network.tail, 0),
        head=np.append(network.head, 5),
        bandwidth=(*network.bandwidth, Fraction(1)),
    )
    with pytest.raises(InputError, match=r"channel 64 of torus:4x4, .*, is not part of its grid"):
        minimal_average(doubled)
    mesh = replace(network.grid, kind="mesh")
    with pytest.raises(InputError, match="not part of its grid"):
        minimal_average(replace(network, grid=mesh))


def test_average_length_of_a_routing_counts_its_hops():
    """Shortest paths on the Petersen graph: 1 hop to 3 nodes, 2 hops to 6, 0 to oneself."""
    network = network_from_spec("petersen")
    routing = TableRouting(network, shortest_table(network))
    assert average_path_length(routing) == Fraction(3 + 12, 10) == minimal_average(network)
    loads = channel_loads_under(routing, Traffic.uniform(10))
    assert loads.load.total() == 10 * loads.average_path_length


@pytest.mark.parametrize("pick", [min, max])
def test_average_length_is_the_plain_double_sum(pick):
    rng = np.random.default_rng(4)
    network = network_from_spec("random-regular:12,degree=3,seed=2")
    network = replace(network, source=rng.integers(0, 12, 15), sink=rng.integers(0, 12, 15))
    table = shortest_table(network, pick=pick)
    routing = TableRouting(network, table)
    hops = sum(sum(table.get((i, j), {}).values()) for i in network.source.tolist() for j in network.sink.tolist())
    assert average_path_length(routing) == Fraction(hops, 225)
    assert average_path_length(routing) == minimal_average(network)


def test_base_loads_count_as_hops():
    network = network_from_spec("ring:3")
    zero = [[Fraction(0)] * 3] * 6
    half = [[Fraction(1, 2)] * 3] * 6
    routing = WithBase(network, {}, half, zero)
    assert average_path_length(routing) == Fraction(6 * 3, 9)  # 6 pairs, half a crossing of each of 6 channels


def test_claims():
    first, second = path_length_claims(Fraction(3), Fraction(3, 2))
    assert (first.quantity, first.value, first.unit) == ("average_path_length", 3, "hops")
    assert (second.quantity, second.value) == ("average_path_length_of_minimal", 2)
    assert first.evidence.data == {"average": "3", "minimal": "3/2"}
    assert len(path_length_claims(Fraction(0), Fraction(0))) == 1
