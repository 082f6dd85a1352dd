"""networkx's node-link JSON, read only: what ``json.dump(nx.node_link_data(graph), file)`` writes, and D3 reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import InputError
from ..format import File, Format, NetworkFormat
from ..text_files import brief, unexpected
from .foreign_graph import ForeignEdge, ForeignGraph, network_of, numbered

_EDGES = ("edges", "links")  # networkx since 3.4, and before
_KEYS = frozenset({"directed", "multigraph", "graph", "nodes", *_EDGES})


def _is_node_link(file: File) -> bool:
    value = file.value if file.is_json else None
    return isinstance(value, dict) and "format" not in value and "nodes" in value and any(x in value for x in _EDGES)


def read_node_link(file: File) -> ForeignGraph:
    """The graph; raises InputError, with the place, for a key, node or edge that is none."""
    document = file.document
    unknown = [key for key in document if key not in _KEYS]
    if unknown or all(x in document for x in _EDGES):
        found = f"an unknown key {brief(unknown[0])}" if unknown else "both 'edges' and 'links'"
        raise InputError(f"{file.what} has {found}; directed, multigraph, graph, nodes and edges were expected")
    for key in ("directed", "multigraph"):
        if not isinstance(document.get(key, False), bool):
            raise unexpected(f"{file.what}: {key}", document[key], "true or false")
    where = next(x for x in _EDGES if x in document)
    nodes, number = [], dict[str, int]()
    for k, node in enumerate(_objects(file, "nodes")):
        identifier = _identifier(node, "id", f"{file.what}: nodes[{k}]")
        if identifier in number:
            raise InputError(f"{file.what}: nodes[{k}] has the id {brief(identifier)} of another node")
        number[identifier] = k
        nodes.append((str(node["id"]), node))
    edges = []
    for k, edge in enumerate(_objects(file, where)):
        place = f"{file.what}: {where}[{k}]"
        source, target = numbered([_identifier(edge, end, place) for end in ("source", "target")], number, place)
        edges.append(ForeignEdge(source, target, document.get("directed", False), edge))
    return ForeignGraph(file.stem, file.what, nodes, edges)


def _objects(file: File, key: str) -> list[Mapping[str, Any]]:
    values = file.document[key]
    if not isinstance(values, list):
        raise unexpected(f"{file.what}: {key}", values, "a list of objects")
    for k, value in enumerate(values):
        if not isinstance(value, dict):
            raise unexpected(f"{file.what}: {key}[{k}]", value, "an object")
    return values


def _identifier(item: Mapping[str, Any], key: str, place: str) -> str:
    """Texts, numbers and lists (tuples of Python) are names of nodes; "1" and 1 are two."""
    if item.get(key) is None or isinstance(item[key], dict):
        raise InputError(f"{place} has no {key}; the name of a node was expected")
    return repr(item[key])


NODE_LINK: NetworkFormat = Format(
    "node-link",
    "networkx's node-link JSON",
    sniff=_is_node_link,
    read=lambda file, bandwidth: network_of(read_node_link(file), bandwidth=bandwidth),
    options=("bandwidth", "missing"),
)
