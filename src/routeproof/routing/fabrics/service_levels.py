"""Service levels: which virtual lane each packet is on, hop by hop.

A packet keeps its service level all the way; every switch has a table that tells the lane of the next channel from the
port that the packet came in by, the port that it leaves by, and its level (InfiniBand Architecture Specification,
vol. 1, sec. 7.6.6, SL-to-VL mapping).  Without tables the lane is the level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError, VerificationError
from ...core.network import Network
from ...formats.documents.packed_ints import pack_ints, unpack_ints
from ...formats.infiniband.fabric import FabricNetwork
from ...formats.infiniband.service_levels import read_path_levels
from ...formats.infiniband.sl2vl import read_lane_tables
from ...formats.text_files import brief
from ..base.routing import ForwardingTable, Routing
from ..dependencies.channels import TurnNumbers, turn_numbers

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
