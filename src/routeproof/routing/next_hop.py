"""Deterministic next-hop tables: at this node, towards that destination, leave by this channel."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..core.errors import InputError
from ..core.network import Network
from ..core.rational import Rationals
from .pair_table import PairTable, TabledRouting, check_room, stacked

__all__ = ["NextHop"]

Int32 = npt.NDArray[np.int32]


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

    def on(self, network: Network) -> TabledRouting:
        """The routing; raises InputError, naming node and destination, for a loop, a dead end or a foreign channel."""
        next_channel = self._channels(network)
        columns = self.columns
        if columns == "terminal":
            merged = _by_node(network, next_channel)
            if merged is not None:
                next_channel, columns = merged, "node"
        target = np.arange(network.num_nodes, dtype=np.int32) if columns == "node" else network.sink
        used = network.demand > 0 if columns == "node" else np.ones(network.num_terminals, dtype=bool)
        _check_arrival(network, next_channel, target, used)
        table = _walk(network, next_channel, target, used)
        return TabledRouting(network, self.name, table, columns=columns)

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
        return table.astype(np.int32) if self.by == "channel" else _channels_to(network, table)


def _channels_to(network: Network, table: npt.NDArray[Any]) -> Int32:
    """From next nodes to channels; -2 for a node that is no neighbour, -3 where several channels lead there."""
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
    if not np.array_equal(next_channel, next_channel[:, like]):
        return None
    result = np.full((network.num_nodes, network.num_nodes), -1, dtype=np.int32)
    result[:, nodes] = next_channel[:, first]
    return result


def _check_arrival(network: Network, next_channel: Int32, target: Int32, used: npt.NDArray[np.bool_]) -> None:
    """Follow every source to every used destination by doubling the hops; raise where one does not arrive."""
    size = network.num_nodes
    sources = np.nonzero(network.supply > 0)[0]
    columns = np.nonzero(used)[0]
    lost = size  # an absorbing place for packets that cannot go on
    block = max(1, 20_000_000 // (size + 1))
    for low in range(0, len(columns), block):
        part = columns[low : low + block]
        channel = next_channel[:, part]
        jump = np.full((size + 1, len(part)), lost, dtype=np.int32)
        valid = (channel >= 0) & (network.tail[channel] == np.arange(size)[:, None])
        jump[:-1][valid] = network.head[channel[valid]]
        jump[target[part], np.arange(len(part))] = target[part]
        for _ in range(size.bit_length()):
            jump = np.take_along_axis(jump, jump, axis=0)
        wrong = np.argwhere(jump[sources] != target[part])
        if len(wrong):
            s, d = int(sources[wrong[0, 0]]), int(part[wrong[0, 1]])
            raise InputError(_what_happens(network, next_channel[:, d].tolist(), s, int(target[d])))


def _what_happens(network: Network, column: list[int], start: int, end: int) -> str:
    """Why a packet from ``start`` never arrives at ``end``."""
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
            return f"{about}at node {label(at)} its entry is no neighbour of that node"
        if c == -3:
            return f"{about}at node {label(at)} several parallel channels lead to its entry; give channels, not nodes"
        if int(network.tail[c]) != at:
            return f"{about}at node {label(at)} its channel {c} leaves node {label(int(network.tail[c]))} instead"
        at = int(network.head[c])
    loop = [label(v) for v in list(seen)[seen[at] :]]
    shown = loop if len(loop) <= 12 else [*loop[:10], f"... ({len(loop) - 10} more)"]
    return f"{about}packets run in the loop {' -> '.join([*shown, loop[0]])}"


def _walk(network: Network, next_channel: Int32, target: Int32, used: npt.NDArray[np.bool_]) -> PairTable:
    sources = np.nonzero(network.supply > 0)[0].astype(np.int32)
    columns = np.nonzero(used)[0].astype(np.int32)
    row = np.repeat(sources, len(columns))
    column = np.tile(columns, len(sources))
    at = row
    found: list[tuple[Int32, Int32, Int32]] = []
    total = 0
    while True:
        going = at != target[column]
        row, column, at = row[going], column[going], at[going]
        if not len(row):
            break
        channel = next_channel[at, column]
        found.append((channel, row, column))
        total += len(row)
        check_room(total)
        at = network.head[channel]
    one = np.broadcast_to(np.int64(1), (total,))
    return PairTable.of(
        stacked([c for c, _, _ in found], np.int32),
        stacked([r for _, r, _ in found], np.int32),
        stacked([d for _, _, d in found], np.int32),
        Rationals(one, one),
        shape=(network.num_channels, network.num_nodes, next_channel.shape[1]),
    )
