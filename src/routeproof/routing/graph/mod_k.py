"""D-mod-K and S-mod-K routing on fat trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Bools, Int32, Int64, offsets_of, read_only
from ...core.errors import InputError
from ...core.exact_arrays import ragged, run_starts
from ...core.graph import hops_from
from ...core.loads import LoadBlock, PairBlock, Spans
from ...core.network import Network
from ...core.symmetry import Automorphism
from ...machine.compiled import njit
from ...machine.memory import check_table
from ..base.entry import RoutingEntry
from ..base.pair_table import check_room
from ..base.routing import Ends, ForwardingTable
from ..tables.crossings import Crossings, by_column, counted
from ..tables.next_hop import NamedNextHops, ones
from ..tables.path_tables import ListedRouting, PathList, from_steps
from .mod_k_symmetry import TreeMaps

_NODES = 64  # whose tables are made at once, before an interrupt is heard
_ROOM = 1 << 19  # nodes and ends that a failure may change, if its ways are not all made anew
_SHARE = 8  # of all columns: fewer than this part of them are made for a few channels alone
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
        ForwardingTable.__init__(self, network, "dmodk", Ends.of(network, columns="terminal"))
        self.columns = "terminal"
        self.ways = ways

    @cached_property
    def next_channel(self) -> Int32:  # type: ignore[override]  # made where all of it is asked for
        network = self.network
        check_table(network.num_nodes, network.num_terminals, 4, f"next channels on {network.name}")
        nodes, every = np.arange(network.num_nodes), np.arange(network.num_terminals)
        table = np.empty((len(nodes), len(every)), dtype=np.int32)
        for some in np.array_split(nodes, 1 + len(nodes) // _NODES):
            self._write(table[some[0] : some[-1] + 1], some, every)
        return read_only(table)

    @cached_property
    def crossings(self) -> Crossings:  # type: ignore[override]  # likewise
        every = np.ones(self.network.num_terminals, dtype=bool)
        return Crossings.of_tables(self.network, by_column(self.next_channel), self.column_node, every, self.name)

    @cached_property
    def spans(self) -> Spans:
        """Up a channel go packets from below its tail only."""
        network, (_, _, _, up, below, _) = self.network, self.ways
        every = np.ones(network.num_terminals, dtype=bool)
        columns, pairs = counted(network, self._tables, self.column_node, every)
        under = np.array([network.supply[nodes].sum() for nodes in below])
        return Spans(np.where(up, under[network.tail], network.num_terminals), columns, pairs)

    def expected_loads(self, channel: int) -> int:
        return int(self.spans.pairs[channel]) // max(1, int(self.network.supply.max()))

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        """Of few channels from the tables for the columns of these alone."""
        asked = np.asarray(channels, dtype=np.int32).reshape(-1)
        if "crossings" in self.__dict__ or int(self.spans.columns[asked].sum()) * _SHARE > len(self.column_node):
            return super().channel_loads(asked, rows=rows)
        network, every = self.network, np.arange(len(self.column_node), dtype=np.int32)
        tails = np.unique(network.tail[asked])
        leaving = np.empty((len(tails), len(every)), dtype=np.int32)
        self._write(leaving, tails, every)
        columns = every[np.isin(leaving, asked).any(axis=0)]
        target, used = self.column_node[columns], np.ones(len(columns), dtype=bool)
        few = Crossings.of_tables(network, lambda some: self._tables(columns[some]), target, used, self.name)
        wanted = np.ones(network.num_nodes, dtype=np.bool_) if rows is None else rows
        offset, row, column = few.pairs_of(asked, wanted)
        return LoadBlock(asked, offset, row, columns[column], ones(len(row)))

    def _tables(self, columns: Int32) -> Int32:
        """The entries for these columns, int32 (Q, N), see ``crossings.ByColumn``."""
        table = np.empty((len(columns), self.network.num_nodes), dtype=np.int32)
        self._write(table.T, np.arange(self.network.num_nodes), columns)
        return table

    def _write(self, table: Int32, nodes: npt.NDArray[np.integer], terminals: npt.NDArray[np.integer]) -> None:
        """The entries of these nodes for these terminals, int32 (V, Q)."""
        columns = _Columns.of(self.network.sink, terminals)
        row, end = np.divmod(np.arange(len(nodes) * len(columns.end)), len(columns.end))
        _fill(self.network, self.ways, columns, (nodes[row].astype(np.int64), row, end), table)

    def pairs_remade(self, dead: Bools) -> tuple[Int32, Int32, PairBlock]:
        table = self._table  # made while nothing is lost
        with self._without(dead) as (ways, at):
            if at is None:
                num_ends = len(np.unique(self.network.sink))
                ways = _ways(self.network, self.name, ~dead)
                at = np.divmod(np.arange(self.network.num_nodes * num_ends), num_ends)
            return self._remade(table, ways, *at)

    def choices_left(self, dead: Bools) -> tuple[Int64, Int64] | None:
        """Without the channels that are ``dead``: (the node, how many channels are left to choose from) of each node
        and destination of which that changes; None where levels change, too."""
        network, ends = self.network, np.unique(self.network.sink)
        with self._without(dead) as ((alive, _, _, up, below, reach), at):
            if at is None:
                return None
            (offset, channels), (node, to) = network.out_channels, (at[0], ends[at[1]])
            length = offset[node + 1] - offset[node]
            out, which = channels[ragged(offset[node], length)], np.repeat(np.arange(len(node)), length)
            v, d, head = node[which], to[which], network.head[out]
            fits = alive[out] & (below[v, d] != up[out]) & np.where(up[out], reach[head, d], below[head, d])
        return node, np.bincount(which[fits], minlength=len(node))

    def maps_after(self, anew: bool) -> Sequence[Automorphism]:
        return () if self._maps is None else self._maps.found(anew)

    def alike_after(self, g: Automorphism, of: str, first: Int64, *, anew: bool) -> Bools:
        if self._maps is None or (anew and of == "switches"):
            return np.zeros(len(first), dtype=bool)
        return self._maps.keeps(g, first) if anew else np.full(len(first), self._maps.respects(g))

    @cached_property
    def _maps(self) -> TreeMaps | None:
        _, level, period, *ways = self.ways
        return TreeMaps.of(self.network, level, period, (ways[0], ways[1], ways[2]), self.choices_left)

    @contextmanager
    def _without(self, dead: Bools) -> Iterator[tuple[_Ways, tuple[Int64, Int64] | None]]:
        """What ``dead`` channels leave, while the context lasts, and the (node, end) for which the way may be another
        one, each once; None as of ``_lost``."""
        num_ends, ways = len(np.unique(self.network.sink)), self.ways._replace(alive=~dead)
        lost, found = self._lost(ways, dead)
        try:
            key = np.zeros(0, np.int64) if found is None else np.sort(found[0].astype(np.int64) * num_ends + found[1])
            yield ways, None if found is None else np.divmod(key[run_starts(key)], num_ends)
        finally:
            for kind, reached in enumerate((self.ways.below, self.ways.reach)):
                reached[lost[1][lost[0] == kind], lost[2][lost[0] == kind]] = True

    def _remade(self, table: Int32, ways: _Ways, node: Int64, end: Int64) -> tuple[Int32, Int32, PairBlock]:
        """The pairs whose packets take another way where the entries of nodes and ends are made anew."""
        columns = _Columns.of(self.network.sink, np.arange(self.network.num_terminals))
        size = np.diff(columns.first)[end]
        column, each = columns.terminal[ragged(columns.first[end], size)], np.repeat(node, size)
        try:
            _fill(self.network, ways, columns, (node, node, end), table)
            other = table[each, column] != self.next_channel[each, column]
            row, to = self.pairs_through(each[other], column[other])
            return row, to, self.pair_loads_by(table, row, to)
        finally:
            table[each, column] = self.next_channel[each, column]

    def _lost(self, ways: _Ways, dead: Bools) -> tuple[Int32, tuple[Int32, Int32] | None]:
        """Take out of ``ways`` what is not reached any more; returns it (``lose_reach``), and the (node, end) for which
        the way may be another one.  None: levels, periods, or what all nodes reach are others."""
        network, (_, level, period, up, below, reach) = self.network, ways
        tail, head = network.tail, network.head
        ups = np.bincount(tail[up & ~dead], minlength=network.num_nodes)
        near = np.zeros(network.num_nodes, dtype=bool)  # those with a channel that leads to or from one level lower
        near[np.where(up, head, tail)[~dead]] = True
        lost, found = np.empty((3, _ROOM), dtype=np.int32), np.empty((2, _ROOM), dtype=np.int32)
        if not np.array_equal(near, level > 0) or not np.array_equal(_periods(level, ups), period):
            return lost[:, :0], None
        ends, end_of = np.unique(network.sink), np.full(network.num_nodes, -1, dtype=np.int32)
        end_of[ends] = np.arange(len(ends))
        gone, links = np.flatnonzero(dead), (network.out_channels, network.in_channels, tail, head)
        many, count = lose_reach(gone, *links, ~dead, up, below, reach, end_of, lost, found)
        lost = lost[:, :many]
        sends = network.supply[lost[1]] > 0
        return lost, None if count < 0 or (sends & (lost[0] == 1)).any() else (found[0, :count], found[1, :count])

    @cached_property
    def _table(self) -> npt.NDArray[np.int32]:
        """A table to write failures into, which is as ``next_channel`` between them."""
        return self.next_channel.copy()


class _Ways(NamedTuple):
    """alive: bool (C,), the channels that are left; level, period: int64 (N,), hops to the nearest terminal, and W of
    that level; up: bool (C,); below, reach: bool (N, N), [v, d]: node d can be reached from v going down only; going up
    and then down.
    """

    alive: Bools
    level: Int64
    period: Int64
    up: Bools
    below: Bools
    reach: Bools


def _periods(level: Int64, ups: Int64) -> Int64:
    """W of each node's level; ``ups``: how many up channels each node has."""
    most = [1] * (int(level.max()) + 2)
    for low in range(int(level.max()) + 1):
        most[low + 1] = most[low] * max(1, int(ups[level == low].max(initial=1)))
    return np.array(most, dtype=np.int64)[level]


def _ways(network: Network, name: str, alive: Bools) -> _Ways:
    """``alive``: bool (C,), the channels that are left; raises InputError as ``ModK.on``."""
    level = tree_levels(network, name, alive)
    tail, head = network.tail, network.head
    up = level[head] > level[tail]
    channels = np.flatnonzero(alive)
    period = _periods(level, np.bincount(tail[alive & up], minlength=network.num_nodes))
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
    return _Ways(alive, level, period, up, below, reach)


class _Columns(NamedTuple):
    """Some terminals by their nodes: those of end[e] are terminal[first[e]:first[e + 1]], and their columns in a table
    ``place`` there."""

    end: Int64
    first: Int64
    terminal: Int64
    place: Int64

    @staticmethod
    def of(sink: Int32, terminals: npt.NDArray[np.integer]) -> _Columns:
        end, size = np.unique(sink[terminals].astype(np.int64), return_counts=True)
        place = np.argsort(sink[terminals], kind="stable")
        return _Columns(end, offsets_of(size), terminals[place].astype(np.int64), place)


def _fill(
    network: Network, ways: _Ways, columns: _Columns, at: tuple[Int64, Int64, Int64], table: npt.NDArray[np.int32]
) -> None:
    """Write ``table``, int32, by row and column: the channel by which a packet at a node leaves for a terminal, -1
    where none leads there.  ``at``: int64 (K,), the nodes, their rows, and the ends (numbers in ``columns``)."""
    steps = len(columns.place) // max(1, len(columns.end)) + 2 * network.num_channels // network.num_nodes
    fill = fill_entries.for_steps(steps * len(at[0]))
    alive, _, period, up, below, reach = ways
    flat, step = table.reshape(-1, order="A"), np.array(table.strides) // table.itemsize
    fill(network.out_channels, network.head, alive, up, below, reach, period, columns, at, flat, step)


def _by_source(network: Network, ways: _Ways) -> PathList:
    """The paths of all source terminals to all nodes with terminals."""
    (offset, channels), (alive, _, period, up, below, reach) = network.out_channels, ways
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
        fits &= alive[out]
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
def fill_entries(leaving, head, alive, up, below, reach, period, columns, at, table, step):  # type: ignore[no-untyped-def]
    """Write ``table``, int32, flat: of rows ``step[0]`` apart and columns ``step[1]`` apart; see ``mod_k._fill``."""
    offset, channel = leaving
    ends, first, terminal, place = columns
    node, row, end = at
    fits = np.empty(len(alive), dtype=np.int32)
    for k in range(len(node)):
        v, d = node[k], ends[end[k]]
        count = 0
        for x in range(offset[v], offset[v + 1]):
            c = channel[x]
            if alive[c] and below[v, d] != up[c] and (reach[head[c], d] if up[c] else below[head[c], d]):
                fits[count] = c
                count += 1
        low = which = 0
        high = -1
        for x in range(first[end[k]], first[end[k] + 1]):
            t = terminal[x]
            if count == 0:
                which = 0
                fits[0] = -1
            elif low <= high == t:  # the next number, without a division
                low, high = high, high + period[v]
                which = which + 1 if which + 1 < count else 0
            elif not low <= t < high:
                low = t - t % period[v]
                high = low + period[v]
                which = t // period[v] % count
            table[row[k] * step[0] + place[x] * step[1]] = fits[which]


@njit(cache=True, nogil=True)
def lose_reach(dead, leaving, entering, tail, head, alive, up, below, reach, end_of, lost, found):  # type: ignore[no-untyped-def]
    """Without the channels ``dead``: nodes that lose node d below them (kind 0), or among all that they reach (1).

    ``below`` and ``reach``, bool (N, N), lose them; ``lost``: int32 (3, room), kind, node and d of each; ``found``:
    int32 (2, room), nodes and ends for which a channel that led on does so no more, some more than once.  ``end_of``:
    int32 (N,), the number of d, -1 where it is no destination.  Returns how many of both; the second is -1 where they
    have no room.
    """
    many = 0
    count = 0
    done = -1
    room = lost.shape[1]
    size = len(end_of)
    while done < many:
        # First the dead channels, as if what they lead to were lost; then the nodes that lost something, in order.
        is_first = done < 0
        w = -1 if is_first else lost[1, done]
        d = -1 if is_first else lost[2, done]
        kind = -1 if is_first else lost[0, done]
        low = 0 if is_first else entering[0][w]
        high = len(dead) if is_first else entering[0][w + 1]
        if kind == 0:
            if count == room:
                return many, -1
            found[0, count] = w
            found[1, count] = end_of[d]
            count += 1
        for at in range(low - (kind == 0), high):
            itself = at < low  # a node that has lost d below it may reach it by going up
            c = -1 if itself else dead[at] if is_first else entering[1][at]
            v = w if itself else tail[c]
            way = 1 if itself or up[c] else 0
            if not is_first and not itself and way != kind:
                continue
            for x in range(size if is_first else 1):
                to = x if is_first else d
                reached = below if way == 0 else reach
                if end_of[to] < 0 or (is_first and not reached[head[c], to]):
                    continue
                if not itself:
                    if count == room:
                        return many, -1
                    found[0, count] = v
                    found[1, count] = end_of[to]
                    count += 1
                if not reached[v, to] or v == to or (way == 1 and below[v, to]):
                    continue
                left = False
                for k in range(leaving[0][v], leaving[0][v + 1]):
                    e = leaving[1][k]
                    if alive[e] and up[e] == (way == 1) and reached[head[e], to]:
                        left = True
                        break
                if left:
                    continue
                if many == room:
                    return many, -1
                reached[v, to] = False
                lost[0, many] = way
                lost[1, many] = v
                lost[2, many] = to
                many += 1
        done += 1
    return many, count
