"""Permutations of calls realised at once, cuts, all permutations. Honest reports, forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal

FORGERIES: list[Forgery] = [
    ("clos", at(c7_value="false"), "it is stated as false; true was expected"),
    ("clos", at(c7_evidence__calls=3), "its calls are not those of its permutation"),
    ("clos", at(c8_value="false"), "it is stated as false; true was expected"),
    ("clos", at(c8_evidence__permutations=23), "there are 24 permutations"),
]


@honest("clos")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
