"""The oblivious ratio as claims: verified, and refused wherever the evidence is damaged."""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from routeproof import Network, fat_tree, mesh, named_routing, petersen, torus
from routeproof.core.errors import VerificationError
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.formats.documents.report import claims_to_document, document_to_claims
from routeproof.questions.answer import subject_of
from routeproof.verification import verify_claims
from routeproof.worst.routable.ratio import oblivious_ratio, ratio_claims
from true_reports import sealed


def report(network: Network, routing: str, *, symmetry: str = "auto") -> dict[str, Any]:
    given = named_routing(routing, network)
    claims = ratio_claims(oblivious_ratio(given, symmetry=symmetry))
    return claims_to_document({**subject_of(given), "kind": "analysis"}, claims)


def verify(document: dict[str, Any]) -> None:
    verify_claims(*document_to_claims(sealed(document)))


@pytest.mark.parametrize("symmetry", ["auto", "none"])
@pytest.mark.parametrize(
    ("network", "routing"),
    [
        (torus(3, 3), "dor"), (mesh(3, 2), "valiant"), (petersen(), "minimal"), (fat_tree(4), "minimal"),
        (fat_tree(4), "dmodk"),
    ],
    ids=lambda x: x if isinstance(x, str) else x.name,
)  # fmt: skip
def test_ratios_verify(network: Network, routing: str, symmetry: str) -> None:
    verify(report(network, routing, symmetry=symmetry))


MESH = report(mesh(3, 2), "dor", symmetry="none")


def halves(document: dict[str, Any]) -> dict[str, Any]:
    """The exact claim as two: what it is at least, what it is at most."""
    found = copy.deepcopy(document)
    (whole,) = found["claims"]
    low, high = copy.deepcopy(whole), copy.deepcopy(whole)
    low["relation"], high["relation"] = ">=", "<="
    for key in ("lengths", "focus", "proof", "symmetry"):
        del low["evidence"][key]
    for key in ("channel", "flow"):
        del high["evidence"][key]
    found["claims"] = [low, high]
    return found


def test_two_claims_say_the_same() -> None:
    verify(halves(MESH))


def lower(value: str) -> str:
    return str(Fraction(value) * Fraction(99, 100))


def change(key: str, edit: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    def changed(claim: dict[str, Any]) -> None:
        claim["evidence"][key] = edit(claim["evidence"][key])

    return changed


def shorter(lengths: list[str]) -> list[str]:
    first = unpack_ints(lengths[0], what="lengths", max_items=1000)
    first[int(first.argmax())] -= 1
    return [pack_ints(first), *lengths[1:]]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda claim: claim.update(value=lower(claim["value"])), "the flow's demand loads channel"),
        (lambda claim: claim.update(relation="<="), "were expected"),
        (lambda claim: claim.update(demands="permutations"), "demands"),
        (change("flow", lambda x: x[1:]), "the flow's demand loads channel"),
        (change("flow", lambda x: [[*x[0][:2], "100", x[0][3]], *x[1:]]), "whose bandwidth is 1"),
        (change("flow", lambda x: [[*x[0][:2], "-1", x[0][3]], *x[1:]]), "is negative"),
        (change("flow", lambda x: [[x[0][1], x[0][0], *x[0][2:]], *x[1:]]), "does not begin where|does not lead"),
        (change("flow", lambda x: [[*x[0][:3], x[0][3][:-1]], *x[1:]]), "does not lead"),
        (change("channel", lambda x: (x + 1) % 14), "the flow's demand loads channel"),
        (change("lengths", shorter), "do not bound"),
        (change("focus", lambda _: pack_ints([0])), "one after the other"),
        (change("proof", lambda x: pack_ints([99] * len(unpack_ints(x, what="", max_items=99)))), "beyond the"),
        (change("symmetry", lambda _: {"declared": ["translate dimension 0"]}), "is not declared"),
    ],
)  # fmt: skip
def test_damage_is_named(damage: Callable[[dict[str, Any]], None], said: str) -> None:
    document = copy.deepcopy(MESH)
    (claim,) = document["claims"]
    damage(claim)
    with pytest.raises(VerificationError, match=said):
        verify(document)


def test_every_loaded_channel_needs_lengths() -> None:
    document = copy.deepcopy(MESH)
    (claim,) = document["claims"]
    evidence = claim["evidence"]
    for key in ("focus", "proof"):
        evidence[key] = pack_ints(unpack_ints(evidence[key], what=key, max_items=99)[1:])
    with pytest.raises(VerificationError, match="has no lengths in the evidence"):
        verify(document)
