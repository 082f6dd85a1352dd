"""Which step precedes which: the order within a thread block, waits, and messages (Lamport 1978).

A step precedes another in every execution just if a path of these edges leads from one to the other; with connections
that hold few messages there are more edges, and a cycle of them is a deadlock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Int64
from .connections import Connection, connections
from .schedule import Schedule, Step, place_of


@dataclass(frozen=True)
class Relation:
    """The steps of a schedule, numbered rank by rank and thread block by thread block, and what precedes what."""

    schedule: Schedule

    @cached_property
    def first(self) -> tuple[tuple[int, ...], ...]:
        """``first[rank][block]``: the number of its first step."""
        found, free = [], 0
        for blocks in self.schedule.blocks:
            row = []
            for block in blocks:
                row.append(free)
                free += len(block.steps)
            found.append(tuple(row))
        return tuple(found)

    @cached_property
    def where(self) -> list[tuple[int, int, int]]:
        """Rank, thread block and place in it of every step, by number."""
        return [(rank, block, k) for rank, block, k, _ in self.schedule.steps()]

    def number(self, rank: int, block: int, step: int) -> int:
        return self.first[rank][block] + step

    def step(self, number: int) -> Step:
        rank, block, k = self.where[number]
        return self.schedule.blocks[rank][block].steps[k]

    def place(self, number: int) -> str:
        return place_of(*self.where[number])

    @cached_property
    def messages(self) -> Mapping[Connection, tuple[Int64, Int64]]:
        """Of every connection, the numbers of its sends and of its receives, in order."""
        found = connections(self.schedule)
        return {way: (self._numbers(sent), self._numbers(received)) for way, (sent, received) in found.items()}

    def _numbers(self, steps: list[tuple[int, int, int]]) -> Int64:
        return np.array([self.number(*x) for x in steps], dtype=np.int64)

    @cached_property
    def edges(self) -> tuple[Int64, Int64]:
        """(tail, head): int64, shape (E,): the step ``tail[k]`` ends before ``head[k]`` ends, whatever the timing."""
        pairs: list[tuple[int, int]] = []
        for rank, block, k, step in self.schedule.steps():
            here = self.number(rank, block, k)
            if k:
                pairs.append((here - 1, here))
            pairs += [(self.number(rank, other, last), here) for other, last in step.after]
        own = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        tails, heads = [own[:, 0]], [own[:, 1]]
        for sent, received in self.messages.values():
            tails.append(sent)
            heads.append(received)
        return np.concatenate(tails), np.concatenate(heads)

    def with_room(self, depth: int) -> tuple[Int64, Int64]:
        """The edges where a connection holds at most ``depth`` messages: send k waits for receive k - depth, too."""
        tails, heads = [self.edges[0]], [self.edges[1]]
        for sent, received in self.messages.values():
            if len(sent) > depth:
                tails.append(received[: len(sent) - depth])
                heads.append(sent[depth:])
        return np.concatenate(tails), np.concatenate(heads)

    def phases(self, order: Int64) -> Int64:
        """int64, shape (steps,): the most messages on a path that ends with each step, its own included; ``order`` as
        ``accesses.first_race`` has it.  All messages of one number can go at once."""
        tail, head = self.edges
        by_head = np.argsort(head, kind="stable")
        starts = np.searchsorted(head[by_head], np.arange(len(order) + 1)).tolist()
        before = tail[by_head].tolist()
        phase = [0] * len(order)
        for number in order.tolist():
            first, last = starts[number], starts[number + 1]
            phase[number] = max((phase[x] for x in before[first:last]), default=0) + self.step(number).does.sends
        return np.array(phase, dtype=np.int64)

    @cached_property
    def most_messages(self) -> int:
        """Of one connection: with room for so many, no send ever waits for room."""
        return max((len(sent) for sent, _ in self.messages.values()), default=0)
