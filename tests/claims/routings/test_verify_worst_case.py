"""The worst case of a routing. Honest reports, and forgeries, each with its reason."""

from __future__ import annotations

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, packed, refusal
from routeproof.formats.documents.packed_ints import unpack_ints
from true_reports import Document


def one_potential_more(document: Document) -> None:
    group = document["claims"][0]["evidence"]["bounds"][0]
    group["quantum"] = packed(*unpack_ints(group["quantum"], what="quantum", max_items=99), 0)


FINE = f"1/{3**2700}"


TWICE = at(
    c0_value="2", c0_evidence__ratio="2", c0_evidence__witness__traffic=[[0, 1, "2"]], c1_value="1/2"
)  # fmt: skip


FORGERIES: list[Forgery] = [
    ("hose", TWICE, "the witness's traffic sends or receives too much at terminal 0"),
    ("hose", at(c0_evidence__witness__traffic=[[0, 1]]), "the witness's traffic must be [source, destination, rate]"),
    ("hose", at(c0_evidence__model__ingress=["-1", "1/2", "2"]), "the rates are negative or too fine"),
    ("hose", at(c0_evidence__model__egress=["1/2", "1", FINE]), "the rates are too fine for 64-bit arithmetic"),
    ("worst case", one_potential_more, "quantum holds 5 potentials; the loads need 4"),
    ("terminals", at(c0_evidence__symmetry__reversal=True), "network or traffic has no such symmetry"),
    (
        "hose",
        at(c0_evidence__witness__traffic=[[0, 1, "2"], [0, 1, "-1"]]),
        "the witness's rate from 0 to 1 is negative",
    ),
    ("hose", at(c0_evidence__model__ingress=["1", "1/2"]), "model.ingress has 2 rates for 3 terminals"),
    (
        "unbalanced",
        at(c0_value="1/2", c0_evidence__ratio="1/2", c0_evidence__model__rate="1/2"),
        "at the rate 1/2 the worst load is 1/2; 1 was expected",
    ),
    ("unbalanced", at(c0_value="2", c0_evidence__model__rate="2"), "it is 2, its evidence is for the rate 2"),
]


@honest("worst case", "unbalanced", "hose", "terminals")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)
