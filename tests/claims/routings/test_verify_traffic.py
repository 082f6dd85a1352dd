"""Loads of given traffic, and path lengths. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal

FORGERIES: list[Forgery] = [
    ("every channel", at(c8_value="5/4"), "it is 5/4; the loads make it 9/8"),
    ("every channel", at(c10_evidence__minimal="1"), "the shortest average is 8/9, not 1"),
    ("every channel", at(c8_value="5/4", c8_evidence__load="4/5"), "carries 8/9, not 4/5"),
    ("terminals", at(c4_evidence__channel=3, c4_evidence__load="1/3"), "channel 3 is not the busiest"),
    (
        "every channel",
        at(c9_value="9/8", c9_evidence__capacity="1"),
        "its evidence does not use the report's capacity of 3/2",
    ),
    ("every channel", at(c11_value="2"), "it is 2; the loads make it 4/3"),
]


@honest("worst case", "every channel", "terminals")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
