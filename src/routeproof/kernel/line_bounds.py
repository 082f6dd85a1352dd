"""Multipliers that bound the load of a channel for every number of packets at once.

For weights w (load per bandwidth), multipliers v >= 0 of columns and x >= 0 of all packets together, and
u(i) = max(0, the largest of w(i, j) - v(j) - x): every packet from i to j is worth at most u(i) + v(j) + x.  So K
packets in all, of rows that send at most ``supply`` and columns that receive at most ``demand``, make at most

    x K + sum supply u + sum demand v.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.errors import VerificationError
from ..core.loads import LoadBlock
from ..core.rational import lcm_within

_SAFE = 1 << 62
_MOST_FINER = 1 << 4096


def line_constant(
    block: LoadBlock,
    bandwidth: Fraction,
    supply: Int64,
    demand: Int64,
    *,
    scale: int,
    slope: int,
    column: Int64,
    v: npt.NDArray[Any],
) -> Fraction:
    """What the line of the block's one channel is at K = 0, per bandwidth; its slope is ``slope`` over ``scale``.

    ``v``: the potentials of ``column`` times ``scale``; the others have 0.  Raises VerificationError for numbers that
    are negative, columns that do not ascend or do not exist, and a base part of the loads.
    """
    c = int(block.channel[0])
    if block.base is not None:
        raise VerificationError(f"the loads of channel {c} are not written out pair by pair")
    ascends = not (np.diff(column) <= 0).any() and (not len(column) or 0 <= column[0] <= column[-1] < len(demand))
    if len(column) != len(v) or not ascends:
        raise VerificationError(
            f"channel {c}: the columns of a line must ascend, below {len(demand)}, a potential each"
        )
    if slope < 0 or (len(v) and min(v.tolist()) < 0):
        raise VerificationError(f"channel {c}: a multiplier is negative")
    live = (supply[block.row] > 0) & (demand[block.column] > 0) & (block.load.num > 0)
    row, load = block.row[live], block.load[live]
    if (np.diff(row) < 0).any():
        raise VerificationError(f"the loads of channel {c} are not sorted by row")
    paid = sum(int(x) * int(n) for x, n in zip(v.tolist(), demand[column].tolist(), strict=True))
    if not len(row):
        return Fraction(paid, scale)
    # All in units of 1 / (scale * finer), in which no load is rounded, or rounded up where that is out of reach.
    finer = lcm_within({int(x) * bandwidth.numerator for x in np.unique(load.den)}, _MOST_FINER) or 1
    unit = scale * finer
    up, down = unit * bandwidth.denominator, bandwidth.numerator
    num, den = load.num, load.den
    most = max(int(num.max()) * up, int(den.max()) * down, slope * finer, max(v.tolist(), default=0) * finer)
    if num.dtype == object or den.dtype == object or v.dtype == object or most >= _SAFE:
        num, den, v = num.astype(object), den.astype(object), v.astype(object)
    potential = np.zeros(len(demand), dtype=v.dtype)
    potential[column] = v * finer
    weight = -((-num * up) // (den * down))
    rest = weight - potential[block.column[live]] - slope * finer
    start = np.nonzero(np.diff(row, prepend=-1))[0]
    largest = np.maximum.reduceat(rest, start).tolist()
    rows = sum(int(x) * int(n) for x, n in zip(largest, supply[row[start]].tolist(), strict=True) if x > 0)
    return Fraction(paid * finer + rows, unit)
