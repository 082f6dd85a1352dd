"""Reports about one routing, what its designer was asked for, and several routings. Honest reports, and forgeries."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal

FORGERIES: list[Forgery] = [
    ("average design", at(s_design__shortest=True), "its design is said to keep to shortest paths, which no claim"),
    ("average design", at(s_design__deadlock_free=True), "is called free of deadlock, which no claim of the report"),
    ("average design", at(s_design__paths="2turn"), "its paths are said to be those of '2turn'; they are not"),
    ("2turn", at(s_design__paths="tables"), "its optimum is one among some paths, which its design does not name"),
    ("comparison", at(c0_routing="romm"), "it is about none of the routings"),
    ("comparison", at(s_routings__valiant__spec="dor"), "the routing 'valiant' goes by another name"),
    ("comparison", at(s_service_levels={"x": 1}), "its service levels must be an object, by names of its routings"),
]


@honest("comparison", "mixture", "average design", "2turn")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
