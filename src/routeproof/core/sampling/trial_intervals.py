"""What independent trials say of a random experiment: a probability, a mean of fractions, or a median; as intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..claim import Interval
from .binomial import median_limits, probability_limits
from .intervals import mean_limits

__all__ = ["FAILURE_QUANTITIES", "TRIAL_METHODS", "TRIAL_QUANTITIES", "TrialQuantity", "trial_interval"]

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
