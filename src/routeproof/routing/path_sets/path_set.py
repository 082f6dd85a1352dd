"""What a set of paths is to designs and checkers: shortest distances within it, its channels, its symmetry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import IntArray
from ...core.symmetry import Automorphism
from ...graphs.shortest import distances_to, hops_to_all
from ...machine.memory import check_table
from ..graph.weighted import weights_of


class PathSet(ABC):
    """The paths that routings may use between every two nodes.

    - ``name``: by which reports say what an optimum is the best of;
    - ``listed``: are there few enough to write down?  Then ``paths`` gives them; else all paths over ``channels`` are
      allowed, and weights are flows;
    - ``by_definition``: do name and network make the set again?  Else reports hold it in full;
    - ``reversible``: is the reverse of every allowed path allowed?
    - ``channel_attributes``: those of the network's that it rests on.
    """

    listed: bool = True
    by_definition: bool = True
    channel_attributes: frozenset[str] = frozenset()

    def __init__(self, name: str, network: Network) -> None:
        self.name, self.network = name, network

    @abstractmethod
    def paths(self, source: int, destination: int) -> Sequence[Sequence[int]]:
        """All allowed paths between two nodes, as lists of channels in a fixed order; ``[[]]`` from a node to itself.

        Only where the set is ``listed``."""

    @property
    @abstractmethod
    def reversible(self) -> bool: ...

    @abstractmethod
    def is_kept_by(self, g: Automorphism) -> bool:
        """Does the automorphism take allowed paths to allowed paths?"""

    def channels(self, source: int, destination: int) -> Int64:
        """The channels that some allowed path between two nodes crosses, ascending."""
        paths = self.paths(source, destination)
        return np.unique(np.array([c for path in paths for c in path], dtype=np.int64))

    def holds(self, source: int, destination: int, path: Sequence[int]) -> bool:
        """Is this one of the allowed paths between two nodes?"""
        wanted = list(path)
        return any(wanted == list(known) for known in self.paths(source, destination))

    def distance(self, source: int, destination: int, length: Sequence[int]) -> int:
        """The length of the shortest allowed path, where channels have these whole lengths >= 0."""
        return min(sum(length[c] for c in path) for path in self.paths(source, destination))


class ShortestPaths(PathSet):
    """Every path of least length: hops, or the channel attribute ``weight``; parallel channels make different paths.

    Raises InputError for a pair of terminals without a path."""

    listed = False

    def __init__(self, name: str, network: Network, weight: str | None = None) -> None:
        super().__init__(name, network)
        nodes = np.arange(network.num_nodes)
        check_table(len(nodes), len(nodes), 8, f"distances on {network.name}")
        if weight is None:
            self._length: IntArray = np.ones(network.num_channels, dtype=np.int64)
            far: IntArray = hops_to_all(network).astype(np.int64)
        else:
            self.channel_attributes = frozenset({weight})
            self._length = weights_of(network, weight, name)
            far = distances_to(network, self._length, nodes)
        self._to = far  # [d, v]: from v to d
        lost = np.argwhere((far.T < 0) & np.outer(network.supply > 0, network.demand > 0))
        if len(lost):
            i, j = (network.label(v) for v in lost[0].tolist())
            raise InputError(f"no path leads from node {i} to node {j} of {network.name}")

    @property
    def reversible(self) -> bool:
        """Channels and their opposites are as long."""
        opposite = self.network.reverse
        return opposite is not None and np.array_equal(self._length, self._length[opposite])

    @property
    def channel_length(self) -> IntArray:
        """By which paths are shortest: whole numbers > 0 in some unit, shape (C,)."""
        return self._length

    def is_kept_by(self, g: Automorphism) -> bool:
        """If it keeps lengths."""
        return np.array_equal(self._length, self._length[g.channel])

    def paths(self, source: int, destination: int) -> Sequence[Sequence[int]]:
        raise InputError(f"all shortest paths from node {source} to node {destination} are not listed")

    def channels(self, source: int, destination: int) -> Int64:
        network, far = self.network, self._to[destination]
        here = self._to[:, source]  # [v]: from the source to v
        tail, head = network.tail, network.head
        on = (here[tail] >= 0) & (far[head] >= 0)
        on &= here[tail] + self._length + far[head] == far[source]
        return np.nonzero(on)[0]

    def holds(self, source: int, destination: int, path: Sequence[int]) -> bool:
        """Does it lead from source to destination, every hop getting nearer by its length?"""
        network, at = self.network, source
        for c in path:
            if int(network.tail[c]) != at:
                return False
            at = int(network.head[c])
        crossed = list(path)
        return at == destination and sum(self._length[crossed].tolist()) == self._to[destination, source]

    def distance(self, source: int, destination: int, length: Sequence[int]) -> int:
        network, here = self.network, self._to[:, source]
        on = self.channels(source, destination)
        best: dict[int, int] = {source: 0}
        for c in on[np.argsort(here[network.tail[on]], kind="stable")].tolist():  # tails in order, all settled
            far, v = best[int(network.tail[c])] + length[c], int(network.head[c])
            if v not in best or far < best[v]:
                best[v] = far
        return best[destination]
