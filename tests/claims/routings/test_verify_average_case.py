"""Average cases, drawn again from their seed. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal

FORGERIES: list[Forgery] = [
    ("average", at(c8_evidence__samples=6), "its evidence names another sample than its value"),
    ("average", at(c8_value__confidence=0.9), "or another confidence than 99 %"),
    ("average", at(c8_value__low=0.29), "its low is 0.29; the sample, drawn again, gives 0.3"),
    ("average", at(c8_value__trials=1 << 39, c8_evidence__samples=1 << 39), "matrices are too many to be drawn again"),
    ("average", at(c8_evidence__most="2"), "no throughput counts as more than 2, it says: not bandwidth over hops"),
    (
        "average",
        at(c8_evidence__least="1/3"),
        "its least throughput is 1/3, which is not the worst case of its routing",
    ),
    ("average", at(c8_evidence__normal_approximation=[0.2]), "its normal approximation is not a pair of numbers"),
]


@honest("average", "average design")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
