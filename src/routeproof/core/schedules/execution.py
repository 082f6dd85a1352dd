"""Steps run one after the other on symbols: which input every slot holds, or which sum of inputs, added in which order.

A value is an input (rank, chunk) or a sum of two values; + is commutative and not associative, as in floating point.
Equal sums are one value: two ranks end with equal bits just if they end with the same value.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..arrays import Int64
from .accesses import Memory
from .collectives import INPUT, OUTPUT, Leaf
from .connections import Connection
from .relation import Relation
from .schedule import Place

NOTHING = -1
"""The value of a slot that nobody has written, and of every sum with it."""


@dataclass
class Values:
    """All values, numbered as they are made; ``parts[v]``: an input, or the two values that ``v`` is the sum of."""

    parts: list[tuple[int, int]] = field(default_factory=list)
    leaf: list[bool] = field(default_factory=list)
    terms: list[dict[Leaf, int]] = field(default_factory=list)
    known: dict[tuple[bool, int, int], int] = field(default_factory=dict)

    def input(self, rank: int, chunk: int) -> int:
        return self._made(True, rank, chunk)

    def sum(self, one: int, two: int) -> int:
        return NOTHING if NOTHING in (one, two) else self._made(False, *sorted((one, two)))

    def _made(self, leaf: bool, one: int, two: int) -> int:
        number = self.known.setdefault((leaf, one, two), len(self.parts))
        if number == len(self.parts):
            self.parts.append((one, two))
            self.leaf.append(leaf)
            terms = {(one, two): 1} if leaf else dict(self.terms[one])
            if not leaf:
                for x, times in self.terms[two].items():
                    terms[x] = terms.get(x, 0) + times
            self.terms.append(terms)
        return number


class Wrong(NamedTuple):
    """What is wrong with a result: the output chunk of a rank, and in words what it holds."""

    rank: int
    chunk: int
    words: str


@dataclass(frozen=True)
class Execution:
    """``results[rank][k]``: the value of output chunk k; ``unfilled``: the first step that reads a slot before anything
    is written there, and which."""

    relation: Relation
    values: Values
    results: tuple[tuple[int, ...], ...]
    unfilled: tuple[int, Place] | None

    def wrong(self) -> Wrong | None:
        """The first output chunk that is not what the collective asks for; None where all are right."""
        places = ((rank, k) for rank, row in enumerate(self.results) for k in range(len(row)))
        return next((x for place in places if (x := self.fault(*place)) is not None), None)

    def fault(self, rank: int, chunk: int) -> Wrong | None:
        """What is wrong with one output chunk, or None."""
        value, wanted = self.results[rank][chunk], self._wanted(rank, chunk)
        if wanted is None or (value != NOTHING and self.values.terms[value] == dict.fromkeys(wanted, 1)):
            return None
        words = f"rank {rank} ends with {self._held(value)} in o[{chunk}]; {_terms_once(wanted)} was expected"
        return Wrong(rank, chunk, words)

    def _wanted(self, rank: int, chunk: int) -> Sequence[Leaf] | None:
        schedule = self.relation.schedule
        assert schedule.asks is not None
        return schedule.asks.expected(rank, chunk, schedule.num_ranks, schedule.chunks, schedule.root or 0)

    def _held(self, value: int) -> str:
        if value == NOTHING:
            reason = ""
            if self.unfilled is not None:
                number, place = self.unfilled
                reason = f" ({self.relation.place(number)} reads {place} before anything is there)"
            return f"nothing{reason}"
        return _terms(sorted(self.values.terms[value].items()))

    def orders(self) -> int:
        """The most different sums that ranks end with for one chunk: 1 where all ranks have equal bits."""
        return max(map(len, self.sums().values()), default=0)

    def sums(self) -> dict[tuple[Leaf, ...], dict[int, list[tuple[int, int]]]]:
        """By the inputs that are to be added up: every value that ranks end with, and as which (rank, output chunk)."""
        found: dict[tuple[Leaf, ...], dict[int, list[tuple[int, int]]]] = {}
        for rank, row in enumerate(self.results):
            for k, value in enumerate(row):
                wanted = self._wanted(rank, k)
                if wanted is not None:
                    found.setdefault(tuple(wanted), {}).setdefault(value, []).append((rank, k))
        return found


def _terms_once(wanted: Sequence[Leaf]) -> str:
    return _terms([(x, 1) for x in wanted])


def _terms(terms: Sequence[tuple[Leaf, int]]) -> str:
    """``i[5] of rank 2``, ``i[5] of ranks 0, 1 (twice) and 3``."""
    by_chunk: dict[int, list[str]] = {}
    for (rank, chunk), times in terms:
        by_chunk.setdefault(chunk, []).append(f"{rank}" + ("" if times == 1 else f" ({times} times)"))
    texts = []
    for chunk, ranks in by_chunk.items():
        if len(ranks) == 1:
            texts.append(f"i[{chunk}] of rank {ranks[0]}")
        else:
            shown = ranks if len(ranks) <= 8 else [*ranks[:7], f"{len(ranks) - 7} more"]
            texts.append(f"the sum of i[{chunk}] of ranks {', '.join(shown[:-1])} and {shown[-1]}")
    return " + ".join(texts[:4]) + (f" + {len(texts) - 4} more" if len(texts) > 4 else "")


def execute(relation: Relation, order: Int64, *, in_place: bool) -> Execution:
    """Run all steps in ``order``, each after all that precede it, with connections that hold any number of messages."""
    schedule = relation.schedule
    memory, values = Memory.of(schedule, in_place=in_place), Values()
    held = [NOTHING] * memory.num_slots
    initial = memory.initial()
    for rank in range(schedule.num_ranks):
        for k in range(schedule.inputs[rank]):
            slot = memory.slot(rank, Place(INPUT, k))
            if slot in initial:
                held[slot] = values.input(rank, k)
    waiting: dict[Connection, deque[list[int]]] = {way: deque() for way in relation.messages}
    unfilled: tuple[int, Place] | None = None
    for number in order.tolist():
        rank, block, k = relation.where[number]
        own, step = schedule.blocks[rank][block], relation.step(number)
        does = step.does
        if step.action == "wait":
            continue
        reads = [[held[x] for x in memory.slots(rank, place, step.count)] for place in step.reads]
        for place, row in zip(step.reads, reads, strict=True):
            if unfilled is None and NOTHING in row:
                unfilled = number, Place(place.buffer, place.offset + row.index(NOTHING))
        if does.receives:
            assert own.receive_from is not None
            found = waiting[Connection(own.receive_from, rank, own.channel)].popleft()
        else:
            found = reads.pop(0)
        for row in reads:
            found = [values.sum(x, y) for x, y in zip(found, row, strict=True)]
        if does.writes:
            assert step.target is not None
            first = memory.slot(rank, step.target)
            held[first : first + step.count] = found
        if does.sends:
            assert own.send_to is not None
            waiting[Connection(rank, own.send_to, own.channel)].append(found)
    results = tuple(
        tuple(held[memory.slot(rank, Place(OUTPUT, k))] for k in range(schedule.outputs[rank]))
        for rank in range(schedule.num_ranks)
    )
    return Execution(relation, values, results, unfilled)
