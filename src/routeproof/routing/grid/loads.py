"""Closed-form routings on tori, meshes and HyperX: their loads are products over the dimensions.

Let a packet go from s through w to t, each phase dimension by dimension.  It crosses a channel that leaves position p
in dimension m during phase one if its coordinates of the dimensions routed before m are already those of w, the others
still those of s, and the leg in dimension m crosses the channel.  The dimensions are independent given the order, so

    load = sum_S P(S before m) [ x1_m  prod_{r in S} A_r  prod_{r not in S} B_r     (phase one)
                               + x2_m  prod_{r in S} C_r  prod_{r not in S} A_r ]   (phase two)

with A_r = P(w_r = p_r), B_r = [s_r = p_r], C_r = [t_r = p_r] and x1, x2 from ``Line.crosses``.  A random order needs
only the coefficients of prod (B_r + A_r z), by size of S: no sum over orders or intermediate nodes is ever taken.
On tori and HyperX only t - s and p - s enter (modulo k), so these routings are invariant under translations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, offsets_of
from ...core.loads import LoadBlock, PairBlock
from ...core.network import Network
from ...core.rational import Rationals
from ..base.routing import Routing
from .lines import ChannelPlace, Line, Order, channel_places, check_order_fits, grid_of, rank_weights
from .lists import Lists, expand_lists, from_dense, join

_CACHE_ENTRIES = 2_000_000
_CELLS = 1 << 20
_MAX_DENOMINATORS = 4096
_SAMPLED = 64


class GridLoads(Routing):
    """The loads of a routing that the formula above describes.

    ``lines``: the rule of each dimension; ``orders``: the dimension order of each phase (one phase if w is always t).
    Raises InputError where the network has no grid, or a grid that its channels contradict.
    """

    in_full = False

    def __init__(self, network: Network, name: str, lines: Sequence[Line], orders: Sequence[Order]) -> None:
        super().__init__(network, name)
        self.grid = grid_of(network, name.partition(":")[0])
        for order in orders:
            if order is not None:
                check_order_fits(name.partition(":")[0], order, self.grid.num_dimensions, network.name)
        self.places = channel_places(network, self.grid)
        self.lines, self.orders = tuple(lines), tuple(orders)
        n = self.grid.num_dimensions
        self._scale = math.lcm(*range(1, n + 1)) if None in orders else 1
        self._weight = [rank_weights(order, n, self._scale) for order in orders]
        self._weight += [[0] * (n + 1)] * (2 - len(orders))
        self._returns = any(line.via == "anywhere" for line in self.lines)
        """Does the formula send packets to their own node on a round trip?"""
        self._cache: dict[tuple[Any, ...], Lists] = {}

    def _early(self, m: int, r: int) -> tuple[bool | None, ...]:
        """For each phase: is dimension r routed before m?  None where the order is random."""
        return tuple(None if order is None else order.index(r) < order.index(m) for order in self.orders)

    def _factors(self, m: int, r: int, s: Int64, t: Int64, p: Int64, d: int) -> tuple[list[Int64], Int64]:
        """(a, b, c, d), divisor: dimension r's factors for the channel leaving p in dimension m, direction d.

        a + b z in phase one, c + d z in phase two, z counting the dimensions routed before m.
        """
        line = self.lines[r]
        if m == r:
            first, second, den = line.crosses(s, t, p, d)
            none = np.zeros_like(first)
            return [first, none, second, none], den
        inside, den = line.stays(s, t, p)
        none = np.zeros_like(inside)
        at_source, at_target = np.where(s == p, den, 0), np.where(t == p, den, 0)
        # Per phase: where the packet is while r is still to be routed, and once it has been.
        phases = ((at_source, inside), (inside, at_target))
        result: list[Int64] = []
        for (late, early), when in zip(phases, self._early(m, r), strict=False):
            result += [late, early] if when is None else [early if when else late, none]
        return result + [none] * (4 - len(result)), den

    def _channel_lists(self, place: ChannelPlace, r: int) -> Lists:
        """All (s_r, t_r) that let the channel be crossed: one list of t_r per s_r.  Remembered up to a size."""
        p, m = place.position[r], place.dimension
        key = (r, p, place.direction if m == r else None, self._early(m, r))
        if key not in self._cache:
            k = self.grid.radix[r]
            t = np.arange(k)
            step = max(1, _CELLS // k)
            parts = []
            for at in range(0, k, step):
                s = np.arange(at, min(k, at + step))[:, None]
                parts.append(from_dense(*self._factors(m, r, s, t, np.array(p), place.direction)))
            if sum(map(len, self._cache.values())) > _CACHE_ENTRIES:
                self._cache.clear()
            self._cache[key] = join(parts)
        return self._cache[key]

    @cached_property
    def denominators(self) -> list[int] | None:
        """Numbers, ascending, among which the denominator of every load is, or a multiple of it; None if too many.

        A load's denominator is the scale of the order's weights times one divisor per dimension.
        """
        stays, crosses = [], []
        for line in self.lines:
            # Divisors depend on the distance from s to t and on whether it is a tie: s = 0 shows all of them.
            zero, t = np.zeros(1, dtype=np.int64), np.arange(line.radix)
            stays.append(_distinct(line.stays(zero, t, zero)[1]))
            crosses.append(_distinct(line.crosses(zero, t, zero, 0)[2]))
        found: set[int] = set()
        for m in range(len(self.lines)):
            products = {self._scale}
            for r in range(len(self.lines)):
                products = {x * y for x in products for y in (crosses if r == m else stays)[r]}
                if len(products) > _MAX_DENOMINATORS:
                    return None
            found |= products
        return sorted(found)

    def _support(
        self, channel: int, rows: npt.NDArray[np.bool_] | None = None
    ) -> tuple[list[Lists], Int64, tuple[Int64, ...]]:
        """Lists per dimension, the rows that can cross the channel (ascending), and their coordinates."""
        place = self.places.place(channel)
        lists = [self._channel_lists(place, r) for r in range(self.grid.num_dimensions)]
        busy = [np.diff(x.start) > 0 for x in lists]
        if rows is None:
            coordinates = np.ix_(*[np.nonzero(x)[0] for x in busy])
            row = np.ravel_multi_index(tuple(np.broadcast_arrays(*coordinates)), self.grid.radix).ravel()
        else:
            row = np.nonzero(rows)[0]
            where = np.unravel_index(row, self.grid.radix)
            row = row[np.logical_and.reduce([x[w] for x, w in zip(busy, where, strict=True)])]
        return lists, row, np.unravel_index(row, self.grid.radix)

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        todo = np.asarray(channels, dtype=np.int32).ravel()
        self.check_room(todo, share=1.0 if rows is None else float(rows.mean()))
        all_rows, columns, nums, dens, offset = [], [], [], [], [0]
        for c in todo.tolist():
            lists, row, where = self._support(c, rows)
            which = np.stack(where, axis=1)
            found = expand_lists(lists, which, self.grid.radix, self._weight, self._scale)
            rows_of, column, load = np.repeat(row.astype(np.int32), found.count), found.index, found.load
            if self._returns:  # a packet to its own node never enters the network
                away = rows_of != column
                rows_of, column, load = rows_of[away], column[away], load[away]
            all_rows.append(rows_of)
            columns.append(column)
            nums.append(load.num)
            dens.append(load.den)
            offset.append(offset[-1] + len(column))
        return LoadBlock(
            todo,
            np.array(offset, dtype=np.int64),
            _chain(all_rows, np.int32),
            _chain(columns, np.int32),
            Rationals(_chain(nums), _chain(dens)),
        )

    def expected_loads(self, channel: int) -> int:
        """In every dimension from some positions of the source: the loads are products over the dimensions."""
        place = self.places.place(channel)
        count = 1.0
        for r, k in enumerate(self.grid.radix):
            p = place.position[r]
            others = np.setdiff1d(np.linspace(0, k - 1, _SAMPLED).astype(np.int64), [p])
            s = np.append(others, p)  # at the channel's own position all ends may count
            factors, _ = self._factors(place.dimension, r, s[:, None], np.arange(k), np.array(p), place.direction)
            busy = np.logical_or.reduce([np.broadcast_to(x != 0, (len(s), k)) for x in factors]).sum(axis=1)
            count *= float(busy[-1]) + float(busy[:-1].sum()) * (k - 1) / max(1, len(others))
        return int(count)

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        row, column = np.asarray(rows, dtype=np.int64).ravel(), np.asarray(columns, dtype=np.int64).ravel()
        widest = max(k * len(line.directions) for k, line in zip(self.grid.radix, self.lines, strict=True))
        step = max(1, 4 * _CELLS // widest)
        parts = [
            self._pair_loads(row[at : at + step], column[at : at + step]) for at in range(0, max(1, len(row)), step)
        ]
        count = np.concatenate([x[0] for x in parts])
        offset = offsets_of(count)
        loads = Rationals(_chain([x[2].num for x in parts]), _chain([x[2].den for x in parts]))
        return PairBlock(offset, _chain([x[1] for x in parts], np.int32), loads)

    def _pair_loads(self, row: Int64, column: Int64) -> tuple[Int64, Int32, Rationals]:
        """(number of loads per pair, channels ascending per pair, loads)."""
        n, radix = self.grid.num_dimensions, self.grid.radix
        sources, targets = np.unravel_index(row, radix), np.unravel_index(column, radix)
        which = np.empty((len(row), n), dtype=np.int64)
        ends = []
        for r, k in enumerate(radix):
            cell, which[:, r] = np.unique(sources[r] * k + targets[r], return_inverse=True)
            ends.append((cell[:, None] // k, cell[:, None] % k))
        which[row == column] = -1  # never enters the network
        counts, keys, nums, dens = np.zeros(len(row), dtype=np.int64), [], [], []
        for m, line in enumerate(self.lines):
            width = len(line.directions)
            lists = []
            for r, k in enumerate(radix):
                p = np.arange(k)
                if r != m:
                    lists.append(from_dense(*self._factors(m, r, *ends[r], p, 0)))
                    continue
                each = [self._factors(m, r, *ends[r], p, d) for d in line.directions]
                shape = (len(ends[r][0]), k * width)
                four = [np.stack([x[0][i] for x in each], axis=-1).reshape(shape) for i in range(4)]
                lists.append(from_dense(four, np.stack([x[1] for x in each], axis=-1).reshape(shape)))
            over = tuple(k * width if r == m else k for r, k in enumerate(radix))
            found = expand_lists(lists, which, over, self._weight, self._scale)
            inner = math.prod(radix[m + 1 :])
            rest, low = np.divmod(found.index.astype(np.int64), inner)
            place, d = np.divmod(rest, width)
            channel = self.grid.channel_at[place * inner + low, m, d]
            counts += found.count
            pair = np.repeat(np.arange(len(row)), found.count)
            keys.append(pair * self.network.num_channels + channel)
            nums.append(found.load.num)
            dens.append(found.load.den)
        key = _chain(keys, np.int64)
        order = np.argsort(key)
        channel = (key[order] % self.network.num_channels).astype(np.int32)
        return counts, channel, Rationals(_chain(nums)[order], _chain(dens)[order])


def _distinct(values: Int64) -> list[int]:
    return [int(x) for x in np.unique(values)]


def _chain(parts: list[npt.NDArray[Any]], kind: Any = np.int64) -> npt.NDArray[Any]:
    """Concatenated, without a copy where there is one part (they can be large)."""
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=kind)
