"""Bounds that survive a failure: potentials of the whole network, raised only by the loads that changed.

Part of what is trusted: numpy and integers only.  For channel c, u[i] + v[j] >= load(i, j) for all pairs bounds its
worst case by sum(supply u) + sum(demand v) (the dual of the assignment; Towles & Dally 2002, sec. 3.3).  If some loads
become larger, raising u[i] by the largest violation of its row restores the inequality, and so does raising v[j] by
that of its column; loads that fall, and rows and columns that disappear, only help.  Three ways are tried for each
channel, and the least counts: rows, columns, and for each entry whichever has more violations.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.errors import VerificationError
from ..core.loads import LoadBlock
from ..core.network import Network
from ..core.rational import INT64_MAX, Rationals
from .multipliers import rounded_up

MAX_POTENTIALS = 400_000_000


@dataclass(frozen=True, eq=False)
class Potentials:
    """For every channel: rows' and columns' potentials, int64 (C, R) and (C, Q), and the bound that they prove, (C,).

    All in units of 1/``scale``, for the loads without base part.
    """

    scale: int
    row: Int64
    column: Int64
    bound: Int64


def potentials_of(
    blocks: Iterable[LoadBlock], column: Int64, supply: Int64, demand: Int64, *, scale: int
) -> Potentials:
    """The bounds that column potentials (int64 (C, Q), not negative) prove, whatever they are; the rows' follow.

    ``blocks``: all channels, each once.  Raises VerificationError where sums do not fit 64 bits.
    """
    count = len(column)
    row = np.zeros((count, len(supply)), dtype=np.int64)
    if column.size and int(column.min()) < 0:
        raise VerificationError("a column potential is negative")
    for block in blocks:
        channel = block.channel[block.segment]
        rest = rounded_up(block.load, scale) - column[channel, block.column]
        np.maximum.at(row, (channel, block.row), np.where(demand[block.column] > 0, rest, 0))
    top = max(int(row.max(initial=0)), int(column.max(initial=0)))
    if top * (int(supply.sum()) + int(demand.sum())) * 4 > INT64_MAX:
        raise VerificationError("potentials times terminals do not fit 64 bits")
    return Potentials(scale, row, column, row @ supply + column @ demand)


def limits_of(network: Network, load: Fraction, scale: int) -> Int64:
    """For each channel the largest number over ``scale`` that is at most ``load`` times its bandwidth, int64 (C,)."""
    limits = [min(int(load * x * scale), INT64_MAX) for x in network.widths]
    return np.array(limits, dtype=np.int64)[network.bandwidth_rank]


def raised_bounds(
    base: Potentials,
    supply: Int64,
    demand: Int64,
    *,
    left: tuple[Int64, Int64],
    channel: npt.NDArray[np.int32],
    row: npt.NDArray[np.int32],
    column: npt.NDArray[np.int32],
    load: Rationals,
) -> Int64:
    """Per channel a bound, int64 (C,) over ``base.scale``, once the listed loads have taken the place of older ones.

    ``supply``, ``demand``: of the whole network; ``left``: what is left of both, nowhere more.  Entries that are not
    listed must be at most what they were, where both their row and their column are left.
    """
    gone_row, gone_column = supply > left[0], demand > left[1]
    bound = base.bound.copy()
    if gone_row.any():
        bound -= base.row[:, gone_row] @ (supply - left[0])[gone_row]
    if gone_column.any():
        bound -= base.column[:, gone_column] @ (demand - left[1])[gone_column]
    weight = rounded_up(load, base.scale)
    place = channel.astype(np.int64)  # flat, which is twice as fast as by two indices
    over = weight - base.row.ravel()[place * len(supply) + row] - base.column.ravel()[place * len(demand) + column]
    which = np.nonzero((over > 0) & (left[0][row] > 0) & (left[1][column] > 0))[0]
    if not len(which):
        return bound
    if int(over[which].max()) * int(supply.sum() + demand.sum()) * 2 > INT64_MAX:
        raise VerificationError("loads times terminals do not fit 64 bits")
    channel, row, column, over = channel[which], row[which], column[which], over[which]
    rows, columns = _Lines.of(channel, row, left[0]), _Lines.of(channel, column, left[1])
    every = np.ones(len(which), dtype=bool)
    ways = (every, ~every, rows.size_of > columns.size_of)
    rises = [rows.raised(len(bound), over * way) + columns.raised(len(bound), over * ~way) for way in ways]
    bound += np.minimum.reduce(rises)
    return bound


@dataclass(frozen=True, eq=False)
class _Lines:
    """Entries by rows of channels, or by columns: ``order`` sorts them, a line begins at each of ``first``; ``channel``
    and ``left``, how many terminals are left in it, of each line; ``size_of`` each entry, how many its line has."""

    order: Int64
    first: Int64
    channel: Int64
    left: Int64
    size_of: Int64

    @staticmethod
    def of(channel: npt.NDArray[np.int32], end: npt.NDArray[np.int32], left: Int64) -> _Lines:
        key = channel.astype(np.int64) * len(left) + end
        order = np.argsort(key, kind="stable")
        first = np.nonzero(np.diff(key[order], prepend=-1))[0]
        size = np.diff(np.append(first, len(key)))
        size_of = np.empty(len(key), dtype=np.int64)
        size_of[order] = np.repeat(size, size)
        line = key[order][first]
        return _Lines(order, first, line // len(left), left[line % len(left)], size_of)

    def raised(self, count: int, over: Int64) -> Int64:
        """What raising every line by the largest violation of its entries adds to the bounds, int64 (count,)."""
        rise = np.zeros(count, dtype=np.int64)
        np.add.at(rise, self.channel, np.maximum.reduceat(over[self.order], self.first) * self.left)
        return rise
