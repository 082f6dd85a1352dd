"""Runs on cubes, walked and done again. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, packed, refusal

FORGERIES: list[Forgery] = [
    ("cube", at(c0_value="2"), "it is 2; the schedule has 3"),
    ("cube", at(c0_evidence__algorithm="flood"), "no algorithm on cubes is called 'flood'"),
    ("cube trials", at(c0_value__best=0.8), "its best is 0.8; 3 of 5 trials with at most 6 steps give 0.6"),
    ("cube", at(c0_evidence__seed=1), "a seed belongs to algorithms that draw at random, and only to those"),
    ("cube", at(c0_evidence__moves=packed(1, 2)), "its moves are 2 for 8 packets; as many for each were expected"),
    ("cube trials", at(c0_evidence__destination=packed(7, 6)), "its destination has 2 entries; 8 were expected"),
    ("cube trials", at(c0_evidence__destination=packed(*range(7, 0, -1), 8)), "its destination must be a node, or -1"),
    ("cube trials", at(c0_evidence__histogram=[[5, 3], [6, 1], [7, 1]]), "its histogram is not that of its trials"),
]


@honest("cube", "cube trials", "graph run")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
