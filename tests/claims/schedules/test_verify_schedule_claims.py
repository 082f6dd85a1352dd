"""Claims about schedules: true ones hold, and evidence that was changed is refused with the reason."""

from __future__ import annotations

import json

import pytest

from commanded_reports import Forgery, at, check_forgery, forged, of_quantity, packed, refusal
from routeproof.core.schedules.check import check_schedule
from routeproof.core.schedules.schedule import Block, Schedule, Step
from routeproof.formats.documents.report import claims_to_document
from routeproof.formats.schedules.document import schedule_to_document
from routeproof.worst.schedules.judge import judge
from small_schedules import RIGHT, i, racing, s, waiting_for_one_another, wrong
from true_reports import Document, sealed, verify


def report(given: Schedule) -> Document:
    subject = {"kind": "schedule", "schedule": schedule_to_document(given)}
    return json.loads(json.dumps(claims_to_document(subject, list(judge(check_schedule(given)).claims()))))


@pytest.mark.parametrize("name", RIGHT)
def test_right_schedules_verify(name: str) -> None:
    document = report(RIGHT[name])
    assert verify(document) == 5
    assert [x["value"] for x in document["claims"] if x["quantity"] != "fifo_depth"] == ["true", "true", "true", "1"]


@pytest.mark.parametrize(("given", "quantities"), [
    (waiting_for_one_another(), {"deadlock_free": "false"}),
    (racing(), {"deadlock_free": "true", "race_free": "false", "result_correct": "false"}),
    (wrong(), {"deadlock_free": "true", "race_free": "true", "result_correct": "false"}),
])  # fmt: skip
def test_verdicts_against_a_schedule_verify(given: Schedule, quantities: dict[str, str]) -> None:
    document = report(given)
    assert verify(document) == len(document["claims"])
    found = {x["quantity"]: x["value"] for x in document["claims"] if x["quantity"] != "fifo_depth"}
    assert found == quantities


def _said_to_be_true(document: Document) -> None:
    """Verdicts against the schedule become verdicts for it, with the order that the report has."""
    order = next(x["evidence"]["number"] for x in document["claims"] if x["quantity"] == "deadlock_free")
    kinds = {"race_free": "steps-ordered", "result_correct": "steps-run"}
    for claim in document["claims"]:
        if claim["value"] == "false":
            claim |= {"value": "true", "evidence": {"kind": kinds[claim["quantity"]], "number": order}}


def _at_step(rank: int, block: int, step: int) -> list[int]:
    return [rank, block, step]


FORGERIES: list[Forgery] = [
    ("schedule", of_quantity("deadlock_free", evidence__number=packed(1, 0, 2, 1, 0, 2)), "do not increase from"),
    ("schedule", of_quantity("race_free", evidence__number=packed(0, 1, 2)), "its number has 3 entries"),
    ("schedule", of_quantity("reduction_orders", value="2"), "it is 2; running the steps gives 1"),
    ("schedule", of_quantity("fifo_depth", value="0"), "do not increase from"),
    ("schedule", of_quantity("fifo_depth", value="3/2"), "it is not a whole number"),
    ("schedule", at(s_schedule__ranks=[]), "at least one of each was expected"),
    ("deep schedule", of_quantity("fifo_depth", value="1"), "do not increase from rank 1, thread block 0, step 0"),
    ("deep schedule", of_quantity("fifo_depth", value="3"), "does not wait for"),
    ("deep schedule", of_quantity("fifo_depth", evidence__cycle=[]), "its cycle is empty"),
    ("deep schedule", of_quantity("fifo_depth", evidence__cycle=[[0, 0]]), "not a list of rank, thread block and step"),
    ("waiting schedule", of_quantity("deadlock_free", evidence__cycle=[[0, 0, 1], [0, 0, 2]]), "does not wait for"),
    ("waiting schedule", of_quantity("deadlock_free", evidence__cycle=[[0, 0, 9]]), "a step is 9; a whole number from"),
    ("waiting schedule", of_quantity("deadlock_free", value="true"), "false was expected"),
    (
        "racing schedule",
        of_quantity("race_free", evidence__steps=[_at_step(0, 0, 0), _at_step(1, 0, 0)]),
        "its steps do not both touch i[0]",
    ),
    (
        "racing schedule",
        of_quantity("race_free", evidence__steps=[_at_step(0, 1, 0), _at_step(0, 1, 1)], evidence__chunk="s[0]"),
        "one of its steps precedes the other",
    ),
    ("racing schedule", of_quantity("race_free", evidence__steps=[_at_step(0, 1, 1)] * 2), "does not overlap itself"),
    ("racing schedule", of_quantity("race_free", evidence__in_place=False), "its schedule is not called so"),
    ("racing schedule", _said_to_be_true, "two of its steps touch one chunk in no order"),
    ("wrong schedule", _said_to_be_true, "rank 0 ends with i[0] of rank 1 in o[0]; the sum of i[0] of ranks 0 and 1"),
    ("wrong schedule", of_quantity("result_correct", evidence__rank=1), "rank 1 ends with what it should in o[0]"),
    ("wrong schedule", of_quantity("result_correct", evidence__chunk=1), "its chunk is 1"),
]  # fmt: skip


@forged(FORGERIES)
def test_forgeries(forgery: Forgery) -> None:
    check_forgery(forgery)


def test_what_a_custom_collective_must_end_with_is_not_known() -> None:
    document = report(RIGHT["broadcast"])
    del document["subject"]["schedule"]["root"]
    assert "what its collective must end with is not known" in str(refusal(sealed(document)))


def custom(*blocks: Block) -> Schedule:
    return Schedule("small", "custom", 1, (blocks,), (3,), (1,), (1,))


def test_a_step_overlaps_itself_where_it_reads_and_writes() -> None:
    document = report(custom(Block((Step("copy", i(0), i(1), 2),))))
    assert verify(document) == len(document["claims"])
    of_quantity("race_free", evidence__chunk="i[2]")(document)
    assert "does not overlap itself first at i[2]" in str(refusal(sealed(document)))


def test_steps_that_never_run_do_not_race() -> None:
    document = report(custom(Block((Step("copy", i(0), s(0)),)), Block((Step("copy", i(0), s(0)),))))
    assert "race_free" in [x["quantity"] for x in document["claims"]]
    document["claims"] = [x for x in document["claims"] if x["quantity"] == "race_free"]
    for block in (0, 1):
        first = {"do": "wait", "count": 0, "after": [[block, 0]]}
        document["subject"]["schedule"]["ranks"][0][block]["steps"].insert(0, first)
    document["claims"][0]["evidence"]["steps"] = [[0, 0, 1], [0, 1, 1]]
    assert "its schedule deadlocks" in str(refusal(sealed(document)))
