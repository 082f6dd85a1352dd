"""This package's own documents of routings: destination graphs, next-hop tables, weighted paths, loads by classes,
weighted groups of next channels.

By classes of pairs, for routings with too many paths for a table: ``{"format": "routeproof/routing", "network": {...},
"classes": {"symmetry": ..., "scale": ..., "classes": [...]}}``, as ``SymmetricRouting.written_in_full`` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ...core.errors import InputError, RouteproofError
from ...core.network import Network
from ...formats.documents.destination_graph import graph_from_document
from ...formats.documents.json_text import parse_object, write_json
from ...formats.documents.network import check_same
from ...formats.documents.routing import (
    network_of_routing,
    next_hops_from_document,
    next_hops_to_document,
    paths_from_document,
    paths_on_network,
)
from ...formats.format import Facts, File, Format
from ...formats.text_files import FilePath
from ..base.mixture import Mixture
from ..base.routing import Routing
from ..classes.symmetric import read_symmetric
from ..grid.destination_graph import DestinationGraphRouting
from ..tables.groups import read_groups
from ..tables.half_flows import read_half_flows
from ..tables.next_hop import NextHopRouting
from ..tables.path_tables import TableRouting
from .table import RoutingFormat, wrote


def routing_of_graph(document: Mapping[str, Any], network: Network, *, name: str, what: str) -> Routing:
    """The routing of a destination graph's document."""
    return DestinationGraphRouting(network, name, graph_from_document(document, what=what))


def routing_of_document(document: Mapping[str, Any], network: Network, *, name: str, what: str) -> Routing:
    """The routing in a parsed next-hop document about ``network``; a mixture where it holds several tables.

    Raises InputError as the document's reader does, and, naming node and destination, for loops and dead ends.
    """
    network, columns, tables = next_hops_from_document(document, what=what, network=network)
    names = [name] if len(tables) == 1 else [f"{name}#{k}" for k in range(len(tables))]
    try:
        parts = [NextHopRouting(network, x, table, columns) for x, (_, table) in zip(names, tables, strict=True)]
    except InputError as error:
        raise InputError(f"{what}: {error}") from None
    if len(parts) == 1:
        return parts[0]
    return Mixture([(weight, part) for (weight, _), part in zip(tables, parts, strict=True)], name=name)


def _routing_in_full(document: Mapping[str, Any], network: Network, *, key: str, name: str, what: str) -> Routing:
    """The routing in a document by ``key``, that of a form in ``_IN_FULL``.

    Raises InputError, naming what is wrong, for another document, or one about another network.
    """
    if document.get("format") != "routeproof/routing" or set(document) != {"format", "network", key}:
        raise InputError(f"{what}: '{key}' goes with 'format' (routeproof/routing) and 'network', and no other keys")
    if not isinstance(document["network"], Mapping):
        raise InputError(f"{what}: 'network' must be an object")
    check_same(network_of_routing(document["network"], what), network, f"{what} is a routing")
    try:
        return _IN_FULL[key](network, name, document[key])
    except RouteproofError as error:
        raise InputError(f"{what}: {error}") from None


def _by_classes(network: Network, name: str, data: object) -> Routing:
    """By classes of pairs, checked to deliver every pair."""
    if not isinstance(data, Mapping):
        raise InputError("'classes' must be an object")
    unknown = sorted(str(key) for key in set(data) - {"symmetry", "scale", "classes"})
    if unknown:
        raise InputError(f"classes has an unknown key {unknown[0][:40]!r}; symmetry, scale, classes are known")
    routing = read_symmetric(network, {**data, "spec": name})
    routing.check()
    return routing


def _by_half_flows(network: Network, name: str, data: object) -> Routing:
    """By half flows, checked to deliver every pair."""
    routing = read_half_flows(network, name, data)
    routing.check()
    return routing


_IN_FULL: Mapping[str, Callable[[Network, str, object], Routing]] = {
    "classes": _by_classes, "groups": read_groups, "half_flows": _by_half_flows,
}  # fmt: skip
"""By the key that holds it, a routing that is not given by its paths."""


def _read_paths(file: File, network: Network) -> Routing:
    document, name = file.document, str(file.path)
    for key in _IN_FULL:
        if key in document:
            return _routing_in_full(document, network, key=key, name=name, what=file.what)
    paths = paths_on_network(document, network, what=file.what)
    try:
        return TableRouting(network, name, paths)
    except InputError as error:
        raise InputError(f"{file.what}: {error}") from None


def _write(routing: Routing, path: FilePath) -> str:
    """A next-hop document where the routing is made of next-hop tables, else a routing document."""
    tables = routing.forwarding_tables() if routing.path_virtual is None else ()
    if len({table.columns for _, table in tables}) == 1:
        columns = tables[0][1].columns
        weighted = [(w, table.next_channel) for w, table in tables]
        write_json(next_hops_to_document(routing.network, columns, weighted), path)
        return "next-hop document"
    write_json(routing.document(), path)
    return wrote("routing document", routing)


def _facts(network: Network, make: Callable[[], Routing | None], **more: int) -> Facts[Routing]:
    """What is true of the routing that ``make`` makes: valid, or why it is not."""
    routing, wrong = None, None
    try:
        routing = make()
    except InputError as error:
        wrong = str(error)
    return Facts({"valid_routing": wrong, "num_terminals": network.num_terminals, **more}, routing)


def _judge_next_hop(text: str, what: str, _name: str) -> Facts[Routing]:
    network, columns, tables = next_hops_from_document(parse_object(text, what=what), what=what)

    def make() -> Routing:
        parts = [(w, NextHopRouting(network, f"tables[{k}]", table, columns)) for k, (w, table) in enumerate(tables)]
        return parts[0][1] if len(parts) == 1 else Mixture(parts)

    return _facts(network, make)


def _judge_paths(text: str, what: str, name: str) -> Facts[Routing]:
    """Whether all pairs are delivered along paths of the network, with weights that sum to 1."""
    document = parse_object(text, what=what)
    for key in _IN_FULL:
        if key in document:
            if not isinstance(document.get("network"), dict):
                raise InputError(f"{what} needs a network")
            stated = network_of_routing(document["network"], what)
            read = partial(_routing_in_full, document, stated, key=key, name=name, what=what)
            return Facts(_facts(stated, read).facts)
    network, paths = paths_from_document(document, what=what)

    def make() -> Routing:
        routing = TableRouting(network, name, paths)
        routing.check()
        return routing

    return _facts(network, make, num_paths=len(paths.source))


GRAPH: RoutingFormat = Format(
    "destination-graph",
    "destination graph document",
    sniff=lambda file: file.says("routeproof/destination-graph"),
    read=lambda file, network: routing_of_graph(file.document, network, name=str(file.path), what=file.what),
    document=lambda file: ("destination-graph", file.text),
)

NEXT_HOP: RoutingFormat = Format(
    "next-hop",
    "next-hop document",
    sniff=lambda file: file.says("routeproof/next-hop"),
    read=lambda file, network: routing_of_document(file.document, network, name=str(file.path), what=file.what),
    judge=_judge_next_hop,
)

PATHS: RoutingFormat = Format(
    "routing",
    "next-hop or routing document",
    extensions=(".json",),
    sniff=lambda file: file.says("routeproof/routing"),
    read=_read_paths,
    write=_write,
    judge=_judge_paths,
)
