"""What a design reaches, and what no routing can beat. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal

FORGERIES: list[Forgery] = [
    ("interval", at(c1_value="2"), "it is at least 2; the adversaries prove at least 1"),
    ("interval", at(c1_evidence__pairs__0__source=99), "pairs[0] names no two nodes of the network"),
    (
        "best flow",
        at(c0_evidence__adversary__lengths=["i1:6:eJxjYAABAAAGAAE="]),
        "it is at least 9/4; the adversaries prove nothing",
    ),
    ("best flow", at(c0_evidence__adversary__lengths=[]), "it has 0 lists of lengths for 1 matrices"),
    ("design", at(c0_evidence__adversary={"hops": 0, "lengths": []}), "its lengths are of a list of matrices"),
    ("design of matrices", at(c0_evidence__adversary__hops=-1), "hops"),
    ("2turn", at(c0_evidence__adversary__paths="9turn"), "the paths are called '9turn'"),
    (
        "2turn",
        at(c0_evidence__reached__within={"average_path_length": "2"}),
        "its evidence.reached has the key 'within', which nothing checks",
    ),
    (
        "tradeoff",
        at(c0_evidence__adversary__within={"worst_case_load": "2"}),
        "its adversaries assume another load than it states",
    ),
]


@honest("design", "interval", "2turn", "tradeoff", "best flow", "design of matrices")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
