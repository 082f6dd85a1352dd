"""Claims that follow from others of the report. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal

OF_CAPACITY = at(
    c1_quantity="worst_case_throughput_of_capacity", c1_unit="of capacity", c1_value="1/3",
    c1_evidence__from=["worst_case_throughput", "capacity"],
)  # fmt: skip


FORGERIES: list[Forgery] = [
    ("hose", OF_CAPACITY, "where rates are given, throughput is a factor on the rates"),
    ("worst case", at(c1_value="9"), "it is 9; the report's worst_case_load makes it 1"),
    ("worst case", at(c1_evidence__from=["capacity"]), "nothing is known to derive it from"),
]


@honest("worst case", "unbalanced", "hose", "splitter")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
