"""Which packets cross which channel under a deterministic table, held as runs of sources rather than pair by pair.

The packets to one destination run along a tree.  Its sources are put in an order in which those below each channel
stand together; then a channel needs two numbers for a destination, however many sources there are: 65,536 hosts below
2,048 leaf switches make half a billion pair loads, and a quarter as many runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, offsets_of
from ...core.network import Network
from ...machine.compiled import njit
from ...machine.memory import check_memory

_TILE = 256  # columns whose tables are turned at once, so that the nodes of a tree lie together


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
    def of_tables(
        network: Network, next_channel: Int32, target: Int32, used: npt.NDArray[np.bool_], name: str
    ) -> Crossings:
        """Of the packets from all nodes with sources to the columns that are ``used`` (bool, (D,)).

        target: int32 (D,), the node at which a column's packets arrive.  Raises LostPacketError where one does not, and
        InputError where the runs are not to be held in memory.
        """
        nodes, width = next_channel.shape
        sources, columns = (np.flatnonzero(x).astype(np.int32) for x in (network.supply > 0, used))
        count = np.zeros(network.num_channels, dtype=np.int64)
        kind: np.dtype[Any] = np.dtype(np.uint16 if nodes < 1 << 16 else np.int32)
        held = width * len(sources) * kind.itemsize
        check_memory(held, f"{name} on {network.name}")
        room = np.full((5, nodes), -1, dtype=np.int64)
        parts = [columns[at : at + _TILE] for at in range(0, len(columns), _TILE)]
        steps = 3 * nodes * len(columns)
        count_kernel, place_kernel = count_crossings.for_steps(steps), place_crossings.for_steps(2 * steps)
        tail, head = network.tail, network.head
        for some in parts:
            tables = np.ascontiguousarray(next_channel[:, some].T)
            s, d = count_kernel(tables, tail, head, sources, some, target, count, room)
            if s >= 0:
                raise LostPacketError(int(s), int(d))
        offset = offsets_of(count)
        runs = int(offset[-1])
        check_memory(held + runs * (4 + 2 * kind.itemsize), f"{name} on {network.name}")
        found = (np.empty(runs, dtype=np.int32), np.empty(runs, dtype=kind), np.empty(runs, dtype=kind))
        order = np.zeros((width, len(sources)), dtype=kind)
        at, pairs = offset[:-1].copy(), np.zeros_like(count)
        room[0] = -1
        for some in parts:
            tables = np.ascontiguousarray(next_channel[:, some].T)
            own = np.zeros((len(some), len(sources)), dtype=kind)
            place_kernel(tables, tail, head, sources, some, target, at, own, found, pairs, room)
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
def count_crossings(tables, tail, head, source, column, target, count, room):  # type: ignore[no-untyped-def]
    """Add to ``count`` (int64, (C,)) how many of the columns' packets cross each channel; returns a (source, column) of
    a pair that does not arrive, or (-1, -1).

    tables: int32 (Q, N), the channel by which packets for each column leave each node; source: int32 (S,) nodes;
    column: int32 (Q,); target: int32 (D,), the node at which each column's packets arrive; room: int64 (5, N), the
    first line -1.
    """
    seen, queue = room[0], room[1]
    for k in range(len(column)):
        d = column[k]
        nodes, lost = _tree(tables[k], tail, head, source, target[d], queue, seen, d)
        if lost >= 0:
            return lost, d
        for q in range(1, nodes):
            count[tables[k, queue[q]]] += 1
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
