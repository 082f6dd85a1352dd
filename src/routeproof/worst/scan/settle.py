"""From the fixed-point optimum of a block of channels: exact worst cases, and potentials of few bits as proofs."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64, members
from ...core.rational import Rationals
from ...graphs.exact_transport import make_exact
from ...graphs.transport import Weights
from ...graphs.transport_arrays import Channels, Solved
from ..exact_sums import add_up, partial_sums

_MOST_DIGITS = 600
_SMALL = 128  # quanta below it are held, and packed, in a byte each


def exact_values(load: Rationals, channels: Channels, solved: Solved, unit: int, weights: Weights) -> list[Fraction]:
    """The exact optimum of each channel (its base part left aside), over ``unit``; ``load``: per entry, exactly.

    ``solved``: the kernels' optimum for ``channels``, in full.  Compiled long fixed point decides nearly all channels;
    the others are made exact one by one.
    """
    if weights.exact:
        return [Fraction(int(x), weights.scale * unit) for x in solved.value]
    bits = weights.scale.bit_length() - 1
    used = np.nonzero(solved.flow)[0]
    count = len(solved.value)
    segment = members(channels.offset)
    settled = _settled(load, channels, solved, bits)
    values = add_up(partial_sums(segment[used], load[used], solved.flow[used], count)).fractions()
    for k in np.nonzero(~settled)[0].tolist():
        part = slice(int(channels.offset[k]), int(channels.offset[k + 1]))
        active, potential = solved.columns(channels.offset, k)
        v = np.zeros(len(channels.demand), dtype=np.int64)
        v[active] = potential
        answer = make_exact(channels.one(k), load[part], bits=bits, u=solved.u[part], v=v, flow=solved.flow[part])
        values[k] = answer.value
    return values if unit == 1 else [x / unit for x in values]


def _settled(load: Rationals, channels: Channels, solved: Solved, bits: int) -> npt.NDArray[np.bool_]:
    settled = np.zeros(len(solved.value), dtype=np.bool_)
    plain = load.num.dtype != object and load.den.dtype != object
    if not plain or not 30 <= bits <= 60 or int(load.den.max(initial=1)) >= 1 << 33:
        return settled
    digits = -(-(math.lcm(*load.denominators()).bit_length() + bits + 24) // 30) + 1
    size = len(channels.supply) + len(channels.demand)
    if digits > _MOST_DIGITS or size > 1 << 16:
        return settled
    from ...graphs.settling_kernels import settle_channels, work_for

    most = int(np.diff(channels.offset).max(initial=0))
    work = work_for(size, max(3, digits), most)
    settle_channels.for_steps(5 * digits * len(load))(channels, load.num, load.den, solved, bits, settled, work)
    return settled


def quantised(channels: Channels, solved: Solved, limit: Int64) -> tuple[Int64, list[npt.NDArray[np.integer]]]:
    """(shift, quanta): channel k stays at or below ``limit[k]`` with v = quanta[k] << shift[k]; -1 where it does not.

    ``quanta[k]``: one for every column that takes part, uint8 where all are below 128.
    """
    from ...graphs.settling_kernels import quantise_channels

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
