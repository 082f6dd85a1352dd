"""Channel dependencies: which channel a packet may hold while it asks for which other one.

Source: Dally & Seitz 1987 (IEEE Trans. Computers C-36(5)), the channel dependency graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.arrays import Int32, Int64, members
from ...core.errors import InputError
from ...core.exact_arrays import ragged
from ...core.network import Network
from ...core.spread import Progress
from ..base.routing import Routing

_HELD = 1 << 22


@dataclass(frozen=True, eq=False)
class Dependencies:
    """Dependency k: some packet crosses channel ``first[k]`` and then at once ``second[k]``; int32, sorted, no doubles.

    ``row``, ``column``: a pair whose packets do so.

    ``by_paths``: of the routing's explicit paths.  Otherwise its loads stand for it: at every node a packet may go on
    over any channel that its pair loads.  For random shortest paths and next-hop tables that is exactly what packets
    do; for others it may be more, so that "no cycle" still holds for every routing with these loads, and a cycle is one
    of the routing that forwards by these loads.
    """

    first: Int32
    second: Int32
    row: Int32
    column: Int32
    by_paths: bool

    def __len__(self) -> int:
        return len(self.first)


def channel_dependencies(
    routing: Routing, progress: Progress | None = None, *, by_paths: bool | None = None
) -> Dependencies:
    """All dependencies of a routing.

    ``by_paths``: from its paths, or from its loads; by default from its paths where they are explicit.
    Raises InputError for sampled routings, for paths that are not known, and for too many of them.
    """
    if routing.is_sampled:
        raise InputError(f"{routing.name} is sampled; its dependencies are not known")
    if by_paths is None:
        by_paths = routing.has_explicit_paths
    table = _Table(routing.network.num_channels)
    if by_paths:
        for found in routing.dependencies(progress):
            table.add(*found)
    else:
        _by_loads(routing, table, progress)
    first, second, row, column = table.result()
    return Dependencies(first, second, row, column, by_paths)


def depends(routing: Routing, row: int, column: int, first: int, second: int, *, by_paths: bool) -> bool:
    """May a packet from ``row`` to ``column`` cross ``first`` and then at once ``second``?  From the routing alone."""
    if routing.network.head[first] != routing.network.tail[second]:
        return False
    if by_paths:
        return routing.makes_dependency(row, column, first, second)
    loads = routing.pair_loads([row], [column]).as_dict()
    return first in loads and second in loads


class _Table:
    def __init__(self, num_channels: int) -> None:
        self.size = num_channels
        self.key: Int64 = np.zeros(0, dtype=np.int64)
        self.pair: Int64 = np.zeros(0, dtype=np.int64)
        self.waiting: list[tuple[Int64, Int64]] = []
        self.count = 0

    def add(self, first: Int32, second: Int32, row: Int32, column: Int32) -> None:
        key = first.astype(np.int64) * self.size + second
        self.waiting.append((key, row.astype(np.int64) << 32 | column))
        self.count += len(key)
        if self.count > _HELD:
            self._settle()

    def _settle(self) -> None:
        key = np.concatenate([self.key, *(x for x, _ in self.waiting)])
        pair = np.concatenate([self.pair, *(x for _, x in self.waiting)])
        self.key, at = np.unique(key, return_index=True)
        self.pair, self.waiting, self.count = pair[at], [], 0

    def result(self) -> tuple[Int32, Int32, Int32, Int32]:
        self._settle()
        values = (self.key // self.size, self.key % self.size, self.pair >> 32, self.pair & 0xFFFFFFFF)
        return tuple(x.astype(np.int32) for x in values)  # type: ignore[return-value]


def _by_loads(routing: Routing, table: _Table, progress: Progress | None) -> None:
    """For every pair, each loaded channel into a node with each loaded channel out of it."""
    network = routing.network
    rows, columns = np.unique(routing.row_of), np.unique(routing.column_of)
    for k, i in enumerate(rows.tolist()):
        others = columns[routing.column_node[columns] != routing.row_node[i]]
        block = routing.pair_loads(np.full(len(others), i), others)
        pair = members(block.offset)
        enters = pair * network.num_nodes + network.head[block.channel]
        leaves = pair * network.num_nodes + network.tail[block.channel]
        order = np.argsort(leaves, kind="stable")
        low = np.searchsorted(leaves[order], enters)
        length = np.searchsorted(leaves[order], enters, side="right") - low
        follower = order[ragged(low, length)]
        holder = np.repeat(np.arange(len(pair)), length)
        row = np.full(len(holder), i, dtype=np.int32)
        column = others[pair[holder]].astype(np.int32)
        table.add(block.channel[holder], block.channel[follower], row, column)
        if progress is not None:
            progress(k + 1, len(rows))


_PORT = re.compile(r"\[[0-9]+\]")


def ends_of_packet(routing: Routing, row: int, column: int) -> tuple[str, str]:
    """Where a packet comes from and goes to: terminals by name where they have names, else nodes."""
    network = routing.network
    if network.terminal_labels is None:
        return network.label(int(routing.row_node[row])), network.label(int(routing.column_node[column]))
    source, end = np.flatnonzero(routing.row_of == row), np.flatnonzero(routing.column_of == column)
    return network.terminal_label(int(source[0])), network.terminal_label(int(end[0]))


def channel_cycle_sentence(routing: Routing, cycle: Sequence[int], packets: Sequence[tuple[int, int]]) -> str:
    """``cycle``: channels; ``packets``: for each a (row, column)."""
    parts = []
    for c, (row, column) in zip(cycle, packets, strict=True):
        source, end = ends_of_packet(routing, row, column)
        parts.append(f"{routing.network.channel_label(c)} (held by a packet from {source} to {end})")
    return cycle_sentence(parts)


def cycle_sentence(parts: Iterable[str]) -> str:
    return "a cycle of dependencies: " + ", then ".join(parts) + ", and round again"


def same_sentence(one: object, two: str) -> bool:
    """Are they one sentence, but for the numbers of ports?  A network in a report has none; a fabric's file has."""
    return isinstance(one, str) and _PORT.sub("", one) == _PORT.sub("", two)


@dataclass(frozen=True, eq=False)
class TurnNumbers:
    """The turn from channel a to channel b has the number ``start[a] + rank[b]``; that of terminal t, which begins
    with channel b, ``inject[t] + rank[b]``, after all others.  All int64; ``count`` numbers in all.
    """

    network: Network
    rank: Int64
    start: Int64
    inject: Int64
    count: int

    @cached_property
    def first(self) -> Int64:
        """int64, shape (count,): the first channel of every turn, C + t for terminal t."""
        begin = np.concatenate([self.start, self.inject, [self.count]])
        return np.repeat(np.arange(len(begin) - 1), np.diff(begin))

    @cached_property
    def second(self) -> Int64:
        """int64, shape (count,): the second channel."""
        network = self.network
        low, order = network.out_channels
        begin = np.concatenate([self.start, self.inject])
        node = np.concatenate([network.head, network.source])
        at: Int64 = low[node[self.first]] + np.arange(self.count) - begin[self.first]
        return order[at].astype(np.int64)


def turn_numbers(network: Network) -> TurnNumbers:
    """The numbers of a network's turns."""
    low, order = network.out_channels
    degree = np.diff(low)
    rank = np.empty(network.num_channels, dtype=np.int64)
    rank[order] = np.arange(network.num_channels) - low[network.tail[order]]
    length = np.concatenate([degree[network.head], degree[network.source]])
    begin = np.cumsum(length) - length
    return TurnNumbers(network, rank, begin[: network.num_channels], begin[network.num_channels :], int(length.sum()))
