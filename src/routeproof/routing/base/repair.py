"""What a failure does to a routing, by a rule: pairs of which any packet crosses a dead channel change, all others stay
as they are.

``Rerouting`` is the rule ``split``: such a pair takes the shortest paths of what is left, all alike.  It is a
hypothesis, which no device makes; for ``minimal:choice=per-path`` it is the routing made anew.  ``NoRepair`` is the
rule ``none``: such a pair loses packets.  ``Rebuilding`` is the rule ``rebuild``: every pair takes the paths of the
routing made anew.  The fourth rule is that of ``hop_by_hop``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, members
from ...core.errors import InputError
from ...core.exact_arrays import concatenate, grown, matches
from ...core.faults import Faults, Survivors
from ...core.graph import lost_pair
from ...core.loads import LoadBlock, PairBlock
from ...core.network import Network
from ...core.rational import Rationals
from ...graphs.shortest import Int16, hops_to_all
from ...machine.compiled import njit
from .pair_table import PairTable, order_of
from .routing import Ends, Routing

_ENTRIES_EACH = 256  # of a pair, about; more are made room for


@dataclass(frozen=True, eq=False)
class Detours:
    """The failure of some nodes and of ``channels`` (bool, by number; the channels of dead nodes included).

    ``terminals``: bool (T,), those that are left: a terminal goes with the node that it sends at or receives at.
    ``lost``: nodes (i, j) with live terminals between which no path is left, or None.  Else the pairs that crossed a
    dead channel (``row``, ``column``) and their new loads, ``channel``, ``load`` with ``pair`` (an index into row and
    column).  ``cut``: bool, which of these pairs lose packets, and have no loads; None: none of them does.
    ``undecided``: nodes (i, j) of a pair of which the rule does not say what it does, or None.
    """

    channels: npt.NDArray[np.bool_]
    terminals: npt.NDArray[np.bool_]
    lost: tuple[int, int] | None
    row: Int32
    column: Int32
    pair: Int64
    channel: Int32
    load: Rationals
    cut: npt.NDArray[np.bool_] | None = None
    undecided: tuple[int, int] | None = None

    @property
    def is_decided(self) -> bool:
        """Are no terminals separated, and does the rule say what it does to every pair?"""
        return self.lost is None and self.undecided is None

    @property
    def cuts(self) -> bool:
        return self.cut is not None and bool(self.cut.any())

    @staticmethod
    def without(of: Crossing, lost: tuple[int, int] | None = None) -> Detours:
        """Without new loads: two nodes are separated, or else all pairs are cut."""
        none = np.zeros(0, dtype=np.int64)
        cut = np.ones(len(of.row), dtype=bool) if lost is None else None
        return Detours(*of[:2], lost, *of[2:], none, none.astype(np.int32), Rationals(none, none), cut=cut)


class Crossing(NamedTuple):
    """What failed: ``dead`` bool (C,); ``terminals`` bool (T,), those that are left; and the pairs with terminals left
    of which any packet crosses a dead channel, ``row`` and ``column``, in order."""

    dead: npt.NDArray[np.bool_]
    terminals: npt.NDArray[np.bool_]
    row: Int32
    column: Int32


class Rerouting:
    """What it takes to reroute the packets of ``routing`` after any failure: all its loads, and all distances."""

    def __init__(self, routing: Routing) -> None:
        self.routing, self.table, self.hops = routing, routing.pair_table(), hops_to_all(routing.network)

    def crossing(self, nodes: Sequence[int], channels: Sequence[int]) -> Crossing:
        """The pairs that the failure of ``nodes`` and ``channels`` concerns."""
        network, table = self.routing.network, self.table
        dead, terminals = Faults(nodes, channels).after(network)
        sends, receives = _members_left(self.routing, terminals)
        block = table.channel_loads(np.nonzero(dead)[0])
        key = np.unique(block.row.astype(np.int64) * table.num_columns + block.column)
        row, column = (key // table.num_columns).astype(np.int32), (key % table.num_columns).astype(np.int32)
        live = (sends[row] > 0) & (receives[column] > 0)
        return Crossing(dead, terminals, row[live], column[live])

    def after(self, nodes: Sequence[int], channels: Sequence[int]) -> Detours:
        """What the failure of ``nodes`` and ``channels`` makes of the routing."""
        return self.rerouted(self.crossing(nodes, channels))

    def rerouted(self, crossing: Crossing) -> Detours:
        """What becomes of these pairs, whichever they are."""
        return find_detours(self.routing, self.hops, crossing)

    @property
    def shortest(self) -> Rerouting | None:
        """The rule where pairs that crossed what failed take shortest paths of what is left, and all others stay as
        they are; None where it is another one."""
        return self

    def patched(self, detours: Detours) -> PatchedRouting:
        """The routing after the failure, where no pair is lost; pairs that are cut send nothing."""
        return PatchedRouting(self.routing, self.table, detours)

    def loads_any(self, detours: Detours, allowed: npt.NDArray[np.bool_] | None = None) -> bool:
        """Does a pair that loses nothing load any channel?  ``allowed``: bool (T, T), of the pairs of terminals that
        may send (None: of all)."""
        block = self.patched(detours).channel_loads(np.flatnonzero(~detours.channels))
        if allowed is None or not len(block.row):
            return len(block.row) > 0
        routing = self.routing
        loaded = np.zeros((len(routing.row_node), len(routing.column_node)), dtype=bool)
        loaded[block.row, block.column] = True
        left = detours.terminals
        return bool((loaded[routing.row_of[:, None], routing.column_of] & allowed & left[:, None] & left).any())

    def pairs_cut(self, detours: Detours) -> int:
        """How many ordered pairs of terminals that are left lose packets."""
        if detours.cut is None:
            return 0
        sends, receives = _members_left(self.routing, detours.terminals)
        return int((sends[detours.row[detours.cut]] * receives[detours.column[detours.cut]]).sum())


class NoRepair(Rerouting):
    """Entries that point at what failed lose their packets: a pair of which any packet crosses it is cut."""

    @property
    def shortest(self) -> None:
        return None

    def rerouted(self, crossing: Crossing) -> Detours:
        return Detours.without(crossing)


class NotRemadeError(InputError):
    """The routing is not defined on what a failure leaves; ``why``: what its making said."""

    def __init__(self, why: str) -> None:
        super().__init__(f"on what a failure leaves the routing cannot be made again: {why}")
        self.why = why


class Rebuilding(Rerouting):
    """``make`` makes the routing anew on what a failure leaves, and all pairs of terminals that are left follow it.

    ``alike``: how pairs that crossed what failed are rerouted then, where all others stay as they are; or None.
    """

    def __init__(self, routing: Routing, make: Callable[[Network], Routing], alike: Rerouting | None = None) -> None:
        if alike is None:
            super().__init__(routing)
        else:
            self.routing, self.table, self.hops = routing, alike.table, alike.hops
        self.make, self.alike = make, alike

    @property
    def shortest(self) -> Rerouting | None:
        return self.alike

    def after(self, nodes: Sequence[int], channels: Sequence[int]) -> Detours:
        """Raises NotRemadeError where the routing is not defined on what is left."""
        try:
            found = self._changed(nodes, channels)
        except InputError:
            found = None  # the making says why
        return self._made(nodes, channels) if found is None else found

    def _changed(self, nodes: Sequence[int], channels: Sequence[int]) -> Detours | None:
        """``after`` with the pairs alone that change, where these are known without making all anew."""
        if self.alike is not None:
            found = self.alike.after(nodes, channels)
            return None if found.lost is not None or found.cuts else replace(found, cut=None)
        network = self.routing.network
        dead = np.zeros(network.num_channels, dtype=bool)
        dead[list(channels)] = True
        changed = None if nodes else self.routing.pairs_remade(dead)
        if changed is None:
            return None
        row, column, block = changed
        every = np.ones(network.num_terminals, dtype=bool)
        return Detours(dead, every, None, row, column, members(block.offset), block.channel, block.load)

    def _made(self, nodes: Sequence[int], channels: Sequence[int]) -> Detours:
        network = self.routing.network
        of = Faults(nodes, channels).survivors(network)
        dead, terminals = np.ones(network.num_channels, dtype=bool), np.zeros(network.num_terminals, dtype=bool)
        dead[of.channel], terminals[of.terminal] = False, True
        lost = lost_pair(of.network)
        if lost is not None:
            none = np.zeros(0, dtype=np.int32)
            ends = int(of.node[lost[0]]), int(of.node[lost[1]])
            return Detours.without(Crossing(dead, terminals, none, none), ends)
        try:
            made = self.make(of.network)
        except InputError as error:
            raise NotRemadeError(str(error)) from None
        channel, row, column, load = placed_loads(self.routing, made, of)
        rows, columns = (np.unique(x[of.terminal]) for x in (self.routing.row_of, self.routing.column_of))
        pair = np.searchsorted(rows, row) * len(columns) + np.searchsorted(columns, column)
        order = np.lexsort((channel, pair))
        every = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
        return Detours(dead, terminals, None, *every, pair[order], channel[order], load[order])


def placed_loads(whole: Routing, made: Routing, of: Survivors) -> tuple[Int32, Int32, Int32, Rationals]:
    """The loads of a routing on what is left of the network of ``whole``: channel, row and column by the numbers there.

    Raises InputError where it tells terminals apart that ``whole`` routes alike.
    """
    table = made.pair_table()
    places = []
    for mine, its, size in (
        (made.row_of, whole.row_of, table.num_rows), (made.column_of, whole.column_of, table.num_columns)
    ):  # fmt: skip
        place = np.full(size, -1, dtype=np.int32)
        place[mine] = its[of.terminal]
        if not np.array_equal(place[mine], its[of.terminal]) or len(np.unique(place[mine])) != len(np.unique(mine)):
            raise InputError(f"{made.name} made anew tells other terminals apart than the one before")
        places.append(place)
    row, column = places[0][table.row], places[1][table.column]
    use = (row >= 0) & (column >= 0)
    channel = of.channel[np.repeat(np.arange(len(table.offset) - 1), np.diff(table.offset))]
    return channel[use], row[use], column[use], table.load[use]


def find_detours(routing: Routing, hops: Int16, crossing: Crossing) -> Detours:
    network, (dead, terminals, row, column) = routing.network, crossing
    start, end = routing.row_node[row], routing.column_node[column]
    kernel = detours.for_steps(len(row) * network.num_channels)
    done, offset, (channel,), load = grown(
        len(row), _ENTRIES_EACH, lambda *out: kernel(network.out_channels, network.head, ~dead, hops, start, end, *out)
    )
    if done == -1 - len(row):
        raise InputError(f"{network.name} has more than 2^60 shortest paths between two nodes; they are not counted")
    if done < 0:
        return Detours.without(crossing, (int(start[-1 - done]), int(end[-1 - done])))
    return Detours(dead, terminals, None, row, column, members(offset), channel, load)


def _members_left(routing: Routing, terminals: npt.NDArray[np.bool_]) -> tuple[Int64, Int64]:
    rows = np.bincount(routing.row_of[terminals], minlength=len(routing.row_node))
    columns = np.bincount(routing.column_of[terminals], minlength=len(routing.column_node))
    return rows.astype(np.int64), columns.astype(np.int64)


class PatchedRouting(Routing):
    """``routing`` after a failure, in the numbers of the whole network: dead channels carry nothing, rows without
    terminals that are left send nothing.

    ``supply``, ``demand``: int64, how many terminals are left in every row and column.
    """

    def __init__(self, routing: Routing, table: PairTable, detours: Detours) -> None:
        super().__init__(routing.network, routing.name, Ends.like(routing))
        self._table = table
        moved = np.zeros((table.num_rows, table.num_columns), dtype=bool)
        self.supply, self.demand = _members_left(routing, detours.terminals)
        moved[self.supply == 0, :] = True
        moved[:, self.demand == 0] = True
        moved[detours.row, detours.column] = True
        self._moved = moved
        self._detours = detours
        self._last: LoadBlock | None = None  # channels are looked at, and then proved

    @property
    def denominators(self) -> list[int]:
        """Those of all loads, before and after."""
        return sorted({*self._table.denominators, *self._detours.load.denominators()})

    @cached_property
    def _by_channel(self) -> tuple[Int64, npt.NDArray[np.integer]]:
        """(the order of the new loads by channel, their channels in that order)."""
        channel = self._detours.channel
        order = order_of(channel, self.network.num_channels)
        return order, channel[order]

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        asked = np.asarray(channels, dtype=np.int32).reshape(-1)
        if rows is None and self._last is not None and np.array_equal(self._last.channel, asked):
            return self._last
        block = self._table.channel_loads(asked, rows)
        which = members(block.offset)
        keep = ~self._moved[block.row, block.column]
        found, (order, ordered) = self._detours, self._by_channel
        at, length = matches(ordered, asked)
        at, more = order[at], np.repeat(np.arange(len(asked)), length)
        if rows is not None:
            use = rows[found.row[found.pair[at]]]
            at, more = at[use], more[use]
        pair = found.pair[at]
        which = np.concatenate([which[keep], more])
        row = np.concatenate([block.row[keep], found.row[pair]])
        column = np.concatenate([block.column[keep], found.column[pair]])
        load = concatenate([block.load[keep], found.load[at]])
        order = np.lexsort((column, row, which))
        offset = np.searchsorted(which[order], np.arange(len(asked) + 1)).astype(np.int64)
        made = LoadBlock(asked, offset, row[order], column[order], load[order])
        if rows is None:
            self._last = made
        return made

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        return self._every_pair.pair_loads(rows, columns)

    @cached_property
    def _every_pair(self) -> PairTable:
        everything = self.channel_loads(np.arange(self.network.num_channels))
        return PairTable.of_block(everything, len(self.row_node), len(self.column_node))


@njit(cache=True, nogil=True)
def detours(leaving, head, alive, before, start, end, offset, channel, num, den):  # type: ignore[no-untyped-def]
    """For pairs (start[k], end[k]): entries offset[k]:offset[k + 1] of ``channel`` with the load num / den.

    ``before[d, v]``: distances while all channels were there, at most what they are now: a node x is on a path of
    length L only if hops from the start to x, and the old ones on to the end, do not pass L.
    Returns how many pairs fit into ``channel``; -1 - k if no path is left for pair k; -1 - number of pairs if
    there are more than 2**60 paths.
    """
    out_offset, out_channel = leaving
    size = len(out_offset) - 1
    hops = np.empty(size, dtype=np.int32)
    ahead = np.empty(size, dtype=np.int64)
    back = np.empty(size, dtype=np.int64)
    stamp = np.zeros(size, dtype=np.int64)
    queue = np.empty(size, dtype=np.int32)
    tick = 0
    at = 0
    for k in range(len(start)):
        s = start[k]
        d = end[k]
        if before[d, s] < 0:
            return -1 - k
        longest = before[d, s] - 1
        last = 0
        while True:
            longest = longest + 1 if longest < before[d, s] + 3 else 2 * size
            tick += 1
            stamp[s] = tick
            hops[s] = 0
            ahead[s] = 1
            queue[0] = s
            first = 0
            last = 1
            while first < last:
                u = queue[first]
                if stamp[d] == tick and hops[u] >= hops[d]:
                    break
                first += 1
                for p in range(out_offset[u], out_offset[u + 1]):
                    c = out_channel[p]
                    v = head[c]
                    if not alive[c] or before[d, v] < 0 or hops[u] + 1 + before[d, v] > longest:
                        continue
                    if stamp[v] != tick:
                        stamp[v] = tick
                        hops[v] = hops[u] + 1
                        ahead[v] = 0
                        queue[last] = v
                        last += 1
                    if hops[v] == hops[u] + 1:
                        ahead[v] += ahead[u]
                        if ahead[v] > 1 << 60:
                            return -1 - len(start)
            if stamp[d] == tick:
                break
            if longest >= 2 * size:
                return -1 - k
        total = ahead[d]
        for q in range(last - 1, -1, -1):
            u = queue[q]
            back[u] = u == d
            if u == d or hops[u] >= hops[d]:
                continue
            for p in range(out_offset[u], out_offset[u + 1]):
                c = out_channel[p]
                v = head[c]
                if not alive[c] or stamp[v] != tick or hops[v] != hops[u] + 1 or back[v] == 0:
                    continue
                back[u] += back[v]
                if at == len(channel):
                    return k
                common = gcd(ahead[u] * back[v], total)
                channel[at] = c
                num[at] = ahead[u] * back[v] // common
                den[at] = total // common
                at += 1
        offset[k + 1] = at
    return len(start)
