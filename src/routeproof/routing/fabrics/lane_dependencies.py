"""Dependencies between virtual lanes, for packets that keep a service level (``routing.fabrics.service_levels``).

Source: Dally & Seitz 1987, the channel dependency graph of virtual channels; a lane of a channel is one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.errors import InputError
from ...machine.compiled import njit
from ..base.routing import ForwardingTable, Routing
from ..dependencies.channels import cycle_sentence
from .service_levels import NUM_LEVELS, ServiceLevels, tables_of

_DROPPED = 15


@dataclass(frozen=True, eq=False)
class LaneDependencies:
    """Dependency k: some packet crosses ``first[k]`` and then at once ``second[k]``; int64, sorted, no doubles.

    Lane l of channel c has the number l * C + c; ``lanes``: the lanes that packets use, ascending.
    """

    num_channels: int
    lanes: tuple[int, ...]
    first: Int64
    second: Int64

    @property
    def num_vertices(self) -> int:
        return self.num_channels * (max(self.lanes, default=0) + 1)


@dataclass(frozen=True)
class LanePacket:
    """A packet: from terminal ``source`` to terminal ``destination`` by table ``table``, on service level ``level``."""

    source: int
    destination: int
    table: int
    level: int


def lane_dependencies(routing: Routing, levels: ServiceLevels) -> LaneDependencies:
    """All dependencies of the packets that have these service levels.

    Raises InputError for a routing that is not a forwarding table, and where a packet is given no lane (no entry in the
    tables, or lane 15, which drops it).
    """
    network, turns = routing.network, levels.turns
    follows = np.zeros((turns.count, NUM_LEVELS), dtype=np.uint16)
    used = np.zeros(network.num_channels, dtype=np.uint16)
    lanes = np.ascontiguousarray(levels.lanes)
    for k, part in enumerate(tables_of(routing, levels)):
        level = _by_column(part, levels.level[k])
        column = np.unique(part.column_of).astype(np.int32)
        turn, s = mark_lanes(
            part.next_channel, network.head, network.source, column, part.column_node, level,
            (turns.start, turns.inject, turns.rank), lanes, follows, used,
        )  # fmt: skip
        if turn >= 0:
            _refuse(levels, int(turn), int(s))
    turn, lane = np.nonzero(follows)
    bits = follows[turn, lane]
    firsts, seconds = [], []
    size = network.num_channels
    for after in range(NUM_LEVELS):
        here = (bits >> after & 1).astype(bool)
        firsts.append(lane[here] * size + turns.first[turn[here]])
        seconds.append(after * size + turns.second[turn[here]])
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    order = np.lexsort((second, first))
    union = int(np.bitwise_or.reduce(used))
    return LaneDependencies(size, tuple(x for x in range(NUM_LEVELS) if union >> x & 1), first[order], second[order])


def packet_makes(routing: Routing, levels: ServiceLevels, packet: LanePacket, first: int, second: int) -> bool:
    """Is there such a packet, which no switch drops, and does it cross lane ``first`` (l * C + c) and then at once
    ``second``?"""
    i, j = packet.source, packet.destination
    if not levels.level[packet.table, i, j] >> packet.level & 1:
        return False
    part = tables_of(routing, levels)[packet.table]
    path = part.paths(int(part.row_of[i]), int(part.column_of[j]))[0][1]
    lanes = levels.along(i, path, packet.level)
    if max(lanes, default=0) >= _DROPPED:
        return False
    numbers = [x * routing.network.num_channels + c for x, c in zip(lanes, path, strict=True)]
    return any(pair == (first, second) for pair in pairwise(numbers))


def find_packet(routing: Routing, levels: ServiceLevels, first: int, second: int) -> LanePacket:
    """A packet that crosses lane ``first`` and then at once ``second``, of a dependency that there is."""
    network = routing.network
    size = network.num_channels
    a, b = first % size, second % size
    for k, part in enumerate(tables_of(routing, levels)):
        nodes = (part.next_channel[network.tail[a]] == a) & (part.next_channel[network.tail[b]] == b)
        nodes &= part.column_node != network.tail[b]
        for j in np.flatnonzero(nodes[part.column_of]).tolist():
            passing = _passing(part, int(part.column_of[j]), int(network.tail[a]))[network.source]
            for i in np.flatnonzero((levels.level[k][:, j] > 0) & passing).tolist():
                mask = int(levels.level[k, i, j])
                for s in (x for x in range(NUM_LEVELS) if mask >> x & 1):
                    packet = LanePacket(i, j, k, s)
                    if packet_makes(routing, levels, packet, first, second):
                        return packet
    raise AssertionError(f"no packet makes the dependency from {first} to {second}")


def _passing(part: ForwardingTable, column: int, node: int) -> npt.NDArray[np.bool_]:
    """bool, shape (N,): from which nodes packets to a column pass ``node``."""
    network = part.network
    channel = part.next_channel[:, column]
    ahead = np.where(channel >= 0, network.head[channel], part.column_node[column])
    ahead[part.column_node[column]] = part.column_node[column]
    found: npt.NDArray[np.bool_] = np.arange(network.num_nodes) == node
    while True:
        more = found | found[ahead]
        if (more == found).all():
            return found
        found = more


def _by_column(part: ForwardingTable, level: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
    """uint16, shape (T, D): the levels from a terminal to all terminals of a column."""
    result = np.zeros((len(level), len(part.column_node)), dtype=np.uint16)
    order = np.argsort(part.column_of, kind="stable")
    columns, low = np.unique(part.column_of[order], return_index=True)
    result[:, columns] = np.bitwise_or.reduceat(level[:, order], low, axis=1)
    return result


def _refuse(levels: ServiceLevels, turn: int, level: int) -> None:
    found = int(levels.lanes[turn, level])
    where = levels.turn_text(turn)
    if levels.lane is None:
        raise InputError(f"service level 15 {where}: without SL2VL tables it is lane 15, which is for management only")
    if found == _DROPPED:
        raise InputError(f"the SL2VL tables put service level {level} on lane 15 {where}: packets are dropped there")
    raise InputError(f"the SL2VL tables have no entry {where}, where packets of service level {level} go")


def place_of_lane(routing: Routing, vertex: int) -> str:
    """``s0[3] -> s1[4] on lane 2``; lane l of channel c has the number l * C + c."""
    size = routing.network.num_channels
    return f"{routing.network.channel_label(vertex % size)} on lane {vertex // size}"


def lane_cycle_sentence(routing: Routing, cycle: Sequence[int], packets: Sequence[LanePacket]) -> str:
    """``cycle``: lanes of channels; ``packets``: one for each."""
    name = routing.network.terminal_label
    held = (f"held by a packet from {name(p.source)} to {name(p.destination)} on level {p.level}" for p in packets)
    return cycle_sentence(f"{place_of_lane(routing, x)} ({by})" for x, by in zip(cycle, held, strict=True))


@njit(cache=True, nogil=True, error_model="numpy")
def mark_lanes(next_channel, head, source, column, target, level, turns, lane, follows, used):  # type: ignore[no-untyped-def]
    """Set bit l' of ``follows[turn, l]`` where some packet crosses the turn's first channel on lane l and then at once
    its second on lane l'; bit l of ``used[channel]`` where some packet is on lane l.

    As ``mark_turns``, with source: int32 (T,) a node for every terminal; level: uint16 (T, D), bit s where the terminal
    sends to the column on service level s; turns: (start, inject, rank); lane: uint8 (turns, 16), the lane on the
    turn's second channel by service level; follows: uint16 (turns, 16); used: uint16 (C,).

    Returns (-1, 0), or (turn, s) of a packet whose table gives it no lane, or lane 15.
    """
    start, inject, rank = turns
    done = np.zeros(len(next_channel), dtype=np.uint16)
    for d in column:
        end = target[d]
        done[:] = 0
        for t in range(len(source)):
            left = level[t, d]
            v = source[t]
            if left == 0 or v == end:
                continue
            a = next_channel[v, d]
            before = inject[t] + rank[a]
            for s in range(16):
                if left >> s & 1:
                    if lane[before, s] >= 15:
                        return before, s
                    used[a] |= 1 << lane[before, s]
            while left != 0:
                w = head[a]
                if w == end:
                    break
                b = next_channel[w, d]
                turn = start[a] + rank[b]
                for s in range(16):
                    if left >> s & 1:
                        if lane[turn, s] >= 15:
                            return turn, s
                        follows[turn, lane[before, s]] |= 1 << lane[turn, s]
                        used[b] |= 1 << lane[turn, s]
                # What comes after depends on the turn from a, which others of these levels have made before.
                left &= ~done[v]
                done[v] |= left
                v, a, before = w, b, turn
    return -1, 0
