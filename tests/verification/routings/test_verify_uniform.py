"""Bounds by channel lengths under uniform traffic. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal

FORGERIES: list[Forgery] = [
    ("capacity", at(c8_value="149/121"), "it is <= 149/121; the lengths prove 150/121"),
    ("capacity", at(c8_evidence__within={"average_path_length": "0"}), "average_path_length is limited to 0"),
    ("capacity", at(c8_paths="9turn", c8_evidence__paths="9turn"), "the paths are called '9turn'"),
    ("capacity", at(c8_value="-1"), "it is -1; a positive number was expected"),
    ("capacity", at(c8_evidence__hops=-1), "hops is -1; a whole number from 0 to"),
    ("capacity", at(c8_within="average_path_length <= 2"), "'average_path_length <= 34/25'} was expected"),
    ("capacity", at(c8_evidence__within={"throughput": "1"}), "'within' must name average_path_length and nothing"),
]


@honest("capacity")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
