"""Tables of next-hop groups from reports: ``{"columns", "group", "size", "channel", "weight"}``, packed integers.

``columns``: "node", or the column of every terminal; ``group``: at every node, for every column, the number of a group,
-1 for none; ``size``: how many channels each group has; ``channel``, ``weight``: of all groups, one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...core.arrays import offsets_of
from ...core.errors import InputError
from ...core.network import Network
from ...formats.documents.packed_ints import unpack_ints
from .group_table import MOST_WEIGHT, GroupTable, GroupTableRouting

_KEYS = {"columns", "group", "size", "channel", "weight"}
_MOST_ENTRIES = 1 << 26


def read_group_table(network: Network, name: str, data: object) -> GroupTableRouting:
    """What ``GroupTableRouting.written_in_full`` wrote; raises InputError unless it fits the network and delivers."""
    what = "'group_table' of a routing"
    if not isinstance(data, Mapping) or set(data) != _KEYS:
        raise InputError(f"{what} must be an object with {', '.join(sorted(_KEYS))}")
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
