"""Tests of splits, carried out again. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal

FORGERIES: list[Forgery] = [
    ("split", at(c0_value="1/2"), "the distributions give"),
    ("split", at(c1_value="false"), "its p-value and level make it true"),
    ("split", at(c1_level="0.01"), "a fraction between 0 and 1 was expected"),
    ("split", at(c2_value="1"), "1 flows or more away is likelier than"),
    ("split", at(c0_test="deviation"), "the distributions give"),
    (
        "split",
        at(s_counts=[4, 9]),
        "the report's subject: the split has 2 members, and weights for 3; one for each was expected",
    ),
    ("split", at(s_weights=[1, 1, 2]), "the distributions give"),
    ("split", at(s_counts=[4, 9, 2_000_000]), "flows; 1 to"),
]


@honest("split")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
