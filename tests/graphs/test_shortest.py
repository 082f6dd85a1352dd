"""Shortest paths: compiled, by scipy, exactly, and in Python numbers, against networkx on small random networks."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from routeproof.core.network import Network
from routeproof.graphs.flow_paths import whole_paths
from routeproof.graphs.search_kernels import grow_tree, reach_all
from routeproof.graphs.shortest import Joined, cheapest, distances_to, hops_to_all, path_by
from routeproof.graphs.transport import heaviest_assignment

SEEDS = range(6)


def drawn(seed: int) -> tuple[Network, np.ndarray, np.ndarray]:
    """A network with parallel channels, its lengths (0 to 3), and all distances by networkx, -1 where none."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(3, 9))
    ends = rng.integers(0, size, (4 * size, 2))
    network = Network.of("drawn", size, [(int(i), int(j)) for i, j in ends if i != j])
    length = rng.integers(0, 4, network.num_channels)
    far = np.full((size, size), -1)
    for i, found in nx.all_pairs_dijkstra_path_length(graph_of(network, length)):
        for j, x in found.items():
            far[i, j] = x
    return network, length, far


def graph_of(network: Network, length: np.ndarray) -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(network.num_nodes))
    ends = zip(network.tail.tolist(), network.head.tolist(), length.tolist(), strict=True)
    graph.add_weighted_edges_from(ends)
    return graph


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_grown_trees(seed: int, kind: type) -> None:
    network, length, far = drawn(seed)
    offset, order = network.out_channels
    size, beyond = network.num_nodes, 1 << 40
    for start in range(size):
        dist, via = np.full(size, beyond, dtype=kind), np.empty(size, dtype=np.int64)
        heap, settled = np.empty((2, network.num_channels + 2), dtype=kind), np.empty(size, dtype=np.int64)
        run = grow_tree.interpreted
        done = run(offset, order, network.head, length.astype(kind), start, -1, False, dist, via, heap, settled)
        assert np.where(dist == beyond, -1, dist).tolist() == far[start].tolist()
        assert done == (far[start] >= 0).sum()
        assert (np.diff(dist[settled[:done]]) >= 0).all()
        for v in settled[1:done].tolist():
            assert dist[network.tail[via[v]]] + length[via[v]] == dist[v]


def test_lowest_channels_come_first_in_trees() -> None:
    network = Network.of("diamond", 4, [(0, 2), (0, 1), (2, 3), (1, 3), (1, 3)])
    offset, order = network.out_channels
    dist, via = np.full(4, 100), np.empty(4, dtype=np.int64)
    heap, settled = np.empty((2, 7), dtype=np.int64), np.empty(4, dtype=np.int64)
    ones = np.ones(5, dtype=np.int64)
    order = np.concatenate([order[1::-1], order[2:]])  # node 1 before node 2
    grow_tree.interpreted(offset, order, network.head, ones, 0, -1, True, dist, via, heap, settled)
    assert via[3] == 2


@pytest.mark.parametrize("seed", SEEDS)
def test_joined_networks(seed: int) -> None:
    network, length, far = drawn(seed)
    joined = Joined(network)
    found = joined.searched(length.astype(float), np.arange(network.num_nodes))
    for dist in (found.far, joined.distances(length.astype(float))):
        assert np.where(np.isfinite(dist), dist, -1).tolist() == far.tolist()
    some = np.array([network.num_nodes - 1])
    assert np.array_equal(joined.distances(length.astype(float), some), found.far[some])
    for i, j in np.argwhere(far >= 0).tolist():
        path = joined.path(found, i, i, j)
        assert length[path].sum() == far[i, j]
        assert [*network.tail[path].tolist(), j] == [i, *network.head[path].tolist()]


@pytest.mark.parametrize("seed", SEEDS)
def test_exact_distances(seed: int) -> None:
    network, length, _ = drawn(seed)
    length = length + 1
    graph = graph_of(network, length)
    far = dict(nx.all_pairs_dijkstra_path_length(graph))
    huge = np.array([x << 70 for x in length.tolist()], dtype=object)
    to = np.arange(network.num_nodes)
    expected = [[far[v].get(d, -1) for v in to.tolist()] for d in to.tolist()]
    assert distances_to(network, length, to).tolist() == expected
    assert distances_to(network, huge, to).tolist() == [[x if x < 0 else x << 70 for x in row] for row in expected]
    leaving = [[(c, int(network.head[c])) for c in np.flatnonzero(network.tail == v).tolist()] for v in to.tolist()]
    for i in to.tolist():
        cost, via = cheapest(i, 0, leaving.__getitem__, lambda d, c: d + int(huge[c]))
        assert cost == {j: x << 70 for j, x in far[i].items()}
        for j in cost:
            assert sum(huge[path_by(via, lambda c: int(network.tail[c]), i, j)]) == cost[j]


@pytest.mark.parametrize("seed", SEEDS)
def test_hops_and_numbers_of_shortest_paths(seed: int) -> None:
    network, _, _ = drawn(seed)
    graph = graph_of(network, np.ones(network.num_channels, dtype=int))
    hops = dict(nx.all_pairs_shortest_path_length(graph))
    offset, channel = network.out_channels
    size = network.num_nodes
    found, ways = np.full((size, size), -1, dtype=np.int16), np.zeros((size, size), dtype=np.int64)
    reach_all.interpreted(offset, network.head[channel], np.arange(size), 3, found, ways)
    assert np.array_equal(found.T, hops_to_all(network))
    simple = nx.DiGraph(graph)
    for i in range(size):
        for j in range(size):
            assert found[i, j] == hops[i].get(j, -1)
            if i != j and j in hops[i]:
                paths = nx.all_shortest_paths(simple, i, j)
                every = sum(int(np.prod([graph.number_of_edges(*x) for x in pairwise(p)])) for p in paths)
                assert ways[i, j] == min(every, 3)


def test_an_assignment_of_few_rows_to_many_columns() -> None:
    assert heaviest_assignment(np.array([[1, 5, 4], [0, 5, 1]])).tolist() == [2, 1]


def test_flows_without_room_are_no_paths() -> None:
    network = Network.of("two ways", 3, [(0, 1), (1, 2), (0, 2)])
    assert whole_paths(network, {0: 2, 1: 2, 2: 1}, 0, 2, 3) == [(2, [0, 1]), (1, [2])]
    assert whole_paths(network, {0: 0, 1: 0, 2: 1}, 0, 2, 1) == [(1, [2])]
