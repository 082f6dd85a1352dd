"""Failures drawn from a seed. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, packed, refusal

FORGERIES: list[Forgery] = [
    ("drawn failures", at(c4_evidence__links=-1, c4_failed="-1 links"), "how many links, switches and cables fail"),
    ("drawn failures", at(c4_evidence__opposite=packed(*range(12))), "belongs to failures of cables, and only to"),
    ("drawn failures", at(c4_value__confidence=0.9), "its confidence, its seed or its number of failures is outside"),
    ("drawn failures", at(c4_value__best=0.8), "its best is 0.8; the failures give 1.0"),
    ("drawn failures", at(c4_evidence__links=1, c4_failed="1 link"), "nothing is stated about dead-links=2-3"),
    ("drawn failures", at(c4_failed="3 links"), "it must be about 2 links"),
]


@honest("drawn failures")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
