"""A routing as a transport set of demands sees it: a transportation problem over the same channels.

A limit on all demand together is one more row of that problem.

Let columns receive at most d(j), D in all, and all packets together be at most K < D.  Add a row of idle packets: it
sends D - K, to any column, at a weight B that no load exceeds.  Then the most that K packets make of weights w is the
most of the larger problem, less B (D - K):

- given demand of total at most K, the columns have room for at least D - K more, so idle packets fill it all;
- where idle packets are not all sent, one takes the place of another packet, and loses nothing, since B >= w.

Potentials of the larger problem are multipliers of the smaller one: with u' for the idle row, the multiplier of the
total is B - u', and column j's is v(j) - (B - u').
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import offsets_of
from ...core.errors import InputError
from ...core.loads import LoadBlock
from ...core.rational import Rationals, as_int_array
from ...demand_sets.ports import check_to_itself
from ...demand_sets.transport import TransportSet
from .exact_arrays import concatenate
from .restricted import Restricted
from .routing import Ends, Routing
from .views import View, dense, has_base, without_dense


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
    shaped = dense(routing) if has_base(routing) and not (demands.allows_all and not idle) else routing
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
