"""Counts of calls that come and go, and of requests at once beside them. Honest reports, and forgeries, each with its
reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, of_kind, refusal

FORGERIES: list[Forgery] = [
    ("calls", at(c0_evidence__events=1 << 40), "its 3 trials have more events than are done again here"),
    ("calls", at(c0_evidence__occupancy="2"), "its occupancy is outside its range"),
    ("calls", at(c0_evidence__beta="1/2"), "its beta or its threshold of mergers is outside its range"),
    ("calls", at(c6_value__best=0.5), "its best is 0.5; 1 of 3 trials give 0.3333333333333333"),
    ("calls", of_kind("call-together", value="99"), "it is 99; the run gives"),
    (
        "calls",
        of_kind("call-together", evidence__count=0),
        "its number of requests at once is 0; a whole",
    ),
]


@honest("calls", "clos")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
