"""Claims about every number of packets: true ones hold, and whatever is changed is refused for its own reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal

LAST = 2  # the claim that holds the lines


@honest("curve", "curve of jobs")
def test_true_claims_hold(name: str) -> None:
    document = made(name)
    assert refusal(document) is None
    held = [k for k, x in enumerate(document["claims"]) if "lines" in x["evidence"]]
    assert held == ([LAST] if name == "curve" else held[:1])


FORGERIES: list[Forgery] = [
    ("curve", at(c0_value="1/100"), "its packets load channel"),
    ("curve", at(c0_packets=2), "packets make by"),
    ("curve", at(c0_packets=0), "a whole number"),
    ("curve", at(c0_packets=99), "a whole number"),
    ("curve", at(c1_packets=1), "claims[0] states another value"),
    ("curve", at(c0_demands="sparse:2"), "not that of the report's subject"),
    ("curve", at(c0_evidence__channel=1), "its packets load channel"),
    ("curve", at(c0_evidence__traffic=[]), "its packets load channel"),
    ("curve", at(c0_evidence__traffic=[[0, 0, "1"]]), "not allowed"),
    ("curve", at(c0_evidence__lines=[]), "2 claims hold the lines"),
    ("curve", at(**{f"c{LAST}_evidence__lines": []}), "has no line in the evidence"),
    ("curve", at(**{f"c{LAST}_evidence__lines__0__bounds": []}), "has no line"),
    ("curve", at(**{f"c{LAST}_evidence__lines__0__bounds__0__1": "-1"}), "slope"),
    ("curve", at(**{f"c{LAST}_evidence__lines__0__bounds__0__0": "0"}), "scale"),
    ("curve", at(**{f"c{LAST}_evidence__lines__0__bounds__0": [1]}), "[scale, slope, columns, potentials]"),
    ("curve", at(s_demands__sends="1/2"), "is not that of"),
]


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
