"""Bounds by channel lengths under uniform traffic. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, refusal, without
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from true_reports import Document


def thinned(document: Document) -> None:
    """A larger capacity: weaker lengths allow it, and flows of 12/13 of a unit reach it."""
    claim = document["claims"][3]
    claim["value"], claim["evidence"]["lengths"] = "3/2", {"kind": "all"}
    flow = unpack_ints(claim["evidence"]["flows"]["flow"], what="flow", max_items=72)
    claim["evidence"]["flows"] = {"scale": "13", "flow": pack_ints(4 * flow)}


FORGERIES: list[Forgery] = [
    ("every channel", without("c7_evidence__lengths__position"), "its evidence.lengths has no 'position'"),
    ("terminals", at(c3_evidence__lengths={"kind": "dimension", "dimension": 0}), "are not known for hosts"),
    ("capacity", thinned, "does not deliver one unit to each terminal"),
    ("capacity", at(c3_evidence__flows__scale="1/2"), "the flows do not fit the network"),
    ("capacity", at(c3_evidence__flows__scale=str(1 << 62)), "the flows are too fine for 64-bit arithmetic"),
    ("every channel", at(c7_evidence__routing="valiant"), "routing valiant reaches 9/8 under uniform traffic"),
    ("every channel", at(c7_evidence__lengths__dimension=1), "dimension 1 is not one of the grid's"),
    ("capacity", at(c8_value="149/121"), "it is <= 149/121; the lengths prove 150/121"),
    ("capacity", at(c8_evidence__within={"average_path_length": "0"}), "average_path_length is limited to 0"),
    ("capacity", at(c8_paths="9turn", c8_evidence__paths="9turn"), "the paths are called '9turn'"),
    ("capacity", at(c8_value="-1"), "it is -1; a positive number was expected"),
    ("capacity", at(c8_evidence__hops=-1), "hops is -1; a whole number from 0 to"),
    ("capacity", at(c8_within="average_path_length <= 2"), "'average_path_length <= 34/25'} was expected"),
    ("capacity", at(c8_evidence__within={"throughput": "1"}), "'within' must name average_path_length and nothing"),
]


@honest("every channel", "terminals", "capacity")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
