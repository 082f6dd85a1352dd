"""States that block a call, refutations of their existence, a call that the on-line algorithm refuses.

Honest reports, and forgeries, each with its reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from commanded_reports import Change, Forgery, at, check_forgery, forged, honest, made, refusal
from true_reports import Document


def called_twice(document: Document) -> None:
    events = document["claims"][-1]["evidence"]["events"]
    events.append(events[0])


def from_a_busy_input(document: Document) -> None:
    evidence = document["claims"][-1]["evidence"]
    evidence["input"] = evidence["events"][0][1][0]


def cut_off(document: Document) -> None:
    document["claims"][-1]["evidence"]["literals"] -= 5


def among_events(change: Callable[[list[Any]], Any]) -> Change:
    return lambda document: change(document["claims"][11]["evidence"]["events"])


FORGERIES: list[Forgery] = [
    ("blocked", lambda x: x["claims"][-1]["evidence"]["events"].pop(), "can still call"),
    ("blocked", called_twice, "two calls use place"),
    ("blocked", from_a_busy_input, "is not an idle terminal"),
    ("blocked", lambda x: x["claims"][-1].update(value="true"), "it is stated as true; false was expected"),
    ("refuted", cut_off, "its refutation is not a packed list of integers"),
    ("calls", at(c11_value="true"), "it is stated as true; false was expected"),
    ("calls", among_events(lambda x: x.append(["connect", 1, 1, 0])), "event 4: a call is refused before the last one"),
    ("calls", among_events(lambda x: x.insert(1, ["connect", 7, 1, 0])), "event 1: a terminal that is not idle calls"),
    ("calls", among_events(lambda x: x.insert(1, ["wait", 7, 1, 0])), "event 1 is neither a call nor the end of one"),
]


@honest("blocked", "refuted", "calls")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
