"""A cycle of dependencies between lanes in words."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.routing import Routing
from ..dependencies.cycle_sentences import cycle_sentence
from .lane_dependencies import LanePacket

__all__ = ["lane_cycle_sentence", "place_of_lane"]


def place_of_lane(routing: Routing, vertex: int) -> str:
    """``s0[3] -> s1[4] on lane 2``; lane l of channel c has the number l * C + c."""
    size = routing.network.num_channels
    return f"{routing.network.channel_label(vertex % size)} on lane {vertex // size}"


def lane_cycle_sentence(routing: Routing, cycle: Sequence[int], packets: Sequence[LanePacket]) -> str:
    """``cycle``: lanes of channels; ``packets``: one for each."""
    name = routing.network.terminal_label
    held = (f"held by a packet from {name(p.source)} to {name(p.destination)} on level {p.level}" for p in packets)
    return cycle_sentence(f"{place_of_lane(routing, x)} ({by})" for x, by in zip(cycle, held, strict=True))
