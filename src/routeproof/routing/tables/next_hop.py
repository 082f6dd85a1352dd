"""Deterministic next-hop tables: at this node, towards that destination, leave by this channel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, offsets_of, read_only
from ...core.errors import InputError
from ...core.exact_arrays import ragged, run_starts
from ...core.loads import LoadBlock, PairBlock
from ...core.network import Network
from ...core.rational import Rationals
from ...core.spread import Progress
from ...core.symmetry import Automorphism, check_automorphism
from ...machine.compiled import njit
from ...machine.memory import check_table
from ..base.delivery import Bundle
from ..base.pair_table import PairTable, check_room
from ..base.routing import Dependency, Ends, ForwardingTable, Routing
from .crossings import Crossings, LostPacketError, by_column


class NextHop:
    """A forwarding table, e.g. that of an InfiniBand subnet.

    ``table[v, d]``: the channel (``by="channel"``) or the neighbouring node (``by="node"``, refused where parallel
    channels leave a choice) by which a packet at node v for destination d leaves; -1 where there is none.  Shape
    (N, N) with ``columns="node"``, (N, T) with ``columns="terminal"``: destinations are nodes or sink terminals.
    Entries at the destination's own node, and at nodes that no packet reaches, are not looked at.
    """

    def __init__(
        self,
        table: npt.ArrayLike,
        *,
        by: Literal["channel", "node"] = "channel",
        columns: Literal["node", "terminal"] = "node",
        name: str = "next-hop",
    ) -> None:
        if by not in ("channel", "node") or columns not in ("node", "terminal"):
            raise InputError(f"by={by!r}, columns={columns!r}: 'channel' or 'node', and 'node' or 'terminal', expected")
        self.table = np.asarray(table)
        self.by = by
        self.columns: Literal["node", "terminal"] = columns
        self.name = name

    def on(self, network: Network) -> NextHopRouting:
        """The routing; raises InputError, naming node and destination, for a loop, a dead end or a foreign channel."""
        next_channel = self._channels(network)
        columns = self.columns
        if columns == "terminal":
            merged = _by_node(network, next_channel)
            if merged is not None:
                next_channel, columns = merged, "node"
        return NextHopRouting(network, self.name, next_channel, columns)

    def _channels(self, network: Network) -> Int32:
        wanted = (network.num_nodes, network.num_nodes if self.columns == "node" else network.num_terminals)
        table = self.table
        if table.shape != wanted or not np.issubdtype(table.dtype, np.integer):
            raise InputError(
                f"the next-hop table holds {table.dtype} values in shape {table.shape}; integers in shape {wanted} "
                f"(node, destination {self.columns}) were expected"
            )
        below = network.num_channels if self.by == "channel" else network.num_nodes
        outside = np.argwhere((table < -1) | (table >= below))
        if len(outside):
            v, d = (int(x) for x in outside[0])
            raise InputError(
                f"the next-hop table names {self.by} {int(table[v, d])} at node {network.label(v)} towards {d}; "
                f"-1 to {below - 1} was expected"
            )
        if self.by == "node":
            return read_only(_channels_to(network, table))
        return read_only(table.astype(np.int32, copy=table.flags.writeable))


class NextHopRouting(ForwardingTable):
    """A next-hop table by channel on a network: ``next_channel`` int32 (N, N) or (N, T), by ``columns``.

    Pair loads are read off the trees towards the destinations (``Crossings``); they are never all written out.
    Raises InputError as ``NextHop.on`` does; what is there delivers every packet, along one path.
    """

    has_explicit_paths = True
    holds_paths = True
    crosses_once = True

    def __init__(self, network: Network, name: str, next_channel: Int32, columns: Literal["node", "terminal"]) -> None:
        super().__init__(network, name, Ends.of(network, columns=columns))
        self.columns = columns
        used = network.demand > 0 if columns == "node" else np.ones(network.num_terminals, dtype=bool)
        try:
            self.crossings = Crossings.of_tables(network, by_column(next_channel), self.column_node, used, name)
        except LostPacketError as lost:
            column = next_channel[:, lost.column].tolist()
            end = int(self.column_node[lost.column])
            raise InputError(_what_happens(network, column, lost.source, end)) from None
        self.next_channel = read_only(next_channel.copy()) if next_channel.flags.writeable else next_channel

    @property
    def denominators(self) -> list[int]:
        return [1]

    def expected_loads(self, channel: int) -> int:
        return int(self.crossings.pairs[channel])

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        asked = np.asarray(channels, dtype=np.int32).reshape(-1)
        wanted = np.ones(self.network.num_nodes, dtype=np.bool_) if rows is None else rows
        offset, row, column = self.crossings.pairs_of(asked, wanted)
        return LoadBlock(asked, offset, row, column, ones(len(row)))

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        return self.pair_loads_by(self.next_channel, rows, columns)

    def pair_loads_by(self, next_channel: Int32, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        """``pair_loads`` of another table on the same network, which delivers these packets."""
        row, column = (np.asarray(x, dtype=np.int32).reshape(-1) for x in (rows, columns))
        hops = np.zeros(len(row), dtype=np.int64)
        ends = next_channel, self.network.head, row, column, self.column_node
        count_hops.for_steps(5 * len(row))(*ends, hops)
        offset = offsets_of(hops)
        channel = np.empty(int(offset[-1]), dtype=np.int32)
        list_hops.for_steps(3 * len(channel))(*ends, offset, channel)
        return PairBlock(offset, channel, ones(len(channel)))

    def pairs_through(self, node: Int64, column: Int64) -> tuple[Int32, Int32]:
        """(row, column) of the pairs whose packets come to one of these entries."""
        runs, count = self.crossings, len(self.column_node)
        at = self._run_of[node, column]
        at = at[at >= 0]  # the sources whose packets pass there
        first, last = (x[at].astype(np.int64) for x in (runs.first, runs.last))
        ends = runs.of[at]
        places = ragged(ends.astype(np.int64) * runs.order.shape[1] + first, last - first)
        row = runs.order.ravel()[places].astype(np.int64)
        key = np.sort(row * count + np.repeat(ends, last - first))
        key = key[run_starts(key)]
        return (key // count).astype(np.int32), (key % count).astype(np.int32)

    @cached_property
    def _run_of(self) -> Int32:
        """int32, of the form of ``next_channel``: the run of ``crossings`` that leaves by this entry, -1 for none."""
        found = np.full_like(self.next_channel, -1)
        found[self.network.tail[self.crossings.channel], self.crossings.of] = np.arange(len(self.crossings.of))
        return found

    def pair_table(self) -> PairTable:
        check_room(int(self.crossings.pairs.sum()))
        block = self.channel_loads(np.arange(self.network.num_channels))
        return PairTable.of_block(block, len(self.row_node), len(self.column_node))

    def respects(self, g: Automorphism) -> bool:
        """Every channel that packets take is compared; raises InputError if ``g`` is no automorphism of the network."""
        if not self.by_node:
            return False
        check_automorphism(self.network, g)
        of, image = self.crossings.of, g.channel[self.crossings.channel]
        return bool((self.next_channel[self.network.tail[image], g.node[of]] == image).all())

    def respects_reversal(self) -> bool:
        network, opposite = self.network, self.network.reverse
        if opposite is None or not self.by_node or not np.array_equal(network.supply > 0, network.demand > 0):
            return False
        ends = np.flatnonzero(network.supply > 0).astype(np.int32)
        walk = reverses.for_steps(5 * len(ends) ** 2)
        return bool(walk(self.next_channel, network.head, opposite, ends, ends, self.column_node))

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """The one path, with weight 1."""
        v, end, path = int(self.row_node[row]), int(self.column_node[column]), []
        while v != end:
            path.append(int(self.next_channel[v, column]))
            v = int(self.network.head[path[-1]])
        return [(Fraction(1), path)]

    def _bundles(self, progress: Progress | None) -> Iterator[Bundle]:  # noqa: ARG002  # quick
        network, next_channel = self.network, self.next_channel
        columns = np.unique(self.column_of)
        ends = self.column_node[columns]
        for row in np.unique(self.row_of).tolist():
            going = columns[ends != row]
            at = np.full(len(going), row, dtype=np.int32)
            path = np.zeros((len(going), 0), dtype=np.int32)
            while len(going):
                channel = next_channel[at, going]
                path = np.concatenate([path, channel[:, None]], axis=1)
                at = network.head[channel]
                there = at == self.column_node[going]
                if there.any():
                    yield Bundle(np.full(int(there.sum()), row, dtype=np.int32), going[there], path[there])
                going, at, path = going[~there], at[~there], path[~there]

    def dependencies(self, progress: Progress | None = None) -> Iterator[Dependency]:  # noqa: ARG002  # quick
        """Each node is gone through once for every destination; no path is written out."""
        from ..dependencies.channels import turn_numbers

        network = self.network
        turns = turn_numbers(network)
        row, column = (np.full(turns.count, -1, dtype=np.int32) for _ in range(2))
        sources, columns = (np.unique(x).astype(np.int32) for x in (self.row_of, self.column_of))
        mark_turns.for_steps(2 * self.next_channel.size)(
            self.next_channel, network.head, sources, columns, self.column_node, turns.start, turns.rank, row, column
        )
        made = np.flatnonzero(row >= 0)
        first, second = (x[made].astype(np.int32) for x in (turns.first, turns.second))
        yield first, second, row[made], column[made]

    def forwarding_tables(self) -> Sequence[tuple[Fraction, ForwardingTable]]:
        return [(Fraction(1), self)]

    def check(self) -> None:
        """Nothing: that every packet arrives was found when the tables were walked."""

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # the table tells them
        """The table, packed (see ``formats.documents.routing``)."""
        from ...formats.documents.routing import next_hop_entry

        return {"next_hop": next_hop_entry(self.next_channel, self.columns)}


class NamedNextHops(NextHopRouting):
    """The table of a routing by name; reports name it, and the name makes it again."""

    in_full = False


def next_hops_of(routing: Routing) -> ForwardingTable | None:
    """The routing as a next-hop table, or None where a node uses several channels for one destination.

    For routings known by their loads; entries at nodes that no packet passes are -1.
    """
    tables = routing.forwarding_tables()
    if len(tables) == 1:
        return tables[0][1]
    network = routing.network
    if not np.array_equal(routing.row_node, np.arange(network.num_nodes)):
        return None
    check_table(network.num_nodes, len(routing.column_node), 4, f"next channels on {network.name}")
    next_channel = np.full((network.num_nodes, len(routing.column_node)), -1, dtype=np.int32)
    for block in routing.stream():
        if block.base is not None or (block.load.num != block.load.den).any():
            return None
        channel = np.repeat(block.channel, np.diff(block.offset))
        at = network.tail[channel]
        before = next_channel[at, block.column]
        next_channel[at, block.column] = channel
        if ((before >= 0) & (before != channel)).any() or (next_channel[at, block.column] != channel).any():
            return None
    return NextHopRouting(network, routing.name, next_channel, "node" if routing.by_node else "terminal")


def _channels_to(network: Network, table: npt.NDArray[Any]) -> Int32:
    """From next nodes to channels; -2 for a node that is not a neighbour, -3 where several channels lead there."""
    size = network.num_nodes
    ends = network.tail.astype(np.int64) * size + network.head
    order = np.argsort(ends, kind="stable")
    # One lookup row per node keeps the memory at one table.
    result = np.full(table.shape, -1, dtype=np.int32)
    bounds = np.searchsorted(ends[order], np.arange(size + 1) * size)
    for v in range(size):
        here = order[bounds[v] : bounds[v + 1]]
        channel_to = np.full(size + 1, -2, dtype=np.int32)
        channel_to[size] = -1
        channel_to[network.head[here]] = here
        heads, count = np.unique(network.head[here], return_counts=True)
        channel_to[heads[count > 1]] = -3
        result[v] = channel_to[table[v]]
    return result


def _by_node(network: Network, next_channel: Int32) -> Int32 | None:
    """The table by destination node where all terminals of a node are routed alike, else None."""
    nodes, first = np.unique(network.sink, return_index=True)
    like = first[np.searchsorted(nodes, network.sink)]
    if not all(np.array_equal(row, row[like]) for row in next_channel):
        return None
    result = np.full((network.num_nodes, network.num_nodes), -1, dtype=np.int32)
    result[:, nodes] = next_channel[:, first]
    return read_only(result)


def _what_happens(network: Network, column: list[int], start: int, end: int) -> str:
    label = network.label
    about = f"the next-hop table does not deliver from node {label(start)} to node {label(end)}: "
    seen: dict[int, int] = {}
    at = start
    while at not in seen:
        seen[at] = len(seen)
        c = column[at]
        if c == -1:
            return f"{about}at node {label(at)} it has no entry (a dead end)"
        if c == -2:
            return f"{about}at node {label(at)} its entry is not a neighbour of that node"
        if c == -3:
            return f"{about}at node {label(at)} several parallel channels lead to its entry; give channels, not nodes"
        if int(network.tail[c]) != at:
            return f"{about}at node {label(at)} its channel {c} leaves node {label(int(network.tail[c]))} instead"
        at = int(network.head[c])
    loop = [label(v) for v in list(seen)[seen[at] :]]
    shown = loop if len(loop) <= 12 else [*loop[:10], f"... ({len(loop) - 10} more)"]
    return f"{about}packets run in the loop {' -> '.join([*shown, loop[0]])}"


def ones(count: int) -> Rationals:
    one = np.broadcast_to(np.int64(1), (count,))
    return Rationals(one, one)


@njit(cache=True, nogil=True, error_model="numpy")
def count_hops(next_channel, head, row, column, target, hops):  # type: ignore[no-untyped-def]
    """How many channels the packet of each pair (row[k], column[k]) crosses, in ``hops``, int64 (K,)."""
    for k in range(len(row)):
        v = row[k]
        d = column[k]
        while v != target[d]:
            v = head[next_channel[v, d]]
            hops[k] += 1


@njit(cache=True, nogil=True, error_model="numpy")
def list_hops(next_channel, head, row, column, target, offset, channel):  # type: ignore[no-untyped-def]
    """Those channels, ascending, in ``channel[offset[k]:offset[k + 1]]``."""
    for k in range(len(row)):
        v = row[k]
        d = column[k]
        low = at = offset[k]
        while v != target[d]:
            c = next_channel[v, d]
            v = head[c]
            x = at
            while x > low and channel[x - 1] > c:
                channel[x] = channel[x - 1]
                x -= 1
            channel[x] = c
            at += 1


@njit(cache=True, nogil=True, error_model="numpy")
def reverses(next_channel, head, opposite, row, column, target):  # type: ignore[no-untyped-def]
    """Do packets from node d to node s take the way of those from s to d back, for all s of ``row``, d of ``column``?

    Of tables whose columns are nodes; opposite: int32 (C,).
    """
    for s in row:
        for d in column:
            v = s
            while v != target[d]:
                c = next_channel[v, d]
                v = head[c]
                if next_channel[v, s] != opposite[c]:
                    return False
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def mark_turns(next_channel, head, source, column, target, start, rank, row_of, column_of):  # type: ignore[no-untyped-def]
    """Write a source and a column whose packets make it to every turn that some packet makes.

    next_channel: int32 (N, D), known to deliver; source: int32 (S,) nodes; column: int32 (Q,) columns that are used;
    target: int32 (D,) where each column's packets arrive; start, rank: int64, numbers of turns (``turn_numbers``);
    row_of, column_of: int32 by number of turn, -1 where there is no packet yet.
    """
    done = [-1] * len(next_channel)
    for d in column:
        end = target[d]
        for s in source:
            v = s
            while v != end and done[v] != d:
                done[v] = d
                a = next_channel[v, d]
                v = head[a]
                if v != end:
                    k = start[a] + rank[next_channel[v, d]]
                    if row_of[k] < 0:
                        row_of[k] = s
                        column_of[k] = d
