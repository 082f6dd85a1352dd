"""Packet simulations run again. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal

FORGERIES: list[Forgery] = [
    ("load", at(c3_evidence__seed=99), "its counts are not those of the run"),
    ("load", at(c3_evidence__order="farthest-first", c3_evidence__warm_up=4), "its counts are not those of the run"),
    ("adaptive", at(c0_evidence__cycles=29), "its counts are not those of the run"),
]


@honest("load", "adaptive")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
