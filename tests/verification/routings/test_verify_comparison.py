"""Several routings, each by itself. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal

FORGERIES: list[Forgery] = [
    ("comparison", at(c0_routing="romm"), "it is about none of the routings"),
    ("comparison", at(s_routings__valiant__spec="dor"), "the routing 'valiant' goes by another name"),
    ("comparison", at(s_service_levels={"x": 1}), "its service levels must be an object, by names of its routings"),
]


@honest("comparison")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
