"""Capacity by linear programming: known values, evidence that is checked, corrupted evidence that is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from places import ZOO
from routeproof import Network, VerificationError, named_routing, network
from routeproof.core.claim import Claim, Evidence
from routeproof.formats.documents.packed_ints import pack_ints, unpack_ints
from routeproof.optimum.capacity import capacity_by_program, capacity_if_possible
from routeproof.questions.answer import subject_of
from routeproof.verification import verify_claims
from routeproof.worst.capacity import capacity


def verified(net: Network, claim: Claim) -> None:
    verify_claims(subject_of(named_routing("minimal", net), topology="it"), [claim])


@pytest.mark.parametrize(
    "text", ["torus:4x4", "mesh:4x3", "petersen", "mesh:3x2,bandwidth=2x1", "hypercube:3", "ring:7"]
)
def test_the_program_agrees_with_closed_forms(text: str) -> None:
    net = network(text)
    found, closed = capacity_by_program(net), capacity(net)
    assert found is not None
    assert closed is not None
    assert found.value == closed.value
    verified(net, found)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("kautz:2,2", "18/13"),
        ("random-regular:20,degree=3,seed=1", "20/33"),
        (str(ZOO / "Abilene.graphml"), "11/15"),
        (str(ZOO / "Sprint.graphml"), "11/10"),
    ],
)
def test_networks_that_no_closed_form_settles(text: str, value: str) -> None:
    net = network(text)
    found = capacity_by_program(net)
    assert found is not None
    assert found.value == Fraction(value)
    assert capacity(net) is None
    verified(net, found)


def test_directed_parallel_channels_and_terminals_apart() -> None:
    ends = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 1), (1, 3)]
    widths = [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(1), Fraction(1), Fraction(3, 4)]
    net = Network.of("odd", 4, ends, bandwidth=widths, source=[0, 0, 2], sink=[3, 1, 1])
    found = capacity_by_program(net)
    assert found is not None
    verified(net, found)


def damaged(claim: Claim, **changes: Any) -> Claim:
    return Claim(
        claim.quantity, claim.relation, changes.pop("value", claim.value), claim.grade,
        Evidence("capacity", {**claim.evidence.data, **changes}), claim.source,
    )  # fmt: skip


def test_corrupted_evidence_is_refused() -> None:
    net = network("kautz:2,2")
    claim = capacity_by_program(net)
    assert claim is not None
    flows = dict(claim.evidence.data["flows"])
    flow = unpack_ints(flows["flow"], what="flow", max_items=1000)
    more = flow.copy()
    more[np.argmax(more)] += 1
    lengths = claim.evidence.data["lengths"]["classes"]
    for wrong in (
        damaged(claim, value=Fraction(19, 13)),
        damaged(claim, flows={**flows, "flow": pack_ints(more)}),
        damaged(claim, flows={**flows, "flow": pack_ints(-flow)}),
        damaged(claim, flows={**flows, "flow": pack_ints(flow[:-1])}),
        damaged(claim, flows={**flows, "scale": "0"}),
        damaged(claim, lengths={"kind": "explicit", "classes": lengths[:-1]}),
    ):
        with pytest.raises(VerificationError):
            verified(net, wrong)


def test_reports_of_other_verbs_have_it_too(run_main: Any) -> None:
    assert run_main("worst-case", "kautz:2,2", "--routing", "minimal") == 0


@pytest.fixture
def run_main() -> Any:
    from routeproof.cli.main import main

    return lambda *words: main(list(words))


def test_what_is_quick_is_counted_in_iterations() -> None:
    """Whether a capacity is stated does not depend on how fast the machine is."""
    net = network("random-regular:20,degree=3,seed=1")
    assert capacity_by_program(net, iterations=20) is None
    assert capacity_by_program(net, iterations=10_000) is not None


def test_one_node_has_none() -> None:
    assert capacity_if_possible(Network.of("one", 1, [], source=[0, 0], sink=[0, 0])) is None
