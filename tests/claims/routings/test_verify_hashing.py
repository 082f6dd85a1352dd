"""Hashed flows, judged again. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal
from true_reports import sealed

_REPORTS = ("hashing", "hashing at random", "hashing the worst")


def _number(name: str, quantity: str, *, channel: bool = False) -> int:
    """The first claim of the quantity, about one channel or not."""
    claims = made(name)["claims"]
    return next(k for k, x in enumerate(claims) if x["quantity"] == quantity and ("channel" in x) == channel)


def _claim(name: str, quantity: str, *, channel: bool = False, **values: object) -> object:
    return at(**{f"c{_number(name, quantity, channel=channel)}_{key}": x for key, x in values.items()})


ONE, TWO, WORST = _REPORTS
FORGERIES: list[Forgery] = [
    (ONE, _claim(ONE, "overload_probability", value="1/7"), "the distributions give"),
    (ONE, _claim(ONE, "overload_probability", at_least="7"), "the distributions give"),
    (ONE, _claim(ONE, "overload_probability", at_least="0"), "a fraction above 0 was expected"),
    (ONE, _claim(ONE, "overload_probability", flows=1), "another number of flows"),
    (ONE, _claim(ONE, "overload_probability", channel=True, value="1/7"), "the distribution of its flows gives"),
    (ONE, _claim(ONE, "overload_probability", channel=True, relation="<="), "of one channel the probability is exact"),
    (ONE, _claim(ONE, "next_channel_share", channel=True, value="1/7"), "its paths give"),
    (ONE, _claim(ONE, "next_channel_share", channel=True, receiver=1), "do not cross these two channels"),
    (ONE, _claim(ONE, "next_channel_share", channel=True, given=9), "do not cross these two channels"),
    (ONE, at(s_flows__each=1), "another number of flows"),
    (ONE, at(s_flows__traffic="shift:by=2"), "is not the pattern"),
    (TWO, _claim(TWO, "overload_probability", relation=">=", value="1"), "the distributions give"),
    (TWO, _claim(TWO, "largest_hashed_load", evidence__samples=30), "other draws than its value"),
    (
        TWO,
        _claim(
            TWO,
            "largest_hashed_load",
            value={"low": 1.0, "best": 1.5, "high": 2.0, "trials": 20, "seed": 0, "confidence": 0.99},
        ),
        "the draws give",
    ),
]


@honest(*_REPORTS)
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)


def test_a_report_without_flows_and_another_worst_permutation() -> None:
    report = made(WORST)
    plain = [x for x in report["claims"] if x["evidence"]["kind"] in ("worst-case", "derived", "traffic-loads")]
    assert "nothing to verify" in str(refusal(sealed({**report, "claims": plain})))
    own = [x for x in report["claims"] if x not in plain]
    assert "called the worst" in str(refusal(sealed({**report, "claims": own})))
