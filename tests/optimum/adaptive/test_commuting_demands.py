"""Permutations that commute with a group of automorphisms, against all permutations of small networks; and a demand of
that kind that is hard."""

from __future__ import annotations

from itertools import islice, permutations

import numpy as np
import pytest

from routeproof.optimum.adaptive.commuting import Commuting
from routeproof.optimum.adaptive.search import Elements
from routeproof.symmetry.automorphisms import find_automorphisms
from routeproof.topologies.family import network_from_spec


def _kept(weight, generators):
    """The largest weight of each orbit of pairs, for all of it."""
    while True:
        before = weight
        for g in generators:
            weight = np.maximum(weight, weight[np.ix_(g.node, g.node)])
        if np.array_equal(before, weight):
            return weight


@pytest.mark.parametrize("text", ["ring:6", "mesh:2x3", "hypercube:3", "fat-tree:2"])
def test_the_hardest_of_all_that_commute(text):
    network, rng = network_from_spec(text), np.random.default_rng(48)
    elements = Elements(network, np.random.default_rng(1))
    size = network.num_nodes
    groups = {tuple(x.orbit): x for x in islice(elements.groups([]), 40) if x is not None}
    images = np.array(list(permutations(range(size))))
    images = images[(network.supply == network.demand[images]).all(axis=1)]
    assert groups
    for group in islice(groups.values(), 4):
        far = _kept(rng.integers(1, 20, (size, size)).astype(float), group.generators)
        commute = np.all([(images[:, g.node] == g.node[images]).all(axis=1) for g in group.generators], axis=0)
        sent = (far[np.arange(size), images] * network.supply).sum(axis=1)
        image = group.hardest(far[group.first])
        assert any(np.array_equal(image, x) for x in images[commute])
        assert float((far[np.arange(size), image] * network.supply).sum()) == sent[commute].max()


def test_groups_with_too_many_orbits_are_left_out():
    network = network_from_spec("torus:8x8")
    assert Commuting.of(network, [network.symmetry.generators[0]]) is not None  # 8 orbits of 8 nodes
    assert Commuting.of(network, [find_reflection(network)]) is None  # 40 orbits


def find_reflection(network):
    return next(g for g in network.symmetry.generators if g.name.startswith("reflect"))


def test_lengths_are_kept_by_the_group():
    network = network_from_spec("petersen")
    generators = find_automorphisms(network).generators
    group = Commuting.of(network, [generators[-1].after(generators[0])])
    for seed in range(4):
        length = group.draw(np.random.default_rng(seed))
        assert length.min() > 0
        for g in group.generators:
            assert np.array_equal(length[g.channel], length)
