"""One channel's worst case: a transportation problem, solved exactly.

Source: maximum-weight matching, Towles & Dally 2002 (SPAA), sec. 3.3 and 3.4; terminals that the routing cannot tell
apart are merged, which turns the matching into a transportation problem.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.rational import Rationals
from .exact_optimum import ExactSolution, make_exact
from .transport_arrays import Channels, Solved, Start

__all__ = ["FIXED_BITS", "Weights", "choose_scale", "solve_block", "solve_exactly", "weights_of"]

FIXED_BITS = 40
_ROOM = 2**61
Int64 = npt.NDArray[np.int64]
Int32 = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Weights:
    """How loads become integers: times ``scale`` (exact if every denominator divides it), else rounded up.

    ``slack`` units at most lie between a rounded-up optimum and the exact one (0 where exact).
    """

    scale: int
    exact: bool
    slack: int


def choose_scale(denominators: list[int] | None, total: int) -> Weights:
    """The common denominator where it is small enough, else fixed point.  ``total``: sum of supplies and demands."""
    bits = FIXED_BITS
    while bits > 20 and (total + 1) << (bits + 6) > _ROOM:
        bits -= 2
    most = _ROOM // (8 * (total + 1))  # loads up to 8 then fit
    scale = 1
    for x in denominators if denominators is not None else (most + 1,):
        scale = math.lcm(scale, x)
        if scale > most:
            return Weights(1 << bits, False, 2 * total)
    return Weights(scale, True, 0)


def weights_of(load: Rationals, weights: Weights) -> Int64:
    """Loads as int64 in units of 1 / scale, never rounded down.  Raises OverflowError where they do not fit."""
    if weights.exact:
        values = load.scaled(weights.scale)
        if values.dtype == object:
            raise OverflowError("a load does not fit 64 bits")
        return values
    bits = weights.scale.bit_length() - 1
    if load.num.dtype == object or load.den.dtype == object or int(load.num.max(initial=0)) >= 1 << 53:
        return load.ceil_fixed(bits)
    top = float(np.max(load.num / load.den, initial=0.0))
    if top >= 64.0:
        return load.ceil_fixed(bits)
    from .rounding_kernels import ceil_fixed

    out = np.empty(len(load), dtype=np.int64)
    ceil_fixed(load.num, load.den, bits, out)
    return out


def solve_block(
    offset: Int64,
    row: Int32,
    column: Int32,
    weight: Int64,
    supply: Int64,
    demand: Int64,
    *,
    stop: Int64,
    running: bool = False,
    slack: int = 0,
    levels: tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]] | None = None,
    start_v: Int64 | None = None,
    full: bool = False,
) -> Solved:
    """Run the kernels; ``full`` also returns the rows' potentials and the flow.

    ``levels`` or ``start_v`` (int64 (Q,)) give potentials to start from.
    """
    from .transport_kernels import scratch, solve_channels

    peak = int(weight.max(initial=0))
    if peak and (int(supply.sum()) + int(demand.sum())) * peak > 2**62:
        raise OverflowError("loads times terminals do not fit 64 bits")
    count, size = len(offset) - 1, len(row)
    none = np.zeros((0, 0), dtype=np.uint8)
    row_level, column_level = levels if levels is not None else (none, none)
    extra = size if full else 0
    solved = Solved(
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=np.bool_),
        np.zeros(count, dtype=np.int64),
        np.zeros(size, dtype=np.int32),
        np.zeros(size, dtype=np.int64),
        np.zeros(extra, dtype=np.int64),
        np.zeros(extra, dtype=np.int64),
    )
    none_v = np.zeros(0, dtype=np.int64)
    start = Start(row_level, column_level, none_v if start_v is None else start_v)
    most = int(np.diff(offset).max(initial=0))
    channels = Channels(offset, row, column, weight, supply, demand)
    solve_channels(channels, start, stop, running, slack, solved, scratch(len(supply), len(demand), most))
    return solved


def solve_exactly(row: Int32, column: Int32, load: Rationals, supply: Int64, demand: Int64) -> ExactSolution:
    """The exact optimum of one channel: entries sorted by row.

    Raises OverflowError if loads times supplies pass 2**62 even in the coarsest fixed point.
    """
    total = int(supply.sum()) + int(demand.sum())
    weights = choose_scale(load.denominators(), total)
    try:
        weight = weights_of(load, weights)
        fits = int(weight.max(initial=0)) * total <= 2**62
    except OverflowError:
        fits = False
    if not fits:
        top = max((math.ceil(x) for x in load.fractions()), default=1)
        bits = 61 - (top * total).bit_length()
        if bits < 8:
            raise OverflowError(f"a pair load of {top} over {total} terminals does not fit 64-bit arithmetic")
        weights = Weights(1 << min(bits, FIXED_BITS), False, 2 * total)
        weight = load.ceil_fixed(min(bits, FIXED_BITS))
    offset = np.array([0, len(row)], dtype=np.int64)
    solved = solve_block(offset, row, column, weight, supply, demand, stop=np.array([-1]), full=True)
    v = np.zeros(len(demand), dtype=np.int64)
    active = int(solved.num_active[0])
    v[solved.active[:active]] = solved.v[:active]
    if not weights.exact:
        bits = weights.scale.bit_length() - 1
        return make_exact(
            row, column, load, supply, demand, weight=weight, bits=bits, u=solved.u, v=v, flow=solved.flow
        )
    live = (weight > 0) & (supply[row] > 0) & (demand[column] > 0)
    rows, first = np.unique(row[live], return_index=True)
    columns = np.unique(column[live])
    u_of = solved.u[live][first]
    scale = weights.scale
    return ExactSolution(
        Fraction(int(solved.value[0]), scale),
        rows,
        columns,
        [Fraction(int(x), scale) for x in u_of],
        [Fraction(int(x), scale) for x in v[columns]],
        solved.flow,
    )
