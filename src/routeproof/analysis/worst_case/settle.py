"""The exact worst case of every channel of a block, from its fixed-point optimum."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.loads import LoadBlock
from ...core.rational import INT64_MAX, Rationals
from .exact_optimum import make_exact
from .sweep_types import Rates
from .transport import Weights
from .transport_arrays import Solved

__all__ = ["exact_values"]

Int64 = npt.NDArray[np.int64]
_MOST_DIGITS = 600


def exact_values(block: LoadBlock, weight: Int64, solved: Solved, rates: Rates, weights: Weights) -> list[Fraction]:
    """The exact optimum of each channel (its base part left aside), over ``rates.unit``.

    ``solved``: the kernels' optimum for ``weight``, in full.  Compiled long fixed point decides nearly all channels;
    the others are made exact one by one.
    """
    if weights.exact:
        return [Fraction(int(x), weights.scale * rates.unit) for x in solved.value]
    bits = weights.scale.bit_length() - 1
    used = np.nonzero(solved.flow)[0]
    segment = np.repeat(np.arange(block.num_channels), np.diff(block.offset))
    settled = _settled(block, weight, solved, rates, bits)
    values = _sums(segment[used], block.load[used], solved.flow[used], block.num_channels)
    for k in np.nonzero(~settled)[0].tolist():
        part = slice(int(block.offset[k]), int(block.offset[k + 1]))
        v = np.zeros(len(rates.demand), dtype=np.int64)
        active = slice(part.start, part.start + int(solved.num_active[k]))
        v[solved.active[active]] = solved.v[active]
        answer = make_exact(
            block.row[part],
            block.column[part],
            block.load[part],
            rates.supply,
            rates.demand,
            weight=weight[part],
            bits=bits,
            u=solved.u[part],
            v=v,
            flow=solved.flow[part],
        )
        values[k] = answer.value
    return values if rates.unit == 1 else [x / rates.unit for x in values]


def _settled(block: LoadBlock, weight: Int64, solved: Solved, rates: Rates, bits: int) -> npt.NDArray[np.bool_]:
    settled = np.zeros(block.num_channels, dtype=np.bool_)
    load = block.load
    plain = load.num.dtype != object and load.den.dtype != object
    if not plain or not 30 <= bits <= 60 or int(load.den.max(initial=1)) >= 1 << 33:
        return settled
    common = math.lcm(*load.denominators())
    digits = -(-(common.bit_length() + bits + 24) // 30) + 1
    size = len(rates.supply) + len(rates.demand)
    if digits > _MOST_DIGITS or size > 1 << 16:
        return settled
    from .exact_kernels import settle_channels

    most = int(np.diff(block.offset).max(initial=0))

    def table(lines: int, width: int) -> Int64:
        return np.zeros((lines, width), dtype=np.int64)

    settle_channels(
        block.offset, block.row, block.column, load.num, load.den, weight, rates.supply, rates.demand,
        solved.active, solved.num_active, solved.v, solved.u, solved.flow, bits, settled,
        table(size + 1, max(3, digits)), table(2, max(3, digits)), table(6, size + 1), table(4, 2 * most + 1),
        table(2, size + 3),
    )  # fmt: skip
    return settled


def _sums(group: npt.NDArray[np.intp], load: Rationals, flow: Int64, count: int) -> list[Fraction]:
    """The exact sum of load * flow for every group."""
    if not len(group):
        return [Fraction(0)] * count
    num = load.num
    if num.dtype == object or int(num.max()) * int(flow.max()) * len(num) > INT64_MAX:
        num = num.astype(object) * flow
    else:
        num = num * flow
    names = load.denominators()
    which = np.searchsorted(np.array(names, dtype=load.den.dtype), load.den)
    table = np.zeros((count, len(names)), dtype=num.dtype)
    np.add.at(table, (group, which), num)
    scale = math.lcm(*names)
    total = table.astype(object) @ np.array([scale // x for x in names], dtype=object)
    return [Fraction(int(x), scale) for x in total]
