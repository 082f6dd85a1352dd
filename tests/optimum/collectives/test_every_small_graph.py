"""The best rate of collectives on every connected graph of up to 6 nodes, by all of its cuts."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
import pytest
from networkx.generators.atlas import graph_atlas_g

from collective_by_cuts import carried, least_cut
from routeproof.core.collective import broadcasts_of
from routeproof.core.network import Network
from routeproof.optimum.collectives.result import best_broadcasts


def connected(num_nodes: int) -> Iterator[nx.Graph]:
    """One of each class of isomorphic graphs."""
    for graph in graph_atlas_g():
        if graph.number_of_nodes() == num_nodes and nx.is_connected(graph):
            yield graph


@pytest.mark.parametrize(("num_nodes", "count"), [(2, 1), (3, 2), (4, 6), (5, 21), (6, 112)])
def test_cut_and_trees_are_the_least_of_all_cuts(num_nodes: int, count: int) -> None:
    graphs = list(connected(num_nodes))
    assert len(graphs) == count
    for graph in graphs:
        network = Network.of("graph", num_nodes, [*graph.edges, *((v, u) for u, v in graph.edges)])
        for operation, root in (("all-gather", None), ("reduce-scatter", None), ("broadcast", 0)):
            task = broadcasts_of(network, operation, root=root)
            best, least = best_broadcasts(task), least_cut(task)
            assert best.cut.rate == best.rate == least, (list(graph.edges), operation)
            assert carried(task, best.trees) == least, (list(graph.edges), operation)
