"""Service levels: which virtual lane each packet is on, hop by hop; and the dependencies between lanes that follow.

A packet keeps its service level all the way; every switch has a table that tells the lane of the next channel from the
port that the packet came in by, the port that it leaves by, and its level (InfiniBand Architecture Specification,
vol. 1, sec. 7.6.6, SL-to-VL mapping).  Without tables the lane is the level.

Source: Dally & Seitz 1987, the channel dependency graph of virtual channels; a lane of a channel is one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.errors import InputError, VerificationError
from ...core.network import Network
from ...formats.documents.packed_ints import pack_ints, unpack_ints
from ...formats.infiniband.fabric import FabricNetwork
from ...formats.infiniband.service_levels import read_path_levels
from ...formats.infiniband.sl2vl import read_lane_tables
from ...formats.text_files import brief
from ...machine.compiled import njit
from ..base.routing import ForwardingTable, Routing
from ..dependencies.channels import TurnNumbers, cycle_sentence, turn_numbers

NUM_LEVELS = 16
UInt8 = npt.NDArray[np.uint8]
_MOST_TABLES = 128


@dataclass(frozen=True, eq=False)
class ServiceLevels:
    """The service levels of the packets on a network, and the lanes that they mean.

    - ``level``: uint16, shape (P, T, T); bit s of level[k, i, j] is set where packets from terminal i to terminal j
      that take table k (of P, by lid; see ``routing.fabrics.forwarding_tables``) may have service level s.  0: no
      such packets.
    - ``lane``: uint8, shape (turns, 16), numbered as ``turns`` is: the lane on a turn's second channel, by level; 255
      where nothing is known.  None: the lane is the level.
    - ``missing``: how many pairs of terminals at different nodes send nothing, for want of a record.
    - ``replies``: packets back on the level of a record are among these.
    """

    network: Network
    level: npt.NDArray[np.uint16]
    lane: UInt8 | None = None
    missing: int = 0
    replies: bool = False

    def __repr__(self) -> str:
        return f"<ServiceLevels on {self.network.name[:60]}: {self.missing} pairs without a record>"

    @cached_property
    def turns(self) -> TurnNumbers:
        return turn_numbers(self.network)

    @cached_property
    def lanes(self) -> UInt8:
        """``lane``, written out where it is the level; never level 15, which is lane 15."""
        if self.lane is not None:
            return self.lane
        return np.broadcast_to(np.arange(NUM_LEVELS, dtype=np.uint8), (self.turns.count, NUM_LEVELS))

    def used(self) -> list[int]:
        """The service levels that some packet has, ascending."""
        union = int(np.bitwise_or.reduce(self.level, axis=None))
        return [s for s in range(NUM_LEVELS) if union >> s & 1]

    def along(self, terminal: int, path: Sequence[int], level: int) -> list[int]:
        """The lane of a packet of ``terminal`` on every channel of ``path``; 255 or 15 where it is given none."""
        turns = self.turns
        rank = turns.rank
        numbers = [int(turns.inject[terminal] + rank[path[0]])] if len(path) else []
        numbers += [int(turns.start[a] + rank[b]) for a, b in pairwise(path)]
        return [int(x) for x in self.lanes[numbers, level]]

    def turn_text(self, turn: int) -> str:
        """``at s1, from s0[3] -> s1[4] to s1[2] -> s2[1]``."""
        network, turns = self.network, self.turns
        first, second = int(turns.first[turn]), int(turns.second[turn])
        begin = (
            network.channel_label(first)
            if first < network.num_channels
            else network.terminal_label(first - network.num_channels)
        )
        return f"at {network.label(int(network.tail[second]))}, from {begin} to {network.channel_label(second)}"

    def describe(self) -> dict[str, Any]:
        """For a report: the levels, and the lanes where they are not the levels; for people, how they were taken."""
        described: dict[str, Any] = {"tables": len(self.level), "level": pack_ints(self.level.ravel().astype(np.int64))}
        if self.missing:
            described["missing"] = self.missing
        if self.replies:
            described["replies"] = "same"
        if self.lane is not None:
            described["lane"] = pack_ints(self.lane.ravel().astype(np.int64))
        return described


def levels_from_description(described: object, network: Network) -> ServiceLevels:
    """The levels that ``ServiceLevels.describe`` told; raises VerificationError where they make no sense."""
    if not isinstance(described, Mapping):
        raise VerificationError("the subject's service levels are no object")
    foreign = sorted(set(described) - {"tables", "level", "lane", "missing", "replies"}, key=str)
    if foreign or described.get("replies", "same") != "same":
        what = foreign[0] if foreign else "replies"
        raise VerificationError(f"the subject's service levels have {brief(what)} in a form that is not known")
    tables, size = described.get("tables"), network.num_terminals
    if type(tables) is not int or not 1 <= tables <= _MOST_TABLES:
        raise VerificationError(f"the subject's service levels are for {brief(tables)} tables; 1 to 128 were expected")
    level = unpack_ints(described.get("level"), what="the subject's service levels", max_items=tables * size * size)
    if len(level) != tables * size * size or (len(level) and not 0 <= level.min() <= level.max() < 1 << NUM_LEVELS):
        raise VerificationError(f"the subject's service levels do not fit {tables} tables and {size} terminals")
    found = ServiceLevels(network, level.astype(np.uint16).reshape(tables, size, size))
    missing = described.get("missing", 0)
    both = np.bitwise_or.reduce(found.level, axis=0)
    if not both.any():
        raise VerificationError("none of the subject's packets has a service level")
    apart = network.source[:, None] != network.sink[None, :]
    lost = int(((found.level == 0) & apart).sum())
    least = max(int(((both == 0) & apart).sum()), min(lost, 1))
    if type(missing) is not int or not (missing == lost if tables == 1 else least <= missing <= lost):
        raise VerificationError(
            f"the subject says that {brief(missing)} of its pairs of terminals have no service level; {lost} have none"
        )
    if "replies" in described and not np.array_equal(both, both.T):
        raise VerificationError("the subject says that answers keep the level of the request; some do not")
    if "lane" not in described:
        return found
    count = found.turns.count * NUM_LEVELS
    lane = unpack_ints(described["lane"], what="the subject's virtual lanes", max_items=count)
    if len(lane) != count or (count and not 0 <= lane.min() <= lane.max() <= 255):
        raise VerificationError("the subject's virtual lanes do not fit its network")
    return ServiceLevels(network, found.level, lane.astype(np.uint8).reshape(-1, NUM_LEVELS))


def read_service_levels(text: str, network: Network, *, lanes: str | None = None) -> ServiceLevels:
    """The levels in a file of path records, and with ``lanes`` the SL2VL tables in another one.

    ``text``: the file's path, and options: ``FILE,missing=none`` takes pairs without a record to send nothing,
    ``FILE,replies=same`` lets packets go back on the level of the record, too, as the answers of a connection do.

    Raises InputError for a network that is not a fabric, and as the readers of the files do.
    """
    path, given = text, set()
    for option, only in (("missing", "none"), ("replies", "same")) * 2:
        begin, comma, value = path.rpartition(f",{option}=")
        if comma and "," not in value:
            if value != only:
                raise InputError(f"service levels: {option}={brief(value)}; {option}={only} was expected")
            path = begin
            given.add(option)
    if not isinstance(network, FabricNetwork):
        raise InputError(
            f"service levels go by lids, and {network.name} has none: give the output of ibnetdiscover as the topology"
        )
    found = read_path_levels(path, network, allow_missing="missing" in given, with_replies="replies" in given)
    lane = None if lanes is None else _by_turn(network, read_lane_tables(lanes, network))
    return ServiceLevels(network, found.level, lane, found.missing, "replies" in given)


def _by_turn(network: FabricNetwork, tables: Sequence[UInt8]) -> UInt8:
    turns = turn_numbers(network)
    host_port = np.array([host.port for host in network.hosts], dtype=np.int64)
    enters = np.concatenate([network.far_port, host_port])[turns.first]
    leaves = network.port[turns.second]
    at = network.tail[turns.second]
    lane = np.empty((turns.count, NUM_LEVELS), dtype=np.uint8)
    order = np.argsort(at, kind="stable")
    low = np.searchsorted(at[order], np.arange(network.num_nodes + 1))
    for v, table in enumerate(tables):
        here = order[low[v] : low[v + 1]]
        lane[here] = table[enters[here], leaves[here]]
    return lane


def tables_of(routing: Routing, levels: ServiceLevels) -> list[ForwardingTable]:
    """Table k of ``levels``, for every k; raises InputError for a routing that is not a forwarding table."""
    found = [table for _, table in routing.forwarding_tables()]
    count = len(levels.level)
    if not found:
        raise InputError(
            f"{routing.name}: service levels are for forwarding tables, one port for every switch and lid (dump_fts), "
            f"and it is none"
        )
    if count % len(found):
        raise InputError(
            f"{routing.name} mixes {len(found)} tables, and host ports have {count} lids; as many were expected"
        )
    return [found[k % len(found)] for k in range(count)]


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
