"""Confidence intervals from batch means, for averages over time in a simulation whose cycles depend on one another.

The run is cut into batches so long that their averages are nearly independent and nearly normal; Student's t then gives
the interval (Law & Kelton, "Simulation Modeling and Analysis", ch. 9).  Its confidence is approximate, unlike that of
the intervals for independent trials, and means nothing above saturation, where averages drift.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["BATCHES", "batch_interval"]

BATCHES = 20
_STUDENT = 2.8609346  # the 99.5 % point of Student's t with 19 degrees of freedom


def batch_interval(best: float, batches: Sequence[float]) -> tuple[float, float, float]:
    """(low, best, high), about 99 % confidence, from the averages of 20 batches of equal length."""
    if len(batches) != BATCHES:
        raise ValueError(f"{len(batches)} batches; {BATCHES} were expected")
    mean = math.fsum(batches) / BATCHES
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in batches) / (BATCHES - 1))
    room = _STUDENT * deviation / math.sqrt(BATCHES)
    return best - room, best, best + room
