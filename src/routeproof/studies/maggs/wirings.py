"""What the measurements share: the networks by name, bad permutations, and how often something happened."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.multistage.wiring import Wiring
from ...core.sampling.intervals import probability_limits
from ...topologies.multistage.banyan import butterfly, dilated_butterfly, multibutterfly
from ..result import Row, sampled

BUTTERFLY, DILATED, MULTI = "butterfly", "dilated butterfly, d = 2", "multibutterfly, d = 2"


def wiring_of(name: str, n: int, seed: int) -> Wiring:
    """The network with 2^n inputs that ``BUTTERFLY``, ``DILATED`` or "multibutterfly, d = D" names."""
    if name == BUTTERFLY:
        return butterfly(n)
    return dilated_butterfly(n, d=2) if name == DILATED else multibutterfly(1 << n, d=int(name[-1]), seed=seed)


def pattern(name: str, n: int) -> npt.NDArray[np.int32]:
    """``transpose`` (the halves of the row's bits change places) or ``bit-reversal`` of 2^n rows."""
    rows = np.arange(1 << n)
    if name == "transpose":
        half = n // 2
        return ((rows & ((1 << half) - 1)) << (n - half) | rows >> half).astype(np.int32)
    image = np.zeros_like(rows)
    for bit in range(n):
        image |= (rows >> bit & 1) << (n - 1 - bit)
    return image.astype(np.int32)


def probability_row(label: str, quantity: str, hits: int, trials: int, **data: Any) -> Row:
    """The interval of a probability from ``hits`` of so many ``trials``."""
    return sampled(label, probability_limits(hits, trials), quantity=quantity, hits=hits, trials=trials, **data)
