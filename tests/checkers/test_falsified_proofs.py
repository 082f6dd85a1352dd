"""One entry of a proof changed: the checker refuses it or what the proof now says is true, as a slow judge finds."""

from __future__ import annotations

import pytest

from falsified_proofs import Proof, falsifications, statement
from proof_judge import false_claims
from proofs import checked, source

KINDS = [
    "worst case", "any rate", "hose", "jobs", "box and rows", "matrix", "routable", "terminals", "design", "capacity",
    "design of a box", "design of matrices", "ideal", "ideal of a matrix", "routable design", "tradeoff", "deadlock",
    "graph document", "virtual", "shifts", "phases", "failures unmended",
    "two-shortest-paths", "shortest-paths-alone", "tables-by-hand",
    "schedule-on-a-network", "schedule-that-needs-room", "schedule-with-a-race",
    "any-one-link-of-a-ring", "any-one-link-that-parts-nothing",
]  # fmt: skip
EACH = 24


def is_true(proof: Proof, known: dict[str, bool]) -> bool:
    """What is left out of the statement does not change it; one statement is judged once."""
    key = statement(proof)
    if key not in known:
        known[key] = not false_claims(proof)
    return known[key]


@pytest.mark.parametrize("name", KINDS)
def test_the_judge_finds_true_proofs_true(name: str) -> None:
    assert false_claims(source(name)) == []


@pytest.mark.parametrize("name", KINDS)
def test_no_falsified_proof_passes(name: str) -> None:
    proof = source(name)
    known = {statement(proof): True}
    refused = 0
    for path, changed in falsifications(proof, EACH, seed=KINDS.index(name)):
        status, said = checked(changed)
        assert status in (0, 1, 2)
        assert said
        refused += status != 0
        if status == 0:
            assert is_true(changed, known), (path, said)
    assert refused > EACH // 2
