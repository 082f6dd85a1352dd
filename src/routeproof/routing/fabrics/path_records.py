"""Forwarding tables with path records: each source uses one lid of a destination, ``FILE.lft,path-records=FILE``."""

from __future__ import annotations

import os

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...formats.infiniband.fabric import FabricNetwork
from ...formats.infiniband.path_records import read_lids, write_lids
from ...formats.text_files import FilePath
from ..base.routing import Routing
from ..tables.pinned import PinnedRouting

OPTION = ",path-records="


def with_records(routing: Routing, records: FilePath) -> PinnedRouting:
    """The routing where sources take the lids that ``records`` say; raises InputError for what is no such table."""
    network = _fabric(routing.network)
    tables = [table for _, table in routing.forwarding_tables()]
    if not tables:
        raise InputError(f"{routing.name}: path records go with forwarding tables, such as of dump_fts; it has none")
    columns = [np.ascontiguousarray(x.next_channel[:, x.column_of]) for x in tables]
    lid = read_lids(records, network) % len(tables)
    return PinnedRouting(network, f"{routing.name}{OPTION}{os.fspath(records)}", columns, lid)


def records_beside(path: FilePath) -> str:
    """Where the path records of the tables in ``path`` are written."""
    return os.path.splitext(os.fspath(path))[0] + ".path-records"


def write_records(routing: Routing, path: FilePath) -> str:
    """Beside the tables in ``path``; returns the name of the file."""
    assert routing.pinned is not None
    beside = records_beside(path)
    write_lids(_fabric(routing.network), routing.pinned[1], beside)
    return beside


def _fabric(network: Network) -> FabricNetwork:
    if not isinstance(network, FabricNetwork):
        raise InputError(f"path records go by lids, and {network.name} has none: give the output of ibnetdiscover")
    return network
