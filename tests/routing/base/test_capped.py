"""The most that few packets make of a channel's loads: the idle row against every choice of packets."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest

from routeproof import Network, mesh, named_routing, torus
from routeproof.demand_sets.sparse import sparse
from routeproof.graphs.transport import solve_exactly
from routeproof.routing.base.routing import Routing
from routeproof.routing.base.views import Capped, dense, largest_loads


@pytest.mark.parametrize("routing", ["dor", "valiant", "minimal"])
@pytest.mark.parametrize("network", [mesh(3, 2), torus(5)], ids=lambda x: x.name)
def test_at_most_k_packets(network: Network, routing: str) -> None:
    given = named_routing(routing, network)
    inner = dense(given) if given.channel_loads([0]).base is not None else given
    capped = Capped(inner, sparse(network.num_terminals, 1))
    size = network.num_terminals
    for c in range(network.num_channels):
        curve = [most(capped, c, k) for k in range(size + 1)]
        assert curve == brute_force(inner, c)
        assert all(b - a >= c - b for a, b, c in zip(curve, curve[1:], curve[2:], strict=False))


def most(capped: Capped, channel: int, packets: int) -> Fraction:
    size = capped.network.num_terminals
    block = capped.channel_loads([channel])
    supply = np.append(np.ones(size, dtype=np.int64), size - packets)
    found = solve_exactly(block.row, block.column, block.load, supply, np.ones(size, dtype=np.int64))
    return found.value - largest_loads(block).fraction(0) * (size - packets)


def brute_force(routing: Routing, channel: int) -> list[Fraction]:
    loads = routing.channel_loads([channel]).as_dict()
    size = routing.network.num_terminals
    best = [Fraction(0)] * (size + 1)
    for k in range(1, size + 1):
        for some in combinations(range(size), k):
            for ends in permutations(range(size), k):
                total = sum((loads.get(pair, Fraction(0)) for pair in zip(some, ends, strict=True)), Fraction(0))
                best[k] = max(best[k], total)
    return best
