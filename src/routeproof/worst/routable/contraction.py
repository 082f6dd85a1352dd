"""The network contracted around a channel: a small network that bounds what routable demand puts on it.

All nodes farther than some hops from the channel become one node, and the channels between them have no length.  That
takes lengths away from the program, so what it proves is true of the network itself; and far channels have no length
in most optima, either, wherever loads concentrate near the channel and the rest of the network has room to spare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...core.arrays import Int64
from ...core.graph import hops_from
from ...core.network import Network
from .loads import PairLoads

_WORTH = 2  # how many times smaller the surroundings must be
_WORTHLESS = 1e-6

Path = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Contraction:
    """``loads`` are on the small network, whose node ``node[v]`` stands for node v of the network, and ``channel[c]``
    for channel c; -1: none does."""

    loads: PairLoads
    node: Int64
    channel: Int64

    def expanded(self, length: Int64) -> Int64:
        """Lengths of the small network's channels as lengths of the network's."""
        return np.where(self.channel < 0, 0, length[self.channel])

    def carrying(self, loads: PairLoads, flow: Sequence[tuple[int, int, Path, float | Fraction]]) -> PairLoads:
        """Of all ``loads`` those that the flow on the small network stands for."""
        size = self.loads.network.num_nodes
        key = self.node[loads.source] * size + self.node[loads.destination]
        at = np.searchsorted(self.loads.source * size + self.loads.destination, key)
        used = np.unique([i * size + j for i, j, _, _ in flow])
        worth = loads.about >= self.loads.about[at] * (1 - _WORTHLESS)
        return loads.chosen(np.flatnonzero(np.isin(key, used) & worth))


def contraction_around(loads: PairLoads, channel: int) -> Contraction | None:
    """None where they are not much smaller than the network.

    As few nodes as can be are kept: one end at least of every pair.
    """
    network = loads.network
    near = hops_near(network, channel)
    radius = int(np.minimum(near[loads.source], near[loads.destination]).max())
    kept = near <= radius
    size = int(kept.sum())
    if size * _WORTH > network.num_nodes:
        return None
    node = np.full(network.num_nodes, size, dtype=np.int64)
    node[kept] = np.arange(size)
    tail, head = node[network.tail], node[network.head]
    between = tail != head
    ends, number = np.unique(tail[between] * (size + 1) + head[between], return_inverse=True)
    stands = np.full(network.num_channels, -1, dtype=np.int64)
    stands[between] = number
    if network.uniform_bandwidth:
        bandwidth = [network.bandwidth[0] * x for x in np.bincount(number).tolist()]
    else:
        bandwidth = [Fraction(0)] * len(ends)
        for e, k in zip(np.flatnonzero(between).tolist(), number.tolist(), strict=True):
            bandwidth[k] += network.bandwidth[e]
    pairs = np.stack([ends // (size + 1), ends % (size + 1)], axis=1)
    small = Network.of("surroundings", size + 1, pairs, bandwidth=bandwidth)
    return Contraction(loads.merged(small, node), node, stands)


def hops_near(network: Network, channel: int) -> Int64:
    """(N,): hops from every node to the channel's tail, or from its head, whichever are fewer; N for none."""
    size, tail, head = network.num_nodes, network.tail, network.head
    hops = [hops_from(size, head, tail, int(tail[channel])), hops_from(size, tail, head, int(head[channel]))]
    return np.minimum(*(np.where(x < 0, size, x) for x in hops))
