"""One channel's worst case: a transportation problem, solved exactly; and assignments, in floats.

Source: maximum-weight matching, Towles & Dally 2002 (SPAA), sec. 3.3 and 3.4; terminals that the routing cannot tell
apart are merged, which turns the matching into a transportation problem.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.arrays import Bools, Int32, Int64, members
from ..core.loads import LoadBlock
from ..core.rational import Rationals, lcm_within
from ..core.segment_sums import add_up, partial_sums
from .exact_transport import ExactSolution, make_exact
from .transport_arrays import Channels, Optimum, Rates, Solved, Start

FIXED_BITS = 40
_ROOM = 2**61
_FEW_WEIGHTS = 1 << 12
_SMALL = 128  # quanta below it are held, and packed, in a byte each


class Weights(NamedTuple):
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
    scale = lcm_within(denominators if denominators is not None else (most + 1,), most)
    return Weights(1 << bits, False, 2 * total) if scale is None else Weights(scale, True, 0)


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
    # In [x, x + 2) for x = load * 2**bits: three roundings of relative error 2**-53 on a value below 2**(bits + 6)
    # change it by less than half a unit for bits <= 40, and one unit is added.
    rough = load.num / load.den
    if float(np.max(rough, initial=0.0)) >= 64.0:
        return load.ceil_fixed(bits)
    rough *= 2.0**bits
    out: Int64 = rough.astype(np.int64)
    out += load.den != 1
    return out


def channels_of(block: LoadBlock, weight: Int64, rates: Rates) -> Channels:
    """The problems of a block's channels, its loads taken as ``weight``."""
    return Channels(block.offset, block.row, block.column, weight, rates.supply, rates.demand)


def solve_block(
    channels: Channels,
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

    offset, row, _, weight, supply, demand = channels
    peak = int(weight.max(initial=0))
    if peak and (int(supply.sum()) + int(demand.sum())) * peak > 2**62:
        raise OverflowError("loads times terminals do not fit 64 bits")
    count, size = len(offset) - 1, len(row)
    none = np.zeros((0, 0), dtype=np.uint8)
    start = Start(*(levels or (none, none)), np.zeros(0, dtype=np.int64) if start_v is None else start_v)
    value, num_active = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    v, u, flow = (np.zeros(n, dtype=np.int64) for n in (size, *(size if full else 0,) * 2))
    solved = Solved(value, np.zeros(count, dtype=np.bool_), num_active, np.zeros(size, dtype=np.int32), v, u, flow)
    most = int(np.diff(offset).max(initial=0))
    steps = 200 * count + 10 * size + int((np.diff(offset) ** 1.5).sum()) // 2
    room = scratch(len(supply), len(demand), most)
    solve_channels.for_steps(steps)(channels, start, stop, running, slack, solved, room)
    return solved


def solve_one(block: LoadBlock, rates: Rates) -> ExactSolution:
    """The exact optimum of the block's one channel, its base part left aside; as ``solve_exactly``."""
    return solve_exactly(block.row, block.column, block.load, rates.supply, rates.demand)


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
    one = Channels(np.array([0, len(row)], dtype=np.int64), row, column, weight, supply, demand)
    solved = solve_block(one, stop=np.array([-1]), full=True)
    v = np.zeros(len(demand), dtype=np.int64)
    active, potential = solved.columns(one.offset, 0)
    v[active] = potential
    if not weights.exact:
        bits = weights.scale.bit_length() - 1
        return make_exact(one, load, bits=bits, u=solved.u, v=v, flow=solved.flow)
    live = (weight > 0) & (supply[row] > 0) & (demand[column] > 0)
    rows, first = np.unique(row[live], return_index=True)
    columns = np.unique(column[live])
    value, u, v_of = (_over(found, weights.scale) for found in (solved.value, solved.u[live][first], v[columns]))
    return ExactSolution(value[0], rows, columns, u, v_of, solved.flow)


def _over(whole: Int64, scale: int) -> list[Fraction]:
    """``whole`` over ``scale``; equal numbers are one object."""
    different, place = np.unique(whole, return_inverse=True)
    exact = [Fraction(x, scale) for x in different.tolist()]
    return [exact[k] for k in place.tolist()]


def exact_values(
    load: Rationals, channels: Channels, solved: Solved, unit: int, weights: Weights
) -> tuple[list[Fraction], list[Optimum | None]]:
    """The exact optimum of each channel (its base part left aside), over ``unit``, and what reaches and proves it,
    where compiled code found that; ``load``: per entry, exactly.

    ``solved``: the kernels' optimum for ``channels``, in full.  Compiled long fixed point decides nearly all channels;
    the others are made exact one by one.
    """
    if weights.exact:
        return [Fraction(int(x), weights.scale * unit) for x in solved.value], [None] * len(solved.value)
    bits = weights.scale.bit_length() - 1
    used = np.nonzero(solved.flow)[0]
    count = len(solved.value)
    segment = members(channels.offset)
    settled, way, start = _settled(load, channels, solved, bits)
    values = add_up(partial_sums(segment[used], load[used], solved.flow[used], count)).fractions()
    for k in np.nonzero(~settled)[0].tolist():
        part = slice(int(channels.offset[k]), int(channels.offset[k + 1]))
        active, potential = solved.columns(channels.offset, k)
        v = np.zeros(len(channels.demand), dtype=np.int64)
        v[active] = potential
        answer = make_exact(channels.one(k), load[part], bits=bits, u=solved.u[part], v=v, flow=solved.flow[part])
        values[k] = answer.value
    kept = np.flatnonzero((way > 0) | (solved.flow > 0) | start.any(axis=0))
    ends = np.searchsorted(kept, channels.offset)[1:-1]
    every = (channels.row, channels.column, solved.flow, way, start.T)
    parts: Any = zip(*(np.split(x[kept], ends) for x in every), strict=True)
    found = [Optimum(*(*x, weights.scale)) if known else None for x, known in zip(parts, settled.tolist(), strict=True)]
    return values if unit == 1 else [x / unit for x in values], found


def _settled(
    load: Rationals, channels: Channels, solved: Solved, bits: int
) -> tuple[Bools, npt.NDArray[np.int8], Int64]:
    """Which channels' optimum is exactly optimal, and what their potentials follow from: ``way`` and ``start`` of
    ``settling_kernels.Work``.
    """
    settled = np.zeros(len(solved.value), dtype=np.bool_)
    plain = load.num.dtype != object and load.den.dtype != object
    size = len(channels.supply) + len(channels.demand)
    if not plain or not 30 <= bits <= 60 or int(load.den.max(initial=1)) >= 1 << 33 or size > 1 << 16:
        return settled, np.zeros(len(load), dtype=np.int8), np.zeros((2, len(load)), dtype=np.int64)
    from .settling_kernels import settle_channels, work_for

    work = work_for(size, len(load), int(np.diff(channels.offset).max(initial=0)))
    settle_channels.for_steps(10 * len(load))(channels, load.num, load.den, solved, bits, settled, work)
    return settled, work.way, work.start


def quantised(channels: Channels, solved: Solved, limit: Int64) -> tuple[Int64, list[npt.NDArray[np.integer]]]:
    """(shift, quanta): channel k stays at or below ``limit[k]`` with v = quanta[k] << shift[k]; -1 where it does not.

    ``quanta[k]``: one for every column that takes part, uint8 where all are below 128.
    """
    from .settling_kernels import quantise_channels

    shift = np.zeros(len(limit), dtype=np.int64)
    quantum = np.zeros(len(channels.row), dtype=np.int64)
    first_shift = max(0, int(channels.weight.max(initial=1)).bit_length() - 1)
    quantise_channels.for_steps(5 * len(channels.row))(channels, solved, limit, first_shift, shift, quantum)
    small = int(quantum.max(initial=0)) < _SMALL  # nearly always: looked at once for all channels
    if small:
        quantum = quantum.astype(np.uint8)
    parts = zip(channels.offset[:-1].tolist(), solved.num_active.tolist(), strict=True)
    quanta: list[npt.NDArray[np.integer]] = [quantum[at : at + count] for at, count in parts]
    if not small:
        quanta = [x.astype(np.uint8) if int(x.max(initial=0)) < _SMALL else x.copy() for x in quanta]
    return shift, quanta


def heaviest_assignment(weight: npt.NDArray[np.number]) -> Int64:
    """int64 (N,): the column of each row of ``weight`` (N, M), N <= M, no two alike, with the largest sum.

    In the literature: the assignment problem, the Hungarian method (Kuhn 1955); here scipy's, in floats, or, of small
    whole weights that are not negative, the kernels' own, which are there already.
    """
    if weight.size <= _FEW_WEIGHTS and np.issubdtype(weight.dtype, np.integer) and int(weight.min(initial=0)) >= 0:
        return _by_kernels(weight.astype(np.int64))
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(weight, maximize=True)[1].astype(np.int64)  # type: ignore[no-any-return]


def _by_kernels(weight: Int64) -> Int64:
    rows, columns = weight.shape
    row, column = (x.ravel().astype(np.int32) for x in np.indices(weight.shape))
    one, all_columns = np.ones(rows, dtype=np.int64), np.ones(columns, dtype=np.int64)
    offset = np.array([0, weight.size], dtype=np.int64)
    problem = Channels(offset, row, column, weight.ravel(), one, all_columns)
    flow = solve_block(problem, stop=np.array([-1]), full=True).flow.reshape(weight.shape)
    image = np.full(rows, -1, dtype=np.int64)
    r, c = np.nonzero(flow)
    image[r] = c
    image[image < 0] = np.setdiff1d(np.arange(columns), c)[: int((image < 0).sum())]  # for them nothing is to be had
    return image
