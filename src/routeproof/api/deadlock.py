"""``rp.deadlock``: can packets of a routing wait for one another for ever?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..answers.deadlock import DeadlockAnswer, answer_deadlock
from ..routing.base.routing import Routing
from .result import Result

if TYPE_CHECKING:
    from ..routing.infiniband.service_levels import ServiceLevels

__all__ = ["DeadlockResult", "deadlock"]


class DeadlockResult(Result):
    """``free``: no cycle of channel dependencies (with service levels: of virtual lanes)."""

    def __init__(self, answer: DeadlockAnswer) -> None:
        routing = answer.routing
        super().__init__(answer, title=f"{routing.name} on {routing.network.name}", routing=routing)
        self.verdict = answer

    @property
    def free(self) -> bool:
        verdict = self.verdict.single if self.verdict.by_level is None else self.verdict.by_level
        return verdict.free


def deadlock(
    routing: Routing, *, virtual_channels: bool = False, levels: ServiceLevels | None = None
) -> DeadlockResult:
    """A proof that packets of ``routing`` cannot wait for one another for ever, or the packets that can.

        >>> from routeproof import DOR, deadlock, mesh
        >>> deadlock(DOR().on(mesh(3, 3))).free
        True

    ``virtual_channels``: also look for few virtual channels that free the routing; ``levels``: service levels, judged
    by virtual lane.

    Source: Dally & Seitz 1987.  Raises InputError for routings whose dependencies are not known, or are too many.
    """
    return DeadlockResult(answer_deadlock(routing, levels=levels, virtual=virtual_channels))
