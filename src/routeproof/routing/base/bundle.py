"""Paths of one length, many at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Bundle"]

Int32 = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Bundle:
    """B paths of L hops each: ``channel`` int32 (B, L); path b leads from row ``row[b]`` to column ``column[b]``."""

    row: Int32
    column: Int32
    channel: Int32
