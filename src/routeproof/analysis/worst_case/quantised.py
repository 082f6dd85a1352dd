"""Column potentials of a block of channels, rounded to few bits that still prove a limit."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.loads import LoadBlock
from .sweep_types import Rates
from .transport_arrays import Solved

__all__ = ["SMALL", "quantised"]

Int64 = npt.NDArray[np.int64]
SMALL = 128  # quanta below it are held, and packed, in a byte each


def quantised(
    block: LoadBlock, weight: Int64, rates: Rates, solved: Solved, limit: Int64
) -> tuple[Int64, list[npt.NDArray[np.integer]]]:
    """(shift, quanta): channel k stays at or below ``limit[k]`` with v = quanta[k] << shift[k]; -1 where it does not.

    ``weight``: the block's loads as ``solved`` took them; ``quanta[k]``: one for every column that takes part, uint8
    where all are below ``SMALL``.
    """
    from .rounding_kernels import quantise_channels

    shift = np.zeros(block.num_channels, dtype=np.int64)
    quantum = np.zeros(len(block.row), dtype=np.int64)
    first_shift = max(0, int(weight.max(initial=1)).bit_length() - 1)
    quantise_channels(
        block.offset, block.row, block.column, weight, rates.supply, rates.demand, solved.active,
        solved.num_active, solved.v, limit, first_shift, shift, quantum,
    )  # fmt: skip
    begin = block.offset[:-1].tolist()
    end = (block.offset[:-1] + solved.num_active).tolist()
    if int(quantum.max(initial=0)) < SMALL:  # nearly always: looked at once for all channels
        quantum = quantum.astype(np.uint8)
        return shift, [quantum[at:to] for at, to in zip(begin, end, strict=True)]
    quanta: list[npt.NDArray[np.integer]] = []
    for at, to in zip(begin, end, strict=True):
        part = quantum[at:to]
        quanta.append(part.astype(np.uint8) if int(part.max(initial=0)) < SMALL else part.copy())
    return shift, quanta
