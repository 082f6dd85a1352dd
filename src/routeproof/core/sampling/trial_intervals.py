"""What random experiments say, as intervals: a probability, a mean of fractions, a median; rates of packet simulations.

Trials are independent.  The cycles of a packet simulation depend on each other, so the run is cut into batches so long
that their averages are nearly independent and nearly normal; Student's t then gives the interval (Law & Kelton,
"Simulation Modeling and Analysis", ch. 9).  Its confidence is approximate, unlike that of the intervals for independent
trials, and means nothing above saturation, where averages drift.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..claim import Interval
from .intervals import mean_limits, median_limits, probability_limits

BATCHES = 20
_STUDENT = 2.8609346  # the 99.5 % point of Student's t with 19 degrees of freedom
TRIAL_METHODS: Mapping[str, str] = {
    "probability": "Clopper-Pearson",
    "fraction": "betting",
    "median": "order statistics",
}


@dataclass(frozen=True)
class TrialQuantity:
    """``kind``: "probability" of values 1 among 0 and 1, mean of a "fraction" in 0 .. 1, or "median"."""

    name: str
    kind: str


TRIAL_QUANTITIES: Mapping[str, tuple[TrialQuantity, ...]] = {
    "packets": (TrialQuantity("median_steps", "median"),),
    "circuits": (
        TrialQuantity("all_connected_probability", "probability"),
        TrialQuantity("connected_fraction", "fraction"),
    ),
    "faults": (
        TrialQuantity("surviving_inputs_fraction", "fraction"),
        TrialQuantity("surviving_outputs_fraction", "fraction"),
    ),
}
"""By verb of ``simulate``: what one trial measures, in this order."""
FAILURE_QUANTITIES = (
    TrialQuantity("connected_probability", "probability"),
    TrialQuantity("retained_throughput", "fraction"),
)
"""Of a random failure: are all terminals still connected, and how much of the worst-case throughput is left?"""


def trial_interval(
    kind: str, values: Sequence[float], *, confidence: float, stated: float = 0.99, seed: int = 0
) -> Interval:
    """The interval from the trials 0, 1, ... in their order, of ``confidence``; ``stated``: what it is called.

    Raises InputError for too few trials (a median needs 8 for 99 %).
    """
    count = len(values)
    if kind == "probability":
        hits = sum(x == 1 for x in values)
        low, high = probability_limits(hits, count, confidence=confidence)
        best = hits / count
    elif kind == "fraction":
        low, high = mean_limits(values, least=0.0, most=1.0, confidence=confidence)
        best = min(max(sum(values) / count, low), high)
    else:
        low, best, high = median_limits(values, confidence=confidence)
    return Interval(float(low), float(best), float(high), count, seed, stated)


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
