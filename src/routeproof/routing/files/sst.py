"""Weighted path tables for SST's Merlin ``topoAny``: in one file with their network, and as Python objects.

graph, table = to_sst(routing)              # topo.import_graph(graph); the table goes to SourceRoutingPlugin
routing = from_sst(graph, table)            # any networkx graph with the node attribute "endpoints"
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...formats.documents.json_text import write_json
from ...formats.documents.network import check_same, network_to_document, number_text
from ...formats.documents.routing import paths_to_document
from ...formats.format import File, Format
from ...formats.graphs.unused_attributes import warn_of_links, warn_of_rates
from ...formats.simulators.sst import FORMAT, network_to_sst, paths_from_sst, sst_to_network
from ...formats.text_files import FilePath
from ..base.routing import Routing
from ..tables.path_tables import TableRouting
from .table import RoutingFormat, wrote

if TYPE_CHECKING:
    import networkx as nx

_MOST_PAIRS = 4_000_000


Table = Mapping[int, Mapping[int, Sequence[tuple[float, Sequence[int]]]]]


def sst_document(routing: Routing) -> dict[str, Any]:
    """The network of ``routing`` and its paths between all routers with endpoints, as a document.

    Raises InputError for networks that SST's graph cannot hold, and routings that tell terminals of one router apart.
    """
    network = routing.network
    document = _checked(network)
    # The first terminal of a router stands for all of them.
    routers, first = (x.tolist() for x in np.unique(network.source, return_index=True))
    if not routing.by_node and len(routers) < network.num_terminals:
        raise InputError(f"{routing.name} routes terminals of one router differently; SST's tables go by router")
    rows, columns = routing.row_of[first].tolist(), routing.column_of[first].tolist()
    table: dict[str, dict[str, list[Any]]] = {}
    virtual: dict[str, dict[str, list[list[int]]]] = {}
    known = routing.path_virtual
    for u, i in zip(routers, rows, strict=True):
        row, hops = table.setdefault(str(u), {}), virtual.setdefault(str(u), {})
        for v, j in zip(routers, columns, strict=True):
            if u != v:
                paths = routing.decomposition(i, j)
                row[str(v)] = [[str(number_text(w)), [int(network.head[c]) for c in path]] for w, path in paths]
                if known is not None:
                    hops[str(v)] = [list(known[tuple(path)]) for _, path in paths]
    more = {} if known is None else {"virtual_channels": virtual}
    return {**document, "routing_table": table, **more}


def _checked(network: Network) -> dict[str, Any]:
    """The document of the network; raises InputError where SST's graph, or a file, cannot hold tables for it."""
    document, size = network_to_sst(network), len(set(network.source.tolist()))
    if size**2 > _MOST_PAIRS:
        raise InputError(f"{size} routers have {size**2:,} pairs, too many to write out path by path")
    return document


def to_sst(routing: Routing) -> tuple[nx.Graph, dict[int, dict[int, list[tuple[float, list[int]]]]]]:
    """(graph, table) as SST's Python takes them: weights are floats there, so ``from_sst`` may not get them back
    exactly where denominators pass 2^20."""
    import networkx as nx

    document = sst_document(routing)
    graph = nx.Graph(name=document["name"])
    for router in document["routers"]:
        graph.add_node(router["id"], endpoints=router["endpoints"])
    graph.add_edges_from(document["links"])
    table = {
        int(u): {int(v): [(float(Fraction(w)), list(path)) for w, path in ways] for v, ways in row.items()}
        for u, row in document["routing_table"].items()
    }
    return graph, table


def from_sst(graph: nx.Graph, table: Table, *, name: str = "sst table") -> TableRouting:
    """The routing of a networkx graph (nodes 0, 1, ... with ``endpoints``) and a weighted path table.

    Raises InputError for a directed graph, nodes without ``endpoints``, and tables whose weights do not sum to 1.
    Warns (RouteproofWarning) of rates that edges state: SST's links are alike.
    """
    if graph.is_directed():
        raise InputError("the graph is directed; SST's AnyTopo wants links both ways")
    nodes = sorted(graph.nodes) if all(type(v) is int for v in graph.nodes) else []
    if not nodes or nodes != list(range(len(nodes))):
        raise InputError("the graph's nodes are not numbered 0, 1, ...")
    lacking = [v for v in nodes if "endpoints" not in graph.nodes[v]]
    if lacking:
        raise InputError(f"node {lacking[0]} has no attribute 'endpoints', the number of terminals there")
    document: dict[str, Any] = {
        "format": FORMAT,
        "routers": [{"id": v, "endpoints": graph.nodes[v]["endpoints"]} for v in nodes],
        "links": sorted([min(u, v), max(u, v)] for u, v in graph.edges()),
        "routing_table": {
            str(u): {str(v): [[weight, list(path)] for weight, path in ways] for v, ways in row.items()}
            for u, row in table.items()
        },
    }
    edges = [{str(key): value for key, value in data.items()} for *_, data in graph.edges(data=True)]
    warn_of_rates(edges, what="the graph", by_name=False)
    warn_of_links(edges, what="the graph", used=None, equal=False)
    network = sst_to_network(document, what="the graph", name=str(graph.name or "graph"))
    return TableRouting(network, name, paths_from_sst(document, network, what="the table"))


def routing_of_sst(document: Mapping[str, Any], network: Any, *, name: str, what: str) -> TableRouting:
    """The table of a document on ``network``, which must be the document's own."""
    check_same(sst_to_network(document, what=what, name=name), network, f"{what} is a routing")
    try:
        return TableRouting(network, name, paths_from_sst(document, network, what=what))
    except InputError as error:
        raise InputError(f"{what}: {error}".replace(f"{what}: {what}", what)) from None


def _write(routing: Routing, path: FilePath) -> str:
    write_json(sst_document(routing), path)
    return wrote("SST path table", routing)


def _document(file: File) -> tuple[str, str]:
    """The routing document of the same paths, or the network document where there is no table."""
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
    read=lambda file, network: routing_of_sst(file.document, network, name=str(file.path), what=file.what),
    write=_write,
    check_network=_checked,
    by_node=True,
    document=_document,
)
