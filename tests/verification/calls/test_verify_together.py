"""Requests at once beside calls in progress. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, check_forgery, forged, honest, made, of_kind, refusal

FORGERIES: list[Forgery] = [
    ("calls", of_kind("call-together", value="99"), "it is 99; the run gives"),
    ("calls", of_kind("call-together", evidence__count=0), "its requests at once are outside their range"),
]


@honest("calls")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
