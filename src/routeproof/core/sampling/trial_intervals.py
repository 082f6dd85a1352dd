"""What random experiments say, as intervals: a probability, a mean of fractions, a median; rates of packet simulations.

Trials are independent.  The cycles of a packet simulation depend on each other, so the run is cut into batches so long
that their averages are nearly independent and nearly normal; Student's t then gives the interval (Law & Kelton,
"Simulation Modeling and Analysis", ch. 9).  Its confidence is approximate, unlike that of the intervals for independent
trials.  Close to saturation batches remember one another: so the batches are also taken together, two, four and five at
a time, and the widest interval counts.  Where averages drift all the same there is no delay to be stated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..claim import Interval
from .intervals import mean_limits, median_limits, probability_limits

BATCHES = 20
_STUDENT = {20: 2.8609346, 10: 3.2498355, 5: 4.6040949, 4: 5.8409093}  # batches: the 99.5 % point of Student's t
_MEMORY = 20  # a queue in which packets wait w cycles remembers about 4 w^2 of them: batches must be far longer
_DRIFT = 0.5  # correlation of a batch with the next one from which on a delay drifts
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
    no delay and no hops where some batch has no arrivals, and no delay where queues grow or delays drift.
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
    found, drift = {}, 0.0
    for name, (top, bottom) in ratios.items():
        ends_of = [range(0, BATCHES + 1, BATCHES // number) for number in _STUDENT]
        all_parts = [[(top[b] - top[a]) / (bottom[b] - bottom[a]) for a, b in pairwise(places)] for places in ends_of]
        best = (top[-1] - top[0]) / (bottom[-1] - bottom[0])
        if name == "average_delay":
            drift = _neighbours_alike(all_parts[0])
        room = max(_half_width(parts) for parts in all_parts)
        found[name] = (best - room if name == "queue_growth" else max(0.0, best - room), best, best + room)
    low, best, high = found["accepted_rate"]
    if found["queue_growth"][0] <= 0:  # as far as can be seen, all that is offered is accepted at last
        offered = found["offered_rate"]
        found["accepted_rate"] = (min(low, offered[0]), best, max(high, offered[2]))
    if "average_delay" in found:
        wait = found["average_delay"][2] / max(1.0, found["average_hops"][1]) - 1  # at a channel, at most
        if found["queue_growth"][0] > 0 or drift > _DRIFT or _MEMORY * wait**2 > (ends[-1] - ends[0]) / 4:
            del found["average_delay"]
    return found


def _neighbours_alike(parts: Sequence[float]) -> float:
    """The correlation of each with the next."""
    mean = math.fsum(parts) / len(parts)
    spread = math.fsum((x - mean) ** 2 for x in parts)
    return math.fsum((x - mean) * (y - mean) for x, y in pairwise(parts)) / spread if spread else 0.0


def _half_width(batches: Sequence[float]) -> float:
    """Of an interval of about 99 % confidence, from the averages of 20, 10, 5 or 4 batches of equal length."""
    count = len(batches)
    mean = math.fsum(batches) / count
    return _STUDENT[count] * math.sqrt(math.fsum((x - mean) ** 2 for x in batches) / (count - 1) / count)
