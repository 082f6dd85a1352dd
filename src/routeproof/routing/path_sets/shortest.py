"""All shortest paths: too many to list, so for every pair the channels that they cross, which make no others.

A path over these channels gets nearer to the destination with every hop by just the length of its channel: it is a
shortest path, and all of them are such.
"""

from __future__ import annotations

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
from .path_set import PathSet


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
