"""Routings to files: forwarding tables, next-hop documents, routing documents."""

from __future__ import annotations

import os.path
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ...core.paths import Paths
from ...formats.infiniband.fabric import FabricNetwork
from ...formats.text_files import FilePath, shown
from ..base.mixture import Mixture
from ..base.path_bundles import tells_its_paths
from ..base.routing import Routing
from ..tables.next_hop import NextHopRouting

__all__ = ["routing_document", "routing_writer"]

_MOST_PAIRS = 4_000_000


def routing_writer(path: FilePath) -> Callable[[Routing], str]:
    """What writes a routing to ``path``, by its extension, and says in a word what it wrote.

    - ``.lft``: forwarding tables as ``opensm -R file -U`` loads them (fabrics read from ibnetdiscover only);
    - ``.sst.json``: the network and a weighted path table for SST's Merlin ``topoAny``;
    - ``.json``: a next-hop document where the routing is made of next-hop tables, else a routing document.

    Paths of a routing that is known by its loads are few with the same loads, and the word says so: its packets may
    take others, which wait for other channels.

    Raises InputError for another extension.
    """
    extension = os.path.splitext(os.fspath(path))[1].lower()
    if extension == ".lft":
        return lambda routing: _forwarding(routing, path)
    if os.fspath(path).lower().endswith(".sst.json"):
        return lambda routing: _sst(routing, path)
    if extension == ".json":
        return lambda routing: _document(routing, path)
    raise InputError(
        f"file {shown(path)}: a routing is written as .lft (InfiniBand forwarding tables), .sst.json (SST's "
        f"AnyTopo) or .json (next-hop or routing document)"
    )


def _forwarding(routing: Routing, path: FilePath) -> str:
    from ...formats.infiniband.forwarding_tables import write_forwarding_tables
    from ..infiniband.forwarding_tables import forwarding_ports

    network = routing.network
    if not isinstance(network, FabricNetwork):
        raise InputError(
            f"forwarding tables need lids and ports, which {network.name} does not say: give the output of "
            f"ibnetdiscover as the topology"
        )
    write_forwarding_tables(network, forwarding_ports(network, routing), path)
    return "forwarding tables"


def _sst(routing: Routing, path: FilePath) -> str:
    from ...formats.documents.json_text import format_json, write_text_atomic
    from ..tables.sst import sst_document

    write_text_atomic(path, format_json(sst_document(routing)))
    return _told("SST path table", routing)


def _document(routing: Routing, path: FilePath) -> str:
    from ...formats.documents.json_text import format_json, write_text_atomic
    from ...formats.documents.next_hops import write_next_hops

    parts = [(Fraction(1), routing)]
    if isinstance(routing, Mixture):
        parts = routing.parts
    tables = [(weight, part) for weight, part in parts if isinstance(part, NextHopRouting)]
    if len(tables) == len(parts) and len({part.columns for _, part in tables}) == 1:
        columns = tables[0][1].columns
        write_next_hops(routing.network, columns, [(w, part.next_channel) for w, part in tables], path)
        return "next-hop document"
    write_text_atomic(path, format_json(routing_document(routing)))
    return _told("routing document", routing)


def routing_document(routing: Routing) -> dict[str, Any]:
    """The document of a routing: its paths, or its classes of paths where it is given by these.

    Raises InputError where there are too many pairs to write out path by path.
    """
    from ...formats.documents.routing import paths_to_document
    from ..classes.classes_document import classes_to_document
    from ..classes.invariant import InvariantRouting

    if isinstance(routing, InvariantRouting):
        return classes_to_document(routing)
    return paths_to_document(_paths(routing), routing.network)


def _told(what: str, routing: Routing) -> str:
    return what if tells_its_paths(routing) else f"{what} (few paths with the same loads)"


def _paths(routing: Routing) -> Paths:
    network = routing.network
    if network.num_terminals**2 > _MOST_PAIRS:
        raise InputError(
            f"{routing.name} has {network.num_terminals**2:,} pairs of terminals, too many to write out path by path"
        )
    items = []
    for i in range(network.num_terminals):
        for j in range(network.num_terminals):
            if network.source[i] != network.sink[j]:
                found = routing.paths(int(routing.row_of[i]), int(routing.column_of[j]))
                items += [(i, j, weight, path) for weight, path in found]
    return Paths.of(items)
