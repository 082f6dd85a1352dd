"""The worst case of one channel. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, once_more, refusal, without

FORGERIES: list[Forgery] = [
    ("every channel", at(c4_value="1"), "channel 0, which is alike, has another value"),
    ("every channel", without("c3"), "no claim with evidence for channel 0, which it refers to"),
    ("every channel", once_more(10, value="1"), "claims[10] states another value for the same quantity"),
    ("every channel", at(c3_evidence__channel=1), "it is about channel 0, its evidence about channel 1"),
    ("every channel", at(c4_evidence__channel=2), "its evidence is for the balanced worst_case_load of channel 2"),
]


@honest("every channel")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
