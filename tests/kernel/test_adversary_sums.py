"""Adversaries of many pairs judged at once: the same line in 64 bits and in Python's integers."""

from __future__ import annotations

import heapq
from fractions import Fraction

import numpy as np
import pytest

from routeproof import network
from routeproof.core.errors import VerificationError
from routeproof.core.network import Network
from routeproof.kernel.port_gauge import AdversaryPair, gauge_of_ports
from routeproof.kernel.ports import Ports
from routeproof.kernel.shortest_paths import Wanted, distances, sum_of_distances
from routeproof.kernel.theorem import supporting_line


def drawn(net: Network, *, seed: int, shift: int = 0) -> list[AdversaryPair]:
    rng = np.random.default_rng(seed)
    found = []
    for i in range(net.num_nodes):
        for j in range(net.num_nodes):
            if i != j:
                values = rng.integers(0, 100, net.num_channels) * (rng.random(net.num_channels) < 0.7)
                found.append(AdversaryPair(i, j, values.astype(object) << shift if shift else values))
    return found


def by_hand(net: Network, pairs: list[AdversaryPair]) -> tuple[Fraction, int]:
    """(load, total) of the line, entry by entry."""
    load = Fraction(0)
    for c in range(net.num_channels):
        sums: dict[tuple[int, int], int] = {}
        for pair in pairs:
            for key in ((0, pair.source), (1, pair.destination)):
                sums[key] = sums.get(key, 0) + int(pair.traffic[c])
        load += max(sums.values()) * net.bandwidth[c]
    return load, sum(shortest(net, p.source, p.destination, p.traffic.tolist()) for p in pairs)


def shortest(net: Network, source: int, destination: int, length: list[int]) -> int:
    heap, seen = [(0, source)], set()
    while heap:
        far, v = heapq.heappop(heap)
        if v == destination:
            return far
        if v in seen:
            continue
        seen.add(v)
        for c, (a, b) in enumerate(zip(net.tail.tolist(), net.head.tolist(), strict=True)):
            if a == v:
                heapq.heappush(heap, (far + length[c], b))
    raise AssertionError


@pytest.mark.parametrize(
    "text", ["kautz:2,2", "mesh:2x3,bandwidth=2x1", "ring:5,oneway", "random-regular:8,degree=3,seed=2"]
)
@pytest.mark.parametrize("shift", [0, 40, 57, 90])
def test_the_line_is_that_by_hand(text: str, shift: int) -> None:
    net = network(text)
    pairs = drawn(net, seed=7, shift=shift)
    line = supporting_line(net, gauge_of_ports(net, Ports.of_nodes(net), pairs))
    assert (line.load, line.total) == by_hand(net, pairs)


def test_distances_of_many_are_those_of_each() -> None:
    net = network("random-regular:12,degree=3,seed=1")
    pairs = drawn(net, seed=3)
    weight = [k % 5 + 1 for k in range(len(pairs))]
    expected = sum(
        m * (distances(net, [2 + x for x in p.traffic.tolist()])(p.source)[p.destination] or 0)
        for m, p in zip(weight, pairs, strict=True)
    )
    wanted = [Wanted(p.source, p.destination, p.traffic, 2, m) for m, p in zip(weight, pairs, strict=True)]
    assert sum_of_distances(net, wanted) == expected


@pytest.mark.parametrize("shift", [0, 90])
def test_no_path_is_an_error(shift: int) -> None:
    net = Network.of("no way back", 3, [(0, 1), (1, 0), (1, 2)])
    with pytest.raises(VerificationError, match="no path leads from node 2 to node 0"):
        sum_of_distances(net, [Wanted(2, 0, np.array([1, 1, 1], dtype=object) << shift, 0, 1)])
