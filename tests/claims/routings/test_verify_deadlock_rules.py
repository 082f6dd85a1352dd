"""The checkers of bubbles on rings, escapes and message classes: what was changed is refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from routeproof.core.claim import Claim, Evidence
from routeproof.core.errors import VerificationError
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.questions.answer import subject_of
from routeproof.questions.deadlock import Deadlock
from routeproof.routing.base.routing import Routing
from routeproof.routing.dependencies.escape import escape_of
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.verification import verify_claims
from routeproof.worst.deadlock.channels import deadlock
from routeproof.worst.deadlock.rules import bubble_claim, escape_claims


def routing_on(topology: str, name: str) -> Routing:
    return routing_from_spec(name, network_from_spec(topology))


def check(topology: str, name: str, *claims: Claim) -> None:
    verify_claims(subject_of(routing_on(topology, name), topology=topology, paths=True), claims)


def changed(claim: Claim, about: dict[str, Any], **data: Any) -> Claim:
    evidence = Evidence(claim.evidence.kind, {**claim.evidence.data, **data})
    return replace(claim, about={**claim.about, **about}, evidence=evidence)


def test_changed_escapes_are_refused() -> None:
    routing = routing_on("torus:4x4", "dor")
    false, true = escape_claims(routing)
    size = len(escape_of(routing).column)
    wrong = [
        (changed(true, {}, lane=pack_ints(np.zeros(size, dtype=np.int64))), "escapes are on 2 lanes"),
        (changed(true, {"escape_lanes": 3}), "escapes are on 3 lanes"),
        (changed(true, {"escape": "o1turn"}), "its lanes has"),
        (changed(true, {"escape": "opensm:minhop"}), "another program"),
        (changed(false, {"escape_lanes": 2}), "on one lane"),
        (changed(false, {}, cycle=false.evidence.data["cycle"][::-1]), "no packet to column"),
        (changed(false, {}, columns=[99] * 4), "no packet to column 99"),
        (changed(false, {}, witness="none"), "witness is not its cycle"),
    ]
    for claim, words in wrong:
        with pytest.raises(VerificationError, match=words):
            check("torus:4x4", "minimal", claim)


def test_changed_rings_are_refused() -> None:
    claim = bubble_claim(deadlock(routing_on("torus:4x4", "dor")))
    check("torus:4x4", "dor", claim)
    number = unpack_ints(claim.evidence.data["number"], what="number", max_items=100)
    for wrong in (number[::-1], np.zeros_like(number), number[:-1]):
        with pytest.raises(VerificationError):
            check("torus:4x4", "dor", changed(claim, {}, number=pack_ints(wrong)))
    with pytest.raises(VerificationError):
        check("torus:4x4", "dor", changed(claim, {"flow_control": "wormhole"}))
    with pytest.raises(VerificationError):
        check("torus:4x4", "dor", replace(claim, value="false"))


def test_changed_classes_are_refused() -> None:
    pytest.importorskip("pysat")
    asked = Deadlock(routing_on("ring:4", "dor"), virtual_channels=True, classes="request,reply")
    claims = list(asked.answer().stated)
    (separate,) = (x for x in claims if "separate_classes" in x.about)
    shared, refuted = (next(x for x in claims if "classes" in x.about and x.relation == y) for y in ("==", ">="))
    others = [x for x in claims if x not in (separate, shared, refuted)]
    wrong = [
        [*others, replace(separate, value=Fraction(3))],
        [*others, changed(separate, {"separate_classes": 4})],
        [separate],  # that two are the fewest of each is another claim
        [changed(shared, {"classes": 3}), refuted],
        [shared],
        [changed(shared, {}, hop=pack_ints([0] * 4)), refuted],
        [replace(shared, value=Fraction(1), relation="<=")],
        [changed(refuted, {"assignment": "layers"})],
        [changed(refuted, {"classes": 9})],
        [replace(refuted, value=Fraction(3))],
    ]
    for some in wrong:
        with pytest.raises(VerificationError):
            check("ring:4", "dor", *some)
