"""Minimal and Valiant routing on networks in groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64, offsets_of
from ...core.errors import InputError
from ...core.exact_arrays import ragged
from ...core.network import Network
from ...core.rational import Rationals
from ..base.entry import RoutingEntry, check_choice, with_options
from ..base.pair_table import check_room
from ..tables.path_tables import ListedRouting, PathList


class DragonflyMinimal:
    """Within a group by shortest paths in it; to another group over one of the global channels that lead there, all
    alike, before and after it by shortest paths within the groups (alike).

    So never over a third group, even where that is shorter.  On Dragonfly+ (Megafly): up to a spine that has such a
    channel, across, and down; within a group up to any spine and down.

    Source: Kim, Dally, Scott & Abts 2008 (ISCA), sec. 4.1, MIN; Shpiner et al. 2017 (HiPINEB) for Dragonfly+.
    """

    def on(self, network: Network) -> ListedRouting:
        legs = _Legs(network, "dragonfly-minimal")
        return ListedRouting(network, "dragonfly-minimal", legs.listed(legs.minimal()))


class DragonflyValiant:
    """To another group through a random third one, minimally to it and from the router that the packet arrives at.

    Intermediate groups are all but those of source and destination, alike (with two groups: none, the routing is
    minimal). Packets within a group: ``local=minimal`` (default), or ``local=valiant``: through a random node of it,
    the source and the destination included, by shortest paths within the group.  On Dragonfly+ (Megafly) a packet that
    arrives at a spine of the third group goes on from it, or down to a leaf, all alike, and up to a spine that has a
    channel to the destination's group.

    Source: Kim et al. 2008, sec. 4.1, VAL; Shpiner et al. 2017 (HiPINEB) for Dragonfly+; the random node within the
    group is Valiant's idea applied to it.
    """

    def __init__(self, *, local: str = "minimal") -> None:
        check_choice("dragonfly-valiant", "local", local, ("minimal", "valiant"))
        self.local = local

    def on(self, network: Network) -> ListedRouting:
        name = with_options("dragonfly-valiant", local=None if self.local == "minimal" else self.local)
        legs = _Legs(network, name)
        return ListedRouting(network, name, legs.listed(legs.valiant(inside=self.local == "valiant")))


@dataclass(frozen=True, eq=False)
class _Paths:
    """Paths with the node where each starts and ends, weights 1/``share``; channels padded with -1, shape (P, L)."""

    start: Int64
    end: Int64
    share: Int64
    channel: npt.NDArray[np.int32]

    def taken(self, which: npt.NDArray[np.integer]) -> _Paths:
        return _Paths(self.start[which], self.end[which], self.share[which], self.channel[which])

    @staticmethod
    def union(parts: list[_Paths]) -> _Paths:
        width = max(part.channel.shape[1] for part in parts)
        padded = [np.pad(p.channel, ((0, 0), (0, width - p.channel.shape[1])), constant_values=-1) for p in parts]
        return _Paths(
            np.concatenate([p.start for p in parts]),
            np.concatenate([p.end for p in parts]),
            np.concatenate([p.share for p in parts]),
            np.concatenate(padded),
        )


def _then(first: _Paths, second: _Paths) -> _Paths:
    """Every path of ``first`` followed by every one of ``second`` that starts where it ends."""
    order = np.argsort(second.start, kind="stable")
    low = np.searchsorted(second.start[order], first.end)
    length = np.searchsorted(second.start[order], first.end, side="right") - low
    check_room(int(length.sum()) * (first.channel.shape[1] + second.channel.shape[1]))
    two = order[ragged(low, length)]
    one = np.repeat(np.arange(len(first.start)), length)
    return _Paths(
        first.start[one],
        second.end[two],
        first.share[one] * second.share[two],
        np.concatenate([first.channel[one], second.channel[two]], axis=1),
    )


class _Legs:
    def __init__(self, network: Network, name: str) -> None:
        if network.groups is None:
            raise InputError(f"{name} needs a network in groups, such as dragonfly:2,4,2; {network.name} has none")
        self.network, self.name = network, name
        self.group = network.groups.astype(np.int64)
        self.local = self._local()
        across = np.nonzero(self.group[network.tail] != self.group[network.head])[0]
        number = int(self.group.max()) + 1
        key = self.group[network.tail[across]] * number + self.group[network.head[across]]
        count = np.bincount(key, minlength=number * number)
        present = np.unique(self.group)
        for x in present.tolist():
            for y in present.tolist():
                if x != y and not count[x * number + y]:
                    raise InputError(f"network {network.name}: no global channel from group {x} to group {y}")
        self.across = _Paths(
            network.tail[across].astype(np.int64),
            network.head[across].astype(np.int64),
            count[key],
            across.astype(np.int32)[:, None],
        )
        self.present = present

    def _local(self) -> _Paths:
        """All shortest paths within groups, the empty one at every node included."""
        network = self.network
        size = network.num_nodes
        none = np.arange(size, dtype=np.int64)
        inside = np.nonzero(self.group[network.tail] == self.group[network.head])[0]
        step = _Paths(
            network.tail[inside].astype(np.int64),
            network.head[inside].astype(np.int64),
            np.ones(len(inside), dtype=np.int64),
            inside.astype(np.int32)[:, None],
        )
        seen = none * size + none
        level = _Paths(none, none, np.ones(size, dtype=np.int64), np.zeros((size, 0), dtype=np.int32))
        levels = [level]
        members = np.bincount(self.group)
        while len(seen) < int((members**2).sum()):
            level = _then(level, step)
            key = level.start * size + level.end
            level = level.taken(np.nonzero(~np.isin(key, seen))[0])
            if not len(level.start):
                lost = next(
                    (u, v)
                    for u in range(size)
                    for v in np.nonzero(self.group == self.group[u])[0].tolist()
                    if u * size + v not in set(seen.tolist())
                )
                ends = " to node ".join(network.label(v) for v in lost)
                raise InputError(f"network {network.name}: no path within its group from node {ends}")
            new, back, count = np.unique(level.start * size + level.end, return_inverse=True, return_counts=True)
            seen = np.concatenate([seen, new])
            levels.append(_Paths(level.start, level.end, count[back], level.channel))
            level = _Paths(level.start, level.end, np.ones(len(back), dtype=np.int64), level.channel)
        return _Paths.union(levels)

    def out(self) -> _Paths:
        """To another group: within the own one, then across."""
        return _then(self.local, self.across)

    def minimal(self) -> _Paths:
        return _Paths.union([self.local, _then(self.out(), self.local)])

    def valiant(self, *, inside: bool) -> _Paths:
        network, group = self.network, self.group
        served = (network.supply > 0) | (network.demand > 0)
        number = len(self.present)
        within = self.local
        if inside:
            within = _then(self.local, self.local)
            members = np.bincount(group)
            within = _Paths(within.start, within.end, within.share * members[group[within.start]], within.channel)
        if number == 2:
            return _Paths.union([within, _then(self.out(), self.local)])
        first = self.out()
        first = first.taken(np.nonzero(served[first.start])[0])
        second = _then(self.out(), self.local)
        second = second.taken(np.nonzero(served[second.end])[0])
        both = _then(first, second)
        both = both.taken(np.nonzero(group[both.start] != group[both.end])[0])
        return _Paths.union([within, _Paths(both.start, both.end, both.share * (number - 2), both.channel)])

    def listed(self, paths: _Paths) -> PathList:
        """The paths between nodes with terminals, padding left out."""
        network = self.network
        keep = (network.supply[paths.start] > 0) & (network.demand[paths.end] > 0) & (paths.start != paths.end)
        paths = paths.taken(np.nonzero(keep)[0])
        there = paths.channel >= 0
        offset = offsets_of(there.sum(axis=1))
        return PathList(
            paths.start.astype(np.int32),
            paths.end.astype(np.int32),
            offset,
            paths.channel[there],
            Rationals(np.ones(len(paths.share), dtype=np.int64), paths.share),
        )


MINIMAL_ENTRY = RoutingEntry(
    name="dragonfly-minimal",
    help="within groups and over one global channel, on dragonflies and Dragonfly+",
    build=lambda network, _: DragonflyMinimal().on(network),
    aliases={"dragonfly-plus-minimal": "dragonfly-minimal", "megafly-minimal": "dragonfly-minimal"},
)

VALIANT_ENTRY = RoutingEntry(
    name="dragonfly-valiant",
    help="through a random third group, on dragonflies and Dragonfly+",
    build=lambda network, options: DragonflyValiant(**options).on(network),
    aliases={"dragonfly-plus-valiant": "dragonfly-valiant", "megafly-valiant": "dragonfly-valiant"},
    options={"local": "minimal, or valiant: through a random node for packets within a group"},
)
