"""A limit on all demand together, as one more row of a transportation problem.

Let columns receive at most d(j), D in all, and all packets together be at most K < D.  Add a row of idle packets: it
sends D - K, to any column, at a weight B that no load exceeds.  Then the most that K packets make of weights w is the
most of the larger problem, less B (D - K):

- given demand of total at most K, the columns have room for at least D - K more, so idle packets fill it all;
- where idle packets are not all sent, one takes the place of another packet, and loses nothing, since B >= w.

Potentials of the larger problem are multipliers of the smaller one: with u' for the idle row, the multiplier of the
total is B - u', and column j's is v(j) - (B - u').
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, offsets_of
from ...core.errors import InputError
from ...core.loads import LoadBlock, PairBlock
from ...core.rational import Rationals, as_int_array
from ...core.symmetry import Automorphism
from ...demand_sets.transport import TransportSet
from .exact_arrays import concatenate
from .routing import Routing


class Capped(Routing):
    """``inner`` with the row of idle packets, the last one: on every channel its load is the largest of any pair.

    No terminal is of that row.  ``inner`` must have no base loads.  ``demands``: the set whose total is limited.
    """

    def __init__(self, inner: Routing, demands: TransportSet) -> None:
        super().__init__(inner.network, inner.name)
        self.inner, self.demands = inner, demands
        self.in_full, self.is_sampled, self.parts = inner.in_full, inner.is_sampled, inner.parts
        self.whole_flows_of = inner.whole_flows_of
        self.channel_attributes = inner.channel_attributes

    @property
    def row_of(self) -> Int32:
        return self.inner.row_of

    @property
    def column_of(self) -> Int32:
        return self.inner.column_of

    @cached_property
    def _row_nodes(self) -> Int32:
        return np.append(self.inner.row_node, 0).astype(np.int32)

    @property
    def row_node(self) -> Int32:
        return self._row_nodes

    @property
    def column_node(self) -> Int32:
        return self.inner.column_node

    @property
    def by_node(self) -> bool:
        return self.inner.by_node

    def respects(self, g: Automorphism) -> bool:
        return self.inner.respects(g)

    def respects_reversal(self) -> bool:
        return self.inner.respects_reversal()

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

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        """Of pairs of terminals only: idle packets cross no channel."""
        return self.inner.pair_loads(rows, columns)


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
