"""How the on-line algorithm itself came to refuse a call: the shortest story that could be made of it."""

from __future__ import annotations

from ...core.claim import Claim, Evidence, Grade
from ...core.multistage.call_graph import CallGraph
from .churn import CallRun, Churn, Exchange
from .claims import CALL_SOURCE

__all__ = ["blocked_sequence", "sequence_claim"]

Event = tuple[int, int, int]  # input, output (-1: hangs up), salt
_MOST_REPLAYS = 400


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
    evidence = Evidence("call-sequence", {"with": "requests", "events": listed})
    return Claim("always_connects", "==", "false", Grade.PROVED, evidence, CALL_SOURCE)
