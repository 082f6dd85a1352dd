"""What terminals may send and receive, as the solvers take it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Rates"]

Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rates:
    """What terminals may send and receive, in integers over ``unit``; by row (supply) and by column (demand)."""

    supply: Int64
    demand: Int64
    unit: int = 1
