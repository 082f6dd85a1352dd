"""Can a routing deadlock?  Verdicts with their proofs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..routing.base.routing import Routing
from ..routing.infiniband.service_levels import ServiceLevels
from ..worst.deadlock.channels import Deadlock, deadlock, virtual_channels
from ..worst.deadlock.lanes import LaneDeadlock, lane_deadlock
from .answer import ALONE, RoutingAnswer, Setting, subject_of


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
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
    routing: Routing, *, levels: ServiceLevels | None = None, virtual: bool = False, setting: Setting = ALONE
) -> DeadlockAnswer:
    """Judge a routing; ``virtual``: look for virtual channels that free it, too.

    Raises InputError for routings whose dependencies are not known, or are too many.
    """
    with setting.stage("channel dependencies") as progress:
        by_level = None if levels is None else lane_deadlock(routing, levels)
        single = deadlock(routing, progress=progress)
        claims = [] if by_level is None else [by_level.claim()]
        claims.append(single.claim())
        if virtual:
            claims.append(virtual_channels(routing, progress=progress, alone=single).claim())
    return DeadlockAnswer(
        routing=routing,
        topology=setting.topology,
        single=single,
        levels=levels,
        by_level=by_level,
        stated=tuple(claims),
    )
