"""Entries of tables that changed between two days, those with a cable that came or went apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .days import Change, Day, TwoDays, places_of

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
