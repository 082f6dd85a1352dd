"""Claims about deadlock by service level: the dependencies of lanes are derived again, from tables and levels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import VerificationError
from ...core.graph import first_descent
from ...core.network import Network
from ...formats.documents.packed_ints import unpack_ints
from ...routing.base.routing import Routing
from ...routing.dependencies.cycle_sentences import same_sentence
from ...routing.infiniband.lane_dependencies import LanePacket, lane_dependencies, packet_makes
from ...routing.infiniband.lane_sentences import lane_cycle_sentence, place_of_lane
from ...routing.infiniband.service_levels import NUM_LEVELS, ServiceLevels
from ..reading import as_channel, as_list

__all__ = ["check_lane_cycle", "check_lane_order"]


def check_lane_order(routing: Routing, levels: ServiceLevels, data: Mapping[str, Any]) -> None:
    """Raise VerificationError unless the numbers of the evidence increase along every dependency."""
    found = lane_dependencies(routing, levels)
    number = unpack_ints(data.get("number"), what="its number", max_items=found.num_vertices)
    if len(number) != found.num_vertices:
        raise VerificationError(f"its number has {len(number)} entries; {found.num_vertices} were expected")
    k = first_descent(number, found.first, found.second)
    if k is not None:
        one, two = (place_of_lane(routing, int(x[k])) for x in (found.first, found.second))
        raise VerificationError(f"its numbers do not increase from {one} to {two}, which depends on it")


def check_lane_cycle(routing: Routing, levels: ServiceLevels, data: Mapping[str, Any]) -> None:
    """Raise VerificationError unless every dependency of the evidence's cycle is one of its packet."""
    network = routing.network
    cycle = [_vertex(network, x) for x in as_list(data, "cycle")]
    packets = [_packet(levels, x) for x in as_list(data, "packets")]
    if len(cycle) < 2 or len(packets) != len(cycle):
        raise VerificationError("its cycle needs at least two channels, and a packet for each")
    for here, following, packet in zip(cycle, cycle[1:] + cycle[:1], packets, strict=True):
        if not packet_makes(routing, levels, packet, here, following):
            raise VerificationError(
                f"no packet from terminal {packet.source} to {packet.destination} on service level {packet.level} "
                f"crosses {place_of_lane(routing, here)} and then {place_of_lane(routing, following)}"
            )
    if "witness" in data and not same_sentence(data["witness"], lane_cycle_sentence(routing, cycle, packets)):
        raise VerificationError("its witness is not its cycle in words")


def _vertex(network: Network, value: object) -> int:
    if not isinstance(value, list) or len(value) != 2 or type(value[1]) is not int or not 0 <= value[1] < NUM_LEVELS:
        raise VerificationError("an entry of its cycle is no channel with a lane from 0 to 15")
    return value[1] * network.num_channels + as_channel(network, value[0])


def _packet(levels: ServiceLevels, value: object) -> LanePacket:
    tables, size, _ = levels.level.shape
    bounds = (size, size, tables, NUM_LEVELS)
    if not isinstance(value, list) or len(value) != 4 or not all(type(x) is int for x in value):
        raise VerificationError("a packet of its cycle is no list of source, destination, table and service level")
    if not all(0 <= x < bound for x, bound in zip(value, bounds, strict=True)):
        raise VerificationError(f"there are no packets such as {value}")
    return LanePacket(*value)
