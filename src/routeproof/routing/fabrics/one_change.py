"""One change of a fabric alone: the first day with it, and with nothing else of the second day.

A cable that went takes with it the entries that used it: the second day's stand in their place; a cable that came
brings those that use it.  Where packets do not arrive so, because devices farther away had to go round it as well, it
takes with it all entries to the hosts that these entries lead to (``far``).  An entry that no packet took on the first
day is that of the second day, where it has one.
Of a routing that a name makes, the name makes it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64
from ...core.errors import InputError
from ...core.network import Network
from ..base.mixture import Mixture
from ..base.routing import Routing
from ..tables.group_table import GroupTable, GroupTableRouting
from ..tables.next_hop import NextHop
from .days import Change, Day
from .difference import Difference
from .entries import Groups


class Mixed:
    """The first day of ``found``, to which changes are applied; then ``network`` and ``routing`` are what is left."""

    def __init__(self, found: Difference, *, far: bool = False) -> None:
        self._found, self._far = found, far
        first, channels, terminals = found.before, len(found.tail), len(found.terminal_names)
        self._is_node = _mask(first.node, len(found.node_names))
        self._is_channel, self._is_host = _mask(first.channel, channels), _mask(first.terminal, terminals)
        self._width: list[Fraction | None] = [None] * channels
        for c, width in zip(first.channel.tolist(), first.network.bandwidth, strict=True):
            self._width[c] = width
        self._source, self._sink = (np.full(terminals, -1, dtype=np.int64) for _ in range(2))
        self._settle(first, first.terminal)
        self._second = dict(zip(found.after.channel.tolist(), found.after.network.bandwidth, strict=True))
        self._tables: list[tuple[Fraction, Int32, Int32]] = []
        if found.before.entries is not None and found.after.entries is not None:
            pairs = zip(found.before.entries, found.after.entries, strict=True)
            self._tables = [(w, np.where(was < 0, now, was), now) for (w, was), (_, now) in pairs]

    def apply(self, changes: Sequence[Change]) -> None:
        """``changes`` together."""
        for x in changes:
            channels = set(x.channels)
            if x.kind in ("cable", "channel"):
                self._is_channel[list(channels)] = x.how == "came"
                self._take_ways(channels)
            if x.kind == "speed" or x.how == "came":
                for c in channels:
                    self._width[c] = self._second[c] * self._found.scale
            if x.kind == "device":
                self._is_node[x.node] = x.how != "went"
            if x.kind == "host":
                self._hosts(x)
            if x.kind == "entries":
                for _, own, now in self._tables:
                    some = np.array(x.terminals)
                    here = some[(own[x.node, some] == x.groups[0]) & (now[x.node, some] == x.groups[1])]
                    own[x.node, here] = x.groups[1]

    def _hosts(self, change: Change) -> None:
        some = np.array(change.terminals)
        self._is_host[some] = change.how != "went"
        if change.how == "went":
            return
        self._settle(self._found.after, some)
        for _, own, now in self._tables:
            own[:, some] = np.where(now[:, some] < 0, own[:, some], now[:, some])

    def _take_ways(self, channels: set[int]) -> None:
        """The second day's entries for those that use one of ``channels`` on either day."""
        uses = np.append(self._found.groups.that_use(channels), False)
        for _, own, now in self._tables:
            changed = uses[own] | uses[now]
            if self._far:
                changed = np.broadcast_to(changed.any(axis=0), own.shape)
            changed = changed & (now >= 0)
            own[changed] = now[changed]

    def _settle(self, day: Day, terminals: Int64) -> None:
        place = np.full(len(self._source), -1, dtype=np.int64)
        place[day.terminal] = np.arange(len(day.terminal))
        here = place[terminals]
        self._source[terminals] = day.node[day.network.source[here]]
        self._sink[terminals] = day.node[day.network.sink[here]]

    def network(self) -> Network:
        """Raises InputError where a host or a cable is at a device that is not there."""
        found = self._found
        channel, host = np.flatnonzero(self._is_channel), np.flatnonzero(self._is_host)
        ends = (found.tail[channel], found.head[channel], self._source[host], self._sink[host])
        for numbers in ends:
            if not self._is_node[numbers].all():
                v = int(numbers[int(np.argmin(self._is_node[numbers]))])
                raise InputError(f"{found.node_names[v]} is not there without other changes")
        node = np.flatnonzero(self._is_node)
        number = np.full(len(self._is_node), -1, dtype=np.int64)
        number[node] = np.arange(len(node))
        tail, head, source, sink = (number[x] for x in ends)
        first = found.before.network
        return Network(
            name=f"one change of {first.name}",
            num_nodes=len(node),
            tail=tail,  # type: ignore[arg-type]  # made int32 there
            head=head,  # type: ignore[arg-type]
            bandwidth=tuple(self._width[c] for c in channel.tolist()),  # type: ignore[misc]
            source=source,  # type: ignore[arg-type]
            sink=sink,  # type: ignore[arg-type]
            labels=tuple(found.node_names[v] for v in node.tolist()),
            terminal_labels=tuple(found.terminal_names[t] for t in host.tolist()),
        )

    def routing(self, first: Routing, made: Callable[[str, Network], Routing]) -> Routing:
        """``first``: that of the first day; ``made(name, network)`` makes a routing by name.

        Raises InputError where packets do not arrive, and for a routing that has neither tables nor such a name.
        """
        network = self.network()
        if not self._tables:
            if first.in_full:
                raise InputError("the routing is not made of tables, so that it is not known on another network")
            return made(first.name, network)
        channel, host = np.flatnonzero(self._is_channel), np.flatnonzero(self._is_host)
        node = np.flatnonzero(self._is_node)
        number = np.full(len(self._is_channel), -1, dtype=np.int64)
        number[channel] = np.arange(len(channel))
        parts = [
            (weight, _routing(network, own[np.ix_(node, host)], self._found.groups, number, f"{first.name}#{k}"))
            for k, (weight, own, _) in enumerate(self._tables)
        ]
        return parts[0][1] if len(parts) == 1 else Mixture(parts, name=f"one change of {first.name}")


def _routing(network: Network, group: Int32, groups: Groups, channel: Int64, name: str) -> Routing:
    """The routing of a table of ``groups``, int32 (N, T); ``channel``: the network's, by the groups' numbers."""
    own = group.copy()
    own[network.sink, np.arange(network.num_terminals)] = -1
    used = [x for x in np.unique(own).tolist() if x >= 0]
    ways = {x: tuple(sorted((int(channel[c]), w) for c, w in groups.ways(x))) for x in used}
    lost = [x for x in used if any(c < 0 for c, _ in ways[x])]
    own[np.isin(own, lost)] = -1
    if all(len(x) == 1 for x in ways.values()):
        single = np.full(len(groups) + 1, -1, dtype=np.int64)
        single[used] = [ways[x][0][0] for x in used]
        return NextHop(single[own], columns="terminal", name=name).on(network)
    kinds: dict[tuple[int, bytes], int] = {}
    first: list[int] = []
    column_of = np.zeros(network.num_terminals, dtype=np.int32)
    for t, v in enumerate(network.sink.tolist()):
        column_of[t] = kinds.setdefault((v, own[:, t].tobytes()), len(kinds))
        if column_of[t] == len(first):
            first.append(t)
    small = own[:, first]
    at = zip(*(x.tolist() for x in np.nonzero(small >= 0)), strict=True)
    found = {(v, d): ways[int(small[v, d])] for v, d in at}
    return GroupTableRouting(network, name, GroupTable.of(small.shape, found), column_of)


def _mask(numbers: Int64, size: int) -> npt.NDArray[np.bool_]:
    found = np.zeros(size, dtype=bool)
    found[numbers] = True
    return found
