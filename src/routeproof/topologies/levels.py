"""Switches by level, and which switches of a level are alike in how many cables lead to which level at which rate.

The level of a switch is how many cables it is from the nearest host: 1 where hosts are attached.  Two switches of a
level are alike if they have the same number of neighbours of each kind: of one level, by so many cables of one
bandwidth.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..core.arrays import Int64
from ..core.graph import hops_from
from ..core.network import Network
from .failures import cables_of
from .ports import ports_at


class Link(NamedTuple):
    """What a cable of a switch is: the ``level`` at its other end, its place among the network's ``widths``, and its
    ``way``: 1 where it has a channel out of the switch alone, -1 into it alone, else 0."""

    level: int
    rank: int
    way: int


Neighbours = Counter[tuple[Link, int]]
"""How many neighbours have so many cables of one link."""


@dataclass(frozen=True, eq=False)
class Level:
    """The switches of a level; ``usual``: the neighbours of more than half of them, None where no more than half are
    alike; ``others``: the neighbours of each switch that is not one of these."""

    level: int
    switches: Sequence[int]
    usual: Neighbours | None
    others: Mapping[int, Neighbours]

    @cached_property
    def alike(self) -> list[int]:
        return [v for v in self.switches if v not in self.others]


@dataclass(frozen=True, eq=False)
class Levels:
    """``level``: int64 (N,), 0 of switches without a way to a host; ``found``: the levels of two switches and more;
    ``ends``: by switch its cables, each as link and the channel of it that leaves the switch (or the one there is)."""

    level: Int64
    found: Sequence[Level]
    ends: Sequence[Sequence[tuple[Link, int]]]


def levels_of(network: Network) -> Levels:
    """Cables count as ways in both directions, whatever their channels."""
    hosts = np.unique(np.concatenate([network.source, network.sink]))
    there, back = np.concatenate([network.tail, network.head]), np.concatenate([network.head, network.tail])
    level = 1 + hops_from(network.num_nodes, there, back, hosts)
    ends: list[list[tuple[Link, int]]] = [[] for _ in range(network.num_nodes)]
    near: list[Counter[tuple[int, Link]]] = [Counter() for _ in range(network.num_nodes)]
    rank, tail, head = network.bandwidth_rank.tolist(), network.tail.tolist(), network.head.tolist()
    for cable in cables_of(network):
        c = cable[0]
        for v, other, out, way in ((tail[c], head[c], c, 1), (head[c], tail[c], cable[-1], -1)):
            link = Link(int(level[other]), rank[c], way if len(cable) == 1 else 0)
            ends[v].append((link, out))
            near[v][other, link] += 1
    kind = [Counter((link, count) for (_, link), count in x.items()) for x in near]
    members: dict[int, list[int]] = defaultdict(list)
    for v, x in enumerate(level.tolist()):
        if x > 0:
            members[x].append(v)
    found = [_level(x, some, kind) for x, some in sorted(members.items()) if len(some) > 1]
    return Levels(level, found, ends)


def _level(level: int, switches: Sequence[int], kind: Sequence[Neighbours]) -> Level:
    of = Counter(frozenset(kind[v].items()) for v in switches)
    most, count = of.most_common(1)[0]
    if 2 * count <= len(switches):
        return Level(level, switches, None, {})
    usual = Counter(dict(most))
    return Level(level, switches, usual, {v: kind[v] for v in switches if kind[v] != usual})


def cables_by_link(neighbours: Neighbours) -> Counter[Link]:
    """How many cables there are of each link."""
    total: Counter[Link] = Counter()
    for (link, count), number in neighbours.items():
        total[link] += count * number
    return total


def usual_ports(network: Network, level: Level, ends: Sequence[Sequence[tuple[Link, int]]]) -> dict[str, int]:
    """The ports at which more than half of the switches that are alike have a cable to one level, by this level."""
    count: Counter[tuple[str, int]] = Counter()
    for v in level.alike:
        for link, channel in ends[v]:
            port = port_at(network, v, channel)
            if port:
                count[port, link.level] += 1
    return {port: to for (port, to), number in count.items() if 2 * number > len(level.alike)}


def port_at(network: Network, switch: int, channel: int) -> str:
    """The port of ``switch`` that a channel leaves or enters by, "" where that is not known."""
    return ports_at(network, channel)[0 if int(network.tail[channel]) == switch else 1]
