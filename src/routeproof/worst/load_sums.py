"""Pair loads added up by channel, each as often as given traffic has its pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..core.arrays import Int32, Int64, members
from ..core.exact_arrays import concatenate, top
from ..core.loads import LoadBlock
from ..core.rational import INT64_MAX, IntArray, Rationals
from ..core.segment_sums import Partial, add_up, bounds_of, exact_total, is_cheap, merged, partial_sums
from ..core.spread import Progress
from ..routing.base.routing import Routing

_ENTRIES = 2_000_000  # non-zero pair loads held at once


@dataclass(frozen=True, eq=False)
class Piece:
    """The loads of ``count`` channels: exact ones (``known``), or bounds (``between``, those of ``bounds_of``) and a
    way to ``find`` the exact ones of some."""

    count: int
    known: Rationals | None = None
    between: tuple[IntArray, IntArray] | None = None
    find: Callable[[Int64], Rationals] | None = None

    def exact(self, segments: Int64 | None = None) -> Rationals:
        if self.known is not None:
            return self.known if segments is None else self.known[segments]
        assert self.find is not None
        return self.find(np.arange(self.count) if segments is None else segments)

    def bounds(self) -> tuple[IntArray, IntArray]:
        if self.known is not None:
            return bounds_of(Partial(self.count, np.arange(self.count), self.known.num, self.known.den))
        assert self.between is not None
        return self.between


@dataclass(frozen=True, eq=False)
class Weighing:
    """How often each pair load counts: ``pair(block)`` for the listed entries (None: once each), ``row`` and ``column``
    for base loads, which fall on every pair whose ends are on different nodes."""

    pair: Callable[[LoadBlock], IntArray | None]
    row: IntArray
    column: IntArray


def uniform_weighing(routing: Routing) -> Weighing:
    """1 from every terminal to every terminal."""
    network = routing.network
    rows = np.bincount(routing.row_of, minlength=len(routing.row_node)).astype(np.int64)
    columns = np.bincount(routing.column_of, minlength=len(routing.column_node)).astype(np.int64)
    size = network.num_terminals
    alike = bool(np.all(rows == 1) and np.all(columns == 1))  # rows without terminals may be given loads, too
    return Weighing(
        lambda block: None if alike else rows[block.row] * columns[block.column],
        rows * (size - network.demand[routing.row_node]),
        columns * (size - network.supply[routing.column_node]),
    )


def matrix_weighing(routing: Routing, numerator: IntArray, scale: int) -> Weighing:
    """``numerator[i, j]`` from terminal i to terminal j, shape (T, T)."""
    network = routing.network
    apart = network.source[:, None] != network.sink[None, :]  # the others never enter the network
    small = numerator.dtype != object and scale * network.num_terminals <= INT64_MAX
    rate = np.where(apart, numerator if small else numerator.astype(object), 0)
    total = np.zeros((len(routing.row_node), len(routing.column_node)), dtype=rate.dtype)
    np.add.at(total, (routing.row_of[:, None], routing.column_of[None, :]), rate)
    return Weighing(lambda block: np.asarray(total[block.row, block.column]), total.sum(axis=1), total.sum(axis=0))


def pair_sums(
    routing: Routing,
    source: Int32 | Int64,
    destination: Int32 | Int64,
    amount: IntArray,
    progress: Progress | None = None,
    *,
    group: Int64 | None = None,
    num_groups: int = 1,
) -> Partial:
    """Loads of all channels when terminal ``source[k]`` sends ``amount[k]``, a whole number, to ``destination[k]``.

    ``group[k]``, 0 .. ``num_groups`` - 1: groups of messages whose loads are apart: channel c of group g is segment
    g * C + c.
    """
    network = routing.network
    apart = network.source[source] != network.sink[destination]
    width = len(routing.column_node)
    size = len(routing.row_node) * width
    key = routing.row_of[source[apart]].astype(np.int64) * width + routing.column_of[destination[apart]]
    pairs, place = np.unique(key if group is None else key + group[apart] * size, return_inverse=True)
    segments = num_groups * network.num_channels
    if amount.dtype != object and top(amount) * len(amount) > INT64_MAX:
        amount = amount.astype(object)
    count = np.zeros(len(pairs), dtype=amount.dtype)
    np.add.at(count, place, amount[apart])
    parts: list[Partial] = []
    at, step = 0, 16
    while at < len(pairs):
        some = pairs[at : at + step]
        block = routing.pair_loads(some % size // width, some % width)
        hops = np.diff(block.offset)
        weight = np.repeat(count[at : at + step], hops)
        segment = block.channel.astype(np.int64) + np.repeat(some // size * network.num_channels, hops)
        parts.append(partial_sums(segment, block.load, weight, segments))
        if sum(len(p.num) for p in parts) > _ENTRIES:
            parts = [merged(parts, segments)]
        at += len(some)
        per_pair = max(1.0, len(block.channel) / len(some))
        step = int(min(max(1.0, _ENTRIES / per_pair), 4 * step))
        if progress is not None:
            progress(at, len(pairs))
    return merged(parts, segments)


def streamed(
    routing: Routing, channels: Int64, times: Int64, weighing: Weighing, progress: Progress | None
) -> tuple[tuple[Piece, ...], Partial]:
    """Weighted sums of the pair loads of ``channels``, and the sum over channels, channel k taken times[k] times."""
    pieces: list[Piece] = []
    total: list[Partial] = []
    count = 0
    for block in routing.stream(channels, entries=_ENTRIES):
        part = _block_sums(block, weighing)
        here = channels[count : count + part.count]
        pieces.append(piece_of(part, partial(found_again, routing, weighing, here)))
        total.append(exact_total(part, times[count : count + part.count]))
        if len(total) > 1 and sum(len(p.num) for p in total) > _ENTRIES // 10:
            total = [merged(total, 1)]
        count += part.count
        if progress is not None:
            progress(count, len(channels))
    return tuple(pieces), merged(total, 1)


def _block_sums(block: LoadBlock, weighing: Weighing) -> Partial:
    size = block.num_channels
    parts = [partial_sums(members(block.offset), block.load, weighing.pair(block), size)]
    if block.base is not None:
        for load, weight in ((block.base.row, weighing.row), (block.base.column, weighing.column)):
            segment = np.repeat(np.arange(size), len(weight))
            flat = Rationals(np.asarray(load.num).reshape(-1), np.asarray(load.den).reshape(-1))
            parts.append(partial_sums(segment, flat, np.tile(weight, size), size))
    return merged(parts, size)


def piece_of(part: Partial, find: Callable[[Int64], Rationals]) -> Piece:
    if is_cheap(part):
        return Piece(part.count, known=add_up(part))
    return Piece(part.count, between=bounds_of(part), find=find)


def found_again(routing: Routing, weighing: Weighing, channels: Int64, some: Int64) -> Rationals:
    """Exact sums for ``some`` of the channels, whose loads are asked for once more."""
    blocks = routing.stream(channels[some], entries=_ENTRIES)
    return concatenate([add_up(_block_sums(block, weighing)) for block in blocks])
