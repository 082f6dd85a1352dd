"""Weighted groups of next channels: how switches with weighted multipath forward; and groups from reports."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ...core.arrays import Int64, members, offsets_of
from ...core.errors import InputError
from ...core.exact_arrays import ragged, reduced
from ...core.graph import numbering_or_cycle
from ...core.network import Network
from ...core.rational import INT64_MAX
from ...formats.documents.packed_ints import unpack_ints
from ...formats.documents.routing import network_entry
from ..base.pair_table import By, Loads, PairTable, check_room
from ..base.tabled import TabledRouting
from .group_table import MOST_WEIGHT, GroupTable, GroupTableRouting

Group = Sequence[tuple[int, int]]
_MOST_BITS = 512
_TABLE_KEYS = {"columns", "group", "size", "channel", "weight"}
_MOST_ENTRIES = 1 << 26


class Allowed(Protocol):
    """What a set of paths says of the channels of a pair (``routing.path_sets``)."""

    @property
    def name(self) -> str: ...
    def channels(self, source: int, destination: int) -> Int64: ...


class GroupRouting(TabledRouting):
    """At every node a packet for a destination takes one of the next channels of its group, in proportion to their
    weights: whole numbers, entries of the switch's table.

    ``groups``: by (node, destination node) a list of (channel that leaves the node, weight >= 1); by (node, destination
    terminal) with ``columns="terminal"``.  ``within``: a set of
    paths to which all packets keep; its paths of a pair must be all those over its channels.

    Raises InputError for a channel that does not leave its node, a weight that is not a positive number, a cycle, a
    node that packets come to without a group, and channels outside the set.
    Source: Zhou et al. 2014 (EuroSys), WCMP.
    """

    crosses_once = True

    def __init__(
        self,
        network: Network,
        name: str,
        groups: Mapping[tuple[int, int], Group],
        within: Allowed | None = None,
        *,
        columns: By = "node",
    ) -> None:
        self.groups = {key: [(int(c), int(w)) for c, w in group] for key, group in sorted(groups.items())}
        super().__init__(network, name, _table(network, name, self.groups, columns), columns=columns)
        if within is not None:
            self._keep_to(within)

    @property
    def entries(self) -> int:
        return max((sum(w for _, w in group) for group in self.groups.values()), default=0)

    @property
    def members(self) -> int:
        by_node: dict[int, list[Group]] = {}
        for (v, _), group in self.groups.items():
            by_node.setdefault(v, []).append(group)
        return max(map(members_of, by_node.values()), default=0)

    def group(self, node: int, column: int) -> Group:
        return self.groups.get((node, column), ())

    def _keep_to(self, within: Allowed) -> None:
        network = self.network
        for i in np.nonzero(network.supply)[0].tolist():
            columns = np.nonzero(network.demand)[0]
            columns = columns[columns != i]
            block = self.pair_loads(np.full(len(columns), i), columns)
            for k, j in enumerate(columns.tolist()):
                used = block.channel[block.offset[k] : block.offset[k + 1]]
                outside = np.setdiff1d(used, within.channels(i, j))
                if len(outside):
                    c = network.channel_label(int(outside[0]))
                    raise InputError(
                        f"routing {self.name}: packets from node {i} to node {j} cross channel {c}, which is on no "
                        f"path of the set {within.name}"
                    )
        self.allowed = within.name

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # there are too many
        """The groups: what ``read_groups`` reads."""
        return {"groups": self._listed(), "allowed": self.allowed}

    def document(self) -> dict[str, Any]:
        """The groups (``files.documents`` reads it)."""
        return {"format": "routeproof/routing", "network": network_entry(self.network), "groups": self._listed()}

    def _listed(self) -> list[list[Any]]:
        return [[v, d, [c for c, _ in group], [w for _, w in group]] for (v, d), group in self.groups.items()]


def members_of(groups: Iterable[Group]) -> int:
    """How many members these groups of a switch have: a table of groups holds equal ones once, and a destination with
    one next channel has no group."""
    return sum(w for group in {tuple(sorted(x)) for x in groups if len(x) > 1} for _, w in group)


def read_groups(network: Network, name: str, items: object, within: Allowed | None = None) -> GroupRouting:
    """The routing of a list of [node, destination node, channels, weights]; raises InputError as ``GroupRouting``."""
    if not isinstance(items, list):
        raise InputError("'groups' of a routing must be a list of [node, destination, channels, weights]")
    groups: dict[tuple[int, int], Group] = {}
    limits = (network.num_nodes, network.num_nodes)
    for item in items:
        if not (isinstance(item, list) and len(item) == 4 and all(isinstance(x, list) for x in item[2:])):
            raise InputError(f"{str(item)[:60]!r} is not a group; [node, destination, channels, weights] was expected")
        if any(type(x) is not int or not 0 <= x < most for x, most in zip(item[:2], limits, strict=True)):
            raise InputError(f"{str(item[:2])[:60]} of a group are not two nodes; 0 to {network.num_nodes - 1}")
        at = (item[0], item[1])
        if at in groups:
            raise InputError(f"the group of node {at[0]} and destination {at[1]} is given twice")
        if len(item[2]) != len(item[3]) or any(type(x) is not int for x in [*item[2], *item[3]]):
            where = f"the group of node {at[0]} and destination {at[1]}"
            raise InputError(f"{where}: one whole weight for each channel was expected")
        groups[at] = list(zip(item[2], item[3], strict=True))
    return GroupRouting(network, name, groups, within)


def read_group_table(network: Network, name: str, data: object) -> GroupTableRouting:
    """What ``GroupTableRouting.written_in_full`` wrote; raises InputError unless it fits the network and delivers.

    It is ``{"columns", "group", "size", "channel", "weight"}``, packed integers.  ``columns``: "node", or the column of
    every terminal; ``group``: at every node, for every column, the number of a group, -1 for none; ``size``: how many
    channels each group has; ``channel``, ``weight``: of all groups, one after the other.
    """
    what = "'group_table' of a routing"
    if not isinstance(data, Mapping) or set(data) != _TABLE_KEYS:
        raise InputError(f"{what} must be an object with {', '.join(sorted(_TABLE_KEYS))}")
    column_of, width = None, network.num_nodes
    if data["columns"] != "node":
        column_of = unpack_ints(data["columns"], what=f"{what}: columns", max_items=network.num_terminals)
        if len(column_of) != network.num_terminals or not len(column_of) or int(column_of.min()) < 0:
            raise InputError(f"{what}: columns must be 'node', or one number from 0 on for every terminal")
        width = int(column_of.max()) + 1
        first = np.full(min(width, network.num_terminals), -1, dtype=np.int64)
        if width > network.num_terminals:
            raise InputError(f"{what}: columns are numbered from 0 on, without gaps; {width - 1} was found")
        first[column_of] = network.sink
        if not np.array_equal(first[column_of], network.sink) or int(first.min()) < 0:
            raise InputError(f"{what}: a column must have terminals, all of them of one node")
    places = network.num_nodes * width
    most = {"size": places, "group": places, "channel": _MOST_ENTRIES, "weight": _MOST_ENTRIES}
    size, group, channel, weight = (
        unpack_ints(data[key], what=f"{what}: {key}", max_items=most[key])
        for key in ("size", "group", "channel", "weight")
    )
    if len(group) != places:
        raise InputError(f"{what}: group holds {len(group)} numbers; {network.num_nodes} x {width} were expected")
    if (size < 1).any() or int(size.sum()) != len(channel) or len(channel) != len(weight):
        raise InputError(f"{what}: every group must have channels, each with a weight")
    if not len(group) or int(group.min()) < -1 or int(group.max()) >= len(size):
        raise InputError(f"{what}: group names a group that is not there; -1 to {len(size) - 1} were expected")
    if len(channel) and (int(channel.min()) < 0 or int(channel.max()) >= network.num_channels):
        raise InputError(f"{what}: channel names a channel that is not there")
    if len(weight) and (int(weight.min()) < 1 or int(weight.max()) > MOST_WEIGHT):
        raise InputError(f"{what}: a weight is a whole number from 1 to {MOST_WEIGHT}")
    start = offsets_of(size)
    within = np.ones(len(channel), dtype=bool)
    within[start[:-1]] = False
    if (np.diff(channel, prepend=-1)[within] <= 0).any():
        raise InputError(f"{what}: the channels of a group must ascend")
    tail = network.tail[channel]
    begins = tail[start[:-1]] if len(size) else tail
    if not np.array_equal(np.repeat(begins, size), tail):
        raise InputError(f"{what}: the channels of a group must leave one node")
    table = group.reshape(network.num_nodes, width).astype(np.int32)
    v, d = np.nonzero(table >= 0)
    if not np.array_equal(begins[table[v, d]], v):
        raise InputError(f"{what}: a node has a group of channels that leave another one")
    made = GroupTable(table, start, channel.astype(np.int32), weight)
    return GroupTableRouting(network, name, made, None if column_of is None else column_of.astype(np.int32))


def split_loads(
    network: Network, destination: int, channels: Int64, order: Sequence[int], share: Sequence[int] | None
) -> Loads:
    """(channel, row, column, load) of packets from all nodes with sources to one ``destination``.

    ``channels``: those that packets take, by ascending tail; ``order``: the nodes that have some, every one after all
    that its channels lead to.  At a node they are taken in proportion to their ``share`` (positive integers), or, None,
    so that all paths are taken alike.

    ``need[v]``: an integer that every probability of a packet from v is a multiple of 1 over; ``unit[k]``: of these
    parts, how many of a packet at the tail of channel k take it; ``visits[v, u]``: how many of the 1 / ``need[u]``
    parts at u are one of 1 / ``need[v]`` of a packet from v.
    """
    d, near = destination, channels
    first = offsets_of(np.bincount(network.tail[near], minlength=network.num_nodes))
    ends = network.head[near].tolist()
    need = {d: 1}
    unit = [0] * len(near)
    for v in order:
        out = range(int(first[v]), int(first[v + 1]))
        if share is None:
            taken = [need[ends[k]] for k in out]
        else:
            common = math.lcm(*(need[ends[k]] for k in out))
            taken = [common * int(share[k]) for k in out]
        need[v] = sum(taken)
        unit[first[v] : first[v + 1]] = taken
    kind = np.int64 if max(need.values()) <= INT64_MAX else object
    visits = np.zeros((network.num_nodes, network.num_nodes), dtype=kind)
    for v in order:
        for k in range(int(first[v]), int(first[v + 1])):
            if ends[k] != d:
                visits[v] += unit[k] // need[ends[k]] * visits[ends[k]]
        visits[v, v] += 1
    visits[network.supply == 0] = 0
    row, at = np.nonzero(visits)
    entry = ragged(first[at], np.diff(first)[at])
    which = members(offsets_of(np.diff(first)[at]))
    num = visits[row[which], at[which]] * np.array(unit, dtype=kind)[entry]
    scale = np.array([need.get(v, 1) for v in range(network.num_nodes)], dtype=kind)
    return near[entry], row[which], np.full(len(entry), d), reduced(num, scale[row[which]])


def _table(network: Network, name: str, groups: Mapping[tuple[int, int], Group], columns: By) -> PairTable:
    by_node = columns == "node"
    target = list(range(network.num_nodes)) if by_node else network.sink.tolist()
    of: dict[int, list[tuple[int, int]]] = {}
    for (v, d), group in groups.items():
        where = f"routing {name}: the group of node {v} and destination {d}"
        crossed = [c for c, _ in group]
        if v == target[d] or not crossed or len(set(crossed)) < len(crossed):
            raise InputError(f"{where} has {len(crossed)} channels; some were expected, each once, away from there")
        for c, weight in group:
            if not 0 <= c < network.num_channels or int(network.tail[c]) != v:
                raise InputError(f"{where} has channel {c}, which does not leave the node")
            if weight < 1 or weight.bit_length() > _MOST_BITS:
                raise InputError(f"{where} has the weight {weight}; a whole number from 1 on was expected")
        of.setdefault(d, []).extend(group)
    parts = []
    total = 0
    for d in np.nonzero(network.demand)[0].tolist() if by_node else range(network.num_terminals):
        chosen, end = of.get(d, []), target[d]
        channel = np.array([c for c, _ in chosen], dtype=np.int64)
        by_tail = np.argsort(network.tail[channel], kind="stable")
        channel, weights = channel[by_tail], [chosen[k][1] for k in by_tail.tolist()]
        tail, head = network.tail[channel].astype(np.int64), network.head[channel].astype(np.int64)
        ways = {*tail.tolist(), end}
        senders = np.nonzero(network.supply)[0].tolist()
        lost = next((v for v in [*head.tolist(), *senders] if v not in ways), None)
        if lost is not None:
            raise InputError(f"routing {name}: node {lost} has no group for destination {d}")
        level, cycle = numbering_or_cycle(network.num_nodes, tail, head)
        if level is None:
            nodes = ", ".join(network.label(v) for v in cycle[:6])
            raise InputError(f"routing {name}: packets for node {network.label(end)} may go round in a cycle: {nodes}")
        order = sorted(set(tail.tolist()), key=lambda v, level=level: -int(level[v]))  # type: ignore[misc]
        crossed_by, row, _, load = split_loads(network, end, channel, order, weights)
        parts.append((crossed_by, row, np.full(len(row), d), load))
        total += len(parts[-1][0])
        check_room(total)
    return PairTable.joined(parts, shape=(network.num_channels, network.num_nodes, len(target)))
