"""The worst case after failures. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, packed, refusal, without

FORGERIES: list[Forgery] = [
    ("failures", at(c1_evidence__links=[[1, 0]]), "a failed link must be two nodes, the lower first"),
    ("failures", at(c1_evidence__links=[[0, 1], [0, 1]]), "one of the failed nodes, links and cables is stated twice"),
    ("failures", at(s_potentials__scale="0"), "potentials.scale is 0; a whole number from 1 to"),
    ("failures", at(c1_evidence__bounds=[]), "has no proof: its old potentials give 5/2"),
    ("failures", without("c1"), "nothing is stated about dead-links=0-1, or a failure that is alike"),
    ("failures", at(c0_value="3"), "it is not the largest load of the failures that are stated"),
    ("failures", at(c1_evidence__nodes=[9], c1_evidence__links=[]), "node 9 is outside the network"),
    ("failures", at(s_potentials__column=packed(0, 0)), "potentials.column has 2 entries; 32 were expected"),
]


@honest("failures", "drawn failures")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
