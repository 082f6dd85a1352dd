"""Column potentials of a block of channels, rounded to few bits that still prove a limit."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.loads import LoadBlock
from .sweep_types import Rates
from .transport import Solved

__all__ = ["quantised"]

Int64 = npt.NDArray[np.int64]


def quantised(
    block: LoadBlock, weight: Int64, rates: Rates, solved: Solved, limit: Int64
) -> tuple[Int64, list[npt.NDArray[np.integer]]]:
    """(shift, quanta): channel k stays at or below ``limit[k]`` with v = quanta[k] << shift[k]; -1 where it does not.

    ``weight``: the block's loads as ``solved`` took them; ``quanta[k]``: one for every column that takes part.
    """
    from .rounding_kernels import quantise_channels

    shift = np.zeros(block.num_channels, dtype=np.int64)
    quantum = np.zeros(len(block.row), dtype=np.int64)
    first_shift = max(0, int(weight.max(initial=1)).bit_length() - 1)
    quantise_channels(
        block.offset, block.row, block.column, weight, rates.supply, rates.demand, solved.active,
        solved.num_active, solved.v, limit, first_shift, shift, quantum,
    )  # fmt: skip
    quanta: list[npt.NDArray[np.integer]] = []
    for at, count in zip(block.offset.tolist(), solved.num_active.tolist(), strict=False):
        part = quantum[at : at + count]
        quanta.append(part.astype(np.uint8) if int(part.max(initial=0)) < 256 else part.copy())
    return shift, quanta
