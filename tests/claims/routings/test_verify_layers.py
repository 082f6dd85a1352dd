"""So many layers are needed: refutations of fewer verify, and changed ones are refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from routeproof.core.claim import Claim, Evidence
from routeproof.core.errors import VerificationError
from routeproof.formats.documents.packed_ints import pack_ints
from routeproof.questions.answer import subject_of
from routeproof.routing.named.spec import routing_from_spec
from routeproof.searching.layers import fewest_virtual_channels
from routeproof.topologies.family import network_from_spec
from routeproof.verification import verify_claims
from routeproof.worst.deadlock.channels import virtual_channels

pytest.importorskip("pysat")


@cache
def claims_on(topology: str, name: str, by: str) -> tuple[dict[str, Any], Claim, Claim]:
    routing = routing_from_spec(name, network_from_spec(topology))
    done = fewest_virtual_channels(virtual_channels(routing, by), by)
    assert done.least is not None
    return subject_of(routing, topology=topology), done.found.claim(None, done.least), done.least


def claim_on(topology: str, name: str) -> tuple[dict[str, Any], Claim]:
    subject, _, claim = claims_on(topology, name, "layers")
    return subject, claim


def test_three_layers_are_needed() -> None:
    subject, claim = claim_on("ring:4", "valiant")
    assert claim.number == 3
    assert verify_claims(subject, [claim])


@pytest.mark.parametrize("by", ["layers", "destinations"])
def test_the_least_rests_on_the_refutation(by: str) -> None:
    subject, reached, refuted = claims_on("ring:4" if by == "layers" else "complete:5", "valiant", by)
    assert (reached.relation, reached.value) == ("==", refuted.value)
    assert verify_claims(subject, [reached, refuted])
    other = replace(refuted, about={**refuted.about, "assignment": "destinations" if by == "layers" else "layers"})
    for wrong in ([reached], [reached, other], [replace(reached, value=reached.number + 1), refuted]):
        with pytest.raises(VerificationError):
            verify_claims(subject, wrong)


CHANGES = [
    ({"cycles": pack_ints([])}, "does not follow|no contradiction"),
    ({"cycles": pack_ints([0, 1])}, "end within one"),
    ({"cycles": pack_ints([0, 0, -1])}, "cycle .* is not made of dependencies"),
    ({"cycles": pack_ints([99, 98, -1])}, "cycle .* is not made of dependencies"),
    ({"lemmas": pack_ints([]), "literals": 0}, "no contradiction"),
    ({"lemmas": pack_ints([10**6, 0]), "literals": 2}, "literal"),
]


@pytest.mark.parametrize(("change", "words"), CHANGES)
def test_changed_evidence_is_refused(change: dict[str, Any], words: str) -> None:
    subject, claim = claim_on("ring:4", "valiant")
    changed = replace(claim, evidence=Evidence(claim.evidence.kind, {**claim.evidence.data, **change}))
    with pytest.raises(VerificationError, match=words):
        verify_claims(subject, [changed])


@pytest.mark.parametrize("value", [Fraction(4), Fraction(5, 2), Fraction(1), Fraction(1000)])
def test_other_numbers_are_refused(value: Fraction) -> None:
    subject, claim = claim_on("ring:4", "valiant")
    with pytest.raises(VerificationError):
        verify_claims(subject, [replace(claim, value=value)])
