"""D-mod-K and S-mod-K routing on fat trees."""

from __future__ import annotations

from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Bools, Int32, Int64, read_only
from ...core.errors import InputError
from ...core.exact_arrays import ragged
from ...core.graph import hops_from
from ...core.loads import PairBlock
from ...core.network import Network
from ...machine.compiled import njit
from ...machine.memory import check_table
from ..base.entry import RoutingEntry
from ..base.pair_table import check_room
from ..tables.next_hop import NamedNextHops
from ..tables.path_tables import ListedRouting, PathList, from_steps

_NODES = 64  # whose tables are made at once, before an interrupt is heard
_PATH_BYTES = 60  # of one terminal's path to one node, while it is made


class ModK:
    """On the way up, a switch of level l takes its up channel number floor(t / W_l) mod (its up channels), t the
    number of the destination terminal (``dmodk``) or of the source terminal (``smodk``); W_l is the product of the
    numbers of up channels of the levels below it.  Up channels are numbered in ascending order, those from which the
    destination cannot be reached left out.  On the way down, parallel or equivalent channels are chosen likewise.

    The levels are hop distances from the nearest terminal, so any network in levels is taken: fat trees with dead
    links, fabrics from files.  Source: Lin, Chung & Huang 2004 (IPDPS); Zahavi 2012 (J. Supercomputing), D-Mod-K;
    Gomez et al. 2007 (IPDPS), deterministic versus adaptive routing in fat-trees.
    """

    def __init__(self, by: Literal["destination", "source"]) -> None:
        self.by = by

    def on(self, network: Network) -> DModK | ListedRouting:
        """Raises InputError where channels do not join adjacent levels, or a pair is not connected up and down."""
        name = "dmodk" if self.by == "destination" else "smodk"
        ways = _ways(network, name, np.ones(network.num_channels, dtype=bool))
        if self.by == "destination":
            return DModK(network, ways)
        return ListedRouting(network, name, _by_source(network, ways), rows="terminal")


class DModK(NamedNextHops):
    """``dmodk`` on a network; after failures of channels it is made anew without a network of its own."""

    remade = "pairs"

    def __init__(self, network: Network, ways: _Ways) -> None:
        size, ends = network.num_nodes, len(np.unique(network.sink))
        check_table(size, network.num_terminals, 4, f"next channels on {network.name}")
        table = np.full((size, network.num_terminals), -1, dtype=np.int32)
        _fill(network, ways, np.ones((size, ends), dtype=bool), table)
        super().__init__(network, "dmodk", read_only(table), "terminal")
        self.ways = ways

    def pairs_remade(self, dead: Bools) -> tuple[Int32, Int32, PairBlock]:
        network, old = self.network, self.ways
        new = _ways(network, self.name, ~dead)
        ends, which, size = np.unique(network.sink, return_inverse=True, return_counts=True)
        change = np.zeros((network.num_nodes, len(ends)), dtype=bool)
        if np.array_equal(new.period, old.period) and np.array_equal(new.up, old.up):
            for leads_on, before, way in ((new.reach, old.reach, new.up), (new.below, old.below, ~new.up)):
                moved = (leads_on != before).any(axis=1)
                through = np.flatnonzero(way & moved[network.head])
                heads = network.head[through]
                np.logical_or.at(change, network.tail[through], (leads_on[heads] != before[heads])[:, ends])
            moved = (new.below != old.below).any(axis=1)
            change[moved] |= (new.below[moved] != old.below[moved])[:, ends]
            change[network.tail[dead]] = True
        else:
            change[:] = True
        node, end = np.nonzero(change)
        column = np.argsort(which, kind="stable")[ragged((np.cumsum(size) - size)[end], size[end])]
        node, table = np.repeat(node, size[end]), self._table
        try:
            _fill(network, new, change, table)
            other = table[node, column] != self.next_channel[node, column]
            row, to = self.pairs_through(node[other], column[other])
            return row, to, self.pair_loads_by(table, row, to)
        finally:
            table[node, column] = self.next_channel[node, column]

    @cached_property
    def _table(self) -> npt.NDArray[np.int32]:
        """A table to write failures into, which is as ``next_channel`` between them."""
        return self.next_channel.copy()


class _Ways(NamedTuple):
    """The channels out of node v, those that are left: ``channels[offset[v]:offset[v + 1]]``.

    period: int64 (N,), W of each node's level; up: bool (C,); below, reach: bool (N, N), [v, d]: node d can be reached
    from v going down only; going up and then down.
    """

    offset: Int64
    channels: npt.NDArray[np.int32]
    period: Int64
    up: Bools
    below: Bools
    reach: Bools


def _ways(network: Network, name: str, alive: Bools) -> _Ways:
    """``alive``: bool (C,), the channels that are left; raises InputError as ``ModK.on``."""
    level = tree_levels(network, name, alive)
    tail, head = network.tail, network.head
    up = level[head] > level[tail]
    offset, channels = network.out_channels
    if not alive.all():
        kept = alive[channels]
        offset, channels = np.append(0, np.cumsum(kept))[offset], channels[kept]
    most = [1] * (int(level.max()) + 2)
    ups = np.add.reduceat(np.append(up[channels], False), offset[:-1]) * (np.diff(offset) > 0)
    for low in range(int(level.max()) + 1):
        most[low + 1] = most[low] * max(1, int(ups[level == low].max(initial=1)))
    period = np.array(most[:-1], dtype=np.int64)
    # What is below a node, from the lowest level up; then what it reaches through nodes above it, from the highest on.
    below = np.eye(network.num_nodes, dtype=bool)
    spread = spread_reach.for_steps(network.num_nodes * len(channels))
    by_level = channels[np.argsort(level[tail[channels]], kind="stable")]
    spread(tail, head, by_level[~up[by_level]], below)
    reach = below.copy()
    spread(tail, head, by_level[up[by_level]][::-1].copy(), reach)
    sources, sinks = (np.unique(x) for x in (network.source, network.sink))
    lost = np.argwhere(~reach[np.ix_(sources, sinks)])
    if len(lost):
        i, j = int(sources[lost[0, 0]]), int(sinks[lost[0, 1]])
        raise InputError(
            f"network {network.name}: {name} has no path up and down from node {network.label(i)} "
            f"to node {network.label(j)}"
        )
    return _Ways(offset, channels, period[level], up, below, reach)


def _fill(network: Network, ways: _Ways, change: Bools, table: npt.NDArray[np.int32]) -> None:
    """Write ``table``, int32 (N, T): the channel by which a packet at a node leaves for a terminal, -1 where none leads
    there.  ``change``: bool (N, E), for which nodes, and ends in ascending order."""
    ends, which = np.unique(network.sink, return_inverse=True)
    offset, channels, period, up, below, reach = ways
    fill = fill_tables.for_steps(3 * table.size + 2 * len(channels) * len(ends))
    nodes = np.flatnonzero(change.any(axis=1))
    for some in np.array_split(nodes, 1 + len(nodes) // _NODES):
        fill(offset, channels, network.head, up, below, reach, period, ends, which, change, some, table)


def _by_source(network: Network, ways: _Ways) -> PathList:
    """The paths of all source terminals to all nodes with terminals."""
    offset, channels, period, up, below, reach = ways
    sinks = np.unique(network.sink).astype(np.int32)
    terminals = np.arange(network.num_terminals, dtype=np.int32)
    check_room(2 * len(terminals) * (len(sinks) - 1))  # paths up and down again
    check_table(len(terminals), len(sinks), _PATH_BYTES, f"paths on {network.name}")
    row, end = np.repeat(terminals, len(sinks)), np.tile(sinks, len(terminals))
    at = network.source[row].copy()
    away = at != end
    row, at, end = (x[away] for x in (row, at, end))
    steps = []
    going = np.arange(len(row))
    while len(going):
        # The channels to choose from depend on the two nodes alone, and many terminals share a node.
        pair, back = np.unique(at[going].astype(np.int64) * network.num_nodes + end[going], return_inverse=True)
        here, there = pair // network.num_nodes, pair % network.num_nodes
        down = below[here, there]
        length = offset[here + 1] - offset[here]
        out = channels[ragged(offset[here], length)]
        which = np.repeat(np.arange(len(pair)), length)
        target = there[which]
        fits = np.where(
            down[which], ~up[out] & (below[network.head[out], target]), up[out] & reach[network.head[out], target]
        )
        out, which = out[fits], which[fits]
        count = np.bincount(which, minlength=len(pair))
        first = np.cumsum(count) - count
        chosen = out[first[back] + (row[going].astype(np.int64) // period[here][back]) % count[back]]
        steps.append((going, chosen))
        at[going] = network.head[chosen]
        going = going[at[going] != end[going]]
    return from_steps(row, end, steps)


def tree_levels(network: Network, name: str, alive: Bools | None = None) -> Int64:
    """Hops to the nearest node with terminals, int64 (N,); raises InputError unless channels join adjacent levels.

    ``alive``: bool (C,), the channels that there are (None: all)."""
    served = np.flatnonzero((network.supply > 0) | (network.demand > 0))
    which = np.arange(network.num_channels) if alive is None else np.flatnonzero(alive)
    tail, head = network.tail[which], network.head[which]
    level = hops_from(network.num_nodes, np.concatenate([tail, head]), np.concatenate([head, tail]), served)
    flat = which[np.abs(level[tail] - level[head]) != 1]
    step = int(level.max())
    if flat.size or not step:
        what = "all its nodes have terminals"
        if step:
            c = int(flat[0])
            what = f"channel {network.channel_label(c)} joins two nodes of level {int(level[network.tail[c]])}"
        raise InputError(f"{name} needs a fat tree, with channels between adjacent levels only; {network.name}: {what}")
    return level


DMODK_ENTRY = RoutingEntry(
    name="dmodk",
    help="D-mod-K on fat trees: the way up by digits of the destination",
    build=lambda network, _: ModK("destination").on(network),
    aliases={"d-mod-k": "dmodk", "dmod-k": "dmodk"},
)

SMODK_ENTRY = RoutingEntry(
    name="smodk",
    help="S-mod-K on fat trees: the way up by digits of the source",
    build=lambda network, _: ModK("source").on(network),
    aliases={"s-mod-k": "smodk", "smod-k": "smodk"},
)


@njit(cache=True, nogil=True)
def spread_reach(tail, head, channels, reach):  # type: ignore[no-untyped-def]
    """Along ``channels``, one after the other, their tails reach what their heads do; reach: bool (N, N)."""
    for c in channels:
        v, w = tail[c], head[c]
        for d in range(reach.shape[1]):
            if reach[w, d]:
                reach[v, d] = True


@njit(cache=True, nogil=True, error_model="numpy")
def fill_tables(offset, channel, head, up, below, reach, period, end, which, change, nodes, table):  # type: ignore[no-untyped-def]
    """Write ``table[v, t]``, int32 (N, T), for the given ``nodes`` v; see ``mod_k._fill``.

    end: int64 (E,), the nodes with destinations; which: int64 (T,), of which of them each terminal is.
    """
    for v in nodes:
        low, out = offset[v], offset[v + 1] - offset[v]
        fits = np.empty((len(end), out), dtype=np.int32)
        count = np.zeros(len(end), dtype=np.int64)
        some = np.flatnonzero(change[v])
        for k in range(out):
            c = channel[low + k]
            onward = reach[head[c]] if up[c] else below[head[c]]
            for e in some:
                if onward[end[e]] and below[v, end[e]] != up[c]:
                    fits[e, count[e]] = c
                    count[e] += 1
        for t in range(len(which)):
            e = which[t]
            if change[v, e]:
                table[v, t] = fits[e, t // period[v] % count[e]] if count[e] > 0 else -1
