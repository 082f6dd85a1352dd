"""What is said of calls: counts of a run that anybody can repeat, and a probability with its interval."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..core.binomial import probability_limits
from ..core.claim import Claim, Evidence, Grade, Interval
from .calls import CallRun
from .claims import counted

__all__ = ["CALL_SOURCE", "call_claims"]

CALL_SOURCE = "Maggs, Randomly Wired Multistage Networks, sec. 5; Arora, Leighton & Maggs 1990 (STOC)"


def call_claims(run: CallRun, settings: Mapping[str, Any]) -> list[Claim]:
    """requests, connected, blocked_by_rule, blocked_without_path, hang_ups, calls_in_progress; blocking_probability of
    a trial's last request, and, under a rule, no_path_probability.

    ``settings``: occupancy, paths, and beta and merger (or None) of the rule.
    """
    data = {"trials": run.trials, "events": run.events, "seed": run.seed, **settings}
    connected = run.requests - run.by_rule - run.without_path
    numbers = [("requests", run.requests, "calls"), ("connected", connected, "calls")]
    numbers += [("blocked_by_rule", run.by_rule, "calls"), ("blocked_without_path", run.without_path, "calls")]
    numbers += [("hang_ups", run.hang_ups, "calls"), ("calls_in_progress", run.busy, "calls")]
    claims = counted(numbers, "call-run", data, CALL_SOURCE)
    claims.append(_probability("blocking_probability", run.failed, run))
    if settings.get("beta") is not None:
        claims.append(_probability("no_path_probability", run.failed_without_path, run))
    return claims


def _probability(quantity: str, failed: int, run: CallRun) -> Claim:
    low, high = probability_limits(failed, run.trials)
    interval = Interval(low, float(Fraction(failed, run.trials)), high, run.trials, run.seed)
    evidence = Evidence("call-run", {"with": "requests", "failed": failed, "method": "Clopper-Pearson"})
    return Claim(quantity, "==", interval, Grade.SAMPLED, evidence, "of last requests", CALL_SOURCE)
