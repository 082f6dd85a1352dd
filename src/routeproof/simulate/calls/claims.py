"""What is said of calls: counts of a run that anybody can repeat, and a probability with its interval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.claim import Claim, Evidence, Grade, Interval
from ...core.sampling.binomial import probability_limits
from ...core.sampling.stopping import Stopping
from ..multistage.claims import exact_counts
from .churn import CallRun, Churn
from .together import TogetherRun

__all__ = ["CALL_SOURCE", "call_claims", "together_claims"]

CALL_SOURCE = "Maggs, Randomly Wired Multistage Networks, sec. 5; Arora, Leighton & Maggs 1990 (STOC)"


def call_claims(
    run: CallRun, churn: Churn, settings: Mapping[str, Any], stopping: Stopping | None = None
) -> list[Claim]:
    """requests, connected, blocked_by_rule, blocked_without_path, hang_ups, calls_in_progress; blocking_probability of
    a trial's last request, and, under a rule, no_path_probability.

    ``settings``: occupancy, paths, and beta and merger (or None) of the rule; ``first`` where one trial was replayed,
    of which no probability is stated.  ``stopping``: when sampling could end.
    """
    data = {"trials": run.trials, "events": churn.events, "seed": churn.seed, **settings}
    connected = run.requests - run.by_rule - run.without_path
    numbers = {"requests": run.requests, "connected": connected}
    numbers |= {"blocked_by_rule": run.by_rule, "blocked_without_path": run.without_path}
    numbers |= {"hang_ups": run.hang_ups, "calls_in_progress": run.busy}
    claims = exact_counts(numbers, "call-run", data, CALL_SOURCE)
    failures = {"blocking_probability": run.failed}
    if settings.get("beta") is not None:
        failures["no_path_probability"] = run.failed_without_path
    for quantity, failed in failures.items() if "first" not in settings else ():
        evidence = Evidence("call-run", {"with": "requests", "failed": failed, **_method(stopping)})
        claims.append(_probability(quantity, failed, run.trials, churn.seed, stopping, evidence))
    return claims


def together_claims(
    run: TogetherRun, count: int, seed: int, stopping: Stopping | None = None, *, alone: bool = False
) -> list[Claim]:
    """together_calls, together_connected, together_steps (the most of a trial), all_connected_probability.

    ``stopping``: when sampling could end; ``alone``: one trial was replayed, of which no probability is stated.
    """
    numbers = {"together_calls": run.calls, "together_connected": run.connected, "together_steps": run.steps}
    claims = exact_counts(numbers, "call-together", {"with": "requests", "count": count}, CALL_SOURCE)
    if not alone:
        data = {"with": "together_calls", "whole": run.whole, **_method(stopping)}
        evidence = Evidence("call-together", data)
        claims.append(_probability("all_connected_probability", run.whole, run.trials, seed, stopping, evidence))
    return claims


def _method(stopping: Stopping | None) -> dict[str, Any]:
    return {"method": "Clopper-Pearson", **({} if stopping is None else stopping.data())}


def _probability(
    quantity: str, hits: int, trials: int, seed: int, stopping: Stopping | None, evidence: Evidence
) -> Claim:
    """From independent trials (Clopper & Pearson), the interval wide enough for all the looks of ``stopping``."""
    confidence = 0.99 if stopping is None else stopping.confidence(trials)
    low, high = probability_limits(hits, trials, confidence=confidence)
    interval = Interval(low, hits / trials, high, trials, seed)
    return Claim(quantity, "==", interval, Grade.SAMPLED, evidence, CALL_SOURCE)
