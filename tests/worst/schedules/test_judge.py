"""Schedules judged, beside what every interleaving of their steps does."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from routeproof.core.errors import InputError
from routeproof.core.schedules.accesses import Memory, accesses
from routeproof.core.schedules.check import check_schedule
from routeproof.core.schedules.schedule import Block, Schedule, Step
from routeproof.worst.schedules.judge import Judgement, judge
from small_schedules import (
    RIGHT,
    deep,
    exchange,
    i,
    interleavings,
    is_right,
    mutated,
    o,
    outputs,
    pairwise_all_to_all,
    recursive_doubling,
    reduce_then_scatter,
    ring_all_gather,
    ring_all_reduce,
    schedule,
    waiting_for_one_another,
)


def is_refused(given: Schedule) -> bool:
    try:
        check_schedule(given)
    except InputError:
        return True
    return False


def compare(given: Schedule) -> Judgement:
    """Judge it and hold all that is found against the interleavings."""
    found = judge(given)
    every = {way: interleavings(given, in_place=way) for way in given.in_place}
    assert {x.stuck for x in every.values()} == {found.number is None}
    if found.number is None:
        return found
    assert found.depth is not None
    one = given.in_place[0]
    if found.depth.least and given.num_steps < 20:
        assert not interleavings(given, in_place=one, room=found.depth.least).stuck
        assert interleavings(given, in_place=one, room=found.depth.least - 1).stuck
    racing = any(_races(given, found, way, every[way]) for way in every)
    assert racing == (found.race is not None)
    right = {is_right(given, x) for runs in every.values() for x in runs.finals}
    if not racing:
        assert found.outcome is not None
        assert (found.outcome.wrong is None) == (right == {True})
        assert all(len(x.finals) == 1 for x in every.values())
        if found.outcome.wrong is None:
            assert found.outcome.orders == max(_orders(given, x) for runs in every.values() for x in runs.finals)
    elif found.outcome is not None:
        assert found.outcome.wrong is not None
        assert False in right
    return found


def _races(given: Schedule, found: Judgement, in_place: bool, runs: object) -> bool:
    memory = Memory.of(given, in_place=in_place)
    touched = [
        {(slot, writes) for slot, writes, _ in accesses(found.relation, memory, x)} for x in range(given.num_steps)
    ]
    for a, b in combinations(range(given.num_steps), 2):
        both = {x for x, _ in touched[a]} & {x for x, _ in touched[b]}
        written = {x for x, writes in touched[a] | touched[b] if writes}
        if both & written and not runs.ordered(a, b):  # type: ignore[attr-defined]
            return True
    return any(
        step.reads_source and step.does.writes and 0 < abs(_shift(memory, r, step)) < step.count
        for r, _, _, step in given.steps()
    )


def _shift(memory: Memory, rank: int, step: object) -> int:
    return memory.slot(rank, step.target) - memory.slot(rank, step.source)  # type: ignore[attr-defined]


def _orders(given: Schedule, final: tuple[object, ...]) -> int:
    by_inputs: dict[str, set[object]] = {}
    for (rank, k), value in outputs(given, final).items():
        key = f"{k}" if given.collective in ("all-reduce", "broadcast", "all-gather") else f"{rank} {k}"
        by_inputs.setdefault(key, set()).add(value)
    return max(map(len, by_inputs.values()))


@pytest.mark.parametrize("name", RIGHT)
def test_schedules_that_are_right(name: str) -> None:
    found = compare(check_schedule(RIGHT[name]))
    assert found.race is None
    assert found.outcome is not None
    assert found.outcome.wrong is None
    assert found.outcome.orders == 1


@pytest.mark.parametrize("name", RIGHT)
def test_whatever_is_changed_is_refused_or_judged_as_all_interleavings_say(name: str) -> None:
    verdicts = set()
    for changed in mutated(RIGHT[name], 1 if name == "recursive doubling" else 9):
        if is_refused(changed):
            verdicts.add("refused")
            continue
        found = compare(changed)
        verdicts.add("stuck" if found.number is None else "race" if found.race else "wrong")
    assert "refused" in verdicts
    assert len(verdicts) > 1


def test_a_dropped_wait_is_a_race_with_its_place() -> None:
    right = exchange()
    blocks = [list(row) for row in right.blocks]
    steps = blocks[0][1].steps
    blocks[0][1] = replace(blocks[0][1], steps=(steps[0], replace(steps[1], after=())))
    found = compare(check_schedule(replace(right, blocks=tuple(map(tuple, blocks)))))
    (line, _) = found.findings()
    assert "i[0] of rank 0: thread block 0, step 0 (send) and thread block 1, step 1 (reduce)" in line


def test_what_is_wrong_in_place_alone_is_said_so() -> None:
    """What is received is written over the input, which is then added to it."""
    steps = Step("send", i(0)), Step("receive", None, o(0)), Step("reduce", i(0), o(0))
    ranks = [[Block(steps, 1 - rank, 1 - rank)] for rank in range(2)]
    found = compare(check_schedule(schedule("all-reduce", 1, ranks, in_place=(False, True))))
    (line,) = found.findings()
    assert line.startswith("In every execution in place rank 0 ends with i[0] of rank 1 (2 times) in o[0]")


def test_ranks_that_wait_for_one_another() -> None:
    found = compare(check_schedule(waiting_for_one_another()))
    assert found.number is None
    lines = list(found.findings())
    assert {x.strip() for x in lines[1:]} == {
        f"rank {rank}, thread block 0, step {k} ({verb})"
        for rank in (0, 1)
        for k, verb in ((1, "receive"), (2, "send"))
    }


@pytest.mark.parametrize("messages", [1, 2, 5, 9])
def test_the_least_depth(messages: int) -> None:
    found = judge(check_schedule(deep(messages)))
    assert found.depth is not None
    assert found.depth.least == messages


@pytest.mark.parametrize("n", [2, 3, 5, 16])
def test_larger_ones(n: int) -> None:
    for given in (ring_all_gather(n), ring_all_reduce(n), reduce_then_scatter(n), pairwise_all_to_all(n)):
        found = judge(check_schedule(given))
        assert found.race is None
        assert found.outcome is not None
        assert found.outcome.wrong is None


def test_recursive_doubling_adds_up_in_one_order_and_all_pairs_do_not() -> None:
    found = judge(check_schedule(recursive_doubling(8)))
    assert found.outcome is not None
    assert (found.outcome.wrong, found.outcome.orders) == (None, 1)
