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
from routeproof.searching.layers import fewer_layers_refuted, with_fewer_layers
from routeproof.topologies.family import network_from_spec
from routeproof.verification import verify_claims
from routeproof.worst.deadlock.channels import virtual_channels

pytest.importorskip("pysat")


@cache
def claim_on(topology: str, name: str) -> tuple[dict[str, Any], Claim]:
    routing = routing_from_spec(name, network_from_spec(topology))
    claim = fewer_layers_refuted(with_fewer_layers(virtual_channels(routing)))
    assert claim is not None
    return subject_of(routing, topology=topology), claim


def test_three_layers_are_needed() -> None:
    subject, claim = claim_on("petersen", "valiant")
    assert claim.number == 3
    assert verify_claims(subject, [claim])


CHANGES = [
    ({"cycles": pack_ints([])}, "does not follow|no contradiction"),
    ({"cycles": pack_ints([0, 1])}, "end within one"),
    ({"cycles": pack_ints([0, 0, -1])}, "cycle 0 is not made of dependencies"),
    ({"cycles": pack_ints([99, 98, -1])}, "cycle 0 is not made of dependencies"),
    ({"lemmas": pack_ints([]), "literals": 0}, "no contradiction"),
    ({"lemmas": pack_ints([10**6, 0]), "literals": 2}, "literal"),
]


@pytest.mark.parametrize(("change", "words"), CHANGES)
def test_changed_evidence_is_refused(change: dict[str, Any], words: str) -> None:
    subject, claim = claim_on("petersen", "valiant")
    changed = replace(claim, evidence=Evidence(claim.evidence.kind, {**claim.evidence.data, **change}))
    with pytest.raises(VerificationError, match=words):
        verify_claims(subject, [changed])


@pytest.mark.parametrize("value", [Fraction(4), Fraction(5, 2), Fraction(1), Fraction(1000)])
def test_other_numbers_are_refused(value: Fraction) -> None:
    subject, claim = claim_on("petersen", "valiant")
    with pytest.raises(VerificationError):
        verify_claims(subject, [replace(claim, value=value)])
