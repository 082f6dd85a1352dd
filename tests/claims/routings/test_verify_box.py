"""Claims about boxes with other limits: true ones hold, and whatever is changed is refused for its own reason."""

from __future__ import annotations

from typing import Any

from commanded_reports import Document, Forgery, at, check_forgery, forged, honest, made, refusal


@honest("box and rows", "box")
def test_true_claims_hold(name: str) -> None:
    assert refusal(made(name)) is None


def listed(channel: int, **values: Any) -> dict[str, Any]:
    return {"channel": channel, "sends": [], "receives": [], "total": "0", **values}


def test_other_multipliers_may_prove_as_much() -> None:
    document = made("box and rows")
    assert document["claims"][0]["evidence"]["multipliers"]


def multipliers(*items: Any) -> Any:
    def change(document: Document) -> None:
        document["claims"][0]["evidence"]["multipliers"] = list(items)

    return change


FORGERIES: list[Forgery] = [
    ("box and rows", at(c0_value="1"), "its traffic loads channel"),
    ("box and rows", at(c0_evidence__traffic=[]), "is not between"),
    ("box and rows", at(c0_evidence__traffic=[[0, 1, "-1"]]), "is negative"),
    ("box and rows", at(c0_evidence__channel=99), "the number of a channel"),
    ("box and rows", multipliers(), "no multipliers in the evidence"),
    ("box and rows", multipliers(listed(0, sends=[[0, "-1"]])), "one multiplier >= 0"),
    ("box and rows", multipliers(listed(0, sends=[[0, "1"], [0, "1"]])), "one multiplier >= 0"),
    ("box and rows", multipliers(listed(0, sends=[[9, "1"]])), "the number of a terminal"),
    ("box and rows", multipliers(listed(0, total="1")), "where the total is limited"),
    ("box and rows", multipliers(listed(0, sends=[[0, "1000"]])), "bound channel 0 by"),
]


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
