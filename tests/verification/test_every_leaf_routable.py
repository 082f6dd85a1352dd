"""Oblivious ratios: every leaf of their reports is changed, and nothing false is let through."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from typing import Any

import pytest
from test_every_leaf import leaves, others

from commanded_reports import refusal
from routeproof import Network, Routing, mesh, named_routing, torus
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import claims_to_document
from routeproof.questions.answer import subject_of
from routeproof.worst.routable.ratio import oblivious_ratio, ratio_claims
from true_reports import Document, hosts_network, report_on, sealed, table

SUPPORT = {"flow", "lengths", "proof", "focus", "symmetry", "channel"}
"""Other flows, lengths and channels may prove the same number; the number itself may not change."""


def report(routing: Routing, *, kind: str = "analysis", **options: Any) -> Document:
    claims = ratio_claims(oblivious_ratio(routing, **options))
    return json.loads(json.dumps(claims_to_document({**subject_of(routing), "kind": kind}, claims)))


def unequal() -> Network:
    ends = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2), (0, 1)]
    return Network.of("unequal", 3, ends, bandwidth=[1, 2, 3, 1, Fraction(1, 2), 2, 1])


REPORTS = {
    "exact": lambda: report(named_routing("dor", mesh(3, 2)), symmetry="none"),
    "every channel": lambda: report(named_routing("valiant", torus(3)), all_channels=True),
    "interval": lambda: report(named_routing("minimal", unequal()), accuracy=Fraction(1, 2), all_channels=True),
    "terminals": lambda: report(table(hosts_network())),
}


def is_weaker(claim: dict[str, Any], path: tuple[str | int, ...], other: Any) -> bool:
    if path[2:] != ("value",) or claim["relation"] == "==" or not isinstance(other, str):
        return False
    before, after = Fraction(claim["value"]), Fraction(other)
    return after > before if claim["relation"] == "<=" else after < before


@pytest.mark.parametrize("name", REPORTS)
def test_whatever_is_changed_is_refused(name: str) -> None:
    document = REPORTS[name]()
    assert refusal(document) is None
    through = []
    for where, value in leaves(document):
        if where[0] != "claims" or len(where) < 3:
            continue
        for other in others(value):
            changed = copy.deepcopy(document)
            place: Any = changed
            for key in where[:-1]:
                place = place[key]
            place[where[-1]] = other
            claim = document["claims"][where[1]]
            supports = where[2] == "evidence" and where[3] in SUPPORT
            quoted = where[2] == "source" and other == ""
            if refusal(sealed(changed)) is None and not (supports or quoted or is_weaker(claim, where, other)):
                through.append((where, value, other))
    assert not through


def changed(document: Document, **claim: Any) -> Document:
    found = copy.deepcopy(document)
    found["claims"][0].update(claim)
    return sealed(found)


def test_no_number_but_the_ratio_is_proved() -> None:
    document = REPORTS["exact"]()
    (claim,) = document["claims"]
    value, evidence = Fraction(claim["value"]), claim["evidence"]
    witness = {x: evidence[x] for x in ("kind", "channel", "flow")}
    proof = {x: evidence[x] for x in ("kind", "lengths", "focus", "proof", "symmetry")}
    for factor in (Fraction(1, 2), Fraction(999_999, 1_000_000), Fraction(1_000_001, 1_000_000), Fraction(2)):
        other = str(value * factor)
        assert refusal(changed(document, value=other)) is not None
        small = changed(document, value=other, relation="<=", evidence=proof)
        assert (refusal(small) is None) == (factor > 1)
        assert refusal(changed(document, value=other, relation=">=", evidence=witness)) is not None


def test_lengths_that_are_zero_everywhere_prove_nothing() -> None:
    document = REPORTS["exact"]()
    evidence = copy.deepcopy(document["claims"][0]["evidence"])
    evidence["lengths"] = [pack_ints([0] * 14) for _ in evidence["lengths"]]
    assert "0 everywhere" in str(refusal(changed(document, evidence=evidence)))
    for key in ("channel", "flow"):
        del evidence[key]
    assert "0 everywhere" in str(refusal(changed(document, evidence=evidence, relation="<=", value="1/1000")))


def test_lengths_beyond_64_bits_are_refused() -> None:
    document = REPORTS["exact"]()
    evidence = copy.deepcopy(document["claims"][0]["evidence"])
    long = [x << 61 for x in unpack_ints(evidence["lengths"][0], what="lengths", max_items=14).tolist()]
    evidence["lengths"][0] = pack_ints([min(x, 2**63 - 1) for x in long])
    assert refusal(changed(document, evidence=evidence)) is not None


def test_a_flow_around_a_circle_carries_nothing() -> None:
    """Its ends are terminals of one node: no demand of the network."""
    document = REPORTS["terminals"]()
    evidence = copy.deepcopy(document["claims"][0]["evidence"])
    evidence["flow"] = [*evidence["flow"], [0, 4, "1/1000", [0, 5]]]
    found = refusal(changed(document, evidence=evidence))
    assert found is not None
    assert "bandwidth is" in str(found) or "flow" in str(found)


def test_a_channel_of_its_own_class_alone() -> None:
    """A claim about a channel that refers to another one must be about an equivalent one, in the same words."""
    document = report(named_routing("dor", torus(3, 3)), all_channels=True)
    place = next(k for k, x in enumerate(document["claims"]) if x["evidence"]["kind"] == "routable-class")
    other = copy.deepcopy(document)
    other["claims"][place]["evidence"]["focus"] = other["claims"][place]["channel"]
    assert refusal(sealed(other)) is not None


def test_ratios_do_not_prove_worst_cases_over_permutations() -> None:
    """The two claims about a channel look alike; one may not stand for the other."""
    document = report_on("torus:3x3", "dor", all_channels=True)
    ratios = report(named_routing("dor", torus(3, 3)), all_channels=True)
    ratios["subject"] = document["subject"]
    whole = [x for x in ratios["claims"] if x.get("channel") is not None]
    value = next(x["value"] for x in whole if x["evidence"]["kind"] == "routable")
    both = copy.deepcopy(document)
    classes = [x for x in both["claims"] if x["evidence"]["kind"] == "same-class"]
    assert classes
    assert classes[0]["value"] != value
    both["claims"] = [x for x in both["claims"] if "channel" not in x or x in classes[:1]]
    both["claims"] += [x for x in ratios["claims"] if "channel" not in x or x["evidence"]["kind"] == "routable"]
    classes[0]["value"] = value
    assert "no claim with evidence" in str(refusal(sealed(both)))
