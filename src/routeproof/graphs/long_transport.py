"""One channel's transportation problem where rates have too many digits for 64-bit arithmetic.

The compiled kernels solve it with rates rounded down; their flow fits, and only what rounding left over is still to be
sent.  The interpreted copy of their shortest augmenting paths does that, in Python integers.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ..core.arrays import Int32, offsets_of
from ..core.rational import IntArray, Rationals
from .augmenting_kernels import DIST, FLOW, POT, REST, phase
from .transport import solve_exactly
from .transport_arrays import Side

_BITS = 36  # of all rates together, as the kernels get them


class LongSolution(NamedTuple):
    """An optimal flow per entry, and potentials of the rows and columns by number."""

    flow: list[int]
    u: dict[int, Fraction]
    v: dict[int, Fraction]


def solve_long(row: Int32, column: Int32, load: Rationals, supply: list[int], demand: list[int]) -> LongSolution:
    """The optimum of one channel: entries sorted by row, loads not negative."""
    total = sum(supply) + sum(demand)
    drop = max(0, total.bit_length() - _BITS)
    small = [np.array([x >> drop for x in amounts], dtype=np.int64) for amounts in (supply, demand)]
    exact = load.fractions()
    u, v = ([Fraction(0)] * len(amounts) for amounts in (supply, demand))
    flow = [0] * len(exact)
    try:
        start = solve_exactly(row, column, load, *small)
    except OverflowError:  # loads too large for the kernels: everything is sent here
        small = [np.zeros_like(x) for x in small]
    else:
        flow = [int(x) << drop for x in start.flow.tolist()]
        for side, numbers, values in ((u, start.row, start.u), (v, start.column, start.v)):
            for k, x in zip(numbers.tolist(), values, strict=True):
                side[k] = x
    entries = list(zip(row.tolist(), column.tolist(), exact, strict=True))
    for i, j, w in entries:  # those whose rate was rounded to nothing: first columns, then rows
        if not small[1][j]:
            v[j] = max(v[j], w - u[i])
    for i, j, w in entries:
        if not small[0][i]:
            u[i] = max(u[i], w - v[j])
    unit = math.lcm(*{x.denominator for side in (exact, u, v) for x in side})
    weight = [int(x * unit) for x in exact]
    far = 2 * (max(weight, default=0) + max(int(x * unit) for x in (*u, *v))) * len(entries) + 1
    edge = np.array([weight, flow], dtype=object).reshape(2, -1)
    sides = [_side(row, column, supply, u, edge, far, unit), _side(column, row, demand, v, edge, far, unit)]
    heap = np.zeros((2, 2 * len(flow) + 2), dtype=object)
    for sending, receiving in (sides, sides[::-1]):
        phase.interpreted(sending.state.shape[1], sending, receiving, edge, heap, 0, -1, far)
    potentials = ({k: Fraction(x, unit) for k, x in enumerate(side.state[POT].tolist()) if x} for side in sides)
    return LongSolution(edge[FLOW].tolist(), *potentials)


def _side(
    ends: Int32, others: Int32, amounts: list[int], potential: list[Fraction], edge: IntArray, far: int, unit: int
) -> Side:
    """The rows or the columns, in Python integers."""
    order = np.argsort(ends, kind="stable")
    state = np.zeros((8, len(amounts)), dtype=object)
    state[REST], state[POT], state[DIST] = amounts, [int(x * unit) for x in potential], far
    np.subtract.at(state[REST], ends, edge[FLOW])
    return Side(offsets_of(np.bincount(ends, minlength=len(amounts))), np.stack([others[order], order]), state)
