"""Permutations that commute with an automorphism of the network, and lengths of channels that it keeps.

Nodes of one orbit send alike and channels of one orbit are equally long, so that both are a few numbers: among them the
search finds hard permutations that it misses among all.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.automorphism import Automorphism
from ...core.network import Network
from ...core.symmetry import orbit_labels
from ...graphs.transport import heaviest_assignment
from ...symmetry.groups import elements_of, identity

_MOST_ORBITS = 16


class Commuting:
    """``first``: int64 (M,), a node of each orbit; ``orbit``: int64 (N,), the orbit of each node."""

    def __init__(self, network: Network, generators: Sequence[Automorphism], elements: Sequence[Automorphism]) -> None:
        self.network, self.generators = network, generators
        self._image: Int64 = np.stack([g.node for g in elements]).astype(np.int64)
        self.first, self.orbit = np.unique(self._image.min(axis=0), return_inverse=True)

    @staticmethod
    def of(network: Network, kinds: Sequence[Automorphism]) -> Commuting | None:
        """With the powers of the one of these automorphisms that leaves the fewest orbits; None where orbits or powers
        are too many, or nodes no more than orbits may be."""
        size = network.num_nodes
        orbits = [len(np.unique(orbit_labels(size, [g.node]))) for g in kinds]
        if size <= _MOST_ORBITS or min(orbits, default=size) > _MOST_ORBITS:
            return None
        least = kinds[orbits.index(min(orbits))]
        powers = elements_of([least], identity(network), most=2 * size)
        return None if powers is None else Commuting(network, [least], powers)

    @cached_property
    def _may(self) -> tuple[Int64, Int64]:
        """(places in ``first``, nodes): the images that a first node may have, those that the same elements leave where
        they are and that receive as much as it sends."""
        fixed = self._image == np.arange(self.network.num_nodes)
        kind = np.unique(fixed, axis=1, return_inverse=True)[1].reshape(-1)
        sends, receives = self.network.supply[self.first], self.network.demand
        place, node = np.nonzero((kind[self.first, None] == kind) & (sends[:, None] == receives))
        return place.astype(np.int64), node.astype(np.int64)

    def draw(self, rng: np.random.Generator) -> Float64:
        """Lengths of channels, one for each orbit."""
        size = self.network.num_channels
        label = orbit_labels(size, [g.channel for g in self.generators])
        if rng.integers(2):
            each: Float64 = rng.random(size) ** rng.choice(np.array([1, 3, 6])) + 0.01
        else:
            long = rng.random(size) < rng.choice(np.array([0.1, 0.2, 0.4]))
            each = np.where(long, rng.choice(np.array([1.5, 2.0, 3.0, 4.0])), 1.0)
        return each[label]

    def hardest(self, far: Float64) -> Int64:
        """The image of each node, (N,): of the permutations of nodes that commute with the group, the one with the
        largest sum of ``far``, distances from the first nodes, (M, N)."""
        count = len(self.first)
        place, node = self._may
        worth = (far * (np.bincount(self.orbit) * self.network.supply[self.first])[:, None])[place, node]
        order = np.argsort(worth, kind="stable")
        best = np.full((count, count), -1, dtype=np.int64)
        best[place[order], self.orbit[node[order]]] = node[order]
        weight = np.full((count, count), -4.0 * count * (1 + float(worth.max(initial=0.0))))
        weight[place, self.orbit[node]] = 0.0
        np.maximum.at(weight, (place, self.orbit[node]), worth)
        target = best[np.arange(count), heaviest_assignment(weight)]
        image = np.zeros(self.network.num_nodes, dtype=np.int64)
        image[self._image[:, self.first]] = self._image[:, target]
        return image
