"""Two days of one fabric in one numbering: which cables, speeds, devices, hosts and entries came, went or changed.

Devices and hosts are the same where their GUIDs are, or else their names; addresses (lids) say nothing.  A cable is the
same where both of its ends are; without known ports, the k-th channel from one device to another is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.display import decimal_text, fraction_text
from ...core.errors import InputError
from ...core.network import Network
from ..base.routing import Routing
from .entries import Entries, Groups, entries_of
from .service_levels import ServiceLevels

KINDS = ("device", "cable", "channel", "speed", "host", "levels", "entries")
"""Of changes; a "channel" is one direction of a cable alone."""
_SHOWN = 3  # hosts that a change of entries names
_MOST_CHANGES = 200  # of entries that are told one by one


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


@dataclass(frozen=True, eq=False)
class Difference:
    """The numbering of both days: ``node_names`` and ``terminal_names`` (of the second day where it has them),
    ``tail`` and ``head`` of channels, ``groups`` of entries; what changed, and the ``notes`` on what was not compared.

    ``changes`` without those of entries; ``entries``: these, the most numerous first; ``more``: how many more there
    are, ``all_entries``: how many single entries changed in all; ``addresses``: hosts whose address changed.
    """

    before: Day
    after: Day
    node_names: tuple[str, ...]
    terminal_names: tuple[str, ...]
    tail: Int64
    head: Int64
    groups: Groups
    changes: tuple[Change, ...] = ()
    entries: tuple[Change, ...] = ()
    more: int = 0
    all_entries: int = 0
    addresses: int = 0
    notes: tuple[str, ...] = ()

    @cached_property
    def scale(self) -> Fraction:
        """What the second day's bandwidths are multiplied by to be in the first day's unit."""
        one, other = self.before.network.gbps, self.after.network.gbps
        return Fraction(1) if one is None or other is None else other / one

    @property
    def compared(self) -> bool:
        """Were entries compared?"""
        one, two = self.before.entries, self.after.entries
        return one is not None and two is not None and [w for w, _ in one] == [w for w, _ in two]

    @property
    def same(self) -> bool:
        return not (self.changes or self.entries)


def difference(before: Routing, after: Routing) -> Difference:
    """What changed from ``before`` to ``after``, two routings each on its network.

    Raises InputError where the networks have no device in common.
    """
    return _Comparison((before.network, after.network), (before, after)).result()


def changed_networks(before: Network, after: Network) -> Sequence[Change]:
    """What changed from ``before`` to ``after``, entries left aside.  Raises InputError as ``difference`` does."""
    return _Comparison((before, after), (None, None)).result().changes


def changed_levels(found: Difference, before: ServiceLevels | None, after: ServiceLevels | None) -> Sequence[Change]:
    """Pairs of hosts, there on both days, whose service levels changed, by what they were and are; or that only one day
    has any."""
    if before is None or after is None:
        how = "came" if before is None else "went"
        return [] if before is after else [Change("levels", how, "path records with service levels")]
    common, one, two = np.intersect1d(found.before.terminal, found.after.terminal, return_indices=True)
    was, now = (
        np.bitwise_or.reduce(x.level, axis=0)[np.ix_(at, at)].astype(np.int64)
        for x, at in ((before, one), (after, two))
    )
    i, j = np.nonzero(was != now)
    kinds, first, count = np.unique(was[i, j] << 16 | now[i, j], return_index=True, return_counts=True)
    changes = []
    for k in np.argsort(-count, kind="stable").tolist():
        source, end = (found.terminal_names[int(common[x[first[k]]])] for x in (i, j))
        more = f" and {int(count[k]) - 1} more pairs" if count[k] > 1 else ""
        words = f"{_levels(int(kinds[k]) >> 16)}, now {_levels(int(kinds[k]) & 0xFFFF)}"
        changes.append(Change("levels", "changed", f"{source} => {end}{more}", words))
    return changes


def _levels(mask: int) -> str:
    return f"level {', '.join(str(s) for s in range(16) if mask >> s & 1)}" if mask else "no record"


class _Comparison:
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

    def result(self) -> Difference:
        before, after = self.days
        cables = list(self._cables())
        entries, more, total, attached = self._entries(cables)
        cables = [
            Change(x.kind, x.how, x.where, x.detail, x.channels, with_it=sum(attached.get(c, 0) for c in x.channels))
            for x in cables
        ]
        return Difference(
            before, after, self.node_names, self.terminal_names, self.tail, self.head, self.groups,
            (*self._devices(), *cables, *self._speeds(), *self._hosts()), tuple(entries), more, total,
            self._addresses(), tuple(self.notes),
        )  # fmt: skip

    # -- what changed ---------------------------------------------------------------------------------------

    def _devices(self) -> Iterator[Change]:
        before, after = self.days
        where_one, where_two = _places(before.node, self.sizes[0]), _places(after.node, self.sizes[0])
        one, two = self.one.guids, self.two.guids
        guids = None if one is None or two is None else (one[0], two[0])
        for v in range(self.sizes[0]):
            here, there = int(where_one[v]), int(where_two[v])
            if here < 0 or there < 0:
                yield Change("device", "came" if here < 0 else "went", self.node_names[v], node=v)
                continue
            names = self.one.label(here), self.two.label(there)
            if names[0] != names[1]:
                yield Change("device", "changed", names[0], f"is called {names[1]}", node=v)
            elif guids is not None and 0 != guids[0][here] != guids[1][there] != 0:
                detail = f"GUID 0x{guids[0][here]:x}, now 0x{guids[1][there]:x}"
                yield Change("device", "changed", names[0], detail, node=v)

    def _cables(self) -> Iterator[Change]:
        places = [_places(x.channel, self.sizes[1]) for x in self.days]
        for how, k in (("went", 0), ("came", 1)):
            network = self.days[k].network
            alone = np.flatnonzero((places[k] >= 0) & (places[1 - k] < 0))
            left = set(alone.tolist())
            for c in alone.tolist():
                if c not in left:
                    continue
                own = int(places[k][c])
                back = int(self.days[k].channel[network.opposite[own]])
                both = (c,) if back == c or back not in left else (c, back)
                left.difference_update(both)
                rate = _rate(network, network.bandwidth[own])
                yield Change("cable" if len(both) == 2 else "channel", how, _cable(network, own, len(both)), rate, both)

    def _speeds(self) -> Iterator[Change]:
        places = [_places(x.channel, self.sizes[1]) for x in self.days]
        known = self.one.gbps is not None and self.two.gbps is not None
        units = [x.gbps if known and x.gbps is not None else Fraction(1) for x in (self.one, self.two)]
        differ: dict[tuple[int, int], bool] = {}  # by identity: most channels share one object
        found: dict[int, tuple[Fraction, Fraction]] = {}
        for c in np.flatnonzero((places[0] >= 0) & (places[1] >= 0)).tolist():
            was, now = self.one.bandwidth[int(places[0][c])], self.two.bandwidth[int(places[1][c])]
            key = id(was), id(now)
            if key not in differ:
                differ[key] = was * units[0] != now * units[1]
            if differ[key]:
                found[c] = was, now
        while found:
            c = next(iter(found))
            was, now = found.pop(c)
            back = int(self.days[0].channel[self.one.opposite[int(places[0][c])]])
            both = (c, back) if found.get(back) == (was, now) else (c,)
            found.pop(both[-1], None)
            detail = f"{_rate(self.one, was)}, now {_rate(self.two, now)}"
            yield Change("speed", "changed", _cable(self.two, int(places[1][c]), len(both)), detail, both)

    def _hosts(self) -> Iterator[Change]:
        places = [_places(x.terminal, self.sizes[2]) for x in self.days]
        ports = [x.network.host_ports or [""] * x.network.num_terminals for x in self.days]
        at = [x.node[x.network.source] for x in self.days]
        widths = [x.network.host_widths for x in self.days]
        gbps = [x.network.gbps for x in self.days]
        for t in range(self.sizes[2]):
            here, there = int(places[0][t]), int(places[1][t])
            spots = [
                _spot(self.node_names[int(at[k][x])], ports[k][x]) if x >= 0 else "" for k, x in ((0, here), (1, there))
            ]
            name = self.terminal_names[t]
            if here < 0 or there < 0:
                yield Change("host", "came" if here < 0 else "went", name, f"at {spots[0] or spots[1]}", terminals=(t,))
                continue
            if at[0][here] != at[1][there] or (ports[0][here] and ports[1][there] and spots[0] != spots[1]):
                yield Change("host", "changed", name, f"at {spots[0]}, now at {spots[1]}", terminals=(t,))
            old = self.hosts[0][here]
            if old != name:
                yield Change("host", "changed", old, f"is called {name}", terminals=(t,))
            if widths[0] is not None and widths[1] is not None and None not in gbps:
                one, two = widths[0][here] * gbps[0], widths[1][there] * gbps[1]  # type: ignore[operator]
                if one != two:
                    detail = f"{decimal_text(one)} Gb/s, now {decimal_text(two)} Gb/s"
                    yield Change("host", "changed", name, detail, terminals=(t,))

    def _addresses(self) -> int:
        one, two = self.one.host_addresses, self.two.host_addresses
        if one is None or two is None:
            return 0
        known = dict(zip(self.days[0].terminal.tolist(), one, strict=True))
        return sum(known.get(t, x) != x for t, x in zip(self.days[1].terminal.tolist(), two, strict=True))

    def _entries(self, cables: Sequence[Change]) -> tuple[list[Change], int, int, dict[int, int]]:
        """(changes, how many more, how many entries in all, by channel: entries that changed with it)."""
        one, two = (x.entries for x in self.days)
        if one is None or two is None or [w for w, _ in one] != [w for w, _ in two]:
            if one is not None and two is not None:
                self.notes.append("entries are not compared: the hosts of the two days have different numbers of lids")
            return [], 0, 0, {}
        same_host = self._settled_hosts()
        same_node = np.zeros(self.sizes[0], dtype=bool)
        same_node[np.intersect1d(self.days[0].node, self.days[1].node)] = True
        gone = {c for x in cables if x.how == "went" for c in x.channels}
        new = {c for x in cables if x.how == "came" for c in x.channels}
        uses_gone, uses_new = self.groups.that_use(gone), self.groups.that_use(new)
        attached: Counter[int] = Counter()
        kinds: Counter[tuple[int, int, int]] = Counter()
        hosts: dict[tuple[int, int, int], list[int]] = {}
        size, total = len(self.groups) + 1, 0
        for (_, was), (_, now) in zip(one, two, strict=True):
            v, t = np.nonzero((was != now) & same_node[:, None] & same_host[None, :])
            b, a = was[v, t].astype(np.int64), now[v, t].astype(np.int64)
            told = (b >= 0) & (a >= 0)  # else no packets came there on one of the days
            v, t, b, a = (x[told] for x in (v, t, b, a))
            total += len(v)
            with_cable = uses_gone[b] | uses_new[a]
            for g, count in Counter([*b[uses_gone[b]].tolist(), *a[uses_new[a]].tolist()]).items():
                for c in self.groups.channels(g) & (gone | new):
                    attached[c] += count
            v, t, b, a = (x[~with_cable] for x in (v, t, b, a))
            key = (v * size + b) * size + a
            order = np.argsort(key, kind="stable")
            _, first, count = np.unique(key[order], return_index=True, return_counts=True)
            for at, n in zip(first.tolist(), count.tolist(), strict=True):
                k = int(order[at])
                kind = int(v[k]), int(b[k]), int(a[k])
                kinds[kind] += n
                hosts.setdefault(kind, []).extend(t[order[at : at + n]].tolist())
        listed = kinds.most_common()
        changes = [self._change_of_entries(kind, sorted(set(hosts[kind]))) for kind, _ in listed[:_MOST_CHANGES]]
        return changes, len(listed) - len(changes), total, attached

    def _change_of_entries(self, kind: tuple[int, int, int], hosts: list[int]) -> Change:
        v, b, a = kind
        names = ", ".join(self.terminal_names[t] for t in hosts[:_SHOWN])
        more = f" and {len(hosts) - _SHOWN} more" if len(hosts) > _SHOWN else ""
        was, now = (self._way(x, day) for x, day in ((b, self.days[0]), (a, self.days[1])))
        where = f"{self.node_names[v]}, to {names}{more}"
        return Change("entries", "changed", where, f"by {was}, now by {now}", terminals=tuple(hosts), node=v,
                      groups=(b, a))  # fmt: skip

    def _way(self, group: int, day: Day) -> str:
        """``swp1 (3), swp2 (1)``: the ports of a group, with weights where they are not all 1."""
        parts = self.groups.ways(group)
        places = _places(day.channel, self.sizes[1])
        plain = all(w == 1 for _, w in parts)
        words = []
        for c, weight in parts:
            own = int(places[c])
            ports = day.network.port_names(own)
            to = day.network.label(int(day.network.head[own]))
            words.append(f"{f'port {ports[0]}' if ports else to}{'' if plain else f' ({weight})'}")
        return ", ".join(words)

    def _settled_hosts(self) -> npt.NDArray[np.bool_]:
        """bool (T,): hosts that are at the same device on both days."""
        at = np.full((2, self.sizes[2]), -1)
        for k, day in enumerate(self.days):
            at[k, day.terminal] = day.node[day.network.sink]
        return np.asarray((at[0] == at[1]) & (at[0] >= 0))


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


def _places(numbers: Int64, size: int) -> Int64:
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


def _cable(network: Network, c: int, ways: int) -> str:
    label = network.channel_label(c)
    return label.replace(" -> ", " - ", 1) if ways == 2 else label


def _spot(device: str, port: str) -> str:
    return f"{device}[{port}]" if port else device


def _rate(network: Network, width: Fraction) -> str:
    return fraction_text(width) if network.gbps is None else f"{decimal_text(width * network.gbps)} Gb/s"
