"""Several forwarding tables, of which every source uses one for each destination: lids of hosts, and path records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.arrays import Int32, Int64, read_only
from ...core.errors import InputError
from ...core.network import Network
from ...formats.documents.packed_ints import pack_ints, unpack_ints
from ...formats.documents.routing import next_hop_entry, read_entry
from ...machine.memory import check_table
from ..base.routing import ForwardingTable
from .next_hop import NextHopRouting
from .path_tables import ListedRouting, PathList, from_steps

_MOST_LIDS = 128
_PATH_BYTES = 120  # of one path, while it is made


class PinnedRouting(ListedRouting):
    """Packets from terminal i to terminal j follow ``tables[lid[i, j]]``: one path for each pair.

    ``tables``: next channels by terminal, int32 (N, T) each; ``lid``: int64 (T, T).  In InfiniBand a path record says
    which lid (``DLID``) a source uses; each of a host's lids (LMC) has its own entries in the switches.

    Raises InputError where a packet does not arrive.
    """

    in_full = True

    def __init__(self, network: Network, name: str, tables: Sequence[Int32], lid: Int64) -> None:
        self.tables = [NextHopRouting(network, f"{name}#{k}", x, "terminal") for k, x in enumerate(tables)]
        self.lid = read_only(np.array(lid, dtype=np.int64))
        listed = _paths(network, np.stack(tables), self.lid)
        super().__init__(network, name, listed, rows="terminal", columns="terminal")

    @property
    def pinned(self) -> tuple[Sequence[ForwardingTable], Int64]:
        return self.tables, self.lid

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # the tables tell them
        entries = [next_hop_entry(x.next_channel, "terminal") for x in self.tables]
        return {"pinned": {"tables": entries, "lid": pack_ints(self.lid.ravel())}}


def read_pinned(network: Network, data: Mapping[str, Any]) -> PinnedRouting:
    """What ``PinnedRouting.written_in_full`` wrote; raises InputError unless it delivers every packet."""
    entry, what = data["pinned"], "the routing's pinned"
    entries = entry.get("tables") if isinstance(entry, Mapping) and set(entry) == {"tables", "lid"} else None
    if not isinstance(entries, list) or not all(isinstance(x, Mapping) and set(x) == _ENTRY for x in entries):
        raise InputError("'pinned' of a routing must be an object with 'tables', a list of next-hop tables, and 'lid'")
    if not 1 <= len(entries) <= _MOST_LIDS:
        raise InputError(f"{what}: {len(entries)} tables; 1 to {_MOST_LIDS} were expected")
    tables = []
    for x in entries:
        table, columns = read_entry(x, network, what=what)
        if columns != "terminal":
            raise InputError(f"{what}: the columns of a table are nodes; terminals were expected")
        tables.append(table)
    size = network.num_terminals
    lid = unpack_ints(entry["lid"], what=f"{what}: lid", max_items=size * size)
    if len(lid) != size * size or (len(lid) and not 0 <= lid.min() <= lid.max() < len(tables)):
        raise InputError(f"{what}: lid does not name one of {len(tables)} tables for each of {size} x {size} pairs")
    return PinnedRouting(network, data["spec"], tables, lid.reshape(size, size))


_ENTRY = {"columns", "channel"}


def _paths(network: Network, tables: Int32, lid: Int64) -> PathList:
    """Every pair's path; each table is known to deliver."""
    ends = np.arange(network.num_terminals, dtype=np.int32)
    check_table(len(ends), len(ends), _PATH_BYTES, f"paths by lids on {network.name}")
    row, column = np.repeat(ends, len(ends)), np.tile(ends, len(ends))
    away = network.source[row] != network.sink[column]
    row, column = row[away], column[away]
    at, part = network.source[row].copy(), lid[row, column]
    going, steps = np.arange(len(row)), []
    while len(going):
        channel = tables[part[going], at[going], column[going]]
        steps.append((going, channel))
        at[going] = network.head[channel]
        going = going[at[going] != network.sink[column[going]]]
    return from_steps(row, column, steps)
