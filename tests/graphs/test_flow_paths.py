"""Flows with cycles as paths: together they load every channel as the flow does, and each leads to the end."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest

from routeproof import torus
from routeproof.graphs.flow_paths import flow_paths


@pytest.mark.parametrize("seed", range(12))
def test_cycles_are_walked_on_the_way(seed: int) -> None:
    rng, network = random.Random(seed), torus(3, 3)
    tail, head = network.tail.tolist(), network.head.tolist()
    loads: Counter[int] = Counter()

    def walk(v: int, end: int, weight: Fraction) -> None:
        while True:
            c = rng.choice([x for x, u in enumerate(tail) if u == v])
            loads[c] += weight
            v = head[c]
            if v == end:
                return

    walk(0, 4, Fraction(1, 3))
    walk(0, 4, Fraction(2, 3))
    for _ in range(seed % 4):
        walk(0, 0, Fraction(1, rng.randrange(1, 5)))
    found = flow_paths(network, loads, 0, 4)
    total: Counter[int] = Counter()
    for weight, path in found:
        assert tail[path[0]] == 0
        assert head[path[-1]] == 4
        assert all(head[a] == tail[b] for a, b in pairwise(path))
        for c in path:
            total[c] += weight
    assert sum(weight for weight, _ in found) == 1
    assert total == loads
