"""Claims about schedules in a proof: the checker runs the steps, and a judge that runs all interleavings agrees."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from proof_judge import false_claims
from proofs import Proof, checked, elaborated
from routeproof.core.errors import InputError
from routeproof.core.schedules.check import check_schedule
from routeproof.core.schedules.schedule import Schedule
from routeproof.formats.documents.report import claims_to_document
from routeproof.formats.schedules.document import schedule_to_document
from routeproof.worst.schedules.judge import judge
from small_schedules import RIGHT, exchange, mutated, ring_all_gather

ALL = ["schedule-deadlock-free", "schedule-deadlock-free", "schedule-deadlock"]
ALL += ["schedule-race-free", "schedule-result", "schedule-reduction-orders"]


def proof_of_schedule(given: Schedule) -> Proof:
    subject = {"kind": "schedule", "schedule": schedule_to_document(given)}
    return elaborated(json.loads(json.dumps(claims_to_document(subject, list(judge(check_schedule(given)).claims())))))


@pytest.mark.parametrize("name", RIGHT)
def test_every_claim_of_a_right_schedule_is_in_a_proof_that_holds(name: str) -> None:
    proof = proof_of_schedule(RIGHT[name])
    assert [x["kind"] for x in proof["claims"]] == ALL
    status, said = checked(proof)
    assert status == 0, said


@pytest.mark.parametrize("right", [exchange(), ring_all_gather(2)], ids=["exchange", "ring"])
def test_what_is_wrong_of_a_changed_schedule_is_proved_and_true(right: Schedule) -> None:
    wrong = 0
    for changed in mutated(right, 1):
        try:
            proof = proof_of_schedule(changed)
        except InputError:
            continue
        assert checked(proof)[0] == 0
        assert false_claims(proof) == []
        wrong += "schedule-result" not in [x["kind"] for x in proof["claims"]]
    assert wrong


def test_a_schedule_without_messages_needs_no_room() -> None:
    proof = proof_of_schedule(replace(exchange(), blocks=((), ())))
    assert [(x["kind"], x.get("room")) for x in proof["claims"][:2]] == [
        ("schedule-deadlock-free", None), ("schedule-deadlock-free", 0)
    ]  # fmt: skip
    assert checked(proof)[0] == 0
