"""What a network's text adds to its family: terminals apart from nodes, and single cables.

``concentration=4`` puts four terminals on every node; ``hosts`` turns every terminal into a node with a channel to its
switch and one back.  Without ``hosts`` a terminal sits on its switch: its own link is not part of the network.  That
link would carry at most one packet per cycle under admissible traffic, so it limits the throughput to its bandwidth and
nothing else; a throughput above 1 without ``hosts`` means that the host links are what limits first.

``cables=1`` makes parallel channels of bundles: two of one of bandwidth 2.  Where a network states the bandwidth of a
bundle as a whole, its cables cannot fail one by one.  With this option they can.  Random shortest paths then choose
among cables, as switches that hash over the ports of a bundle do; the layout as a grid is lost, declared symmetry is
not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ..core.arrays import frozen, offsets_of
from ..core.errors import InputError
from ..core.network import Network
from ..core.rational import parse_fraction
from ..core.symmetry import Automorphism, Symmetry
from ..machine.memory import shown_bytes
from .build import MAX_NODES, extended, shortened, whole_number
from .text import parse_whole

_TERMINAL_BYTES = 8
_MOST_CHANNELS = 4_000_000
ATTACH_OPTIONS = {
    "concentration": "terminals on every node: concentration=4",
    "cables": "a channel of k times this bandwidth becomes k parallel ones: bandwidth=2,cables=1",
}
ATTACH_FLAGS = {"hosts": "every terminal becomes a node, with a channel of bandwidth 1 each way"}


def attach(network: Network, options: Mapping[str, str], flags: Collection[str]) -> Network:
    """``network`` with the cables and terminals that ``options`` and ``flags`` of a network's text ask for."""
    if "cables" in options:
        network = with_cables(network, parse_fraction(options["cables"], what=f"cables of {shortened(network.name)}"))
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
            f"concentration={number} of {shortened(network.name)} would make {number * network.num_nodes:,} terminals "
            f"and take about {shown_bytes(number * network.num_nodes * _TERMINAL_BYTES)} of memory; at most "
            f"{MAX_NODES:,} are supported"
        )
    if number == 1:
        return network
    at = frozen(np.repeat(everyone, number))
    return extended(network, f"concentration={number}", source=at, sink=at)


def with_hosts(network: Network) -> Network:
    """``network`` with a node for every terminal, numbered after the switches, joined by channels of bandwidth 1.

    Channels of the switches keep their numbers; then come, terminal by terminal, the channel from the host and the one
    to it.  Declared symmetry is kept, hosts following their switches in order, with a rotation of each switch's hosts
    where all have equally many; the grid is not.  Raises InputError where a terminal sends and receives at two nodes.
    """
    if not np.array_equal(network.source, network.sink):
        raise InputError(
            f"hosts of {shortened(network.name)}: its terminals send and receive at different nodes; "
            f"one node each was expected"
        )
    if network.supply.max() == 1 and network.supply.min() == 0:
        degree = np.bincount(network.tail, minlength=network.num_nodes)[network.source]
        if bool((degree == 1).all()):
            raise InputError(f"hosts of {shortened(network.name)}: its terminals are nodes of their own already")
    names = [f"host{t}" for t in range(network.num_terminals)]
    return extended(network, "hosts", **_hosts_apart(network, (Fraction(1),) * network.num_terminals, names))


def with_host_cables(network: Network, widths: Sequence[Fraction]) -> Network:
    """As ``with_hosts``, for terminals whose own cables carry ``widths``, one each; terminals keep their names.

    The channel from terminal t is C + 2t, the one to it C + 2t + 1.  Symmetry is kept where all carry the same.  Raises
    InputError for a terminal that sends and receives at two nodes.
    """
    two = np.flatnonzero(network.source != network.sink)
    if len(two):
        name = shortened(network.terminal_label(int(two[0])))
        raise InputError(
            f"terminal {name} of {shortened(network.name)} sends and receives at different nodes; one cable to one "
            f"node was expected"
        )
    names = [f"host {network.terminal_label(t)}" for t in range(network.num_terminals)]
    changes = _hosts_apart(network.plain(), widths, names)
    if network.symmetry is not None and len(set(widths)) == 1:
        changes["symmetry"] = Symmetry(tuple(_with_hosts(network, network.symmetry)))
    return replace(network.plain(), **{**changes, "terminal_labels": network.terminal_labels})


def _hosts_apart(network: Network, widths: Sequence[Fraction], names: Sequence[str]) -> dict[str, Any]:
    """What changes of ``network`` when every terminal gets a node, with a name, and a channel each way."""
    size, count = network.num_nodes, network.num_terminals
    host = size + np.arange(count)
    up, down = np.stack([host, network.source], axis=1).ravel(), np.stack([network.source, host], axis=1).ravel()
    return {
        "num_nodes": size + count,
        "tail": np.concatenate([network.tail, up]),
        "head": np.concatenate([network.head, down]),
        "bandwidth": (*network.bandwidth, *(x for x in widths for _ in range(2))),
        "source": host,
        "sink": host,
        "labels": (*(network.label(v) for v in range(size)), *names),
        "terminal_labels": None,
        "grid": None,
        "symmetry": None if network.symmetry is None else Symmetry(tuple(_with_hosts(network, network.symmetry))),
        "groups": None if network.groups is None else np.concatenate([network.groups, network.groups[network.source]]),
        "channel_attributes": {name: [*x, *[None] * (2 * count)] for name, x in network.channel_attributes.items()},
    }


def _with_hosts(network: Network, symmetry: Symmetry) -> Iterator[Automorphism]:
    size, channels = network.num_nodes, network.num_channels
    order = np.argsort(network.source, kind="stable")  # terminals, node after node
    first = offsets_of(network.supply)
    rank = np.empty(network.num_terminals, dtype=np.int64)
    rank[order] = np.arange(network.num_terminals) - first[network.source[order]]

    def on_hosts(name: str, node: np.ndarray, channel: np.ndarray, terminal: np.ndarray) -> Automorphism:
        pairs = channels + 2 * np.repeat(terminal, 2) + np.tile([0, 1], len(terminal))
        return Automorphism(
            name, frozen(np.concatenate([node, size + terminal])), frozen(np.concatenate([channel, pairs]))
        )

    for g in symmetry.generators:
        yield on_hosts(g.name, g.node, g.channel, order[first[g.node[network.source]] + rank])
    most = int(network.supply.max())
    if most > 1 and bool(np.isin(network.supply, (0, most)).all()):
        turned = order[first[network.source] + (rank + 1) % most]
        yield on_hosts("rotate hosts", np.arange(size), np.arange(channels), turned)


def with_cables(network: Network, bandwidth: Fraction) -> Network:
    """``network`` with parallel channels of ``bandwidth`` in place of every channel, one after the other.

    Raises InputError where a channel's bandwidth is not a whole number of them, where they are too many, and for a
    fabric, whose ports say what its cables are.
    """
    where = shortened(network.name)
    if bandwidth <= 0:
        raise InputError(f"cables of {where}: a cable's bandwidth is {bandwidth}; a positive number was expected")
    if type(network) is not Network:
        raise InputError(f"cables of {where}: every channel of a fabric is one cable already, from port to port")
    parts = {id(x): x / bandwidth for x in network.bandwidth}
    counts = [parts[id(x)] for x in network.bandwidth]
    for c, part in enumerate(counts):
        if part.denominator != 1:
            raise InputError(
                f"cables of {where}: channel {c} ({network.channel_label(c)}) has bandwidth {network.bandwidth[c]}, "
                f"which is not a whole number of cables of bandwidth {bandwidth}"
            )
    total = sum(x.numerator for x in counts)
    if total > _MOST_CHANNELS:
        raise InputError(f"cables of {where}: they are {total:,}; at most {_MOST_CHANNELS:,} are supported")
    count = np.array([x.numerator for x in counts], dtype=np.int64)
    first = np.cumsum(count) - count
    of = np.repeat(np.arange(network.num_channels), count)
    place = np.arange(total) - first[of]
    generators = () if network.symmetry is None else network.symmetry.generators
    moved = [Automorphism(g.name, g.node, frozen(first[g.channel[of]] + place)) for g in generators]
    if total > len(count):
        turned = first[of] + (place + 1) % count[of]
        moved.append(
            Automorphism("rotate cables", np.arange(network.num_nodes, dtype=np.int32), frozen(turned.astype(np.int32)))
        )
    return extended(
        network,
        f"cables={bandwidth}",
        tail=network.tail[of],
        head=network.head[of],
        bandwidth=(bandwidth,) * total,
        grid=None,
        labels=network.labels or tuple(network.label(v) for v in range(network.num_nodes)),
        symmetry=None if network.symmetry is None else Symmetry(tuple(moved)),
        channel_attributes={name: [x[c] for c in of.tolist()] for name, x in network.channel_attributes.items()},
    )
