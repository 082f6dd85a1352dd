"""Destination graphs, bounds and refutations. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, of_quantity, refusal

FORGERIES: list[Forgery] = [
    ("no graph", at(c0_value="6"), "it is stated as 6; the rule 'tight' gives 5"),
    ("graph document", of_quantity("steps", value="99"), "it is 99; the last move is at step 3"),
    ("graph document", of_quantity("valid_permutation", value="false"), "its evidence has no 'meeting'"),
]


@honest("graph document", "no graph")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
