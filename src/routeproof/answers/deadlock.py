"""Can a routing deadlock?  Verdicts with their proofs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.stage import Stage, silent
from ..routing.base.routing import Routing
from .answer import RoutingAnswer, subject_of

if TYPE_CHECKING:
    from ..analysis.deadlock.channels import Deadlock
    from ..analysis.deadlock.lanes import LaneDeadlock
    from ..routing.infiniband.service_levels import ServiceLevels

__all__ = ["DeadlockAnswer", "answer_deadlock"]


@dataclass(frozen=True, eq=False, kw_only=True)
class DeadlockAnswer(RoutingAnswer):
    """The verdicts about one routing: on one lane, and by service level where ``levels`` are given."""

    single: Deadlock
    levels: ServiceLevels | None
    by_level: LaneDeadlock | None

    @property
    def subject(self) -> dict[str, Any]:
        levels = {} if self.levels is None else {"service_levels": self.levels.describe()}
        return {**subject_of(self.routing, topology=self.topology, paths=True), **levels}


def answer_deadlock(
    routing: Routing,
    *,
    topology: str | None = None,
    levels: ServiceLevels | None = None,
    virtual: bool = False,
    stage: Stage | None = None,
) -> DeadlockAnswer:
    """Judge a routing; ``virtual``: look for virtual channels that free it, too.

    ``topology`` and ``stage`` as in ``answer_worst_case``.  Raises InputError for routings whose dependencies are not
    known, or are too many.
    """
    from ..analysis.deadlock.channels import deadlock, virtual_channels
    from ..analysis.deadlock.lanes import lane_deadlock

    with (stage or silent)("channel dependencies") as progress:
        by_level = None if levels is None else lane_deadlock(routing, levels)
        single = deadlock(routing, progress=progress)
        claims = [] if by_level is None else [by_level.claim()]
        claims.append(single.claim())
        if virtual:
            claims.append(virtual_channels(routing, progress=progress, alone=single).claim())
    return DeadlockAnswer(
        routing=routing, topology=topology, single=single, levels=levels, by_level=by_level, stated=tuple(claims)
    )
