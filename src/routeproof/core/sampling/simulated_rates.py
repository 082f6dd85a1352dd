"""What the counts of a packet simulation say: rates, delay and the growth of queues, each with its interval.

The cycles of a simulation depend on one another, so the run is cut into batches so long that their averages are nearly
independent and nearly normal; Student's t then gives the interval (Law & Kelton, "Simulation Modeling and Analysis",
ch. 9).  Its confidence is approximate, unlike that of the intervals for independent trials, and means nothing above
saturation, where averages drift.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

__all__ = ["BATCHES", "LOAD_QUANTITIES", "batch_interval", "load_intervals"]

BATCHES = 20
_STUDENT = 2.8609346  # the 99.5 % point of Student's t with 19 degrees of freedom
LOAD_QUANTITIES = ("offered_rate", "accepted_rate", "queue_growth", "average_delay", "average_hops")


def load_intervals(
    counts: Sequence[Sequence[int]], ends: Sequence[int], terminals: int
) -> dict[str, tuple[float, float, float]]:
    """(low, best, high) by quantity.

    ``counts``: at each of the cycles ``ends`` (the end of the warm-up, then of each batch): packets made, accepted,
    arrived over channels, their delay and their hops, all since cycle 0, and packets now in the network.  There are
    no delay and no hops where some batch has no arrivals.
    """
    made, accepted, arrived, delay, hops, queued = zip(*counts, strict=True)
    time = tuple(end * terminals for end in ends)
    ratios: dict[str, tuple[Sequence[int], Sequence[int]]] = {
        "offered_rate": (made, time),
        "accepted_rate": (accepted, time),
        "queue_growth": (queued, time),
    }
    if all(b > a for a, b in pairwise(arrived)):
        ratios |= {"average_delay": (delay, arrived), "average_hops": (hops, arrived)}
    found = {}
    for name, (top, bottom) in ratios.items():
        parts = [(b - a) / (d - c) for (a, b), (c, d) in zip(pairwise(top), pairwise(bottom), strict=True)]
        low, best, high = batch_interval((top[-1] - top[0]) / (bottom[-1] - bottom[0]), parts)
        found[name] = (low if name == "queue_growth" else max(0.0, low), best, high)
    return found


def batch_interval(best: float, batches: Sequence[float]) -> tuple[float, float, float]:
    """(low, best, high), about 99 % confidence, from the averages of 20 batches of equal length."""
    if len(batches) != BATCHES:
        raise ValueError(f"{len(batches)} batches; {BATCHES} were expected")
    mean = math.fsum(batches) / BATCHES
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in batches) / (BATCHES - 1))
    room = _STUDENT * deviation / math.sqrt(BATCHES)
    return best - room, best, best + room
