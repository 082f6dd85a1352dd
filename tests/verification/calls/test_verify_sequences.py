"""A call that the on-line algorithm refuses. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from commanded_reports import Change, Forgery, at, check_forgery, forged, honest, made, refusal


def among_events(change: Callable[[list[Any]], Any]) -> Change:
    return lambda document: change(document["claims"][11]["evidence"]["events"])


FORGERIES: list[Forgery] = [
    ("calls", at(c11_value="true"), 'a refused call proves that it is "false"'),
    ("calls", among_events(lambda x: x.append(["connect", 1, 1, 0])), "event 4: a call is refused before the last one"),
    ("calls", among_events(lambda x: x.insert(1, ["connect", 7, 1, 0])), "event 1: a terminal that is not idle calls"),
    ("calls", among_events(lambda x: x.insert(1, ["wait", 7, 1, 0])), "event 1 is neither a call nor the end of one"),
]


@honest("calls")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
