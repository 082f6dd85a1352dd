"""Whether packets can wait for one another for ever: verdicts that can be verified, and how they are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.claim import Claim
from ..routing.base.routing import Routing
from ..routing.named.names import report_name

if TYPE_CHECKING:
    from ..analysis.deadlock.channels import Deadlock
    from ..analysis.deadlock.lanes import LaneDeadlock
    from ..routing.infiniband.service_levels import ServiceLevels

__all__ = ["DeadlockReport", "deadlock_report", "described"]


@dataclass(frozen=True, eq=False)
class DeadlockReport:
    """The verdicts about one routing: on one lane, and by service level where ``levels`` are given."""

    routing: Routing
    single: Deadlock
    levels: ServiceLevels | None
    by_level: LaneDeadlock | None
    claims: tuple[Claim, ...]


def deadlock_report(
    routing: Routing,
    *,
    levels: ServiceLevels | None = None,
    virtual: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> DeadlockReport:
    """Judge a routing; ``virtual``: look for virtual channels that free it, too.

    Raises InputError for routings whose dependencies are not known, or are too many.
    """
    from ..analysis.deadlock.channels import deadlock, virtual_channels
    from ..analysis.deadlock.lanes import lane_deadlock

    by_level = None if levels is None else lane_deadlock(routing, levels)
    single = deadlock(routing, progress=progress)
    claims = [] if by_level is None else [by_level.claim()]
    claims.append(single.claim())
    if virtual:
        claims.append(virtual_channels(routing, progress=progress, alone=single).claim())
    return DeadlockReport(routing, single, levels, by_level, tuple(claims))


def described(routing: Routing) -> dict[str, Any]:
    """As ``Routing.describe``; a table with its paths, also as a part of a mixture, for claims about them."""
    from ..formats.documents.routing import paths_to_document
    from ..routing.base.mixture import Mixture
    from ..routing.tables.path_table import TableRouting

    if isinstance(routing, Mixture) and any(isinstance(part, TableRouting) for _, part in routing.parts):
        return {"spec": routing.name, "parts": [[str(weight), described(part)] for weight, part in routing.parts]}

    if isinstance(routing, TableRouting):
        return {"spec": report_name(routing), "document": paths_to_document(routing.given, routing.network)}
    return routing.describe()
