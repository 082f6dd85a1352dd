"""What is said of calls: counts of a run that anybody can repeat, and a probability with its interval."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...core.claim import Claim, Evidence, Grade, Interval
from ...core.sampling.intervals import probability_limits
from ...core.sampling.stopping import Stopping
from ..multistage.claims import counted
from .churn import CallRun

__all__ = ["CALL_SOURCE", "call_claims", "sampled_share"]

CALL_SOURCE = "Maggs, Randomly Wired Multistage Networks, sec. 5; Arora, Leighton & Maggs 1990 (STOC)"


def call_claims(run: CallRun, settings: Mapping[str, Any], stopping: Stopping | None = None) -> list[Claim]:
    """requests, connected, blocked_by_rule, blocked_without_path, hang_ups, calls_in_progress; blocking_probability of
    a trial's last request, and, under a rule, no_path_probability.

    ``settings``: occupancy, paths, and beta and merger (or None) of the rule; ``first`` where one trial was replayed,
    of which no probability is stated.  ``stopping``: when sampling could end.
    """
    data = {"trials": run.trials, "events": run.events, "seed": run.seed, **settings}
    connected = run.requests - run.by_rule - run.without_path
    numbers = {"requests": run.requests, "connected": connected}
    numbers |= {"blocked_by_rule": run.by_rule, "blocked_without_path": run.without_path}
    numbers |= {"hang_ups": run.hang_ups, "calls_in_progress": run.busy}
    claims = counted(numbers, "call-run", data, CALL_SOURCE)
    if "first" in settings:
        return claims
    claims.append(_probability("blocking_probability", run.failed, run, stopping))
    if settings.get("beta") is not None:
        claims.append(_probability("no_path_probability", run.failed_without_path, run, stopping))
    return claims


def sampled_share(hits: int, trials: int, seed: int, stopping: Stopping | None) -> Interval:
    """A probability from independent trials (Clopper & Pearson), wide enough for all the looks of ``stopping``."""
    confidence = 0.99 if stopping is None else stopping.confidence(trials)
    low, high = probability_limits(hits, trials, confidence=confidence)
    return Interval(low, float(Fraction(hits, trials)), high, trials, seed)


def _probability(quantity: str, failed: int, run: CallRun, stopping: Stopping | None) -> Claim:
    interval = sampled_share(failed, run.trials, run.seed, stopping)
    looks = {} if stopping is None else stopping.data()
    evidence = Evidence("call-run", {"with": "requests", "failed": failed, "method": "Clopper-Pearson", **looks})
    return Claim(quantity, "==", interval, Grade.SAMPLED, evidence, CALL_SOURCE)
