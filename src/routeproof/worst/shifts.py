"""The worst of all shifts, in the numbering of the terminals: what a phase of an all-to-all gets at least."""

from __future__ import annotations

from ..claims.collectives.shifts import WORST_SHIFT
from ..core.claim import Claim
from ..core.schedules.phases import phases_of
from ..core.spread import Progress
from ..routing.base.routing import Routing
from .phase_loads import phase_loads


def worst_shift_claim(routing: Routing, *, progress: Progress | None = None) -> Claim | None:
    """``worst_shift_throughput``; None where no shift loads a channel."""
    size = routing.network.num_terminals
    phases = phases_of("linear-shift", "all-to-all", size)
    loads = phase_loads(routing, phases, range(size), progress=progress, total=size - 1)
    if not any(x.load for x in loads):
        return None
    first = max(range(len(loads)), key=lambda k: loads[k].load)
    return WORST_SHIFT.claim(1 / loads[first].load, {"by": first + 1, "channel": loads[first].channel})
