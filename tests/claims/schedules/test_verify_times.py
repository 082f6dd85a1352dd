"""Claims about the time of a schedule: changed ones are refused with the reason."""

from __future__ import annotations

from typing import Any

from commanded_reports import Change, Forgery, at, check_forgery, forged, honest, made, of_quantity, refusal
from true_reports import Document


@honest("timed schedule", "schedule on ranks")
def test_true_claims(name: str) -> None:
    document = made(name)
    assert refusal(document) is None
    assert {"collective_time", "times_optimal", "collective_throughput"} <= {x["quantity"] for x in document["claims"]}


def _as(relation: str, value: str, **data: Any) -> Change:
    return of_quantity("collective_time", relation=relation, value=value, **data)


def _without_rate(document: Document) -> None:
    document["claims"] = [x for x in document["claims"] if x["quantity"] != "collective_throughput"]


def _without_network(document: Document) -> None:
    for key in ("network", "routing", "topology"):
        del document["subject"][key]


FORGERIES: list[Forgery] = [
    ("timed schedule", _as("==", "3"), "it is at least 3; channel 0 is busy for 2"),
    ("timed schedule", _as("==", "1"), "it is at most 1; its phases take 2"),
    ("timed schedule", _as("<=", "2"), "it says <=, for which its evidence has too much or too little"),
    ("timed schedule", of_quantity("collective_time", evidence__channel=9), "the number of a channel is 9"),
    ("timed schedule", of_quantity("times_optimal", value="2"), "it is == 2; time and rate of the report make"),
    ("timed schedule", _without_rate, "time and rate of the report make nothing"),
    ("timed schedule", _without_network, "it is about a network, which the report's subject does not have"),
    ("timed schedule", at(s_network={"spec": "mesh:3"}, s_topology="mesh:3"), "2 ranks, and 3 terminals take part"),
    ("schedule on ranks", at(s_ranks=[0, 0]), "ranks 0 and 1 are both terminal"),
    ("schedule on ranks", of_quantity("times_optimal", value="1/2"), "time and rate of the report make"),
]


@forged(FORGERIES)
def test_forgeries(forgery: Forgery) -> None:
    check_forgery(forgery)
