"""Terminals apart from nodes: several on one switch, or hosts that are nodes of their own.

``concentration=4`` puts four terminals on every node; ``hosts`` turns every terminal into a node with a channel to its
switch and one back.  Without ``hosts`` a terminal sits on its switch: its own link is not part of the network.  That
link would carry at most one packet per cycle under admissible traffic, so it limits the throughput to its bandwidth and
nothing else; a throughput above 1 without ``hosts`` means that the host links are what limits first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ..core.errors import InputError
from ..core.network import Network
from ..core.symmetry import Automorphism, Symmetry
from .build import MAX_NODES, frozen, shortened, whole_number
from .text import parse_whole

__all__ = ["ATTACH_FLAGS", "ATTACH_OPTIONS", "attach", "concentrated", "with_hosts"]

ATTACH_OPTIONS = {"concentration": "so many terminals on every node: concentration=4"}
ATTACH_FLAGS = {"hosts": "every terminal becomes a node, with a channel of bandwidth 1 each way"}


def attach(network: Network, options: Mapping[str, str], flags: Collection[str]) -> Network:
    """``network`` with the terminals that ``options`` and ``flags`` of a network's text ask for."""
    if "concentration" in options:
        count = parse_whole(options["concentration"], what=f"concentration of {shortened(network.name)}")
        network = concentrated(network, count)
    return with_hosts(network) if "hosts" in flags else network


def concentrated(network: Network, count: int) -> Network:
    """``network`` with ``count`` terminals on every node, numbered by node; declared symmetry is kept.

    Raises InputError for a count below 1, or where not every node is one terminal to begin with.
    """
    number = whole_number(count, what=f"concentration of {shortened(network.name)}", least=1)
    everyone = np.arange(network.num_nodes)
    if not (np.array_equal(network.source, everyone) and np.array_equal(network.sink, everyone)):
        raise InputError(
            f"concentration of {shortened(network.name)}: its terminals are placed already, "
            f"{network.num_terminals} on {network.num_nodes} nodes; one on every node was expected"
        )
    if number * network.num_nodes > MAX_NODES:
        raise InputError(
            f"concentration={number} of {shortened(network.name)} would make {number * network.num_nodes:,} terminals; "
            f"at most {MAX_NODES:,} are supported"
        )
    if number == 1:
        return network
    at = frozen(np.repeat(everyone, number))
    more = f",concentration={number}"
    spec = None if network.spec is None else network.spec + more
    return replace(network, source=at, sink=at, name=network.name + more, spec=spec)


def with_hosts(network: Network) -> Network:
    """``network`` with a node for every terminal, numbered after the switches, joined by channels of bandwidth 1.

    Channels of the switches keep their numbers; then come, terminal by terminal, the channel from the host and the one
    to it.  Declared symmetry is kept, hosts following their switches in order, with a rotation of each switch's hosts
    where all have alike many; the grid is not.  Raises InputError where a terminal sends and receives at two nodes.
    """
    if not np.array_equal(network.source, network.sink):
        raise InputError(
            f"hosts of {shortened(network.name)}: its terminals send and receive at different nodes; "
            f"one node each was expected"
        )
    size, count, channels = network.num_nodes, network.num_terminals, network.num_channels
    if np.array_equal(network.supply > 0, network.supply == 1) and bool((network.supply == 0).any()):
        degree = np.bincount(network.tail, minlength=size)[network.source]
        if bool((degree == 1).all()):
            raise InputError(f"hosts of {shortened(network.name)}: its terminals are nodes of their own already")
    host = size + np.arange(count)
    ends = np.empty((2 * count, 2), dtype=np.int64)
    ends[0::2, 0], ends[0::2, 1] = host, network.source
    ends[1::2, 0], ends[1::2, 1] = network.source, host
    labels = [*(network.label(v) for v in range(size)), *(f"host{t}" for t in range(count))]
    groups = None if network.groups is None else np.concatenate([network.groups, network.groups[network.source]])
    return Network(
        name=network.name + ",hosts",
        num_nodes=size + count,
        tail=frozen(np.concatenate([network.tail, ends[:, 0]])),
        head=frozen(np.concatenate([network.head, ends[:, 1]])),
        bandwidth=(*network.bandwidth, *(Fraction(1),) * (2 * count)),
        source=frozen(host),
        sink=frozen(host),
        labels=tuple(labels),
        symmetry=_symmetry(network, size, channels),
        groups=None if groups is None else frozen(groups),
        spec=None if network.spec is None else network.spec + ",hosts",
    )


def _symmetry(network: Network, size: int, channels: int) -> Symmetry | None:
    if network.symmetry is None:
        return None
    order = np.argsort(network.source, kind="stable")  # terminals, node after node
    first = np.concatenate([[0], np.cumsum(network.supply)])
    rank = np.empty(network.num_terminals, dtype=np.int64)
    rank[order] = np.arange(network.num_terminals) - first[network.source[order]]

    def extended(name: str, node: np.ndarray, channel: np.ndarray, terminal: np.ndarray) -> Automorphism:
        pairs = channels + 2 * np.repeat(terminal, 2) + np.tile([0, 1], len(terminal))
        return Automorphism(
            name, frozen(np.concatenate([node, size + terminal])), frozen(np.concatenate([channel, pairs]))
        )

    generators = [
        extended(g.name, g.node, g.channel, order[first[g.node[network.source]] + rank])
        for g in network.symmetry.generators
    ]
    most = int(network.supply.max())
    if most > 1 and bool(np.isin(network.supply, (0, most)).all()):
        turned = order[first[network.source] + (rank + 1) % most]
        generators.append(extended("rotate hosts", np.arange(size), np.arange(channels), turned))
    return Symmetry(tuple(generators))
