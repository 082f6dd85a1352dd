"""Runs of packets, circuits and faults, done again. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, packed, refusal, without

FORGERIES: list[Forgery] = [
    ("packets", at(c0_evidence__faults=[[1, 6], [1, 6]]), "its fault [1, 6] is stated twice"),
    ("packets", at(c0_evidence__epsilon="2"), "its epsilon or threshold is outside its range"),
    ("packets", at(c0_evidence__packets=4), "it says 4 packets; its permutations have 3"),
    ("packets", at(c0_evidence__images=packed(1, 1, 0, 0, 0, 0, 0, 0)), "sends twice to one output"),
    ("packets", at(c0_evidence__searched="nobody"), "its permutation was searched for, by no adversary"),
    ("packets", at(c0_evidence__sha256="x"), "its permutations are given in full, and by a digest, which nothing"),
    ("packets", without("c0_evidence__images"), "its permutations are given by a digest only: run it again"),
    ("pipelined", at(c0_evidence__rho="2"), "its rho or its distance of cancellations is outside its range"),
    ("packets", at(c0_evidence__load=99), "its load is 99; a whole number from 1 to 8 was expected"),
    ("packets", at(c0_evidence__faults=[[9, 9]]), "its fault [9, 9] is outside the network"),
    ("circuits", at(c0_evidence__rounds=[1, 2, 1]), "its rounds are not those of the run"),
]


@honest("packets", "greedy", "circuits", "pipelined", "faults")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
