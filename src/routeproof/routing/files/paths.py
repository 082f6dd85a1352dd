"""Routing documents: weighted paths between terminals, or pair loads by classes of pairs."""

from __future__ import annotations

from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...formats.documents.json_text import parse_object
from ...formats.format import Facts, File, Format
from ...formats.text_files import FilePath
from ..base.routing import Routing
from .table import RoutingFormat
from .written import wrote

__all__ = ["PATHS"]


def _read(file: File, network: Network) -> Routing:
    from ...formats.documents.routing import paths_on_network
    from ..tables.path_table import TableRouting

    document, name = file.document, str(file.path)
    if "classes" in document:
        from ..classes.classes_document import routing_of_classes_document

        return routing_of_classes_document(document, network, name=name, what=file.what)
    paths = paths_on_network(document, network, what=file.what)
    try:
        return TableRouting(network, name, paths)
    except InputError as error:
        raise InputError(f"{file.what}: {error}") from None


def _judge(text: str, what: str, name: str) -> Facts[Routing]:
    """Whether all pairs are delivered along paths of the network, with weights that sum to 1."""
    from ...formats.documents.routing import paths_from_document
    from ..tables.path_table import TableRouting

    document = parse_object(text, what=what)
    if "classes" in document:
        return _judge_classes(document, what, name)
    network, paths = paths_from_document(document, what=what)
    wrong: str | None = None
    routing: Routing | None = None
    try:
        routing = TableRouting(network, name, paths)
        routing.check()
    except InputError as error:
        wrong, routing = str(error), None
    facts = {"valid_routing": wrong, "num_terminals": network.num_terminals, "num_paths": len(paths.source)}
    return Facts(facts, routing)


def _judge_classes(document: dict[str, Any], what: str, name: str) -> Facts[Routing]:
    """The same for a routing by classes of pairs: those given stand for all."""
    from ...formats.documents.routing import network_of_routing
    from ..classes.classes_document import routing_of_classes_document

    if not isinstance(document.get("network"), dict):
        raise InputError(f"{what} needs a network")
    network = network_of_routing(document["network"], what)
    wrong: str | None = None
    try:
        routing_of_classes_document(document, network, name=name, what=what)
    except InputError as error:
        wrong = str(error)
    return Facts({"valid_routing": wrong, "num_terminals": network.num_terminals})


def _write(routing: Routing, path: FilePath) -> str:
    """A next-hop document where the routing is made of next-hop tables, else a routing document."""
    from ...formats.documents.json_text import format_json, write_text_atomic
    from ...formats.documents.next_hops import next_hops_to_document

    tables = routing.forwarding_tables()
    if len({table.columns for _, table in tables}) == 1:
        columns = tables[0][1].columns
        weighted = [(w, table.next_channel) for w, table in tables]
        write_text_atomic(path, format_json(next_hops_to_document(routing.network, columns, weighted)))
        return "next-hop document"
    write_text_atomic(path, format_json(routing.document()))
    return wrote("routing document", routing)


PATHS: RoutingFormat = Format(
    "routing",
    "next-hop or routing document",
    extensions=(".json",),
    sniff=lambda file: file.says("routeproof/routing"),
    read=_read,
    write=_write,
    judge=_judge,
)
