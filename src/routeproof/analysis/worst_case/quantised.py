"""Column potentials of a block of channels, rounded to few bits that still prove a limit."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .transport_arrays import Channels, Solved

__all__ = ["quantised"]

Int64 = npt.NDArray[np.int64]
_SMALL = 128  # quanta below it are held, and packed, in a byte each


def quantised(channels: Channels, solved: Solved, limit: Int64) -> tuple[Int64, list[npt.NDArray[np.integer]]]:
    """(shift, quanta): channel k stays at or below ``limit[k]`` with v = quanta[k] << shift[k]; -1 where it does not.

    ``quanta[k]``: one for every column that takes part, uint8 where all are below 128.
    """
    from .rounding_kernels import quantise_channels

    shift = np.zeros(len(limit), dtype=np.int64)
    quantum = np.zeros(len(channels.row), dtype=np.int64)
    first_shift = max(0, int(channels.weight.max(initial=1)).bit_length() - 1)
    quantise_channels(channels, solved, limit, first_shift, shift, quantum)
    small = int(quantum.max(initial=0)) < _SMALL  # nearly always: looked at once for all channels
    if small:
        quantum = quantum.astype(np.uint8)
    parts = zip(channels.offset[:-1].tolist(), solved.num_active.tolist(), strict=True)
    quanta: list[npt.NDArray[np.integer]] = [quantum[at : at + count] for at, count in parts]
    if not small:
        quanta = [x.astype(np.uint8) if int(x.max(initial=0)) < _SMALL else x.copy() for x in quanta]
    return shift, quanta
