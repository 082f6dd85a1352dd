"""The slots of all ranks' buffers, numbered; in place, input and output share slots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .collectives import COLLECTIVES, INPUT, OUTPUT, SCRATCH
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
