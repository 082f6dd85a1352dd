"""Routings whose paths depend on the displacement from source to destination alone.

Source: relative routing functions, Towles & Dally 2002 (SPAA), sec. 4.2.  One source gives the loads of all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, offsets_of
from ...core.errors import InputError
from ...core.exact_arrays import ragged
from ...core.loads import LoadBlock, PairBlock
from ...core.network import Network
from ...core.rational import Rationals
from ...core.symmetry import Automorphism, check_automorphism
from ..base.delivery import Bundle
from ..base.pair_table import ChannelLoads
from ..base.routing import Routing, RoutingByChannel
from .lines import ChannelPlaces, channel_places, grid_of

Vector = tuple[int, ...]
Steps = Mapping[tuple[Vector, int, int], Fraction]
"""(offset of the channel's tail from the source, dimension, direction as in ``Grid.channel_at``) -> load."""


class RelativeRouting(RoutingByChannel):
    """On a torus or mesh: ``steps[displacement]`` are the loads of a packet that goes that far.

    Displacements and offsets are coordinate differences: modulo k, in 0 .. k-1, on a torus; signed on a mesh, where
    no path may leave the box between source and destination.  Raises InputError where the network has no such grid.
    """

    in_full = False

    def __init__(self, network: Network, name: str, steps: Mapping[Vector, Steps]) -> None:
        super().__init__(network, name)
        grid = grid_of(network, name.partition(":")[0])
        if grid.kind == "hyperx":
            raise InputError(f"{name.partition(':')[0]} needs a torus or mesh; {network.name} is a HyperX")
        self.grid = grid
        self.places = channel_places(network, grid)
        self._radix = np.array(grid.radix, dtype=np.int64)
        self._wraps = grid.kind == "torus"
        # Differences are numbered row-major over these spans, from these lowest values.
        self._span = tuple(k if self._wraps else 2 * k - 1 for k in grid.radix)
        self._low = np.zeros_like(self._radix) if self._wraps else 1 - self._radix
        flat = [(delta, *key, load) for delta, part in steps.items() for key, load in part.items() if load]
        n = grid.num_dimensions
        delta = np.array([x[0] for x in flat], dtype=np.int64).reshape(-1, n)
        offset = np.array([x[1] for x in flat], dtype=np.int64).reshape(-1, n)
        order = np.argsort(self._number(delta), kind="stable")
        self._delta, self._offset = delta[order], offset[order]
        self._dimension = np.array([x[2] for x in flat], dtype=np.int64)[order]
        self._direction = np.array([x[3] for x in flat], dtype=np.int64)[order]
        self._load = Rationals.of(x[4] for x in flat)[order]
        self._start = np.searchsorted(self._number(self._delta), np.arange(math.prod(self._span) + 1))

    def _number(self, difference: Int64) -> Int64:
        """One number for each difference of coordinates, shape (..., n) -> (...,)."""
        return np.asarray(np.ravel_multi_index(tuple(np.moveaxis(difference - self._low, -1, 0)), self._span))

    def _node(self, coordinates: Int64) -> Int64:
        return np.asarray(np.ravel_multi_index(tuple(np.moveaxis(coordinates, -1, 0)), self.grid.radix))

    @cached_property
    def _by_kind(self) -> dict[tuple[int, int], Int64]:
        kinds = {(m, d) for m in range(len(self._radix)) for d in (0, 1)}
        return {(m, d): np.nonzero((self._dimension == m) & (self._direction == d))[0] for m, d in kinds}

    def expected_loads(self, channel: int) -> int:
        place = self.places.place(channel)
        return len(self._by_kind[place.dimension, place.direction])

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:
        self.check_room(channels, share=1.0 if rows is None else float(rows.mean()))
        return super().channel_loads(channels, rows=rows)

    def _loads_on(self, channel: int) -> ChannelLoads:
        place = self.places.place(channel)
        at = self._by_kind[place.dimension, place.direction]
        s = np.array(place.position) - self._offset[at]
        t = s + self._delta[at]
        if self._wraps:
            s, t = s % self._radix, t % self._radix
        else:
            inside = ((s >= 0) & (s < self._radix) & (t >= 0) & (t < self._radix)).all(axis=1)
            s, t, at = s[inside], t[inside], at[inside]
        return self._node(s), self._node(t), self._load[at]

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        place = self.grid.coordinates.astype(np.int64)
        s = place[np.asarray(rows, dtype=np.int64).reshape(-1)]
        delta = place[np.asarray(columns, dtype=np.int64).reshape(-1)] - s
        which = self._number(delta % self._radix if self._wraps else delta)
        length = self._start[which + 1] - self._start[which]
        at = ragged(self._start[which], length)
        pair = np.repeat(np.arange(len(s)), length)
        tail = s[pair] + self._offset[at]
        node = self._node(tail % self._radix if self._wraps else tail)
        channel = self.grid.channel_at[node, self._dimension[at], self._direction[at]]
        order = np.lexsort((channel, pair))
        offset = offsets_of(length)
        return PairBlock(offset, channel[order], self._load[at[order]])

    def respects(self, g: Automorphism) -> bool:
        """Exact.  A g that moves, reflects and swaps coordinates acts on displacements, which are then compared; for
        any other g all channels are.  Raises InputError if ``g`` is not an automorphism of the network."""
        check_automorphism(self.network, g)
        linear = self._linear_part(g)
        if linear is not None:
            return self._keeps_steps(*linear)
        return self._agrees(g, np.arange(self.network.num_channels))

    def channel_representatives(self) -> Int32 | None:
        """On a torus: those of one dimension and direction, by translation."""
        if not self._wraps:
            return None
        label = np.empty(self.network.num_channels, dtype=np.int32)
        for m in range(self.grid.num_dimensions):
            for d in range(self.grid.channel_at.shape[2]):
                some = self.grid.channel_at[:, m, d]
                label[some[some >= 0]] = some[0]
        return label

    def _linear_part(self, g: Automorphism) -> tuple[Int64, Int64] | None:
        """(goes, sign): dimension r goes to dimension goes[r] with sign[r], plus a constant; None if g is not so."""
        place = self.grid.coordinates.astype(np.int64)
        image = place[g.node]
        n = len(self._radix)
        goes, sign = np.zeros(n, dtype=np.int64), np.ones(n, dtype=np.int64)
        for r in range(n):
            unit = np.zeros(n, dtype=np.int64)
            unit[r] = 1
            step = image[self._node(unit)] - image[0]
            moved = np.nonzero(step)[0]
            if len(moved) != 1:
                return None
            goes[r] = moved[0]
            k, amount = int(self._radix[goes[r]]), int(step[goes[r]])
            if k != self._radix[r] or (amount % k not in (1, k - 1) if self._wraps else abs(amount) != 1):
                return None
            sign[r] = (1 if amount % k == 1 else -1) if self._wraps else amount
        wanted = np.empty_like(image)
        wanted[:, goes] = place * sign
        wanted += image[0]
        if self._wraps:
            wanted %= self._radix
        return (goes, sign) if np.array_equal(wanted, image) else None

    def _keeps_steps(self, goes: Int64, sign: Int64) -> bool:
        def moved(difference: Int64) -> Int64:
            image = np.empty_like(difference)
            image[:, goes] = difference * sign
            return image % self._radix if self._wraps else image

        turned = (sign[self._dimension] < 0) & ((self._radix[self._dimension] > 2) | (not self._wraps))
        direction = np.where(turned, 1 - self._direction, self._direction)
        here = self._sorted(self._delta, self._offset, self._dimension, self._direction)
        there = self._sorted(moved(self._delta), moved(self._offset), goes[self._dimension], direction)
        return all(np.array_equal(x, y) for x, y in zip(here, there, strict=True))

    def _sorted(self, delta: Int64, offset: Int64, dimension: Int64, direction: Int64) -> list[npt.NDArray[np.int64]]:
        kind = 2 * dimension + direction
        far, near = self._number(delta), self._number(offset)
        order = np.lexsort((kind, near, far))
        return [far[order], near[order], kind[order], self._load.num[order], self._load.den[order]]

    def check(self) -> None:
        """As in ``Routing.check``; on a torus the pairs of one source stand for all, by translation."""
        if self._wraps:
            self._check_pairs(0, np.arange(1, self.network.num_nodes))
        else:
            super().check()


def translated_bundles(
    routing: Routing, places: ChannelPlaces, progress: Callable[[int, int], None] | None = None
) -> Iterator[Bundle]:
    """The paths of node 0 on a torus or HyperX, each moved to all sources; raises InputError as ``routing.paths``."""
    nodes, grid = np.arange(routing.network.num_nodes), places.grid
    at = grid.coordinates.astype(np.int64)
    radix = np.array(grid.radix)
    tail = routing.network.tail
    for j in nodes[1:].tolist():
        column = np.ravel_multi_index(tuple(((at + at[j]) % radix).T), grid.radix).astype(np.int32)
        for _, path in routing.paths(0, j):
            node = np.ravel_multi_index(tuple(np.moveaxis((at[:, None] + at[tail[path]]) % radix, -1, 0)), grid.radix)
            channel = grid.channel_at[node, places.dimension[path], places.direction[path]]
            yield Bundle(nodes.astype(np.int32), column, channel)
        if progress is not None:
            progress(j, len(nodes) - 1)
