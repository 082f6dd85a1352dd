"""What a packet simulation says, as sampled claims that can be run again to the last packet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.claim import Claim, Evidence, Grade, Interval
from ...core.sampling.trial_intervals import load_intervals
from .queueing import LoadRun

__all__ = ["load_claims"]

_SOURCE = "Dally & Towles 2004, ch. 24 (ideal flow control); intervals by batch means"


def load_claims(run: LoadRun, *, terminals: int, settings: Mapping[str, Any]) -> list[Claim]:
    """offered_rate, accepted_rate, queue_growth, average_delay and average_hops at one rate.

    ``settings``: ``traffic`` as ``analysis.loads.traffic_evidence`` writes it, with ``order`` and ``seed``.  The first
    claim carries them and the counts; the others refer to it.
    """
    counts = run.counts.tolist()
    about = {"traffic": settings["traffic"], "rate": str(run.rate)}
    data = {**settings, "rate": str(run.rate), "warm_up": run.warm_up, "cycles": run.cycles, "counts": counts}
    trials = counts[-1][0] - counts[0][0]
    claims: list[Claim] = []
    for name, (low, best, high) in load_intervals(counts, run.batch_ends, terminals).items():
        evidence = Evidence("load-run", data if not claims else {"with": "offered_rate"})
        value = Interval(low, best, high, trials, int(settings["seed"]))
        claims.append(Claim(name, "==", value, Grade.SAMPLED, evidence, _SOURCE, about))
    return claims
