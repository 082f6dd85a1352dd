"""Claims about a schedule: the order of its steps, a cycle, a race, and what comes out when the steps are run again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.arrays import Int64
from ...core.claim import Claim, Grade
from ...core.errors import InputError, VerificationError
from ...core.graph import first_descent, numbering_or_cycle
from ...core.schedules.accesses import Memory, accesses, first_race, overlap, precedes
from ...core.schedules.execution import Execution, execute
from ...core.schedules.relation import Relation
from ...core.schedules.schedule import Schedule
from ...formats.schedules.document import schedule_from_document
from ..kind import EXACT, VERIFIED, Kind, States, SubjectKind, answers
from ..reading import Report, as_numbers, as_whole, check_value
from ..shapes import ANY, BOUND, FLAG, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, Shape
from ..work import spend
from .written import (
    elaborate_cycle,
    elaborate_depth,
    elaborate_order,
    elaborate_race,
    elaborate_race_free,
    elaborate_result,
    elaborate_wrong,
)

if TYPE_CHECKING:
    from .placed import Placed

Numbered = Sequence[int]


class Judge:
    """A schedule, with what was checked already for another claim of the report."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule, self.relation = schedule, Relation(schedule)
        self._executions: dict[bool, Execution] = {}
        self._race_free: bool | None = None

    def order(self, number: object) -> Int64:
        """All steps, each after all that precede it, by the numbers of the evidence."""
        return self._ascending(number, self.relation.edges)

    def ordered_with_room(self, number: object, depth: int) -> None:
        self._ascending(number, self.relation.with_room(depth))

    def _ascending(self, number: object, edges: tuple[Int64, Int64]) -> Int64:
        numbers = as_numbers(number, "its number", self.schedule.num_steps)
        k = first_descent(numbers, *edges)
        if k is not None:
            one, two = (self.relation.place(int(x[k])) for x in edges)
            raise VerificationError(f"its numbers do not increase from {one} to {two}, which comes after it")
        return np.argsort(numbers, kind="stable").astype(np.int64)

    def step(self, value: Numbered) -> int:
        """The number of a step that is given as [rank, thread block, step]."""
        if len(value) != 3:
            raise VerificationError("a step of its evidence is not a list of rank, thread block and step")
        rank = as_whole(value[0], "a rank", 0, self.schedule.num_ranks - 1)
        block = as_whole(value[1], "a thread block", 0, len(self.schedule.blocks[rank]) - 1)
        step = as_whole(value[2], "a step", 0, len(self.schedule.blocks[rank][block].steps) - 1)
        return self.relation.number(rank, block, step)

    def check_cycle(self, steps: Sequence[Numbered], edges: tuple[Int64, Int64]) -> None:
        cycle = [self.step(x) for x in steps]
        if not cycle:
            raise VerificationError("its cycle is empty")
        known = set(zip(edges[0].tolist(), edges[1].tolist(), strict=True))
        for one, two in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            if (one, two) not in known:
                raise VerificationError(f"{self.relation.place(two)} does not wait for {self.relation.place(one)}")

    def check_no_race(self, order: Int64) -> None:
        """Whether two steps are ordered does not depend on ``order``."""
        if self._race_free is None:
            self._race_free = first_race(self.relation, order) is None
        if not self._race_free:
            raise VerificationError(
                "two of its steps touch one chunk in no order, so that the outcome depends on the timing"
            )

    def execution(self, order: Int64, in_place: bool) -> Execution:
        """Of a schedule without races: the same for every order."""
        found = self._executions.get(in_place)
        if found is None:
            found = self._executions[in_place] = execute(self.relation, order, in_place=in_place)
        return found

    def check_asked(self) -> None:
        if self.schedule.asks is None:
            raise VerificationError("what its collective must end with is not known")


def verify_schedule(report: Report) -> None:
    """Check the claims about the subject's schedule; raises InputError for one that cannot be understood."""
    try:
        schedule = schedule_from_document(report.subject["schedule"], what="its schedule")
        placed = None if "network" not in report.subject else _placed(report, schedule)
    except InputError as error:
        raise InputError(f"the report's subject: {error}") from None
    blocks, chunks = sum(map(len, schedule.blocks)), sum(step.count for *_, step in schedule.steps())
    one_call = schedule.num_steps * (20 + blocks // 100) + chunks * schedule.num_ranks
    spend(len(schedule.in_place) * one_call, "running the steps of its schedule")
    judge = Judge(schedule)

    def check(claim: Claim) -> None:
        kind = claim.evidence.kind
        if kind in _CHECKS:
            _CHECKS[kind](judge, claim, claim.evidence.data)
        elif placed is None:
            raise VerificationError("it is about a network, which the report's subject does not have")
        else:
            placed.check(judge.relation, claim)

    report.check_each(check)


def _placed(report: Report, schedule: Schedule) -> Placed:
    from .placed import Placed  # it loads all routings, which a schedule alone does not need

    return Placed.of(report, schedule)


def _check_order(judge: Judge, _: Claim, data: Mapping[str, Any]) -> None:
    judge.order(data["number"])


def _check_cycle(judge: Judge, _: Claim, data: Mapping[str, Any]) -> None:
    judge.check_cycle(data["cycle"], judge.relation.edges)


def _check_depth(judge: Judge, claim: Claim, data: Mapping[str, Any]) -> None:
    depth = claim.number
    if depth.denominator != 1 or depth < 0:
        raise VerificationError("it is not a whole number")
    judge.ordered_with_room(data["number"], int(depth))
    if depth > 1:
        judge.check_cycle(data["cycle"], judge.relation.with_room(int(depth) - 1))
    elif int(depth) != min(1, judge.relation.most_messages):
        raise VerificationError(f"it is {depth}; {'no' if depth else 'some'} messages are sent")


def _check_ordered(judge: Judge, _: Claim, data: Mapping[str, Any]) -> None:
    judge.check_no_race(judge.order(data["number"]))


def _check_race(judge: Judge, _: Claim, data: Mapping[str, Any]) -> None:
    one, two = (judge.step(x) for x in _pair(data["steps"]))
    if numbering_or_cycle(judge.schedule.num_steps, *judge.relation.edges)[0] is None:
        raise VerificationError("its schedule deadlocks, so that its steps may never run")
    if data["in_place"] not in judge.schedule.in_place:
        raise VerificationError("its schedule is not called so")
    memory = Memory.of(judge.schedule, in_place=data["in_place"])
    touched = [{(slot, writes) for slot, writes, _ in accesses(judge.relation, memory, x)} for x in (one, two)]
    slot = next((s for s, _, place in accesses(judge.relation, memory, two) if str(place) == data["chunk"]), None)
    both = [{writes for s, writes in x if s == slot} for x in touched]
    if slot is None or not all(both) or not any(True in x for x in both):
        raise VerificationError(f"its steps do not both touch {data['chunk'][:40]}, one of them writing")
    if one == two:
        if str(overlap(judge.relation, memory, one)) != data["chunk"]:
            raise VerificationError(f"it is one step, which does not overlap itself first at {data['chunk'][:40]}")
    elif precedes(judge.relation, one, two) or precedes(judge.relation, two, one):
        raise VerificationError("one of its steps precedes the other in every execution")


def _pair(steps: Sequence[Numbered]) -> Sequence[Numbered]:
    if len(steps) != 2:
        raise VerificationError("its race is of two steps")
    return steps


def _check_result(judge: Judge, claim: Claim, data: Mapping[str, Any]) -> None:
    judge.check_asked()
    order = judge.order(data["number"])
    if claim.value == "true":
        judge.check_no_race(order)
        for in_place in judge.schedule.in_place:
            wrong = judge.execution(order, in_place).wrong()
            if wrong is not None:
                raise VerificationError(wrong.words)
        return
    if data["in_place"] not in judge.schedule.in_place:
        raise VerificationError("its schedule is not called so")
    rank = as_whole(data["rank"], "its rank", 0, judge.schedule.num_ranks - 1)
    chunk = as_whole(data["chunk"], "its chunk", 0, judge.schedule.outputs[rank] - 1)
    if execute(judge.relation, order, in_place=data["in_place"]).fault(rank, chunk) is None:
        raise VerificationError(f"rank {rank} ends with what it should in o[{chunk}]")


def _check_orders(judge: Judge, claim: Claim, data: Mapping[str, Any]) -> None:
    judge.check_asked()
    order = judge.order(data["number"])
    judge.check_no_race(order)
    found = [judge.execution(order, x) for x in judge.schedule.in_place]
    if any(x.wrong() is not None for x in found):
        raise VerificationError("its result is wrong, so that there are no sums to compare")
    check_value(claim, max(x.orders() for x in found), "running the steps gives")


_SOURCE = frozenset({"docs/schedules.md"})
_OF = frozenset({"schedule"})
_NUMBER = Keys({"number": NUMBERS})
_STEPS = ListOf(ListOf(WHOLE))

STEP_ORDER = Kind(
    "step-order",
    "A number for every step that grows along its thread block, along waits and along messages, so that no steps wait "
    "for one another.",
    _NUMBER,
    answers("deadlock_free", "true"),
    _SOURCE,
    elaborate=elaborate_order,
    subjects=_OF,
)
STEP_CYCLE = Kind(
    "step-cycle",
    "Steps each of which can only end after the one before it, and the first after the last: none ever ends.",
    Keys({"cycle": _STEPS}),
    answers("deadlock_free", "false"),
    _SOURCE,
    elaborate=elaborate_cycle,
    subjects=_OF,
)
FIFO_ORDER = Kind(
    "fifo-order",
    "A number for every step that grows along everything that it waits for, room for its message included; and with "
    "one message less of room, steps that wait for one another in a cycle.",
    Keys({"number": NUMBERS, "cycle": _STEPS}),
    {"fifo_depth": States(EXACT, Grade.PROVED)},
    _SOURCE,
    elaborate=elaborate_depth,
    subjects=_OF,
)
STEPS_ORDERED = Kind(
    "steps-ordered",
    "An order of all steps; every two that touch one chunk, one of them writing, are compared again by what precedes "
    "what.",
    _NUMBER,
    answers("race_free", "true"),
    _SOURCE,
    elaborate=elaborate_race_free,
    subjects=_OF,
)
STEP_RACE = Kind(
    "step-race",
    "Two steps that touch one chunk, one of them writing, and neither precedes the other.",
    Keys({"steps": _STEPS, "chunk": TEXT, "in_place": FLAG}),
    answers("race_free", "false"),
    _SOURCE,
    elaborate=elaborate_race,
    subjects=_OF,
)
STEPS_RUN = Kind(
    "steps-run",
    "All steps, run again on symbols: what every rank ends with is compared with what the collective asks for.",
    _NUMBER,
    {
        **answers("result_correct", "true"),
        "reduction_orders": States(EXACT, Grade.PROVED),
    },
    _SOURCE,
    elaborate=elaborate_result,
    subjects=_OF,
)
STEPS_RUN_WRONG = Kind(
    "steps-run-wrong",
    "An order in which all steps can run, after which this rank ends with something else in this chunk.",
    Keys({"number": NUMBERS, "in_place": FLAG, "rank": WHOLE, "chunk": WHOLE}),
    answers("result_correct", "false"),
    _SOURCE,
    elaborate=elaborate_wrong,
    subjects=_OF,
)
_CHECKS = {
    STEP_ORDER.name: _check_order,
    STEP_CYCLE.name: _check_cycle,
    FIFO_ORDER.name: _check_depth,
    STEPS_ORDERED.name: _check_ordered,
    STEP_RACE.name: _check_race,
    STEPS_RUN.name: lambda judge, claim, data: (
        _check_orders if claim.quantity == "reduction_orders" else _check_result
    )(judge, claim, data),
    STEPS_RUN_WRONG.name: _check_result,
}
_OF_FILE: Mapping[str, Shape] = {"document": TEXT, **VERIFIED}
SCHEDULE = SubjectKind(
    "schedule",
    verify_schedule,
    Either(
        "network",
        Keys(
            {"schedule": ANY, "network": ANY, "routing": ANY},
            {**_OF_FILE, "topology": TEXT, "ranks": ListOf(WHOLE), "host_cables": ListOf(BOUND)},
        ),
        Keys({"schedule": ANY}, _OF_FILE),
    ),
)
