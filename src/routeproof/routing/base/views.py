"""A routing seen otherwise: the same network and channels, of which only the loads differ.

Base loads, which fall on every pair, are for traffic that uses them fully; other traffic needs them pair by pair.

A transport set of demands sees a routing as a transportation problem over the same channels.  A limit on all demand
together is one more row of that problem.  Let columns receive at most d(j), D in all, and all packets together be at
most K < D.  Add a row of idle packets: it sends D - K, to any column, at a weight B that no load exceeds.  Then the
most that K packets make of weights w is the most of the larger problem, less B (D - K):

- given demand of total at most K, the columns have room for at least D - K more, so idle packets fill it all;
- where idle packets are not all sent, one takes the place of another packet, and loses nothing, since B >= w.

Potentials of the larger problem are multipliers of the smaller one: with u' for the idle row, the multiplier of the
total is B - u', and column j's is v(j) - (B - u').

A set of pairs is a routing seen by these pairs only: the loads of all other pairs are 0.  So a worst case over them is
a worst case over all traffic, of these loads: what other pairs send adds nothing, and may be left out of the witness.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, offsets_of
from ...core.errors import InputError
from ...core.exact_arrays import concatenate, plus, ragged
from ...core.loads import LoadBlock, PairBlock
from ...core.rational import Rationals, as_int_array
from ...core.symmetry import Automorphism
from ...demand_sets.ports import check_to_itself, partners, representatives
from ...demand_sets.transport import TransportSet
from .pair_table import PairTable
from .routing import Ends, Routing

_MOST_ENTRIES = 16_000_000


class View(Routing):
    """``inner`` with other loads: what it does not say of them is what ``inner`` says."""

    def __init__(self, inner: Routing, ends: Ends) -> None:
        super().__init__(inner.network, inner.name, ends)
        self.inner = inner
        self.in_full, self.is_sampled, self.parts = inner.in_full, inner.is_sampled, inner.parts
        self.whole_flows_of = inner.whole_flows_of
        self.channel_attributes = inner.channel_attributes

    def respects(self, g: Automorphism) -> bool:
        return self.by_node and self.inner.respects(g)

    def respects_reversal(self) -> bool:
        return self.inner.respects_reversal()

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        return self.inner.pair_loads(rows, columns)


def dense(routing: Routing) -> Routing:
    """The same routing with its base loads, if any, as ordinary entries: every pair of different nodes, on every
    channel.

    Needed where not every terminal sends and receives at full rate.  Raises InputError on networks too large for it.
    """
    return _Dense(routing) if routing.has_base else routing


def is_dense(routing: Routing) -> bool:
    """Was it made by ``dense``?"""
    return isinstance(routing, _Dense)


def without_dense(routing: Routing) -> Routing:
    """The routing that ``dense`` was given, where it made this one."""
    return routing.inner if isinstance(routing, _Dense) else routing


class _Dense(View):
    def __init__(self, inner: Routing) -> None:
        super().__init__(inner, Ends.like(inner))
        size = len(inner.row_node) * len(inner.column_node)
        if size > _MOST_ENTRIES:
            raise InputError(
                f"{inner.name} loads every pair of {inner.network.name}, and this traffic needs them one by one: "
                f"{size} pairs a channel; at most {_MOST_ENTRIES} are taken"
            )

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:
        return self.inner.written_in_full(paths=paths)

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        block = self.inner.channel_loads(channels, rows=rows)
        if block.base is None:
            return block
        apart = self.row_node[:, None] != self.column_node[None, :]
        if rows is not None:
            apart &= rows[:, None]
        row, column = (x.astype(np.int32) for x in np.nonzero(apart))
        place_of = np.full(apart.shape, -1, dtype=np.int64)
        place_of[row, column] = np.arange(len(row))
        kept: list[npt.NDArray[np.integer]] = [row[:0]]
        loads = []
        for k in range(block.num_channels):
            one = block.one(k)
            load = plus(block.base.row[k][row], block.base.column[k][column])
            place = place_of[one.row, one.column]
            merged = plus(load[place], one.load)
            if merged.num.dtype == object or load.num.dtype == object:
                load = Rationals(load.num.astype(object), load.den.astype(object))
            load.num[place], load.den[place] = merged.num, merged.den
            kept.append(np.nonzero(load.num)[0])
            loads.append(load[kept[-1]])
        offset = np.cumsum([len(x) for x in kept])
        at = np.concatenate(kept)
        return LoadBlock(block.channel, offset, row[at], column[at], concatenate(loads))


class Capped(View):
    """``inner`` with the row of idle packets, the last one: on every channel its load is the largest of any pair.

    No terminal is of that row.  ``inner`` must have no base loads.  ``demands``: the set whose total is limited.
    ``pair_loads`` are those of pairs of terminals only: idle packets cross no channel.
    """

    def __init__(self, inner: Routing, demands: TransportSet) -> None:
        super().__init__(inner, Ends.like(inner)._replace(row_node=np.append(inner.row_node, 0).astype(np.int32)))
        self.demands = demands

    @property
    def denominators(self) -> list[int] | None:
        return self.inner.denominators

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        block = self.inner.channel_loads(channels, rows=None if rows is None else rows[:-1])
        if block.base is not None:
            raise InputError(f"{self.name} loads every pair at once; write its loads out pair by pair first")
        if rows is not None and not rows[-1]:
            return block
        idle, width = len(self.inner.row_node), len(self.column_node)
        top = largest_loads(block)
        columns = np.tile(np.arange(width, dtype=np.int32), block.num_channels)
        load = concatenate([block.load, top[np.repeat(np.arange(block.num_channels), width)]])
        row = np.concatenate([block.row, np.full(len(columns), idle, dtype=np.int32)])
        column = np.concatenate([block.column, columns])
        segment = np.concatenate([block.segment, np.repeat(np.arange(block.num_channels), width)])
        order = np.argsort(segment, kind="stable")
        counts = np.diff(block.offset) + width
        return LoadBlock(block.channel, offsets_of(counts), row[order], column[order], load[order])


def largest_loads(block: LoadBlock) -> Rationals:
    """The largest load of every channel of the block, 0 where it has none."""
    num, den = np.zeros(block.num_channels, dtype=object), np.ones(block.num_channels, dtype=object)
    for k in range(block.num_channels):
        part = block.load[int(block.offset[k]) : int(block.offset[k + 1])]
        distinct = {(int(a), int(b)) for a, b in zip(part.num.tolist(), part.den.tolist(), strict=True)}
        for a, b in distinct:
            if a * den[k] > num[k] * b:
                num[k], den[k] = a, b
    return Rationals(as_int_array(num.tolist()), as_int_array(den.tolist()))


def seen_through(routing: Routing, demands: TransportSet) -> tuple[Routing, Fraction]:
    """(the routing with the loads of allowed pairs only, what idle packets send).

    Where all together send at most K, and less than columns could receive, the last row is that of the idle packets
    (``Capped``); else they send 0, and there is no such row.

    Raises InputError where ``check_to_itself`` does.
    """
    check_to_itself(routing.network, demands)
    size = demands.size
    idle = Fraction(0)
    if demands.total is not None:
        receives = demands.receives or (demands.total,) * size
        idle = max(idle, sum(receives, Fraction(0)) - demands.total)
    shaped = routing if demands.allows_all and not idle else dense(routing)
    if not demands.allows_all:
        shaped = Restricted(shaped, demands)
    return (Capped(shaped, demands) if idle else shaped), idle


def seen_without(routing: Routing) -> tuple[Routing, TransportSet | None]:
    """What was given to ``seen_through`` to make the routing; (itself, None) where it was made otherwise."""
    demands: TransportSet | None = None
    inner = routing
    if isinstance(inner, Capped):
        demands = inner.demands
        inner = inner.inner
    if isinstance(inner, Restricted):
        demands = inner.demands
        inner = inner.inner
    return inner if demands is None else without_dense(inner), demands


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
        self._first_row = np.searchsorted(self._inner_row, np.arange(len(inner.row_node) + 1))
        self._first_column = np.searchsorted(self._inner_column, np.arange(len(inner.column_node) + 1))

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
        entry, row = _spread(block.row, self._first_row)
        again, column = _spread(block.column[entry], self._first_column)
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


def _spread(values: Int32, offset: Int64) -> tuple[Int64, Int32]:
    """(entry, new row) for every entry of ``values``, inner rows, and every new row that is made of it."""
    counts = np.diff(offset)[values]
    return np.repeat(np.arange(len(values)), counts), ragged(offset[values], counts).astype(np.int32)
