"""Sweeps: every point, whole and in its place. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, once_more, refusal, without

FORGERIES: list[Forgery] = [
    ("sweep", at(s_variables={"s": "12"}), "the report's variables are not lists of texts"),
    ("sweep", at(s_variables={"s": ["1", "2", "3"]}), "the sweep has no run at s 3, or not in its place"),
    ("broken sweep", without("s_faults"), "its run has faults, of which the sweep says nothing"),
    ("calls sweep", at(s_each="trials"), "calls have their trials by themselves, not at each point"),
    ("sweep", once_more(0, point={"s": "9"}), "its point is not in the sweep, or not in its place"),
    ("sweep", without("c1"), "at s 1: its claims are not those of one run, each once"),
    ("sweep", at(s_permutation=["mine"]), "its permutations 'mine' are not patterns"),
    ("broken sweep", at(s_faults="one"), "its faults 'one' are not a pattern"),
    ("calls sweep", at(s_occupancy="1/2"), "its run has the occupancy 9/10"),
    ("calls sweep", without("c3"), "at s 1: its claims are not those of one run, each once"),
]


@honest("sweep", "broken sweep", "calls sweep")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
