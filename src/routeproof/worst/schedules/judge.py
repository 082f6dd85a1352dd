"""A schedule judged: an order of its steps or a cycle, the least depth of its connections, a race, the result; its time
on a network, and how many times the optimum that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...claims.schedules.schedule_claims import (
    FIFO_ORDER,
    STEP_CYCLE,
    STEP_ORDER,
    STEP_RACE,
    STEPS_ORDERED,
    STEPS_RUN,
    STEPS_RUN_WRONG,
)
from ...claims.schedules.times import SCHEDULE_RATIO, SCHEDULE_TIME, TIME, Times, ratio_end
from ...core.arrays import Int64
from ...core.claim import Claim
from ...core.graph import numbering_or_cycle
from ...core.schedules.accesses import Race, first_race
from ...core.schedules.execution import Wrong, execute
from ...core.schedules.relation import Relation
from ...core.schedules.schedule import Schedule
from ...core.spread import Progress
from ...formats.documents.packed_ints import pack_ints

_SHOWN = 12


@dataclass(frozen=True, eq=False)
class Depth:
    """``least``: how many messages every connection must hold; ``number``: an order of the steps then; ``cycle``: with
    one message less."""

    least: int
    number: Int64
    cycle: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What comes out when the steps run in the order ``number``: ``wrong`` of a call (``in_place`` or not), or None and
    ``orders``, the most different orders of adding up one chunk; ``differing``: a (rank, output chunk) for each."""

    number: Int64
    in_place: bool
    wrong: Wrong | None
    orders: int = 0
    differing: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Judgement:
    """``number``: an order of the steps, each after all that precede it; None, and ``cycle``, of a schedule that
    deadlocks, of which nothing else is known.  ``outcome``: None where it is not asked for or not the same in every
    execution, as far as found."""

    relation: Relation
    number: Int64 | None
    cycle: tuple[int, ...] = ()
    depth: Depth | None = None
    race: Race | None = None
    outcome: Outcome | None = None

    def claims(self) -> Iterator[Claim]:
        where = self.relation.where
        if self.number is None:
            yield STEP_CYCLE.claim("false", {"cycle": [list(where[x]) for x in self.cycle]})
            return
        packed = {"number": pack_ints(self.number)}
        yield STEP_ORDER.claim("true", packed)
        if self.depth is not None:
            cycle = [list(where[x]) for x in self.depth.cycle]
            yield FIFO_ORDER.claim(self.depth.least, {"number": pack_ints(self.depth.number), "cycle": cycle})
        if self.race is None:
            yield STEPS_ORDERED.claim("true", packed)
        else:
            steps = [list(where[x]) for x in (self.race.one, self.race.two)]
            place = {"chunk": str(self.race.place), "in_place": self.race.in_place}
            yield STEP_RACE.claim("false", {"steps": steps, **place})
        if self.outcome is None:
            return
        wrong = self.outcome.wrong
        if wrong is None:
            yield STEPS_RUN.claim("true", packed, quantity="result_correct")
            yield STEPS_RUN.claim(self.outcome.orders, packed, quantity="reduction_orders")
        else:
            where_wrong = {"in_place": self.outcome.in_place, "rank": wrong.rank, "chunk": wrong.chunk}
            yield STEPS_RUN_WRONG.claim("false", {"number": pack_ints(self.outcome.number), **where_wrong})

    def findings(self) -> Iterator[str]:
        """What is wrong, each in a line with its place, and what is not judged."""
        relation, schedule = self.relation, self.relation.schedule
        if self.number is None:
            yield "Steps wait for one another; each can only end after the one before it:"
            for x in self.cycle[:_SHOWN]:
                yield f"  {relation.place(x)} ({relation.step(x).action})"
            if len(self.cycle) > _SHOWN:
                yield f"  and {len(self.cycle) - _SHOWN} more; --json has them all"
            return
        if self.race is not None:
            one, two, place, in_place = self.race
            way = " in place" if in_place and len(schedule.in_place) > 1 else ""
            rank = relation.where[one][0]
            if one == two:
                yield f"A race{way}: {relation.place(one)} reads and writes {place} of rank {rank}: its chunks overlap."
            else:
                does = [
                    f"thread block {relation.where[x][1]}, step {relation.where[x][2]} ({relation.step(x).action})"
                    for x in (one, two)
                ]
                yield f"A race{way} on {place} of rank {rank}: {does[0]} and {does[1]} run in no order."
        if self.outcome is not None and self.outcome.wrong is not None:
            when = "In some execution" if self.race is not None else "In every execution"
            way = "" if len(schedule.in_place) == 1 else " in place" if self.outcome.in_place else " out of place"
            yield f"{when}{way} {self.outcome.wrong.words}."
        elif self.outcome is not None and self.outcome.orders > 1:
            where = ", ".join(f"o[{k}] of rank {rank}" for rank, k in self.outcome.differing[:_SHOWN])
            yield f"Ranks add up one chunk in {self.outcome.orders} different orders, so that bits may differ: {where}."
        elif schedule.asks is None:
            yield f"The result is not judged: the file does not say what {schedule.collective} must end with."
        elif self.outcome is None:
            yield "The result is not judged: it may depend on which step of the race comes first."


def judge(schedule: Schedule, *, progress: Progress | None = None) -> Judgement:
    """Judge a schedule that makes sense (``core.schedules.check``); ``progress`` counts four parts of the work."""
    relation = Relation(schedule)
    number, cycle = numbering_or_cycle(schedule.num_steps, *relation.edges)
    if number is None:
        return Judgement(relation, None, tuple(cycle))

    def done(part: int) -> None:
        if progress is not None:
            progress(part, 4)

    done(1)
    depth = least_depth(relation, number)
    done(2)
    race = first_race(relation, order_of(number))
    done(3)
    outcome = None
    if schedule.asks is not None:
        outcome = _outcome(relation, number) if race is None else _racy_outcome(relation, number, race)
    done(4)
    return Judgement(relation, number, (), depth, race, outcome)


def order_of(number: Int64) -> Int64:
    return np.argsort(number, kind="stable").astype(np.int64)


def least_depth(relation: Relation, number: Int64) -> Depth:
    """By bisection: with more room less has to be waited for.  ``number``: an order of the steps with any room."""
    size = len(relation.where)
    low, high = 0, relation.most_messages
    order, cycle = number, []
    while high - low > 1:
        middle = (low + high) // 2
        found, waiting = numbering_or_cycle(size, *relation.with_room(middle))
        if found is None:
            low, cycle = middle, waiting
        else:
            high, order = middle, found
    return Depth(high, order, tuple(cycle))


def _outcome(relation: Relation, number: Int64) -> Outcome:
    orders, differing = 0, []
    for in_place in relation.schedule.in_place:
        found = execute(relation, order_of(number), in_place=in_place)
        wrong = found.wrong()
        if wrong is not None:
            return Outcome(number, in_place, wrong)
        most = max(found.sums().values(), key=len, default={})
        if len(most) > orders:
            orders, differing = len(most), [x[0] for x in most.values()]
    return Outcome(number, relation.schedule.in_place[0], None, orders, tuple(differing))


def _racy_outcome(relation: Relation, number: Int64, race: Race) -> Outcome | None:
    """An execution that ends wrong, with either step of the race first; None where neither does."""
    tail, head = relation.edges
    for one, two in ((race.one, race.two), (race.two, race.one)):
        if one != two:
            extra = np.append(tail, one), np.append(head, two)
            found, _ = numbering_or_cycle(len(relation.where), *extra)
            assert found is not None
            number = found
        outcome = _outcome(relation, number)
        if outcome.wrong is not None:
            return outcome
    return None


def time_claims(times: Times) -> list[Claim]:
    """One equation where the busiest channel and the phases meet, else both ends."""
    (channel, low), high = times.busiest(), times.in_phases()
    if low == high:
        return [SCHEDULE_TIME.claim(low, {"channel": channel}, times.about)]
    return [
        SCHEDULE_TIME.claim(high, {}, times.about, relation="<="),
        SCHEDULE_TIME.claim(low, {"channel": channel}, times.about, relation=">="),
    ]


def ratio_claims(stated: Sequence[Claim], about: Mapping[str, Any]) -> list[Claim]:
    """What the claims about time and rate make of the time relative to the optimum; ``about``: what the rate is of."""
    ends = {relation: ratio_end(stated, relation, about) for relation in ("<=", ">=")}
    known = {relation: x for relation, x in ends.items() if x is not None}
    if len(known) == len(ends) and len(set(known.values())) == 1:
        known = {"==": known["<="]}
    own = {k: x for k, x in about.items() if k == "host_cables"}
    return [SCHEDULE_RATIO.claim(x, {"from": TIME}, own, relation=relation) for relation, x in known.items()]
