"""Faulty switches in a multibutterfly: erasure of blocks, propagation of faults, and who survives.

Source: Maggs, "Randomly Wired Multistage Networks", sec. 4 (Leighton & Maggs 1989); conventions on multistage networks.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import Bools
from ...core.errors import InputError
from ...core.multistage.wiring import Wiring
from ..packets.upfal import check_multibutterfly


@dataclass(frozen=True, eq=False)
class Survivors:
    """Which switches are faulty, erased and declared faulty: bool, shape (n + 1, N) each, [level][row].

    ``erased`` switches are those of erased blocks and their descendants (faulty or not); ``declared`` ones were not
    faulty themselves and not erased.
    """

    faulty: Bools
    erased: Bools
    declared: Bools

    @property
    def alive(self) -> Bools:
        """The switches that are left to work with."""
        return ~(self.faulty | self.erased | self.declared)

    @property
    def inputs(self) -> list[int]:
        """The surviving inputs, in order."""
        return [int(x) for x in np.nonzero(self.alive[0])[0]]

    @property
    def outputs(self) -> list[int]:
        return [int(x) for x in np.nonzero(self.alive[-1])[0]]


def default_threshold(wiring: Wiring) -> int:
    """ceil(d / 2)."""
    return (wiring.multiplicity + 1) // 2


def survive(wiring: Wiring, faulty: npt.ArrayLike, *, epsilon: Fraction, threshold: int | None = None) -> Survivors:
    """Erase and propagate.  ``faulty``: bool, shape (n + 1, N).

    Erasure: a block of M switches, on any level 0 .. n, is erased if strictly more than ``epsilon`` * M of its
    switches are faulty, with all blocks below it.  Propagation, from level n - 1 back to 0: a switch is declared
    faulty if at least ``threshold`` of its d up-edges, or of its d down-edges (with multiplicity), lead to switches
    that are faulty or declared so and not erased.  Default threshold: ceil(d / 2).

    Then every surviving input is joined to every surviving output by surviving switches, for every threshold up to d:
    towards a surviving output no block is erased, and at least d - threshold + 1 edges lead to survivors.

    Raises InputError for epsilon outside 0 .. 1, a threshold outside 1 .. d, or a multi-Benes wiring.
    """
    n, rows, d = wiring.log_inputs, wiring.inputs, wiring.multiplicity
    check_multibutterfly(wiring, "erasure and propagation are defined for log2 N edge levels")
    threshold = default_threshold(wiring) if threshold is None else threshold
    if not 0 <= epsilon <= 1:
        raise InputError(f"epsilon is {epsilon}; a fraction from 0 to 1 was expected")
    if not 1 <= threshold <= d:
        raise InputError(f"threshold is {threshold}; 1 to {d}, the multiplicity, was expected")
    bad = np.asarray(faulty, dtype=np.bool_)
    if bad.shape != (n + 1, rows):
        raise InputError(f"faults have shape {bad.shape}; {(n + 1, rows)}, [level][row], was expected")
    erased = np.zeros_like(bad)
    for level in range(n + 1):
        size = rows >> level
        count = bad[level].reshape(-1, size).sum(axis=1)
        erased[level] = np.repeat(count * epsilon.denominator > epsilon.numerator * size, size)
        if level:
            erased[level] |= erased[level - 1]
    declared = np.zeros_like(bad)
    for level in range(n - 1, -1, -1):
        lost = (bad[level + 1] | declared[level + 1]) & ~erased[level + 1]
        ways = np.zeros((2, rows), dtype=np.int32)
        for image in wiring.wire[level]:
            side = image >> wiring.direction_bit(level) & 1
            ways[0] += lost[image] & (side == 0)
            ways[1] += lost[image] & (side == 1)
        declared[level] = (ways.max(axis=0) >= threshold) & ~erased[level] & ~bad[level]
    return Survivors(bad.copy(), erased, declared)


def restrict_to(survivors: Survivors, images: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """``images`` (-1: no packet) without the packets that start or end at a switch that does not survive."""
    alive = survivors.alive
    lost = ~alive[0][None, :] | ~alive[-1][images] | (images < 0)
    return np.where(lost, np.int32(-1), images)


def check_connected(wiring: Wiring, survivors: Survivors) -> None:
    """Raise AssertionError unless every surviving switch has a live edge into each of its two blocks that is not
    erased.

    By induction along the logical path, every surviving input then reaches every surviving output.
    """
    alive = survivors.alive
    for level in range(wiring.log_inputs):
        bit = wiring.direction_bit(level)
        for way in (0, 1):
            rows = np.arange(wiring.inputs)
            child = rows >> (bit + 1) << (bit + 1) | (way << bit)  # a row of the block that this way leads to
            needed = alive[level] & ~survivors.erased[level + 1, child]
            live = np.zeros(wiring.inputs, dtype=np.bool_)
            for image in wiring.wire[level]:
                live |= (image >> bit & 1 == way) & alive[level + 1, image]
            if np.any(needed & ~live):
                r = int(np.argmax(needed & ~live))
                raise AssertionError(f"surviving switch on level {level}, row {r} is cut off")


def connected_pairs(wiring: Wiring, alive: Bools) -> int:
    """How many (input, output) pairs are joined by a path of live switches, exactly; memory N^2 bytes.

    Follows the logical paths: a switch reaches an output if one of its d edges that lead there does.
    """
    n, rows = wiring.log_inputs, wiring.inputs
    reach = alive[n][:, None].copy()
    for level in range(n - 1, -1, -1):
        half = reach.shape[1]
        wider = np.zeros((rows, 2 * half), dtype=np.bool_)
        for image in wiring.wire[level]:
            down = image >> wiring.direction_bit(level) & 1 == 1
            wider[~down, :half] |= reach[image[~down]]
            wider[down, half:] |= reach[image[down]]
        wider[~alive[level]] = False
        reach = wider
    return int(np.count_nonzero(reach))
