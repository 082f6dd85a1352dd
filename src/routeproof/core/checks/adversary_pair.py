"""One adversary: what traffic it sends over each channel, for one pair of nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

__all__ = ["AdversaryPair"]


@dataclass(frozen=True, eq=False)
class AdversaryPair:
    """Y_c(source, destination) for every channel c: ``traffic``, int64 or Python's integers (C,), >= 0; nodes, not
    terminals."""

    source: int
    destination: int
    traffic: npt.NDArray[Any]
