"""What the counts of a packet simulation say: rates, delay and the growth of queues, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .batch_means import batch_interval

__all__ = ["LOAD_QUANTITIES", "load_intervals"]

LOAD_QUANTITIES = ("offered_rate", "accepted_rate", "queue_growth", "average_delay", "average_hops")


def load_intervals(
    counts: Sequence[Sequence[int]], ends: Sequence[int], terminals: int
) -> dict[str, tuple[float, float, float]]:
    """(low, best, high) by quantity.

    ``counts``: at each of the cycles ``ends`` (the end of the warm-up, then of each batch): packets made, accepted,
    arrived over channels, their delay and their hops, all since cycle 0, and packets now in the network.  There are
    no delay and no hops where some batch has no arrivals.
    """
    found = {}
    for name, place in (("offered_rate", 0), ("accepted_rate", 1), ("queue_growth", 5)):
        column = [row[place] for row in counts]
        batches = [
            (b - a) / ((end - start) * terminals)
            for a, b, start, end in zip(column, column[1:], ends, ends[1:], strict=False)
        ]
        whole = (column[-1] - column[0]) / ((ends[-1] - ends[0]) * terminals)
        low, best, high = batch_interval(whole, batches)
        found[name] = (low if name == "queue_growth" else max(0.0, low), best, high)
    arrived = [row[2] for row in counts]
    if all(b > a for a, b in pairwise(arrived)):
        for name, place in (("average_delay", 3), ("average_hops", 4)):
            sums = [row[place] for row in counts]
            parts = [(d - c) / (b - a) for a, b, c, d in zip(arrived, arrived[1:], sums, sums[1:], strict=False)]
            low, best, high = batch_interval((sums[-1] - sums[0]) / (arrived[-1] - arrived[0]), parts)
            found[name] = (max(0.0, low), best, high)
    return found
