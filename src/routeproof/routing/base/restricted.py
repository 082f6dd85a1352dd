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
from ...core.rational import Rationals
from ...demand_sets.ports import partners, representatives
from ...demand_sets.transport import TransportSet
from .pair_table import PairTable
from .routing import Ends, Routing
from .views import View

_MOST_CLASSES = 1 << 26
_FEW = 8  # loads are held pair by pair where at most one pair in so many may send
_MOST_LOADS = 24_000_000
_FIRST_PAIRS, _PAIRS, _LOADS = 1 << 10, 1 << 18, 1 << 22  # asked for at once


class Restricted(View):
    """``inner``, of which only pairs that ``demands`` allows (``TransportSet.allows``) count.

    Rows are terminals that ``inner`` routes alike and that may send to the same terminals; columns likewise.
    ``inner`` must have no base loads, which fall on every pair.
    """

    def __init__(self, inner: Routing, demands: TransportSet) -> None:
        out, into = partners(demands)
        row_of, self._inner_row, row_kind = _classes(inner.row_of, out)
        column_of, self._inner_column, column_kind = _classes(inner.column_of, into)
        row_node, column_node = inner.row_node[self._inner_row], inner.column_node[self._inner_column]
        super().__init__(inner, Ends(row_of, column_of, row_node, column_node, by_node=False))
        self.demands = demands
        kinds = (int(out.max()) + 1) * (int(into.max()) + 1)
        if kinds > _MOST_CLASSES:
            raise InputError(f"{demands.text} has too many different senders and receivers for one table")
        # Who of the kinds may send to whom: one pair of terminals speaks for its kinds.
        self._may = np.zeros((int(out.max()) + 1, int(into.max()) + 1), dtype=np.bool_)
        for i, j in representatives(demands):
            self._may[out[i], into[j]] = True
        self._row_kind, self._column_kind = row_kind, column_kind
        self._rows = _lists(self._inner_row, len(inner.row_node))
        self._columns = _lists(self._inner_column, len(inner.column_node))

    @property
    def denominators(self) -> list[int] | None:
        return self.inner.denominators

    @property
    def hops(self) -> npt.NDArray[np.int16] | None:
        return self.inner.hops

    def respects_reversal(self) -> bool:
        return False

    @cached_property
    def _table(self) -> PairTable | None:
        """All loads, pair by pair, where the pairs are a small part of all and their loads are held with ease."""
        senders, receivers = (np.bincount(kind, minlength=n) for kind, n in (
            (self._row_kind, self._may.shape[0]), (self._column_kind, self._may.shape[1])
        ))  # fmt: skip
        count = int(senders @ self._may @ receivers)
        every = len(self.row_node) * len(self.column_node)
        if _FEW * count > every or count * max(1.0, self.inner.average_hops) > _MOST_LOADS:
            return None
        place = np.argsort(self._column_kind, kind="stable").astype(np.int32)
        ends = offsets_of(receivers)
        parts: list[tuple[Int32, Int32, Int32, Rationals]] = []
        rows, size, held, step = list[Int32](), 0, 0, _FIRST_PAIRS
        for r, kind in enumerate(self._row_kind.tolist()):
            columns = [place[ends[k] : ends[k + 1]] for k in np.flatnonzero(self._may[kind]).tolist()]
            to = np.concatenate(columns) if columns else place[:0]
            away = to[self.column_node[to] != self.row_node[r]]
            rows.append(np.stack([np.full(len(away), r, dtype=np.int32), away]))
            size += len(away)
            if size > step:
                parts.append(self._loads_of(np.concatenate(rows, axis=1)))
                loads = len(parts[-1][0])
                step = max(1, min(_PAIRS, _LOADS * size // max(1, loads)))
                rows, size, held = [], 0, held + loads
                if held > _MOST_LOADS:  # packets of a routing such as valiant cross many more channels than they must
                    return None
        if rows:
            parts.append(self._loads_of(np.concatenate(rows, axis=1)))
        return PairTable.joined(parts, shape=(self.network.num_channels, len(self.row_node), len(self.column_node)))

    def _loads_of(self, pairs: Int32) -> tuple[Int32, Int32, Int32, Rationals]:
        row, column = pairs
        block = self.inner.pair_loads(self._inner_row[row], self._inner_column[column])
        return block.channel, row[block.segment], column[block.segment], block.load

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        if self._table is not None:
            return self._table.channel_loads(channels, rows=rows)
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
