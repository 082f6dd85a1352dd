"""Which packets cross which channel under a deterministic table, held as runs of sources rather than pair by pair.

The packets to one destination run along a tree.  Its sources are put in an order in which those below each channel
stand together; then a channel needs two numbers for a destination, however many sources there are: 65,536 hosts below
2,048 leaf switches make half a billion pair loads, and a quarter as many runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Bools, Int32, Int64, offsets_of
from ...core.network import Network
from ...machine.compiled import njit
from ...machine.memory import check_memory

_TILE = 256  # columns whose tables are turned at once, so that the nodes of a tree lie together


ByColumn = Callable[[Int32], Int32]
"""Of some columns, int32 (Q,): by which channel their packets leave each node, int32 (Q, N), -1 where there is none."""


class LostPacketError(Exception):
    """A packet from node ``source`` does not arrive at column ``column``."""

    def __init__(self, source: int, column: int) -> None:
        super().__init__(source, column)
        self.source, self.column = source, column


@dataclass(frozen=True, eq=False)
class Crossings:
    """Channel c is crossed by packets of the runs e in ``offset[c]:offset[c + 1]``: to column ``of[e]`` (ascending)
    from the nodes ``order[of[e], first[e]:last[e]]``.

    offset: int64 (C + 1,); of: int32; order: (D, S) and first, last, of the smallest integers that hold them; pairs:
    int64 (C,), how many pairs of a row and a column cross each channel.
    """

    offset: Int64
    of: Int32
    first: npt.NDArray[np.integer[Any]]
    last: npt.NDArray[np.integer[Any]]
    order: npt.NDArray[np.integer[Any]]
    pairs: Int64

    @staticmethod
    def of_tables(network: Network, tables: ByColumn, target: Int32, used: Bools, name: str) -> Crossings:
        """Of the packets from all nodes with sources to the columns that are ``used`` (bool, (D,)).

        target: int32 (D,), the node at which a column's packets arrive.  Raises LostPacketError where one does not, and
        InputError where the runs are not to be held in memory.
        """
        nodes, width = network.num_nodes, len(target)
        kind: np.dtype[Any] = np.dtype(np.uint16 if nodes < 1 << 16 else np.int32)
        sources, parts, room = _asked(network, used)
        held = width * len(sources) * kind.itemsize
        check_memory(held, f"{name} on {network.name}")
        count, _ = counted(network, tables, target, used)
        place_kernel = place_crossings.for_steps(6 * nodes * int(used.sum()))
        tail, head = network.tail, network.head
        offset = offsets_of(count)
        runs = int(offset[-1])
        check_memory(held + runs * (4 + 2 * kind.itemsize), f"{name} on {network.name}")
        found = (np.empty(runs, dtype=np.int32), np.empty(runs, dtype=kind), np.empty(runs, dtype=kind))
        order = np.zeros((width, len(sources)), dtype=kind)
        at, pairs = offset[:-1].copy(), np.zeros_like(count)
        for some in parts:
            own = np.zeros((len(some), len(sources)), dtype=kind)
            place_kernel(tables(some), tail, head, sources, some, target, at, own, found, pairs, room)
            order[some] = own
        return Crossings(offset, *found, order, pairs)

    @property
    def channel(self) -> Int32:
        """int32, for every run: the channel that it crosses."""
        return np.repeat(np.arange(len(self.offset) - 1, dtype=np.int32), np.diff(self.offset))

    def pairs_of(self, channels: Int32, wanted: npt.NDArray[np.bool_]) -> tuple[Int64, Int32, Int32]:
        """(offset, row, column) of the pairs that cross each of ``channels``, rows that are not ``wanted`` (bool, (N,))
        left out; sorted by row, then column."""
        begin = offsets_of(self.pairs[channels])
        total = int(begin[-1])
        row, column = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32)
        end = begin[:-1].copy()
        runs, place = (self.of, self.first, self.last), np.zeros(len(wanted) + 1, dtype=np.int64)
        fill = list_pairs.for_steps(4 * total + len(wanted) * len(channels))
        fill(channels, self.offset, runs, self.order, wanted, end, row, column, place)
        if not np.array_equal(end, begin[1:]):
            length = end - begin[:-1]
            keep = np.arange(total) < np.repeat(end, np.diff(begin))
            return offsets_of(length), row[keep], column[keep]
        return begin, row, column


def by_column(next_channel: Int32) -> ByColumn:
    """Those of a table by node and column."""
    return lambda some: np.ascontiguousarray(next_channel[:, some].T)


def counted(network: Network, tables: ByColumn, target: Int32, used: Bools) -> tuple[Int64, Int64]:
    """int64 (C,) each: to how many columns packets cross each channel, and from how many terminals to each of these
    columns, added up.  Arguments and errors as of ``Crossings.of_tables``."""
    count, pairs = np.zeros((2, network.num_channels), dtype=np.int64)
    sources, parts, room = _asked(network, used)
    kernel = count_crossings.for_steps(3 * network.num_nodes * int(used.sum()))
    for some in parts:
        s, d = kernel(
            tables(some), network.tail, network.head, sources, some, target, network.supply, count, pairs, room
        )
        if s >= 0:
            raise LostPacketError(int(s), int(d))
    return count, pairs


def _asked(network: Network, used: Bools) -> tuple[Int32, list[Int32], Int64]:
    """The nodes with sources, the columns a tile at a time, and room for the kernels."""
    sources, columns = (np.flatnonzero(x).astype(np.int32) for x in (network.supply > 0, used))
    parts = [columns[at : at + _TILE] for at in range(0, len(columns), _TILE)]
    return sources, parts, np.full((5, network.num_nodes), -1, dtype=np.int64)


@njit(cache=True, nogil=True, error_model="numpy")
def _tree(channel_of, tail, head, source, end, queue, seen, mark):  # type: ignore[no-untyped-def]
    """The nodes that packets to node ``end`` pass, in ``queue``, what is next to come after what is nearer to the end.

    channel_of: int32 (N,), by which channel a packet leaves each node; source: int32 (S,); seen: int64 (N,), ``mark``
    at nodes of this tree.  Returns (how many nodes, -1), or (0, a source whose packets do not arrive).
    """
    queue[0] = end
    seen[end] = mark
    count = 1
    most = len(queue)
    for s in source:
        v = s
        length = 0
        while seen[v] != mark:
            c = channel_of[v]
            if c < 0 or tail[c] != v or count + length >= most:
                return 0, s
            length += 1
            v = head[c]
        v = s
        for k in range(length):
            queue[count + length - 1 - k] = v
            seen[v] = mark
            v = head[channel_of[v]]
        count += length
    return count, -1


@njit(cache=True, nogil=True, error_model="numpy")
def count_crossings(tables, tail, head, source, column, target, supply, count, pairs, room):  # type: ignore[no-untyped-def]
    """Add to ``count`` (int64, (C,)) to how many of the columns packets cross each channel, and to ``pairs`` from how
    many terminals to each; returns a (source, column) of a pair that does not arrive, or (-1, -1).

    tables: int32 (Q, N), the channel by which packets for each column leave each node; source: int32 (S,) nodes;
    column: int32 (Q,); target: int32 (D,), the node at which each column's packets arrive; supply: (N,); room: int64
    (5, N), the first line -1.
    """
    seen, queue, size = room[0], room[1], room[2]
    for k in range(len(column)):
        d = column[k]
        table = tables[k]
        nodes, lost = _tree(table, tail, head, source, target[d], queue, seen, d)
        if lost >= 0:
            return lost, d
        for q in range(nodes):
            size[queue[q]] = supply[queue[q]]
        for q in range(nodes - 1, 0, -1):
            v = queue[q]
            c = table[v]
            size[head[c]] += size[v]
            count[c] += 1
            pairs[c] += size[v]
    return -1, -1


@njit(cache=True, nogil=True, error_model="numpy")
def place_crossings(tables, tail, head, source, column, target, at, order, runs, pairs, room):  # type: ignore[no-untyped-def]
    """Write every crossing of a channel to its part of ``runs``, whose begin ``at`` (int64, (C,)) moves to its end.

    Arguments as of ``count_crossings``, after which arrival is known.  order: (Q, S), the sources for each column, so
    that those whose packets cross one channel stand together; runs: (column, first, last) of every crossing: the
    sources are ``order[column, first:last]``; pairs: int64 (C,), to which the sizes of a channel's runs are added.
    """
    seen, queue, size, start, sends = room[0], room[1], room[2], room[3], room[4]
    of, first, last = runs
    sends[:] = 0
    for s in source:
        sends[s] = 1
    for k in range(len(column)):
        d = column[k]
        table = tables[k]
        nodes, _ = _tree(table, tail, head, source, target[d], queue, seen, d)
        for q in range(nodes):
            size[queue[q]] = sends[queue[q]]
        for q in range(nodes - 1, 0, -1):
            v = queue[q]
            size[head[table[v]]] += size[v]
        start[queue[0]] = 0
        for q in range(nodes):
            v = queue[q]
            if q > 0:
                c = table[v]
                above = head[c]
                begin = start[above]
                start[above] = begin + size[v]
                start[v] = begin
                e = at[c]
                of[e] = d
                first[e] = begin
                last[e] = begin + size[v]
                at[c] = e + 1
                pairs[c] += size[v]
            if sends[v]:
                order[k, start[v]] = v
                start[v] += 1


@njit(cache=True, nogil=True, error_model="numpy")
def list_pairs(channel, offset, runs, order, wanted, begin, row, column, place):  # type: ignore[no-untyped-def]
    """Write the rows and columns of the pairs that cross channel[k] from begin[k] on, sorted by row, then column; begin
    moves to the end, so that the pairs of rows that are not ``wanted`` are left out.

    order: (D, S), int; wanted: bool (N,); place: int64 (N + 1,).
    """
    of, first, last = runs
    for k in range(len(channel)):
        c = channel[k]
        low, high = offset[c], offset[c + 1]
        place[:] = 0
        for e in range(low, high):
            d = of[e]
            for x in range(first[e], last[e]):
                place[order[d, x] + 1] += 1
        at = begin[k]
        for v in range(len(wanted)):
            here = place[v + 1] if wanted[v] else 0
            place[v] = at
            at += here
        for e in range(low, high):
            d = of[e]
            for x in range(first[e], last[e]):
                v = order[d, x]
                if wanted[v]:
                    row[place[v]] = v
                    column[place[v]] = d
                    place[v] += 1
        begin[k] = at
