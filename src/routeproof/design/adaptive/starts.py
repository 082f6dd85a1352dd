"""Where the search for a hard demand begins: known patterns, symmetry of the network, cuts, and chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.errors import InputError
from ...core.network import Network
from ...topologies.patterns import PATTERNS
from .surroundings import Surroundings

_ELEMENTS = 24  # of the group of automorphisms that are tried as permutations


def known_demands(network: Network) -> Iterator[Float64]:
    """Demands between nodes, (N, N): patterns of the literature, and every node to its image under an automorphism."""
    for pattern in PATTERNS.values():
        try:
            traffic = pattern.traffic(network, {})
        except InputError:  # it is for other networks
            continue
        if traffic.permutation is None:
            continue
        between = np.zeros((network.num_nodes, network.num_nodes))
        np.add.at(between, (network.source, network.sink[traffic.permutation.image]), 1.0)
        np.fill_diagonal(between, 0.0)
        yield between
    for image in _images(network):
        yield _along(network, image)


def _images(network: Network) -> Iterator[Int64]:
    own = [] if network.symmetry is None else [g.node.astype(np.int64) for g in network.symmetry.generators]
    seen = {tuple(range(network.num_nodes))}
    found = [np.arange(network.num_nodes)]
    for element in found:
        for g in own:
            image = g[element]
            if len(seen) <= _ELEMENTS and tuple(image.tolist()) not in seen:
                seen.add(tuple(image.tolist()))
                found.append(image)
                yield image


def _along(network: Network, image: Int64) -> Float64:
    """Every node sends all that it can to its image."""
    between = np.zeros((network.num_nodes, network.num_nodes))
    most = np.minimum(network.supply, network.demand[image])
    between[np.arange(network.num_nodes), image] = most
    np.fill_diagonal(between, 0.0)
    return between


class Chances:
    """Lengths of channels to begin with, drawn from ``rng``."""

    def __init__(self, around: Surroundings, rng: np.random.Generator) -> None:
        self.around, self.rng = around, rng
        self.network = around.network

    def draw(self, best: Sequence[Float64]) -> Float64:
        """``best``: lengths that were good, the best first; most starts are near one of them."""
        rng, kind = self.rng, int(self.rng.integers(0, 8))
        if kind >= 4 and best:
            near = best[min(len(best) - 1, int(rng.exponential(1.0)))]
            size = float(rng.choice(np.array([0.05, 0.1, 0.3, 0.6])))
            varied: Float64 = (near + 1e-3 * near.mean()) * np.exp(rng.normal(size=len(near)) * size)
            return varied
        ways: list[Callable[[], Float64]] = [self._matched, self._scattered, self._cut, self._cut]
        return ways[kind % 4]()

    def _ones(self) -> Float64:
        return np.ones(self.network.num_channels)

    def _matched(self) -> Float64:
        """Channels that join each node to a neighbour of its own are longer, so that neighbours are far apart."""
        from scipy.optimize import linear_sum_assignment

        size, rng = self.network.num_nodes, self.rng
        worth = np.full((size, size), 2.0)
        worth[self.network.tail, self.network.head] = rng.random(self.network.num_channels)
        row, column = linear_sum_assignment(worth)
        chosen = np.isin(self.network.tail.astype(np.int64) * size + self.network.head, row * size + column)
        return np.where(chosen, rng.choice(np.array([1.5, 2.0, 3.0, 4.0])), 1.0)

    def _scattered(self) -> Float64:
        some = self.rng.random(self.network.num_channels) < self.rng.choice(np.array([0.1, 0.2, 0.4]))
        return np.where(some, self.rng.choice(np.array([1.5, 2.0, 3.0, 4.0])), 1.0)

    def _cut(self) -> Float64:
        """Only channels that leave or enter a set of nodes are long: half of the nodes, nearest to one of them."""
        size = self.network.num_nodes
        far = self.around.distances(self._ones())[int(self.rng.integers(0, size))] + self.rng.random(size)
        inside = far <= np.partition(far, max(0, size // 2 - 1))[max(0, size // 2 - 1)]
        across = inside[self.network.tail] != inside[self.network.head]
        return np.where(across, 1.0, 1e-2)
