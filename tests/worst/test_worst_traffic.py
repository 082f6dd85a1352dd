"""Who crosses a channel, and with how much: against sums over all pairs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from routeproof.core.network import Network
from routeproof.core.traffic import Traffic
from routeproof.routing.base.routing import Routing
from routeproof.routing.graph.minimal import Minimal
from routeproof.routing.grid.dor import DOR
from routeproof.routing.grid.valiant import ROMM, Valiant
from routeproof.topologies.grid.lattice import torus
from routeproof.topologies.patterns import traffic_pattern
from routeproof.topologies.random.kautz import petersen
from routeproof.worst.loads import channel_loads_under
from routeproof.worst.worst_traffic import crossings, flow_over, loads_of


def twins() -> Network:
    """Two terminals on node 0, one on each other node, parallel channels."""
    ends = [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0), (0, 2)]
    return Network.of("twins", 3, ends, source=[0, 0, 1, 2], sink=[0, 0, 1, 2])


def routings() -> list[Routing]:
    grid = torus(4, 3)
    return [
        DOR().on(grid),
        ROMM().on(grid),
        Valiant().on(grid),
        Minimal().on(petersen()),
        Minimal(choice="per-hop").on(twins()),
    ]


@pytest.mark.parametrize("routing", routings(), ids=lambda r: f"{r.name} on {r.network.name}")
def test_crossings_add_up_to_the_load_of_every_channel(routing: Routing) -> None:
    network = routing.network
    traffic = traffic_pattern("random:seed=3", network)
    assert traffic.permutation is not None
    pairs = [(i, j, Fraction(1)) for i, j in enumerate(traffic.permutation.image.tolist())]
    expected = channel_loads_under(routing, traffic).load.fractions()
    assert loads_of(routing, pairs) == expected
    for c in range(network.num_channels):
        found = crossings(routing, c, pairs)
        assert sum((x.load for x in found), Fraction(0)) == expected[c]
        assert [x.load for x in found] == sorted((x.load for x in found), reverse=True)
        assert all(x.load > 0 for x in found)


def test_rates_scale_what_crosses() -> None:
    routing = Minimal().on(twins())
    pairs = [(0, 2, Fraction(1, 2)), (1, 3, Fraction(2)), (2, 3, Fraction(1, 3))]
    load = loads_of(routing, pairs)
    for c in range(routing.network.num_channels):
        assert sum((x.load for x in crossings(routing, c, pairs)), Fraction(0)) == load[c]


@pytest.mark.parametrize("routing", routings(), ids=lambda r: f"{r.name} on {r.network.name}")
def test_the_flow_over_a_channel_carries_that_channel_s_load(routing: Routing) -> None:
    traffic = traffic_pattern("random:seed=5", routing.network)
    assert traffic.permutation is not None
    pairs = [(i, j, Fraction(1)) for i, j in enumerate(traffic.permutation.image.tolist())]
    load = loads_of(routing, pairs)
    worst = max(range(len(load)), key=load.__getitem__)
    flow = flow_over(routing, worst, crossings(routing, worst, pairs))
    assert flow[worst] == load[worst]
    assert all(flow[c] <= load[c] for c in flow)


def test_traffic_that_stays_home_crosses_nothing() -> None:
    routing = DOR().on(torus(3, 3))
    uniform = Traffic.uniform(9)
    assert uniform.is_uniform
    home = [(i, i, Fraction(1)) for i in range(9)]
    assert crossings(routing, 0, home) == []
    assert set(loads_of(routing, home)) == {Fraction(0)}
