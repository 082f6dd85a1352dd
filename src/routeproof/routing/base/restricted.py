"""A routing seen by some pairs of terminals only: the loads of all other pairs are 0.

So a worst case over a set of demands is a worst case over all traffic, of these loads: what other pairs send adds
nothing, and may be left out of the witness.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, offsets_of
from ...core.errors import InputError
from ...core.loads import LoadBlock, PairBlock
from ...demands.transport import TransportSet
from .exact_arrays import concatenate, ragged
from .routing import Routing

_MOST_CLASSES = 1 << 26
_FEW = 8  # loads are found pair by pair where at most one pair in so many may send
_MOST_PAIRS, _MOST_LOADS = 4_000_000, 24_000_000
_STEP, _MOST_STEP = 1 << 10, 1 << 18


class Restricted(Routing):
    """``inner``, of which only pairs that ``demands`` allows (``TransportSet.allows``) count.

    Rows are terminals that ``inner`` routes alike and that may send to the same terminals; columns likewise.
    ``inner`` must have no base loads, which fall on every pair.
    """

    def __init__(self, inner: Routing, demands: TransportSet) -> None:
        super().__init__(inner.network, inner.name)
        self.inner, self.demands = inner, demands
        self.in_full, self.is_sampled, self.parts = inner.in_full, inner.is_sampled, inner.parts
        self.channel_attributes = inner.channel_attributes
        out, into = _partners(demands)
        self._row_of, self._inner_row, row_kind = _classes(inner.row_of, out)
        self._column_of, self._inner_column, column_kind = _classes(inner.column_of, into)
        kinds = (int(out.max()) + 1) * (int(into.max()) + 1)
        if kinds > _MOST_CLASSES:
            raise InputError(f"{demands.text} has too many different senders and receivers for one table")
        # Who of the kinds may send to whom: one pair of terminals speaks for its kinds.
        self._may = np.zeros((int(out.max()) + 1, int(into.max()) + 1), dtype=np.bool_)
        for i, j in _representatives(demands):
            self._may[out[i], into[j]] = True
        self._row_kind, self._column_kind = row_kind, column_kind
        self._rows = _lists(self._inner_row, len(inner.row_node))
        self._columns = _lists(self._inner_column, len(inner.column_node))

    @property
    def row_of(self) -> Int32:
        return self._row_of

    @property
    def column_of(self) -> Int32:
        return self._column_of

    @cached_property
    def _row_nodes(self) -> Int32:
        return self.inner.row_node[self._inner_row].astype(np.int32)

    @cached_property
    def _column_nodes(self) -> Int32:
        return self.inner.column_node[self._inner_column].astype(np.int32)

    @property
    def row_node(self) -> Int32:
        return self._row_nodes

    @property
    def column_node(self) -> Int32:
        return self._column_nodes

    @property
    def by_node(self) -> bool:
        return False

    @property
    def denominators(self) -> list[int] | None:
        return self.inner.denominators

    @property
    def hops(self) -> npt.NDArray[np.int16] | None:
        return self.inner.hops

    @cached_property
    def _held(self) -> LoadBlock | None:
        """The loads of all channels, found pair by pair; None where pairs or loads are too many for that."""
        row, column = self._pairs()
        if len(row) == 0 or self.inner.channel_loads([0], rows=np.zeros(len(self.inner.row_node), dtype=bool)).base:
            return None
        parts, count = list[tuple[Int32, Int64, PairBlock]](), 0
        step = _STEP
        at = 0
        while at < len(row):
            some = slice(at, at + step)
            block = self.inner.pair_loads(self._inner_row[row[some]], self._inner_column[column[some]])
            count += len(block.channel)
            if count > _MOST_LOADS:
                return None
            parts.append((block.channel.astype(np.int32), at + block.segment, block))
            at, step = at + step, min(4 * step, _MOST_STEP)
        channel, pair = (np.concatenate([x[k] for x in parts]) for k in (0, 1))
        load = concatenate([x.load for _, _, x in parts])
        order = np.lexsort((column[pair], row[pair], channel))
        size = self.network.num_channels
        offset, pair = offsets_of(np.bincount(channel, minlength=size)), pair[order]
        return LoadBlock(np.arange(size, dtype=np.int32), offset, row[pair], column[pair], load[order])

    def _pairs(self) -> tuple[Int32, Int32]:
        """(row, column) of all that may send; none where they are many."""
        kinds = self._may.shape
        by_row, by_column = np.argsort(self._row_kind, kind="stable"), np.argsort(self._column_kind, kind="stable")
        num_rows = np.bincount(self._row_kind, minlength=kinds[0])
        num_columns = np.bincount(self._column_kind, minlength=kinds[1])
        a, b = np.nonzero(self._may)
        each = num_rows[a] * num_columns[b]
        every = len(self.inner.row_node) * len(self.inner.column_node)
        if int(each.sum()) > min(_MOST_PAIRS, every // _FEW):
            return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32)
        place = ragged(np.zeros_like(each), each)
        width = np.repeat(num_columns[b], each)
        first_row, first_column = (np.cumsum(x) - x for x in (num_rows, num_columns))
        row = by_row[np.repeat(first_row[a], each) + place // np.maximum(width, 1)]
        column = by_column[np.repeat(first_column[b], each) + place % np.maximum(width, 1)]
        return row.astype(np.int32), column.astype(np.int32)

    def _of_held(self, held: LoadBlock, channels: Int64, rows: npt.NDArray[np.bool_] | None) -> LoadBlock:
        length = np.diff(held.offset)[channels]
        entry = ragged(held.offset[channels], length)
        if rows is not None:
            kept = rows[held.row[entry]]
            length = np.bincount(np.repeat(np.arange(len(channels)), length)[kept], minlength=len(channels))
            entry = entry[kept]
        return LoadBlock(
            channels.astype(np.int32), offsets_of(length), held.row[entry], held.column[entry], held.load[entry]
        )

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        if self._held is not None:
            return self._of_held(self._held, np.asarray(channels, dtype=np.int64).reshape(-1), rows)
        wanted = None
        if rows is not None:
            wanted = np.zeros(len(self.inner.row_node), dtype=np.bool_)
            wanted[self._inner_row[rows]] = True
        block = self.inner.channel_loads(channels, rows=wanted)
        if block.base is not None:
            raise InputError(f"{self.name} loads every pair at once; write its loads out pair by pair first")
        entry, row = _spread(block.row, *self._rows)
        again, column = _spread(block.column[entry], *self._columns)
        entry, row = entry[again], row[again]
        kept = self._may[self._row_kind[row], self._column_kind[column]]
        if rows is not None:
            kept &= rows[row]
        entry, row, column = entry[kept], row[kept], column[kept]
        segment = block.segment[entry]
        order = np.lexsort((column, row, segment))
        counts = np.bincount(segment, minlength=block.num_channels)
        return LoadBlock(block.channel, offsets_of(counts), row[order], column[order], block.load[entry[order]])

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        row, column = np.asarray(rows), np.asarray(columns)
        block = self.inner.pair_loads(self._inner_row[row], self._inner_column[column])
        may = self._may[self._row_kind[row], self._column_kind[column]]
        kept = may[block.segment]
        counts = np.where(may, np.diff(block.offset), 0)
        return PairBlock(offsets_of(counts), block.channel[kept], block.load[kept])


def _partners(demands: TransportSet) -> tuple[Int64, Int64]:
    """For every terminal a number of whom it may send to, and one of whom it may receive from: equal numbers, equal
    partners, apart from the terminal itself."""
    size = demands.size
    group = np.zeros(size, dtype=np.int64) if demands.group is None else demands.group.astype(np.int64)
    pairs = demands.pairs if demands.box is None else set(demands.box.limits)
    if pairs is None:
        return group + 1, group + 1
    sides = []
    for mine, other in ((0, 1), (1, 0)):
        partners: list[list[int]] = [[] for _ in range(size)]
        for pair in pairs:
            if demands.allows(*pair):
                partners[pair[mine]].append(pair[other])
        names: dict[tuple[int, ...], int] = {(): 0}
        sides.append(np.array([names.setdefault(tuple(sorted(x)), len(names)) for x in partners], dtype=np.int64))
    return sides[0], sides[1]


def _representatives(demands: TransportSet) -> list[tuple[int, int]]:
    """Allowed pairs, at least one for any two kinds of terminals of which one may send to the other."""
    pairs = demands.pairs if demands.box is None else set(demands.box.limits)
    if pairs is not None:
        return [pair for pair in pairs if demands.allows(*pair)]
    if demands.group is None:
        return [(0, 1)]
    first: dict[int, int] = {}
    found = []
    for i, g in enumerate(demands.group.tolist()):
        if g >= 0 and g in first:
            found.append((first[g], i))
        first.setdefault(g, i)
    return found


def _classes(inner: Int32, kind: Int64) -> tuple[Int32, Int32, Int64]:
    """New rows for every terminal's (inner row, kind): of which row each terminal is; each row's inner row and kind."""
    width = int(kind.max()) + 1
    key = inner.astype(np.int64) * width + kind
    names, row_of = np.unique(key, return_inverse=True)
    return row_of.astype(np.int32), (names // width).astype(np.int32), names % width


def _lists(inner: Int32, size: int) -> tuple[Int64, Int64]:
    """For every inner row the new rows that are made of it: offsets and, as ``inner`` ascends, just their numbers."""
    return offsets_of(np.bincount(inner, minlength=size)), np.arange(len(inner), dtype=np.int64)


def _spread(values: Int32, offset: Int64, items: Int64) -> tuple[Int64, Int32]:
    """(entry, item) for every entry of ``values`` and every item of its list."""
    counts = np.diff(offset)[values]
    entry = np.repeat(np.arange(len(values), dtype=np.int64), counts)
    start = np.repeat(offset[values] - offsets_of(counts)[:-1], counts)
    return entry, items[start + np.arange(len(entry))].astype(np.int32)
