"""Two days of one fabric in one numbering, and what a change between them is.

Devices and hosts are the same where their GUIDs are, or else their names; addresses (lids) say nothing.  A cable is the
same where both of its ends are; without known ports, the k-th channel from one device to another is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ..base.routing import Routing
from .entries import Entries, Groups, entries_of

KINDS = ("device", "cable", "channel", "speed", "host", "levels", "entries")
"""Of changes; a "channel" is one direction of a cable alone."""


@dataclass(frozen=True)
class Change:
    """One thing that came, went or changed: ``where`` it is and, of a change, what it was and is (``detail``).

    ``kind``: one of ``KINDS``.  Numbers are those of ``Difference``: ``channels`` (both
    directions of a cable), ``terminals``, and of entries the ``node`` and its groups before and after.
    ``with_it``: how many entries changed that use the cable on the day when it is there.
    """

    kind: str
    how: str
    where: str
    detail: str = ""
    channels: tuple[int, ...] = ()
    terminals: tuple[int, ...] = ()
    node: int = -1
    groups: tuple[int, int] = (-1, -1)
    with_it: int = 0

    def text(self) -> str:
        """``cable went: l1[swp1] - s1[swp1] (100 Gb/s)``."""
        return f"{self.kind} {self.how}: {self.where}{f' ({self.detail})' if self.detail else ''}"


@dataclass(frozen=True, eq=False)
class Day:
    """A network; the numbers of its nodes, channels and terminals in the numbering of both days (int64
    (N,), (C,), (T,)); ``entries``: None where the routing is not made of tables."""

    network: Network
    node: Int64
    channel: Int64
    terminal: Int64
    entries: Entries | None


class TwoDays:
    """Both networks, and all that numbers their devices, channels and hosts alike; ``notes``: what cannot be compared.

    Raises InputError where they have no device in common.
    """

    def __init__(self, networks: tuple[Network, Network], routings: tuple[Routing | None, Routing | None]) -> None:
        self.one, self.two = networks
        node = _matched(*_identities(self.one), *_identities(self.two))
        if (node < 0).all() or not (node < self.one.num_nodes).any():
            raise InputError(
                f"{self.one.name} and {self.two.name} have no device in common: none of the {self.two.num_nodes} "
                f"devices of the second has the name or GUID of one of the {self.one.num_nodes} of the first, such as "
                f"{self.one.label(0)} there and {self.two.label(0)} here; two days of one fabric were expected"
            )
        self.node = node, _matched(*_terminals(self.one), *_terminals(self.two))
        self.groups = Groups()
        keys: dict[tuple[object, ...], int] = {}
        own = np.arange(self.one.num_nodes)
        ports = all(x.num_channels and x.port_names(0) is not None for x in (self.one, self.two))
        channels = tuple(
            np.array([keys.setdefault(x, len(keys)) for x in _channel_keys(network, at, ports)], dtype=np.int64)
            for network, at in ((self.one, own), (self.two, node))
        )
        self.tail = np.array([x[0] for x in keys], dtype=np.int64)
        self.head = np.array([x[1] for x in keys], dtype=np.int64)
        self.sizes = (1 + max(self.one.num_nodes - 1, int(node.max())), len(keys),
                      1 + max(self.one.num_terminals - 1, int(self.node[1].max())))  # fmt: skip
        self.notes: list[str] = []
        if (self.one.gbps is None) != (self.two.gbps is None):
            day = "first" if self.one.gbps is None else "second"
            self.notes.append(
                f"the speeds of the {day} day are not known: bandwidth 1 is taken to be the same on both days, and no "
                f"more is compared than shares of it"
            )
        numbers = (own, channels[0], np.arange(self.one.num_terminals)), (node, channels[1], self.node[1])
        self.days = tuple(
            Day(network, *some, None if x is None else entries_of(x, *some, self.sizes, self.groups))
            for network, x, some in zip(networks, routings, numbers, strict=True)
        )
        self.node_names = _names(self.sizes[0], ((x.node, x.network.label) for x in self.days))
        self.hosts = [_terminals(x)[1] for x in networks]
        self.terminal_names = _names(
            self.sizes[2], ((x.terminal, own.__getitem__) for x, own in zip(self.days, self.hosts, strict=True))
        )


def _matched(ids: Sequence[int], names: Sequence[str], ids2: Sequence[int], names2: Sequence[str]) -> Int64:
    """Of every thing of the second day its number: that of the same thing of the first day, or the next one free."""
    found = np.full(len(names2), -1, dtype=np.int64)
    free = np.ones(len(names), dtype=bool)
    for one, two in ((ids, ids2), (names, names2)):
        known = _single(one)
        for k, key in _single(two).items():
            at = known.get(k)
            if at is not None and free[at] and found[key] < 0:
                found[key] = at
                free[at] = False
    new = found < 0
    found[new] = len(names) + np.arange(int(new.sum()))
    return found


def _single(keys: Sequence[object]) -> dict[object, int]:
    """The place of every key that is there once; 0 and "" are no keys."""
    counts = Counter(keys)
    return {x: k for k, x in enumerate(keys) if x and counts[x] == 1}


def _identities(network: Network) -> tuple[Sequence[int], Sequence[str]]:
    names = [network.label(v) for v in range(network.num_nodes)]
    return ([0] * len(names) if network.guids is None else network.guids[0]), names


def _terminals(network: Network) -> tuple[Sequence[int], Sequence[str]]:
    if network.terminal_labels is not None:
        names: list[str] = list(network.terminal_labels)
    else:
        seen: Counter[int] = Counter()
        names = []
        for v in network.source.tolist():
            names.append(f"{network.label(v)} #{seen[v]}" if seen[v] else network.label(v))
            seen[v] += 1
    return ([0] * len(names) if network.guids is None else network.guids[1]), names


def _channel_keys(network: Network, at: Int64, with_ports: bool) -> Iterator[tuple[object, ...]]:
    seen: Counter[tuple[int, int]] = Counter()
    tails, heads = at[network.tail].tolist(), at[network.head].tolist()
    for c, (u, v) in enumerate(zip(tails, heads, strict=True)):
        ports = network.port_names(c) if with_ports else None
        yield (u, v, *(ports or (seen[u, v],)))
        seen[u, v] += 1


def places_of(numbers: Int64, size: int) -> Int64:
    """The place of every number in ``numbers``, -1 where it is not there."""
    found = np.full(size, -1, dtype=np.int64)
    found[numbers] = np.arange(len(numbers))
    return found


def _names(size: int, days: Iterable[tuple[Int64, Callable[[int], str]]]) -> tuple[str, ...]:
    names = [""] * size
    for numbers, label in days:
        for k, number in enumerate(numbers.tolist()):
            names[number] = label(k)
    return tuple(names)
