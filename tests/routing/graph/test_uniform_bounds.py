"""Loads under uniform traffic between bounds, against the loads of all pairs added up one by one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from routeproof.core import segment_sums
from routeproof.core.network import Network
from routeproof.core.traffic import Traffic
from routeproof.routing.base.routing import Routing
from routeproof.routing.graph import uniform_bounds
from routeproof.routing.graph.minimal import MinimalPerPath
from routeproof.routing.graph.per_hop import MinimalPerHop
from routeproof.worst.loads import busiest_channels, channel_loads_under, largest_load


def some_network(seed: int) -> Network:
    """A ring with random further channels, parallel ones among them; some nodes have no terminals, some two."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(4, 9))
    ring = [(v, (v + 1) % size) for v in range(size)]
    ring += [(b, a) for a, b in ring] if seed % 2 else []
    pairs = ring + [tuple(rng.choice(size, 2, replace=False).tolist()) for _ in range(size)]
    ends = rng.integers(0, size, size=size).tolist()
    width = [int(x) for x in rng.integers(1, 4, size=len(pairs))]
    return Network.of(f"random {seed}", size, pairs, bandwidth=width, source=ends, sink=ends[::-1])


def routings(seed: int) -> list[Routing]:
    network = some_network(seed)
    weight = np.random.default_rng(seed).integers(1, 5, size=network.num_channels)
    return [MinimalPerPath(network), MinimalPerHop(network), MinimalPerHop(network, "weighted", weight)]


def summed(routing: Routing) -> list[Fraction]:
    """Of every channel, over all pairs of terminals on different nodes, the slow way."""
    network, total = routing.network, [Fraction(0)] * routing.network.num_channels
    for s in network.source.tolist():
        for d in network.sink.tolist():
            for c, x in routing.pair_loads([s], [d]).as_dict().items():
                total[c] += x
    return total


@pytest.mark.parametrize("seed", range(12))
def test_the_sums_lie_between_the_bounds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uniform_bounds, "_FROM", 0)
    for routing in routings(seed):
        found, exact = routing.uniform_bounds(), summed(routing)
        assert found is not None
        for low, x, high in zip(found.low.tolist(), exact, found.high.tolist(), strict=True):
            assert low <= x * 2**segment_sums.BITS <= high
        assert found.total == sum(exact)
        assert int((found.high - found.low).max()) < 2**20  # of 2**40


@pytest.mark.parametrize("seed", range(12))
def test_the_same_loads_are_found_with_and_without_bounds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for routing in routings(seed):
        traffic = Traffic.uniform(routing.network.num_terminals)
        without = channel_loads_under(routing, traffic, orbits=np.arange(routing.network.num_channels))
        with monkeypatch.context() as patch:
            patch.setattr(uniform_bounds, "_FROM", 0)
            within = channel_loads_under(routing, traffic, orbits=np.arange(routing.network.num_channels))
        assert within.average_path_length == without.average_path_length
        assert largest_load(within, routing.network) == largest_load(without, routing.network)
        assert busiest_channels(within, routing.network).tolist() == busiest_channels(without, routing.network).tolist()
        assert within.load.fractions() == without.load.fractions()


def test_no_bounds_of_small_networks_or_where_paths_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    routing = MinimalPerPath(some_network(1))
    assert routing.uniform_bounds() is None
    monkeypatch.setattr(uniform_bounds, "_FROM", 0)
    dist, _, ways, _ = routing._tables
    assert uniform_bounds.bounds_by_source(routing.network, dist, ways << 40) is None
    assert uniform_bounds.bounds_by_source(routing.network, dist, ways << 58) is None


def doubled_ring(size: int) -> Network:
    """With 2 to the power of size / 2 shortest paths between nodes that are opposite."""
    ring = [(v, (v + d) % size) for v in range(size) for d in (1, -1)]
    return Network.of("doubled ring", size, [pair for pair in ring for _ in range(2)])


@pytest.mark.parametrize("seed", range(14))
def test_loads_by_channel_are_those_by_pair(seed: int) -> None:
    routing = routings(seed)[0] if seed < 12 else MinimalPerPath(doubled_ring(34 if seed == 12 else 62))
    near, _, bits = routing._near
    assert (near.dtype, bits > 0) == ((np.uint16, np.uint32, np.int16)[max(seed - 11, 0)], seed < 13)
    network = routing.network
    block = routing.channel_loads(np.arange(network.num_channels))
    found = [block.as_dict(k) for k in range(block.num_channels)]
    wanted: list[dict[tuple[int, int], Fraction]] = [{} for _ in found]
    for s in np.flatnonzero(network.supply).tolist():
        for d in np.flatnonzero(network.demand).tolist():
            for c, x in routing.pair_loads([s], [d]).as_dict().items():
                wanted[c][s, d] = x
    assert found == wanted
    key = (block.segment * network.num_nodes + block.row) * network.num_nodes + block.column
    assert (np.diff(key) > 0).all()
