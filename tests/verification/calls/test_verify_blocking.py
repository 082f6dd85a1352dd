"""States that block a call, and refutations of their existence. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, check_forgery, forged, honest, made, refusal
from true_reports import Document


def called_twice(document: Document) -> None:
    events = document["claims"][-1]["evidence"]["events"]
    events.append(events[0])


def from_a_busy_input(document: Document) -> None:
    evidence = document["claims"][-1]["evidence"]
    evidence["input"] = evidence["events"][0][1][0]


def cut_off(document: Document) -> None:
    document["claims"][-1]["evidence"]["literals"] -= 5


FORGERIES: list[Forgery] = [
    ("blocked", lambda x: x["claims"][-1]["evidence"]["events"].pop(), "can still call"),
    ("blocked", called_twice, "two calls use place"),
    ("blocked", from_a_busy_input, "no idle terminal"),
    ("refuted", cut_off, "lemmas"),
]


@honest("blocked", "refuted")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
