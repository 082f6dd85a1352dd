"""Weighted path tables for SST's Merlin ``topoAny``, in one file with their network."""

from __future__ import annotations

from ...core.network import Network
from ...formats.documents.json_text import format_json, write_text_atomic
from ...formats.format import File, Format
from ...formats.simulators.sst import FORMAT, paths_from_sst, sst_to_network
from ...formats.text_files import FilePath
from ..base.routing import Routing
from .table import RoutingFormat
from .written import wrote

__all__ = ["SST_TABLE"]


def _read(file: File, network: Network) -> Routing:
    from ..tables.sst import routing_of_sst

    return routing_of_sst(file.document, network, name=str(file.path), what=file.what)


def _write(routing: Routing, path: FilePath) -> str:
    from ..tables.sst import sst_document

    write_text_atomic(path, format_json(sst_document(routing)))
    return wrote("SST path table", routing)


def _document(file: File) -> tuple[str, str]:
    """The routing document of the same paths, or the network document where there is no table."""
    import json

    from ...formats.documents.network import network_to_document
    from ...formats.documents.routing import paths_to_document

    network = sst_to_network(file.document, what=file.what, name=file.stem)
    if "routing_table" not in file.document:
        return "network", json.dumps(network_to_document(network))
    paths = paths_from_sst(file.document, network, what=file.what)
    return "routing", json.dumps(paths_to_document(paths, network))


SST_TABLE: RoutingFormat = Format(
    "sst",
    "SST's AnyTopo",
    extensions=(".sst.json",),
    sniff=lambda file: file.says(FORMAT),
    read=_read,
    write=_write,
    document=_document,
)
