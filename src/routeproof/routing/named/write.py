"""Routings to files: forwarding tables, next-hop documents, routing documents."""

from __future__ import annotations

import os.path
from collections.abc import Callable

from ...core.errors import InputError
from ...core.paths import Paths
from ...formats.infiniband.fabric import FabricNetwork
from ...formats.text_files import FilePath, shown
from ..base.routing import Routing

__all__ = ["routing_writer"]

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
    from ...formats.documents.next_hops import write_next_hops
    from ...formats.documents.routing import write_routing

    tables = routing.forwarding_tables()
    if len({table.columns for _, table in tables}) == 1:
        columns = tables[0][1].columns
        write_next_hops(routing.network, columns, [(w, table.next_channel) for w, table in tables], path)
        return "next-hop document"
    write_routing(_paths(routing), routing.network, path)
    return _told("routing document", routing)


def _told(what: str, routing: Routing) -> str:
    return what if _all_explicit(routing) else f"{what} (few paths with the same loads)"


def _all_explicit(routing: Routing) -> bool:
    """Are the paths that were written the routing's own, every one?  Grid routings may have too many for that."""
    if routing.has_explicit_paths and not routing.holds_paths:
        try:
            for _ in routing.bundles():
                pass
        except InputError:
            return False
    return routing.has_explicit_paths


def _paths(routing: Routing) -> Paths:
    network = routing.network
    if network.num_terminals**2 > _MOST_PAIRS:
        raise InputError(
            f"{routing.name} has {network.num_terminals**2:,} pairs of terminals, too many to write out path by path"
        )
    return routing.every_path()
