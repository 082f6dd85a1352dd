"""What a sweep over channels is given, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from .transport import Weights

__all__ = ["Bounds", "Rates", "Sweep"]

Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rates:
    """What terminals may send and receive, as the solvers take it: integers over ``unit``.

    By row (``supply``) and by column (``demand``).
    """

    supply: Int64
    demand: Int64
    unit: int = 1


@dataclass(eq=False)
class Bounds:
    """Proofs by channel: column potentials v = quantum * 2**shift / scale (rows' potentials follow from them).

    ``quantum`` holds, channel after channel, one integer for every column that takes part (ascending).
    """

    channel: list[int] = field(default_factory=list)
    shift: list[int] = field(default_factory=list)
    quantum: list[npt.NDArray[np.integer]] = field(default_factory=list)


@dataclass(eq=False)
class Sweep:
    """What a sweep found.  Ratios are loads per bandwidth, in packets per cycle.

    - ``lower``: a ratio that some channel surely reaches; ``upper``: per focus channel, where it was solved to the end,
      a ratio that it surely does not pass (exact where ``weights.exact``);
    - ``values``: exact ratios of all channels, where they were asked for;
    - ``open``: channels without a proof that they stay at or below ``lower``: to be settled exactly.
    """

    weights: Weights
    lower: Fraction
    upper: dict[int, Fraction]
    values: dict[int, Fraction]
    bounds: Bounds
    open: list[int]
