"""Shortest distances of the verifier against networkx."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from routeproof.core.errors import VerificationError
from routeproof.core.network import Network
from routeproof.kernel.shortest_paths import distance_total, hop_total, line_total
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from true_reports import report, verify

NETWORKS = [
    "torus:5x4",
    "mesh:3x4",
    "hyperx:3x4",
    "hypercube:3",
    "ring:7,oneway",
    "ring:2",
    "kautz:2,2",
    "petersen",
    "torus:4x4,dead-links=0-1;5-6",
    "torus:4x4,dead-nodes=3",
    "random-regular:20,degree=3,seed=1",
    "mesh:130",
]


def total(network: Network, lengths: np.ndarray) -> int:
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(network.num_nodes))
    for a, b, x in zip(network.tail.tolist(), network.head.tolist(), lengths.tolist(), strict=True):
        graph.add_edge(a, b, weight=x)
    found = dict(nx.all_pairs_dijkstra_path_length(graph))
    return sum(found[a][b] for a in network.source.tolist() for b in network.sink.tolist())


@pytest.mark.parametrize("text", NETWORKS)
def test_distances(text: str) -> None:
    network = network_from_spec(text)
    ones = np.ones(network.num_channels, dtype=np.int64)
    assert hop_total(network) == distance_total(network, ones) == total(network, ones)
    lengths = np.random.default_rng(1).integers(0, 4, network.num_channels)
    assert distance_total(network, lengths) == total(network, lengths)
    if network.grid is not None:
        where = network.grid.coordinates
        for m in range(network.grid.num_dimensions):
            along = (where[network.tail, m] != where[network.head, m]).astype(np.int64)
            assert line_total(network, m, along) == total(network, along)


def test_lines_must_be_alike() -> None:
    network = network_from_spec("torus:4x3")
    where = network.grid.coordinates
    along = (where[network.tail, 0] != where[network.head, 0]).astype(np.int64)
    along[np.nonzero(along)[0][0]] = 5
    with pytest.raises(VerificationError, match="not alike"):
        line_total(network, 0, along)
    with pytest.raises(VerificationError, match="off the dimension"):
        line_total(network, 0, np.ones_like(along))


def levels() -> Network:
    """Hosts 0 to 2 send, hosts 6 to 8 receive, through two switches; nothing leads back, and node 5 leads nowhere."""
    up = [(i, s) for i in range(3) for s in (3, 4)]
    down = [(s, j) for s in (3, 4) for j in (6, 7, 8)]
    widths = [Fraction(1)] * len(up) + [Fraction(1, 2)] * len(down) + [Fraction(1)]
    return Network.of("levels", 9, [*up, *down, (3, 5)], bandwidth=widths, source=[0, 1, 2], sink=[6, 7, 8])


def test_only_terminals_need_to_be_connected() -> None:
    network = levels()
    lengths = np.array([0] * 6 + [1] * 6 + [0])
    assert distance_total(network, lengths) == 9
    assert hop_total(network) == 18
    assert verify(report(routing_from_spec("minimal", network), traffics=())) >= 5
    cut = Network.of("cut", 3, [(0, 1), (1, 0), (1, 2)])
    with pytest.raises(VerificationError, match="not connected"):
        distance_total(cut, np.array([1, 2, 3]))
    with pytest.raises(VerificationError, match="not connected"):
        hop_total(cut)
