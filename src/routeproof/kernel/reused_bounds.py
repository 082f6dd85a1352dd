"""Bounds that survive a failure: potentials of the whole network, raised only by the loads that changed.

Part of what is trusted: numpy and integers only.  For channel c, u[i] + v[j] >= load(i, j) for all pairs bounds its
worst case by sum(supply u) + sum(demand v) (the dual of the assignment; Towles & Dally 2002, sec. 3.3).  If some loads
become larger, raising u[i] by the largest violation of its row restores the inequality; loads that fall, and rows and
columns that disappear, only help.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.errors import VerificationError
from ..core.loads import LoadBlock
from ..core.rational import INT64_MAX, Rationals
from .multipliers import rounded_up

MAX_POTENTIALS = 300_000_000


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
    over = weight - base.row[channel, row] - base.column[channel, column]
    which = np.nonzero((over > 0) & (left[0][row] > 0) & (left[1][column] > 0))[0]
    if len(which):
        if int(over[which].max()) * int(supply.sum()) * 2 > INT64_MAX:
            raise VerificationError("loads times terminals do not fit 64 bits")
        key = channel[which].astype(np.int64) * len(supply) + row[which]
        order = np.argsort(key, kind="stable")
        first = np.nonzero(np.diff(key[order], prepend=-1))[0]
        most = np.maximum.reduceat(over[which][order], first)
        key = key[order][first]
        np.add.at(bound, key // len(supply), most * left[0][key % len(supply)])
    return bound
