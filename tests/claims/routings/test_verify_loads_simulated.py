"""Reports of ``simulate load``. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal

FORGERIES: list[Forgery] = [
    ("load", at(c4_rate="1/3"), "it refers to a run that does not come before it"),
    ("load", at(c3_rate="1/3"), "it is about another traffic or rate than its evidence"),
    (
        "load",
        at(c3_rate="-1/2", c3_evidence__rate="-1/2"),
        "its rate is outside its range",
    ),
    ("load", lambda x: x.update(claims=x["claims"][:3]), "the report makes no claims about a simulation"),
    (
        "adaptive",
        at(c0_traffic="worst", c0_evidence__traffic="worst"),
        "its permutation is called the worst, and no proved claim of the report is about it",
    ),
    ("load", at(c3_evidence__cycles=1 << 40), "cycles cannot be run again here"),
    ("adaptive", at(s_routing={"adaptive": "none"}), "an adaptive routing 'none', of which nothing can be proved"),
]


@honest("load", "adaptive")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
