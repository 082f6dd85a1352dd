"""Assignments: a matching of rows to columns of the largest weight."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64


def heaviest_assignment(weight: npt.NDArray[np.number]) -> Int64:
    """int64 (N,): the column of each row of ``weight`` (N, M), N <= M, no two alike, with the largest sum.

    In the literature: the assignment problem, the Hungarian method (Kuhn 1955); here scipy's, in floats.
    """
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(weight, maximize=True)[1].astype(np.int64)  # type: ignore[no-any-return]
