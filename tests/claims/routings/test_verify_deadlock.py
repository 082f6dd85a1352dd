"""Claims about deadlock: true ones are verified, changed ones are refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from commanded_reports import Forgery, at, check_forgery, forged, honest, made, packed, refusal
from routeproof.core.claim import Claim, Evidence, Grade
from routeproof.core.errors import VerificationError
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.questions.answer import subject_of
from routeproof.routing.named.spec import routing_from_spec
from routeproof.topologies.family import network_from_spec
from routeproof.verification import verify_claims
from routeproof.worst.deadlock.channels import deadlock, virtual_channels

SUBJECTS = [
    ("mesh:4x4", "dor", None),
    ("torus:4x4", "dor", None),
    ("torus:5x5", "ival", None),
    ("torus:4x4", "valiant", "turns"),
    ("petersen", "minimal", None),
    ("mesh:3x3", "o1turn", "layers"),
    ("torus:4x3", "romm", "descents"),
    ("torus:4x4", "turns", None),
]


def claims_on(topology: str, name: str, assignment: str | None) -> tuple[dict[str, Any], list[Claim]]:
    routing = routing_from_spec(name, network_from_spec(topology))
    found = [deadlock(routing).claim(), virtual_channels(routing, assignment).claim()]
    return subject_of(routing, topology=topology), found


@pytest.mark.parametrize(("topology", "name", "assignment"), SUBJECTS)
def test_true_claims(topology: str, name: str, assignment: str | None) -> None:
    subject, claims = claims_on(topology, name, assignment)
    assert len(verify_claims(subject, claims)) == 2


def with_data(claim: Claim, **data: Any) -> Claim:
    return replace(claim, evidence=Evidence(claim.evidence.kind, {**claim.evidence.data, **data}))


def swapped(text: str, size: int) -> str:
    """The packed numbers in the opposite order."""
    return pack_ints(unpack_ints(text, what="numbers", max_items=size)[::-1])


def about(claim: Claim, **more: Any) -> Claim:
    return replace(claim, about={**claim.about, **more})


CHANGES: list[tuple[str, int, Callable[[Claim], Claim], str]] = [
    ("mesh:4x4 dor", 0, lambda c: replace(c, value="false"), "it is stated as false; true was expected"),
    ("mesh:4x4 dor", 0, lambda c: replace(c, grade=Grade.EXHAUSTED), "graded EXHAUSTED"),
    ("mesh:4x4 dor", 0, lambda c: replace(c, unit="of capacity"), "its unit is"),
    ("mesh:4x4 dor", 0, lambda c: about(c, paths="some"), "known: of-loads, own"),
    ("mesh:4x4 dor", 0, lambda c: about(c, model="balanced"), "which nothing checks"),
    ("mesh:4x4 dor", 0, lambda c: with_data(c, number=swapped(c.evidence.data["number"], 48)), "do not increase"),
    ("mesh:4x4 dor", 0, lambda c: with_data(c, number=pack_ints(np.arange(47))), "47 entries; 48 were expected"),
    ("mesh:4x4 dor", 0, lambda c: replace(c, evidence=Evidence("derived")), "says nothing about deadlock_free"),
    ("mesh:4x4 dor", 1, lambda c: with_data(c, number=swapped(c.evidence.data["number"], 48)), "do not increase"),
    ("mesh:4x4 dor", 1, lambda c: with_data(c, channels=swapped(c.evidence.data["channels"], 48)), "; it says 1"),
    ("mesh:4x4 dor", 1, lambda c: replace(c, value=Fraction(0)), "uses 1 virtual channels of a channel; it says 0"),
    ("torus:4x4 dor", 0, lambda c: replace(c, value="true"), "it is stated as true; false was expected"),
    ("torus:4x4 dor", 0, lambda c: with_data(c, cycle=[0, 1, 2, 3]), "no packet of the pair|and then"),
    ("torus:4x4 dor", 0, lambda c: with_data(c, cycle=[0]), "at least two channels"),
    ("torus:4x4 dor", 0, lambda c: with_data(c, packets=[[0, 0]] * 4), "no packets from 0 to 0"),
    ("torus:4x4 dor", 0, lambda c: with_data(c, packets=[[0, 99]] * 4), "no packets from 0 to 99"),
    ("torus:4x4 dor", 0, lambda c: with_data(c, packets=[[0, 1]] * 4), "no packet of the pair"),
    ("torus:4x4 dor", 0, lambda c: with_data(c, packets=["x"] * 4), "a list was expected"),
    ("torus:4x4 dor", 1, lambda c: replace(c, value=Fraction(1)), "uses 2 virtual channels of a channel; it says 1"),
    ("torus:4x4 dor", 1, lambda c: replace(c, relation="=="), "nothing proves that fewer than 2"),
    (
        "torus:4x4 dor",
        1,
        lambda c: about(c, assignment="magic"),
        "known: descents, destinations, given, hops",
    ),
    ("torus:4x4 dor", 1, lambda c: with_data(c, order=pack_ints([0, 0])), "order of dimensions"),
    ("torus:4x4 dor", 1, lambda c: with_data(c, number=swapped(c.evidence.data["number"], 128)), "do not increase"),
    ("mesh:3x3 o1turn", 1, lambda c: with_data(c, layer=pack_ints([0] * 7)), "more than 7 paths"),
    ("mesh:3x3 o1turn", 1, lambda c: with_data(c, layer=pack_ints([9] * 108)), "does not count"),
    ("petersen minimal", 0, lambda c: about(c, paths="own"), "carries its loads alone"),
]


@pytest.mark.parametrize(("subject", "which", "change", "words"), CHANGES, ids=range(len(CHANGES)))
def test_changed_claims_are_refused(subject: str, which: int, change: Callable[[Claim], Claim], words: str) -> None:
    topology, name = subject.split()
    assignment = "layers" if name == "o1turn" else None
    made, claims = claims_on(topology, name, assignment)
    with pytest.raises(VerificationError, match=words):
        verify_claims(made, [change(claims[which])])


def test_another_routing_does_not_have_the_claim() -> None:
    subject, claims = claims_on("mesh:4x4", "dor", None)
    with pytest.raises(VerificationError, match="do not increase"):
        verify_claims(subject, claims[:1], routing="dor:order=yx")


FORGERIES: list[Forgery] = [
    ("virtual", at(c1_assignment="layers"), "an assignment by layers has other keys than"),
    ("virtual", at(c1_paths="of-loads"), "it is about other paths than those of the routing"),
    (
        "virtual",
        at(
            c1_assignment="layers",
            c1_evidence={"kind": "virtual-channels", "layer": packed(0, 5), "number": packed(0)},
        ),
        "a layer has a virtual channel that the claim does not count",
    ),
    (
        "deadlock",
        at(c0_value="false", c0_evidence={"kind": "channel-cycle", "cycle": [0, 1], "packets": [[0, 1], [0]]}),
        "a packet of its cycle is not a pair of numbers",
    ),
    (
        "deadlock",
        at(c0_lanes="by service level", c0_evidence={"kind": "lane-order", "number": packed(0)}),
        "it is about lanes by service level, which the report's subject does not have",
    ),
]


@honest("deadlock", "virtual")
def test_honest_reports_hold(name: str) -> None:
    assert refusal(made(name)) is None


@forged(FORGERIES)
def test_each_forgery_has_its_reason(forgery: Forgery) -> None:
    check_forgery(forgery)


def test_least_virtual_channels_need_a_cycle_without_them() -> None:
    cases = {"torus:4x4": ("false", 2, "=="), "mesh:3x3": ("true", 1, "==")}
    for topology, (free, count, relation) in cases.items():
        routing = routing_from_spec("dor", network_from_spec(topology))
        alone = deadlock(routing)
        few = virtual_channels(routing, alone=alone)
        claims = [alone.claim(), few.claim(alone)]
        assert (claims[0].value, claims[1].number, claims[1].relation) == (free, count, relation)
        verify_claims(subject_of(routing, topology=topology), claims)
    routing = routing_from_spec("dor", network_from_spec("torus:4x4"))
    alone = deadlock(routing)
    least = virtual_channels(routing, alone=alone).claim(alone)
    with pytest.raises(VerificationError, match="nothing proves that fewer than 2 virtual channels do not do"):
        verify_claims(subject_of(routing, topology="torus:4x4"), [least])
    three = virtual_channels(routing_from_spec("sssp", network_from_spec("torus:5x5")))
    assert three.claim(deadlock(three.routing)).relation == "<="
