"""A routing seen otherwise: the same network and channels, of which only the loads differ; and base loads written out.

Base loads, which fall on every pair, are for traffic that uses them fully; other traffic needs them pair by pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.loads import LoadBlock, PairBlock
from ...core.rational import Rationals
from ...core.symmetry import Automorphism
from .exact_arrays import concatenate, plus
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
    """The same routing with its base loads as ordinary entries: every pair of different nodes, on every channel.

    Needed where not every terminal sends and receives at full rate.  Raises InputError on networks too large for it.
    """
    if isinstance(routing, _Dense):
        raise ArithmeticError(f"no admissible traffic reaches the bound of {routing.name}")  # noqa: TRY004
    return _Dense(routing)


def has_base(routing: Routing, channel: int = 0) -> bool:
    """Are some loads of the channel base loads, those of all pairs?"""
    nothing = np.zeros(len(routing.row_node), dtype=bool)
    return routing.channel_loads([channel], rows=nothing).base is not None


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
