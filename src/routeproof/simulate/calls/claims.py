"""What is said of calls: counts of a run that anybody can repeat, a probability with its interval, and how the on-line
algorithm came to refuse a call: the shortest sequence of calls that could be made of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...claims.calls.blocking import CALL_SEQUENCE
from ...claims.calls.claims import CALL_RUN, CALL_TOGETHER
from ...core.claim import Claim, Interval
from ...core.multistage.call_graph import CallGraph
from ...core.sampling.intervals import probability_limits
from ...core.sampling.stopping import Stopping
from .churn import CallRun, Churn, Exchange
from .together import TogetherRun

Event = tuple[int, int, int]  # input, output (-1: hangs up), salt
_MOST_REPLAYS = 400


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
    claims = CALL_RUN.counted(numbers, data)
    failures = {"blocking_probability": run.failed}
    if settings.get("beta") is not None:
        failures["no_path_probability"] = run.failed_without_path
    for quantity, failed in failures.items() if "first" not in settings else ():
        interval = _probability(failed, run.trials, churn.seed, stopping)
        evidence = {"with": "requests", "failed": failed, **_method(stopping)}
        claims.append(CALL_RUN.claim(interval, evidence, quantity=quantity))
    return claims


def together_claims(
    run: TogetherRun, count: int, seed: int, stopping: Stopping | None = None, *, alone: bool = False
) -> list[Claim]:
    """together_calls, together_connected, together_steps (the most of a trial), all_connected_probability.

    ``stopping``: when sampling could end; ``alone``: one trial was replayed, of which no probability is stated.
    """
    numbers = {"together_calls": run.calls, "together_connected": run.connected, "together_steps": run.steps}
    claims = CALL_TOGETHER.counted(numbers, {"with": "requests", "count": count})
    if not alone:
        data = {"with": "together_calls", "whole": run.whole, **_method(stopping)}
        interval = _probability(run.whole, run.trials, seed, stopping)
        claims.append(CALL_TOGETHER.claim(interval, data, quantity="all_connected_probability"))
    return claims


def _method(stopping: Stopping | None) -> dict[str, Any]:
    return {"method": "Clopper-Pearson", **({} if stopping is None else stopping.data())}


def _probability(hits: int, trials: int, seed: int, stopping: Stopping | None) -> Interval:
    """From independent trials (Clopper & Pearson), the interval wide enough for all the looks of ``stopping``."""
    confidence = 0.99 if stopping is None else stopping.confidence(trials)
    low, high = probability_limits(hits, trials, confidence=confidence)
    return Interval(low, hits / trials, high, trials, seed)


def blocked_sequence(graph: CallGraph, churn: Churn, run: CallRun) -> list[Event] | None:
    """Calls and hang-ups, each along the algorithm's own choice of path, after which the last call is refused.

    They are those of the first trial of ``run`` in which a call was blocked, up to that call, without the events that
    could be left out (in ever smaller portions, up to a number of attempts).  None if no call was blocked.
    """
    if run.first_blocked is None:
        return None
    trial, last = run.first_blocked
    exchange = Exchange(graph, churn.rule)
    _, log, draws = exchange.trial(churn, trial)
    events: list[Event] = []
    busy: set[int] = set()
    for number in range(last + 1):
        i, j, outcome = log[number].tolist()
        if outcome < 0:
            continue
        if j < 0 or i in busy:  # a last request, where all are busy, is made by one that hangs up first
            events.append((i, -1, 0))
            busy.discard(i)
        if j >= 0:
            events.append((i, j, int(draws[3 * number + 2]) | 1 if churn.random_paths else 0))
            if outcome == 0:
                busy.add(i)
    size = len(events) // 2
    replays = 0
    while size and replays < _MOST_REPLAYS:
        at = 0
        while at < len(events) - 1 and replays < _MOST_REPLAYS:
            fewer = events[:at] + events[min(at + size, len(events) - 1) :]
            replays += 1
            if _refuses_last(exchange, fewer):
                events = fewer
            else:
                at += size
        size //= 2
    return events


def _refuses_last(exchange: Exchange, events: list[Event]) -> bool:
    """Do all events but the last go through, and does the last not?"""
    exchange.clear()
    busy: dict[int, int] = {}
    for number, (i, j, salt) in enumerate(events):
        if j < 0:
            if i not in busy:
                return False
            exchange.hang_up(i)
            del busy[i]
            continue
        if i in busy or j in busy.values():
            return False
        refused = exchange.connect(i, j, salt=salt) > 0
        if refused or number == len(events) - 1:
            return refused and number == len(events) - 1
        busy[i] = j
    return False


def sequence_claim(events: list[Event]) -> Claim:
    """always_connects: "false", with events ["connect", input, output, salt] and ["hang-up", input]."""
    listed = [["hang-up", i] if j < 0 else ["connect", i, j, salt] for i, j, salt in events]
    return CALL_SEQUENCE.claim("false", {"with": "requests", "events": listed})
