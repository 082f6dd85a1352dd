"""Can packets of a routing wait for one another for ever?  Verdicts with their proofs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.claim import Claim
from ..core.stage import Stage, silent
from ..routing.base.routing import Routing
from ..routing.named.report_entry import describe_routing
from .answer import Answer
from .subject import subject_of

if TYPE_CHECKING:
    from ..analysis.deadlock.channels import Deadlock
    from ..analysis.deadlock.lanes import LaneDeadlock
    from ..routing.infiniband.service_levels import ServiceLevels

__all__ = ["DeadlockAnswer", "answer_deadlock"]


@dataclass(frozen=True, eq=False)
class DeadlockAnswer(Answer):
    """The verdicts about one routing: on one lane, and by service level where ``levels`` are given."""

    routing: Routing
    topology: str
    single: Deadlock
    levels: ServiceLevels | None
    by_level: LaneDeadlock | None
    stated: tuple[Claim, ...]

    @property
    def subject(self) -> dict[str, Any]:
        subject = {
            **subject_of(self.routing, topology=self.topology),
            "routing": describe_routing(self.routing, paths=True),
        }
        if self.levels is not None:
            subject["service_levels"] = self.levels.describe()
        return subject

    def claims(self) -> tuple[Claim, ...]:
        return self.stated


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

    network = routing.network
    with (stage or silent)("channel dependencies") as progress:
        by_level = None if levels is None else lane_deadlock(routing, levels)
        single = deadlock(routing, progress=progress)
        claims = [] if by_level is None else [by_level.claim()]
        claims.append(single.claim())
        if virtual:
            claims.append(virtual_channels(routing, progress=progress, alone=single).claim())
    named = topology or network.spec or network.name
    return DeadlockAnswer(routing, named, single, levels, by_level, tuple(claims))
