"""Faults: dead nodes and channels, and the smaller network that survives them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .errors import InputError
from .graph import hops_from
from .network import Network

if TYPE_CHECKING:
    Int32 = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Survivors:
    """What is left: ``network`` and, for each surviving thing, its number before the faults (int32 arrays)."""

    network: Network
    node: Int32
    channel: Int32
    terminal: Int32


def _numbers(dead: Iterable[int], what: str) -> frozenset[int]:
    try:
        return frozenset(index(x) for x in dead)
    except TypeError:
        raise InputError(f"dead {what}s are {dead!r}; a list of {what} numbers was expected") from None


def nothing_to_send(network: Network, terminals: npt.NDArray[np.bool_]) -> bool:
    """Do all ``terminals``, bool (T,), that are left send and receive at one node?

    One that does so at two nodes has a way to itself."""
    ends = np.concatenate([network.source[terminals], network.sink[terminals]])
    return len(np.unique(ends)) < 2


_SHOWN = 16


@dataclass(frozen=True)
class Faults:
    """Dead ``nodes`` and dead ``channels`` (numbers).  A dead node takes its channels and terminals along."""

    nodes: frozenset[int] = frozenset()
    channels: frozenset[int] = frozenset()

    def __init__(self, nodes: Iterable[int] = (), channels: Iterable[int] = ()) -> None:
        object.__setattr__(self, "nodes", _numbers(nodes, "node"))
        object.__setattr__(self, "channels", _numbers(channels, "channel"))

    def __repr__(self) -> str:
        nodes, channels = sorted(self.nodes), sorted(self.channels)
        if len(nodes) + len(channels) <= _SHOWN:
            return f"Faults(nodes={nodes}, channels={channels})"
        return f"<Faults: {len(nodes)} nodes, {len(channels)} channels>"

    def survivors(self, network: Network) -> Survivors:
        """What is left of ``network``, and the number that each node, channel and terminal had.

        Grid and declared symmetry do not survive, groups do; terminals at dead nodes disappear.  Without any fault it
        is the network itself.
        Raises InputError for a fault outside the network, or when no terminal survives.
        """
        for what, dead, count in (
            ("node", self.nodes, network.num_nodes),
            ("channel", self.channels, network.num_channels),
        ):
            outside = [x for x in dead if not 0 <= x < count]
            if outside:
                raise InputError(f"dead {what} {min(outside)} is outside the network; {what}s are 0 to {count - 1}")
        alive_node, alive_channel = self.alive(network)
        node = np.nonzero(alive_node)[0].astype(np.int32)
        channel = np.nonzero(alive_channel)[0].astype(np.int32)
        terminal = np.nonzero(alive_node[network.source] & alive_node[network.sink])[0].astype(np.int32)
        if not len(terminal):
            raise InputError(f"no terminal of {network.name} survives these faults")
        if len(node) == network.num_nodes and len(channel) == network.num_channels:
            return Survivors(network, node, channel, terminal)
        name = f"{network.name} with {len(self.nodes)} dead nodes and {len(self.channels)} dead channels"
        smaller = network.part(node, channel, terminal, name=name)
        return Survivors(smaller, node, channel, terminal)

    def alive(self, network: Network) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """bool (N,) and (C,): the nodes and channels of ``network`` that are left."""
        node = np.ones(network.num_nodes, dtype=bool)
        node[list(self.nodes)] = False
        channel = node[network.tail] & node[network.head]
        channel[list(self.channels)] = False
        return node, channel

    def after(self, network: Network) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """bool (C,) and (T,): the channels that are dead, and the terminals that are left."""
        node, channel = self.alive(network)
        return ~channel, node[network.source] & node[network.sink]


def pair_farther(network: Network, nodes: Iterable[int], channels: Iterable[int]) -> tuple[int, int] | None:
    """Two nodes with terminals that these faults leave connected, and more hops apart than before; None where no two
    are.  Where no node in front of a fault is farther from a node, nobody is."""
    node, channel = Faults(nodes, channels).alive(network)
    count, tail, head = network.num_nodes, network.tail, network.head
    left = node[network.source] & node[network.sink]
    starts, ends = np.unique(network.source[left]), np.unique(network.sink[left])
    changed = np.zeros(count, dtype=bool)
    for v in np.unique(tail[~channel & node[tail]]).tolist():
        changed |= hops_from(count, tail, head, v) != hops_from(count, tail[channel], head[channel], v)
    for d in ends[changed[ends]].tolist():
        before, after = hops_from(count, head, tail, d), hops_from(count, head[channel], tail[channel], d)
        farther = starts[after[starts] > before[starts]]
        if len(farther):
            return int(farther[0]), d
    return None
