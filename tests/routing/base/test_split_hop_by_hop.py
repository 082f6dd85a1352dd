"""What hop-by-hop multipath puts on every channel, against adding up node by node in fractions."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from routeproof.core.graph import hops_from
from routeproof.core.network import Network
from routeproof.routing.base.hop_by_hop import HopRule, split_hop_by_hop
from routeproof.topologies.family import network_from_spec


def by_nodes(network: Network, rule: HopRule, dead: np.ndarray, start: int, end: int) -> dict[int, Fraction]:
    alive = np.flatnonzero(~dead)
    far = hops_from(network.num_nodes, network.head[alive], network.tail[alive], end)
    load: dict[int, Fraction] = {}
    at = {start: Fraction(1)}
    for _ in range(max(0, int(far[start]))):
        after: dict[int, Fraction] = defaultdict(Fraction)
        for u, amount in at.items():
            near = [c for c in alive[network.tail[alive] == u] if 0 <= far[network.head[c]] == far[u] - 1]
            for c, part in rule.shares([int(c) for c in near]).items():
                load[c] = load.get(c, Fraction(0)) + amount * part
                after[int(network.head[c])] += amount * part
        at = after
    return load


def rule_of(network: Network, rng: np.random.Generator) -> HopRule:
    """Parallel channels are one port channel, now and then; bundles have weights."""
    bundle = np.arange(network.num_channels, dtype=np.int32)
    first: dict[tuple[int, int], int] = {}
    for c, ends in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
        if rng.random() < 0.7:
            bundle[c] = first.setdefault(ends, c)
    return HopRule(bundle, rng.integers(1, 5, network.num_channels)[bundle].astype(np.int64))


@pytest.mark.parametrize("text", ["fat-tree:4", "random-regular:12,degree=3,seed=2", "k-ary-tree:2,3", "torus:4x2"])
@pytest.mark.parametrize("seed", range(3))
def test_loads_are_those_added_up_node_by_node(text: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    one = network_from_spec(text)
    twice = rng.random(one.num_channels) < 0.4  # parallel channels
    tail, head = (np.concatenate([x, x[twice]]) for x in (one.tail, one.head))
    network = Network("parallel", one.num_nodes, tail, head, [Fraction(1)] * len(tail), one.source, one.sink)
    rule = rule_of(network, rng)
    dead = rng.random(network.num_channels) < 0.1
    pairs = [
        (s, d) for d in range(network.num_nodes) for s in range(network.num_nodes) if s != d and rng.random() < 0.3
    ]
    start, end = (np.array(x, dtype=np.int32) for x in zip(*pairs, strict=True))
    found = split_hop_by_hop(network, rule, dead, start, end)
    loads = found.load.fractions()
    for k, (s, d) in enumerate(pairs):
        entries = np.flatnonzero(found.pair == k).tolist()
        wanted = by_nodes(network, rule, dead, s, d)
        assert {int(found.channel[e]): loads[e] for e in entries} == wanted
        assert (found.hops[k] < 0) == (not wanted)
