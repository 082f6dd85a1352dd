"""Hosts that are two nodes, one that only sends and one that only receives, as hosts with several ports are.

A *loopback* is a channel from the one to the other: what the host sends to itself crosses it, and nothing else can, for
the host is one terminal, and all its other channels are to and from nodes that forward.  Loopbacks do not fail, and a
cable to such a host has a channel from the one node and a channel to the other.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32
from ..core.network import Network, opposites


def loopbacks(network: Network) -> npt.NDArray[np.bool_]:
    """bool (C,): from where one terminal sends, which no channel enters, to where it receives, which none leaves, if
    they have no other channel to such a node: those of a crossbar, say, are as any other."""
    apart = np.flatnonzero(network.source != network.sink)
    if not len(apart):
        return np.zeros(network.num_channels, dtype=bool)
    size = np.int64(network.num_nodes)
    enters, leaves = (np.bincount(x, minlength=network.num_nodes) > 0 for x in (network.head, network.tail))
    own = np.isin(network.tail * size + network.head, network.source[apart] * size + network.sink[apart])
    own &= ~enters[network.tail] & ~leaves[network.head]
    own &= (network.supply[network.tail] == 1) & (network.demand[network.head] == 1)
    forwards = enters & leaves
    other = [x[~own & ~forwards[y]] for x, y in ((network.tail, network.head), (network.head, network.tail))]
    return own & ~np.isin(network.tail, other[0]) & ~np.isin(network.head, other[1])


def hosts_joined(network: Network) -> Int32:
    """int32 (N,): the lower number of the two nodes of such a host; every other node itself."""
    node, own = np.arange(network.num_nodes, dtype=np.int32), loopbacks(network)
    ends = network.tail[own], network.head[own]
    for x in ends:
        node[x] = np.minimum(*ends)
    return node


def ends_joined(network: Network) -> tuple[Int32, Int32]:
    """(tail, head): int32 (C,) each, with ``hosts_joined``; a loopback has the same at both ends."""
    node = hosts_joined(network)
    return node[network.tail], node[network.head]


def cable_of(network: Network) -> Int32:
    """int32 (C,): ``Network.opposite``, and of a channel to or from such a host the other channel of its cable."""
    if not loopbacks(network).any():
        return network.opposite
    return opposites(*ends_joined(network), network.bandwidth_rank)
