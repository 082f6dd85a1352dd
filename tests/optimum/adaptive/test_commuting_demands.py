"""Permutations that commute with an automorphism, against all permutations of small networks."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, permutations

import numpy as np
import pytest

from routeproof.demand_sets.permutations import permutations as all_permutations
from routeproof.machine.deadlines import Deadline, Held
from routeproof.optimum.adaptive import search
from routeproof.optimum.adaptive.commuting import Commuting
from routeproof.optimum.adaptive.search import Elements
from routeproof.symmetry.automorphisms import find_automorphisms
from routeproof.symmetry.groups import elements_of, identity
from routeproof.topologies.family import network_from_spec


def _group(network, generators):
    return Commuting(network, generators, elements_of(generators, identity(network)))


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
    groups = {tuple(x.orbit): x for x in (_group(network, [elements.draw()]) for _ in range(40))}
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


def test_the_automorphism_with_the_fewest_orbits_is_taken():
    network = network_from_spec("torus:8x8")
    shift = network.symmetry.generators[0]  # 8 orbits of 8 nodes
    reflection = next(g for g in network.symmetry.generators if g.name.startswith("reflect"))  # 40 orbits
    assert Commuting.of(network, [reflection, shift]).generators == [shift]
    assert Commuting.of(network, [reflection]) is None
    assert Commuting.of(network, []) is None


def test_lengths_are_kept_by_the_group():
    network = network_from_spec("petersen")
    generators = find_automorphisms(network).generators
    group = _group(network, [generators[-1].after(generators[0])])
    for seed in range(4):
        length = group.draw(np.random.default_rng(seed))
        assert length.min() > 0
        for g in group.generators:
            assert np.array_equal(length[g.channel], length)


def test_the_search_tries_permutations_that_commute(monkeypatch):
    monkeypatch.setattr(search, "_STARTS", 2)
    network = network_from_spec("slim-fly:5")
    demands, chance = all_permutations(network.num_terminals), np.random.default_rng(0)
    own = search._DemandSearch(network, None, demands, Fraction(52, 25), Deadline(None), Held(), 1, chance)
    own.commute([*own.elements.kinds(own.around.distances(np.ones(network.num_channels)))])
    for found in own.best:
        (g,) = found.symmetry
        sent = {(int(network.source[i]), int(network.sink[j])) for i, j in found.demand}
        assert {(int(g.node[u]), int(g.node[v])) for u, v in sent} == sent
        assert found.value > 1
