"""Deadlock where every packet has a service level, which puts it on virtual lanes: do their dependencies have a cycle?

Source: Dally & Seitz 1987 for virtual channels, of which lanes are one kind.  Unlike there, which lane a packet is on
is not ours to choose: it is what the subnet manager handed out.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...claims.routings.deadlock import LANE_CYCLE, LANE_ORDER
from ...core.arrays import Int64
from ...core.claim import Claim
from ...core.graph import numbering_or_cycle
from ...routing.base.routing import Routing
from ...routing.infiniband.lane_dependencies import (
    LaneDependencies,
    LanePacket,
    find_packet,
    lane_cycle_sentence,
    lane_dependencies,
)
from ...routing.infiniband.service_levels import ServiceLevels
from .channels import free_claim

BY_LEVEL = "by service level"


@dataclass(frozen=True, eq=False)
class LaneDeadlock:
    """The judgement, with what shows it; lane l of channel c has the number l * C + c.

    ``number``: int64 (lanes * C,), increasing along every dependency; or None, and ``cycle``: lanes of channels, each
    of which one of ``packets`` holds while it asks for the next (the last for the first).
    """

    routing: Routing
    levels: ServiceLevels
    dependencies: LaneDependencies
    number: Int64 | None
    cycle: tuple[int, ...]
    packets: tuple[LanePacket, ...]

    @property
    def free(self) -> bool:
        return self.number is not None

    def cycle_text(self) -> str:
        """The cycle by name, with a packet for each of its dependencies."""
        return lane_cycle_sentence(self.routing, self.cycle, self.packets)

    def claim(self) -> Claim:
        """``deadlock_free``, lanes by service level: "true" with the numbering, "false" with the cycle as evidence."""
        size = self.routing.network.num_channels
        cycle = [[x % size, x // size] for x in self.cycle]
        packets = [[p.source, p.destination, p.table, p.level] for p in self.packets]
        about = {"paths": "own", "lanes": BY_LEVEL}
        return free_claim(LANE_ORDER, LANE_CYCLE, self.number, cycle, packets, self.cycle_text, about)


def lane_deadlock(routing: Routing, levels: ServiceLevels) -> LaneDeadlock:
    """Judge the dependencies between lanes; raises InputError as ``lane_dependencies`` does.

    The packets are those between hosts that have a service level; packets from and to switches (management) are not
    judged.
    """
    found = lane_dependencies(routing, levels)
    number, cycle = numbering_or_cycle(found.num_vertices, found.first, found.second)
    packets = [find_packet(routing, levels, x, y) for x, y in zip(cycle, cycle[1:] + cycle[:1], strict=True)]
    return LaneDeadlock(routing, levels, found, number, tuple(cycle), tuple(packets))
