"""Two days of one fabric: which cables, speeds, devices, hosts and entries came, went or changed; which entries changed
apart from those with a cable that came or went.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.display import decimal_text, fraction_text
from ...core.network import Network
from ..base.routing import Routing
from .days import Change, Day, TwoDays, places_of
from .entries import Groups
from .service_levels import ServiceLevels


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


class _Comparison(TwoDays):
    def result(self) -> Difference:
        before, after = self.days
        cables = list(self._cables())
        entries, more, total, attached = changed_entries(self, cables)
        cables = [
            Change(x.kind, x.how, x.where, x.detail, x.channels, with_it=sum(attached.get(c, 0) for c in x.channels))
            for x in cables
        ]
        return Difference(
            before, after, self.node_names, self.terminal_names, self.tail, self.head, self.groups,
            (*self._devices(), *cables, *self._speeds(), *self._hosts()), tuple(entries), more, total,
            self._addresses(), tuple(self.notes),
        )  # fmt: skip

    def _devices(self) -> Iterator[Change]:
        before, after = self.days
        where_one, where_two = places_of(before.node, self.sizes[0]), places_of(after.node, self.sizes[0])
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
        places = [places_of(x.channel, self.sizes[1]) for x in self.days]
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
        places = [places_of(x.channel, self.sizes[1]) for x in self.days]
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
        places = [places_of(x.terminal, self.sizes[2]) for x in self.days]
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


def _cable(network: Network, c: int, ways: int) -> str:
    label = network.channel_label(c)
    return label.replace(" -> ", " - ", 1) if ways == 2 else label


def _spot(device: str, port: str) -> str:
    return f"{device}[{port}]" if port else device


def _rate(network: Network, width: Fraction) -> str:
    return fraction_text(width) if network.gbps is None else f"{decimal_text(width * network.gbps)} Gb/s"


_SHOWN = 3  # hosts that a change of entries names
_MOST_CHANGES = 200  # of entries that are told one by one


def changed_entries(both: TwoDays, cables: Sequence[Change]) -> tuple[list[Change], int, int, dict[int, int]]:
    """(changes, how many more, how many entries in all, by channel: entries that changed with it)."""
    one, two = (x.entries for x in both.days)
    if one is None or two is None or [w for w, _ in one] != [w for w, _ in two]:
        if one is not None and two is not None:
            both.notes.append("entries are not compared: the hosts of the two days have different numbers of lids")
        return [], 0, 0, {}
    same_host = _settled_hosts(both)
    same_node = np.zeros(both.sizes[0], dtype=bool)
    same_node[np.intersect1d(both.days[0].node, both.days[1].node)] = True
    gone = {c for x in cables if x.how == "went" for c in x.channels}
    new = {c for x in cables if x.how == "came" for c in x.channels}
    uses_gone, uses_new = both.groups.that_use(gone), both.groups.that_use(new)
    attached: Counter[int] = Counter()
    kinds: Counter[tuple[int, int, int]] = Counter()
    hosts: dict[tuple[int, int, int], list[int]] = {}
    size, total = len(both.groups) + 1, 0
    for (_, was), (_, now) in zip(one, two, strict=True):
        v, t = np.nonzero((was != now) & same_node[:, None] & same_host[None, :])
        b, a = was[v, t].astype(np.int64), now[v, t].astype(np.int64)
        told = (b >= 0) & (a >= 0)  # else no packets came there on one of the days
        v, t, b, a = (x[told] for x in (v, t, b, a))
        total += len(v)
        with_cable = uses_gone[b] | uses_new[a]
        for g, count in Counter([*b[uses_gone[b]].tolist(), *a[uses_new[a]].tolist()]).items():
            for c in both.groups.channels(g) & (gone | new):
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
    changes = [_change_of_entries(both, kind, sorted(set(hosts[kind]))) for kind, _ in listed[:_MOST_CHANGES]]
    return changes, len(listed) - len(changes), total, attached


def _change_of_entries(both: TwoDays, kind: tuple[int, int, int], hosts: list[int]) -> Change:
    v, b, a = kind
    names = ", ".join(both.terminal_names[t] for t in hosts[:_SHOWN])
    more = f" and {len(hosts) - _SHOWN} more" if len(hosts) > _SHOWN else ""
    was, now = (_way(both, x, day) for x, day in ((b, both.days[0]), (a, both.days[1])))
    where = f"{both.node_names[v]}, to {names}{more}"
    return Change("entries", "changed", where, f"by {was}, now by {now}", terminals=tuple(hosts), node=v,
                  groups=(b, a))  # fmt: skip


def _way(both: TwoDays, group: int, day: Day) -> str:
    """``swp1 (3), swp2 (1)``: the ports of a group, with weights where they are not all 1."""
    parts = both.groups.ways(group)
    places = places_of(day.channel, both.sizes[1])
    plain = all(w == 1 for _, w in parts)
    words = []
    for c, weight in parts:
        own = int(places[c])
        ports = day.network.port_names(own)
        to = day.network.label(int(day.network.head[own]))
        words.append(f"{f'port {ports[0]}' if ports else to}{'' if plain else f' ({weight})'}")
    return ", ".join(words)


def _settled_hosts(both: TwoDays) -> npt.NDArray[np.bool_]:
    """bool (T,): hosts that are at the same device on both days."""
    at = np.full((2, both.sizes[2]), -1)
    for k, day in enumerate(both.days):
        at[k, day.terminal] = day.node[day.network.sink]
    return np.asarray((at[0] == at[1]) & (at[0] >= 0))
