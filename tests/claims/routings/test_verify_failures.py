"""The worst case after failures, each of them or drawn from a seed. Honest reports, forgeries with their reasons."""

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
    ("drawn failures", at(c12_evidence__links=-1, c12_failed="-1 links"), "how many links, switches and cables fail"),
    ("drawn failures", at(c12_evidence__opposite=packed(*range(12))), "belongs to failures of cables, and only to"),
    ("drawn failures", at(c12_value__confidence=0.9), "its confidence, its seed or its number of failures is outside"),
    ("drawn failures", at(c12_value__best=0.8), "its best is 0.8; the failures give 1.0"),
    ("drawn failures", at(c12_evidence__links=1, c12_failed="1 link"), "nothing is stated about dead-links=2-3"),
    ("drawn failures", at(c12_failed="3 links"), "it must be about 2 links"),
]


@honest("failures", "drawn failures")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
