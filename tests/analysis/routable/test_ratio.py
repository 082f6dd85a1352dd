"""The oblivious ratio against a linear program of another form: flows by source and channel, floats, no proof."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

from routeproof import Network, hypercube, mesh, named_routing, petersen, torus
from routeproof.analysis.routable.ratio import ObliviousRatio, oblivious_ratio
from routeproof.formats.documents.packed_ints import unpack_ints
from routeproof.routing.base.routing import Routing


def independent(routing: Routing) -> float:
    """Variables: flow of every source on every channel, and demand of every pair of nodes."""
    network = routing.network
    nodes, channels = network.num_nodes, network.num_channels
    bandwidth = [float(x) for x in network.bandwidth]
    flows, pairs = nodes * channels, nodes * nodes
    conserve = np.zeros((nodes * nodes, flows + pairs))
    for s in range(nodes):
        for c in range(channels):
            conserve[s * nodes + int(network.tail[c]), s * channels + c] -= 1
            conserve[s * nodes + int(network.head[c]), s * channels + c] += 1
        for t in range(nodes):
            if t != s:  # what arrives at t and stays there; what the source sends is free
                conserve[s * nodes + t, flows + s * nodes + t] -= 1
    conserve = np.delete(conserve, [s * nodes + s for s in range(nodes)], axis=0)
    carried = np.hstack([np.tile(np.eye(channels), (1, nodes)), np.zeros((channels, pairs))])
    best = 0.0
    for c in range(channels):
        cost = np.zeros(flows + pairs)
        for (i, j), x in routing.channel_loads([c]).as_dict().items():
            cost[flows + i * nodes + j] = -float(x) / bandwidth[c]
        found = linprog(cost, carried, bandwidth, conserve, np.zeros(len(conserve)))
        best = max(best, -found.fun)
    return best


def check(found: ObliviousRatio) -> None:
    """The flow respects all bandwidths and makes the load; the lengths bound every focus channel."""
    network, routing = found.routing.network, found.routing
    used = [Fraction(0)] * network.num_channels
    load = Fraction(0)
    pairs = routing.channel_loads([found.channel]).as_dict()
    for x in found.flow:
        at = x.source
        for e in x.path:
            assert int(network.tail[e]) == at
            at = int(network.head[e])
            used[e] += x.amount
        assert at == x.destination
        load += x.amount * pairs.get((x.source, x.destination), Fraction(0))
    assert all(x <= b for x, b in zip(used, network.bandwidth, strict=True))
    assert load / network.bandwidth[found.channel] == found.low
    for c, which in found.proof.items():
        length = unpack_ints(found.lengths[which], what="lengths", max_items=network.num_channels).tolist()
        far = distances(network, length)
        paid = sum((b * x for b, x in zip(network.bandwidth, length, strict=True)), Fraction(0))
        loads = routing.channel_loads([c]).as_dict()
        stretch = max(x / far[i][j] for (i, j), x in loads.items())
        assert stretch * paid / network.bandwidth[c] <= found.high
    assert set(found.proof) == {c for c in found.classes.focus.tolist() if len(routing.channel_loads([c]).row)}


def distances(network: Network, length: list[int]) -> list[list[Fraction]]:
    size, far = network.num_nodes, Fraction(10**30)
    found = [[Fraction(0) if i == j else far for j in range(size)] for i in range(size)]
    for c, x in enumerate(length):
        u, v = int(network.tail[c]), int(network.head[c])
        found[u][v] = min(found[u][v], Fraction(x))
    for k in range(size):
        for i in range(size):
            for j in range(size):
                found[i][j] = min(found[i][j], found[i][k] + found[k][j])
    return found


def uneven() -> Network:
    ends = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (3, 0), (0, 3), (0, 2), (2, 0)]
    width = [1, 2, 3, 1, Fraction(1, 2), 2, 1, 1, Fraction(5, 3), 1]
    return Network.of("uneven", 4, ends, bandwidth=width)


@pytest.mark.parametrize(
    ("network", "routing"),
    [
        (torus(3, 3), "dor"), (torus(4), "dor"), (mesh(3, 3), "dor"), (mesh(3, 2), "valiant"), (hypercube(3), "ecmp"),
        (petersen(), "ecmp"), (uneven(), "ecmp"), (uneven(), "ksp:k=2"), (uneven(), "valiant"), (torus(5), "valiant"),
    ],
    ids=lambda x: x if isinstance(x, str) else x.name,
)  # fmt: skip
def test_the_ratio_is_that_of_an_independent_program(network: Network, routing: str) -> None:
    given = named_routing(routing, network)
    found = oblivious_ratio(given)
    check(found)
    assert found.low == found.high
    assert float(found.low) == pytest.approx(independent(found.routing), rel=1e-7)
    assert found.low >= 1
    assert oblivious_ratio(given, symmetry="none").low == found.low


def test_scaling_all_bandwidths_changes_nothing() -> None:
    network = uneven()
    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    scaled = Network.of("scaled", 4, ends, bandwidth=[7 * x for x in network.bandwidth])
    assert oblivious_ratio(named_routing("ecmp", scaled)).low == oblivious_ratio(named_routing("ecmp", network)).low
