"""Where the search for a hard demand begins: known patterns, symmetry of the network, cuts, and chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...core.arrays import Float64
from ...core.automorphism import Automorphism
from ...core.errors import InputError
from ...core.network import Network
from ...core.symmetry import orbit_labels
from ...demand_sets.demand_set import Demand
from ...graphs.transport import heaviest_assignment
from ...routing.path_sets.path_set import PathSet
from ...symmetry.automorphisms import find_automorphisms
from ...topologies.patterns import PATTERNS
from .path_search import PathSearch

_ONE = Fraction(1)
_DRAWN = 1_000  # automorphisms, of which one of every kind is tried as a permutation
_LONGEST_WORD = 40
_SEARCHED_NODES = 2_000


@dataclass(frozen=True, eq=False)
class Start:
    """A demand to begin with, and an automorphism of the network that keeps it, where one is known."""

    demand: Demand
    symmetry: Automorphism | None = None


def patterns(network: Network) -> Iterator[Start]:
    """The permutations of the literature, as far as the network has them."""
    for pattern in PATTERNS.values():
        try:
            traffic = pattern.traffic(network, {})
        except InputError:  # it is for other networks
            continue
        if traffic.permutation is not None:
            image = traffic.permutation.image.tolist()
            yield Start({(i, j): _ONE for i, j in enumerate(image) if i != j})


class Elements:
    """Automorphisms of the network at random, from declared generators and found ones, that keep the ``paths``."""

    def __init__(self, network: Network, rng: np.random.Generator, paths: PathSet | None = None) -> None:
        declared = () if network.symmetry is None else network.symmetry.generators
        found = find_automorphisms(network) if network.num_nodes <= _SEARCHED_NODES else None
        self.network, self.rng = network, rng
        self.generators = [
            g for g in (*declared, *(() if found is None else found.generators)) if paths is None or paths.is_kept_by(g)
        ]

    def draw(self) -> Automorphism:
        node, channel = np.arange(self.network.num_nodes), np.arange(self.network.num_channels)
        for k in self.rng.integers(0, len(self.generators), int(self.rng.integers(1, _LONGEST_WORD))).tolist():
            g = self.generators[k]
            node, channel = g.node[node], g.channel[channel]
        return Automorphism("drawn", node.astype(np.int32), channel.astype(np.int32))

    def kinds(self, far: Float64) -> Iterator[Automorphism]:
        """One of every kind that is met: by the lengths of its cycles and the distances along them."""
        seen = set()
        for _ in range(_DRAWN if self.generators else 0):
            g = self.draw()
            node = g.node.astype(np.int64)
            apart = far[np.arange(len(node)), node].astype(np.int64)
            cycle = orbit_labels(len(node), [node])
            _, places, size = np.unique(cycle, return_inverse=True, return_counts=True)
            kind = tuple(sorted(zip(size[places].tolist(), apart.tolist(), strict=True)))
            if kind not in seen and apart.any():
                seen.add(kind)
                yield g

    def along(self, g: Automorphism) -> Start:
        """Every node sends all that it can to its image."""
        network = self.network
        at: list[list[int]] = [[] for _ in range(network.num_nodes)]
        for j, v in enumerate(network.sink.tolist()):
            at[v].append(j)
        used = [0] * network.num_nodes
        demand = {}
        for i, u in enumerate(network.source.tolist()):
            v = int(g.node[u])
            if v != u and used[v] < len(at[v]) and at[v][used[v]] != i:
                demand[i, at[v][used[v]]] = _ONE
                used[v] += 1
        return Start(demand, g)


class Chances:
    """Lengths of channels to begin with, drawn from ``rng``."""

    def __init__(self, around: PathSearch, rng: np.random.Generator) -> None:
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
        size, rng = self.network.num_nodes, self.rng
        worth = np.full((size, size), 2.0)
        worth[self.network.tail, self.network.head] = rng.random(self.network.num_channels)
        column = heaviest_assignment(-worth)
        chosen = np.isin(self.network.tail.astype(np.int64) * size + self.network.head, np.arange(size) * size + column)
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
