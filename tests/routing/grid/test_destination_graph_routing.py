"""Destination graphs as routings: loads, paths, symmetry, worst cases."""

from __future__ import annotations

import numpy as np
import pytest

from routeproof.core.cube.destination_graph import Cube, DestinationGraph
from routeproof.core.errors import InputError, VerificationError
from routeproof.core.network import Network
from routeproof.routing.base.routing import Routing
from routeproof.routing.grid.destination_graph import DestinationGraphRouting
from routeproof.routing.grid.dor import DOR
from routeproof.routing.named.described import describe_routing, routing_from_description
from routeproof.topologies.grid.lattice import hypercube, hyperx, torus
from routeproof.worst.scan.exact import worst_case


def dimension_order(radix: int, dimensions: int) -> DestinationGraph:
    cube = Cube(radix, dimensions)
    return DestinationGraph.of(
        radix,
        dimensions,
        {u: [(i + 1, int(x)) if x else (0, 0) for i, x in enumerate(cube.digits[u])] for u in range(1, cube.num_nodes)},
    )


@pytest.mark.parametrize(
    "network", [hyperx(2, 2, 2), hypercube(3), torus(2, 2), hyperx(3, 3), hyperx(4, 4), hyperx(5)], ids=lambda x: x.name
)
def test_dimension_order_is_dimension_order(network: Network) -> None:
    assert network.grid is not None
    radix = network.grid.radix
    mine = DestinationGraphRouting(network, "graph", dimension_order(radix[0], len(radix)))
    other = DOR().on(network)
    everyone = np.arange(network.num_nodes)
    for c in range(network.num_channels):
        assert mine.channel_loads([c]).as_dict() == other.channel_loads([c]).as_dict()
    for i in range(network.num_nodes):
        a, b = (
            mine.pair_loads(np.full_like(everyone, i), everyone),
            other.pair_loads(np.full_like(everyone, i), everyone),
        )
        assert [a.as_dict(k) for k in everyone] == [b.as_dict(k) for k in everyone]
    assert worst_case(mine).throughput == worst_case(other).throughput
    Routing.check(mine)  # pair by pair
    assert network.symmetry is not None
    for g in network.symmetry.generators:
        assert mine.respects(g) == Routing.respects(mine, g)


def test_rows_restrict_the_loads_of_a_channel() -> None:
    routing = DestinationGraphRouting(hyperx(3, 3), "graph", dimension_order(3, 2))
    rows = np.zeros(9, dtype=bool)
    rows[[0, 4]] = True
    for c in range(routing.network.num_channels):
        wanted = {k: x for k, x in routing.channel_loads([c]).as_dict().items() if rows[k[0]]}
        assert routing.channel_loads([c], rows=rows).as_dict() == wanted


def test_a_detour_over_one_channel_twice_counts_twice() -> None:
    graph = DestinationGraph.of(3, 1, {1: [(1, 1), (1, 1), (1, 1), (1, 1)], 2: [(1, 2)]})
    routing = DestinationGraphRouting(hyperx(3), "graph", graph)
    assert sorted(routing.pair_loads([1], [0]).as_dict().values()) == [1, 1, 2]
    for i in range(3):
        for j in range(3):
            by_pair = routing.pair_loads([i], [j]).as_dict()
            by_channel = {c: x for c in range(6) if (x := routing.channel_loads([c]).as_dict().get((i, j)))}
            assert by_pair == by_channel


@pytest.mark.parametrize("network", [hyperx(2, 2), hyperx(3, 2, 2), torus(3, 3), hyperx(3, 3, 3)], ids=lambda x: x.name)
def test_other_networks_are_refused(network: Network) -> None:
    with pytest.raises(InputError, match="is for the 3-nary 2-cube, hyperx:3x3"):
        DestinationGraphRouting(network, "graph", dimension_order(3, 2))


def test_a_description_makes_it_again_but_not_under_a_built_in_name() -> None:
    network = hyperx(3, 3)
    routing = DestinationGraphRouting(network, "graph.json", dimension_order(3, 2))
    again = routing_from_description(describe_routing(routing), network)
    assert isinstance(again, DestinationGraphRouting)
    assert np.array_equal(again.graph.moves, routing.graph.moves)
    for wrong in ({"spec": "dor"}, {"spec": 3}, {"destination_graph": []}):
        with pytest.raises((InputError, VerificationError)):
            routing_from_description({**describe_routing(routing), **wrong}, network)
