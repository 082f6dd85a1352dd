"""Which slots the steps read and write, and whether every two accesses of one slot, one of them a write, are ordered.

The slots of all ranks' buffers are numbered; in place, input and output share slots.

Vector clocks (Fidge 1988, Mattern 1989): of every step, how many steps of each thread block precede it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import Int64
from .collectives import COLLECTIVES, INPUT, OUTPUT, SCRATCH
from .relation import Relation
from .schedule import Place, Schedule


@dataclass(frozen=True)
class Memory:
    """The slots of all ranks, numbered: chunk k of a rank's buffer is slot ``base[rank][buffer] + k``; input and output
    share slots in place."""

    schedule: Schedule
    base: tuple[Mapping[str, int], ...]
    num_slots: int

    @classmethod
    def of(cls, schedule: Schedule, *, in_place: bool) -> Memory:
        known, free, base = COLLECTIVES.get(schedule.collective), 0, []
        for rank in range(schedule.num_ranks):
            sizes = schedule.inputs[rank], schedule.outputs[rank]
            if in_place:
                shift = (0, 0) if known is None else known.shift(rank, schedule.num_ranks, schedule.chunks)
                here, size = {INPUT: free + shift[0], OUTPUT: free + shift[1]}, max(sizes)
            else:
                here, size = {INPUT: free, OUTPUT: free + sizes[0]}, sum(sizes)
            base.append({**here, SCRATCH: free + size})
            free += size + schedule.scratch[rank]
        return cls(schedule, tuple(base), free)

    def slot(self, rank: int, place: Place) -> int:
        return self.base[rank][place.buffer] + place.offset

    def slots(self, rank: int, place: Place, count: int) -> range:
        first = self.slot(rank, place)
        return range(first, first + count)

    def initial(self) -> set[int]:
        """The slots that hold something from the start: the inputs of all ranks (of the root alone, where it has one
        and nothing is added up)."""
        schedule = self.schedule
        known = schedule.asks
        alone = known is not None and known.rooted and not known.sums
        ranks = [schedule.root or 0] if alone else range(schedule.num_ranks)
        return {self.base[r][INPUT] + k for r in ranks for k in range(schedule.inputs[r])}


_MOST_ENTRIES = 1 << 26  # of clocks that are kept at a time


class Race(NamedTuple):
    """Two steps (numbers of the relation; equal for one that overlaps itself) that touch one slot, one of them writing,
    with no order between them; ``place``: as the second step calls the slot; ``in_place``: how it is called."""

    one: int
    two: int
    place: Place
    in_place: bool


def accesses(relation: Relation, memory: Memory, number: int) -> Iterator[tuple[int, bool, Place]]:
    """(slot, is it a write?, what the step calls it) of all that a step touches, reads first."""
    rank, step = relation.where[number][0], relation.step(number)
    places = [(x, False) for x in step.reads]
    if step.does.writes and step.target is not None:
        places.append((step.target, True))
    for place, writes in places:
        for j, slot in enumerate(memory.slots(rank, place, step.count)):
            yield slot, writes, Place(place.buffer, place.offset + j)


def first_race(relation: Relation, order: Int64) -> Race | None:
    """A race, or None.  ``order``: the numbers of all steps, each after all that precede it.

    In this order, an access that comes after all accesses of its slot since the last write, and a write that does so
    too, are enough: the others are ordered by them.
    """
    for in_place in relation.schedule.in_place:
        memory = Memory.of(relation.schedule, in_place=in_place)
        for race in (_overlap(relation, memory), _unordered(relation, memory, order)):
            if race is not None:
                return Race(*race, in_place)
    return None


Found = tuple[int, int, Place]


def overlap(relation: Relation, memory: Memory, number: int) -> Place | None:
    """The first chunk of its source that a step also writes, as another chunk of its target: its threads run in no
    order.  None where there is no such chunk."""
    rank, step = relation.where[number][0], relation.step(number)
    if step.reads_source and step.does.writes and step.source is not None and step.target is not None:
        shift = memory.slot(rank, step.target) - memory.slot(rank, step.source)
        if 0 < abs(shift) < step.count:
            return Place(step.source.buffer, step.source.offset + max(shift, 0))
    return None


def _overlap(relation: Relation, memory: Memory) -> Found | None:
    for number in range(len(relation.where)):
        place = overlap(relation, memory, number)
        if place is not None:
            return number, number, place
    return None


def _unordered(relation: Relation, memory: Memory, order: Int64) -> Found | None:
    blocks = [len(x) for x in relation.schedule.blocks]
    most = max(1, _MOST_ENTRIES // max(1, len(order)))
    first = 0
    while first < len(blocks):
        last, width = first + 1, blocks[first]
        while last < len(blocks) and width + blocks[last] <= most:
            width += blocks[last]
            last += 1
        found = _of_ranks(relation, memory, order, range(first, last), width)
        if found is not None:
            return found
        first = last
    return None


def _of_ranks(relation: Relation, memory: Memory, order: Int64, ranks: range, width: int) -> Found | None:
    """A race on a slot of one of ``ranks``, which have ``width`` thread blocks."""
    clocks, column = _clocks(relation, order, ranks, width)
    last_write: dict[int, int] = {}
    readers: dict[int, list[int]] = {}
    for number in order.tolist():
        rank = relation.where[number][0]
        if rank not in ranks:
            continue
        clock = clocks[number]

        def before(other: int, clock: npt.NDArray[np.int32] = clock, number: int = number) -> bool:
            rank, block, k = relation.where[other]
            return other == number or bool(clock[column[rank, block]] > k)

        for slot, writes, place in accesses(relation, memory, number):
            earlier = readers.get(slot) if writes else None
            if not earlier:
                earlier = [last_write[slot]] if slot in last_write else []
            for other in earlier:
                if not before(other):
                    return other, number, place
            if writes:
                last_write[slot] = number
                readers[slot] = []
            else:
                readers.setdefault(slot, []).append(number)
    return None


def _clocks(
    relation: Relation, order: Int64, ranks: range, width: int
) -> tuple[npt.NDArray[np.int32], dict[tuple[int, int], int]]:
    """int32, shape (steps, width): how many steps of each thread block of ``ranks`` precede each step or are it; and
    the column of each thread block."""
    column: dict[tuple[int, int], int] = {}
    for rank in ranks:
        for block in range(len(relation.schedule.blocks[rank])):
            column[rank, block] = len(column)
    tail, head = relation.edges
    by_head = np.argsort(head, kind="stable")
    starts = np.searchsorted(head[by_head], np.arange(len(order) + 1)).tolist()
    before = tail[by_head].tolist()
    clocks = np.zeros((len(order), width), dtype=np.int32)
    for number in order.tolist():
        clock = clocks[number]
        for k in range(starts[number], starts[number + 1]):
            np.maximum(clock, clocks[before[k]], out=clock)
        rank, block, k = relation.where[number]
        if rank in ranks:
            clock[column[rank, block]] = k + 1
    return clocks, column


def precedes(relation: Relation, one: int, two: int) -> bool:
    """Does a path of the relation lead from step ``one`` to step ``two``?"""
    tail, head = relation.edges
    by_tail = np.argsort(tail, kind="stable")
    starts = np.searchsorted(tail[by_tail], np.arange(len(relation.where) + 1)).tolist()
    after = head[by_tail].tolist()
    seen, todo = {one}, [one]
    while todo and two not in seen:
        here = todo.pop()
        new = set(after[starts[here] : starts[here + 1]]) - seen
        seen |= new
        todo += new
    return two in seen
