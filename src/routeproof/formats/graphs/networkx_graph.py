"""networkx graphs to networks and back, and networkx's node-link JSON, read only: what
``json.dump(nx.node_link_data(graph), file)`` writes, and D3 reads.
"""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ..documents.json_text import as_objects
from ..documents.network import numeric_attributes
from ..format import File, Format, NetworkFormat, with_missing
from ..text_files import brief, unexpected
from .foreign_graph import Attributes, ForeignGraph, network_of, terminals_per_node

if TYPE_CHECKING:
    import networkx as nx


def from_networkx(
    graph: nx.Graph,
    *,
    bandwidth: str | Fraction | int | None = None,
    missing: Fraction | int | str | None = None,
    terminals: str | Iterable[Hashable] | None = None,
    name: str | None = None,
) -> Network:
    """The network of any networkx graph, with the rules of ``foreign_graph``.

    - ``bandwidth``: the edge attribute to use (then every edge must have it), or one number for all channels; by
      default the attribute ``bandwidth``, or 1 where no edge has it.  A float is read as the decimal that it prints
      as: 0.1 is 1/10.
    - ``missing``: what edges without that attribute get.
    - ``terminals``: the nodes that have a terminal, one for each time a node comes, or the node attribute that
      counts them; by default the attribute ``terminals`` if there is one, else one terminal at every node.

    Nodes are numbered in the graph's order, edges in the order of ``graph.edges``; if every edge of a directed graph
    has its own integer attribute ``channel`` (as ``to_networkx`` writes), channels come in that order.

    Raises InputError, naming the node or edge, for what does not fit.
    """
    if not hasattr(graph, "is_multigraph"):
        raise InputError(f"found a {type(graph).__name__}; a networkx graph was expected")
    title = name or str(graph.name or "") or "graph"
    made = ForeignGraph(title, f"graph {title}")
    nodes = {node: _plain(data) for node, data in graph.nodes(data=True)}
    for node, count in _terminal_counts(nodes, terminals).items():
        nodes[node]["terminals"] = count
    for node, data in nodes.items():
        made.add_node(node, data)
    edges = [(u, v, _plain(data)) for u, v, data in graph.edges(data=True)]
    order = [data.get("channel") for *_, data in edges]
    if graph.is_directed() and all(type(c) is int for c in order) and len(set(order)) == len(order):
        edges.sort(key=lambda edge: int(edge[2]["channel"]))
    for u, v, data in edges:
        made.add_edge((u, v), data, directed=graph.is_directed())
    rate = bandwidth if missing is None else with_missing(bandwidth, missing, what=made.what)
    return network_of(made, bandwidth=rate)


def _plain(data: dict[Any, Any]) -> Attributes:
    """Attributes by name; floats as the decimals that they print as."""
    result: Attributes = {str(key): value for key, value in data.items()}
    for key, value in result.items():
        if isinstance(value, (float, np.floating, Decimal)):
            result[key] = str(value)
        elif isinstance(value, numbers.Rational) and not isinstance(value, bool):
            exact = Fraction(int(value.numerator), int(value.denominator))
            result[key] = exact.numerator if exact.denominator == 1 else exact
    return result


def _terminal_counts(
    nodes: Mapping[Hashable, Attributes], terminals: str | Iterable[Hashable] | None
) -> Mapping[Hashable, Any]:
    """By node; empty where ``terminals`` says nothing."""
    if terminals is None:
        return {}
    if isinstance(terminals, str):
        lacking = [node for node, data in nodes.items() if terminals not in data]
        if lacking:
            raise InputError(
                f"{len(lacking)} of {len(nodes)} nodes have no attribute {brief(terminals)}, first node {lacking[0]}"
            )
        return {node: data[terminals] for node, data in nodes.items()}
    counts = dict.fromkeys(nodes, 0)
    for node in terminals:
        if node not in counts:
            raise InputError(f"terminals names {brief(node)}, which is not a node of the graph")
        counts[node] += 1
    return counts


def to_networkx(network: Network) -> nx.MultiDiGraph:
    """A MultiDiGraph with one edge per channel: nodes 0 .. N-1, edge attributes ``bandwidth`` and ``channel``.

    Bandwidths are integers where they are whole, else Fractions. Nodes have ``label`` if the network has labels and
    ``terminals`` if they do not have one each. ``from_networkx`` gives the same network again.
    """
    import networkx as nx

    terminals = terminals_per_node(network, what="a networkx graph")
    graph = nx.MultiDiGraph(name=network.name)
    graph.add_nodes_from(range(network.num_nodes))
    for name, values in (("label", network.labels), ("terminals", terminals)):
        if values is not None:
            nx.set_node_attributes(graph, dict(enumerate(values)), name)
    ends = zip(network.tail.tolist(), network.head.tolist(), network.bandwidth, strict=True)
    for c, (u, v, width) in enumerate(ends):
        exact = width.numerator if width.denominator == 1 else width
        graph.add_edge(u, v, key=c, bandwidth=exact, channel=c)
    for name, numbers_of_channels in numeric_attributes(network).items():
        stated = {c: Fraction(x) for c, x in enumerate(numbers_of_channels) if x is not None}
        for u, v, c in graph.edges(keys=True):
            if c in stated:
                graph.edges[u, v, c][name] = stated[c].numerator if stated[c].denominator == 1 else stated[c]
    return graph


_EDGES = ("edges", "links")  # networkx since 3.4, and before
_KEYS = frozenset({"directed", "multigraph", "graph", "nodes", *_EDGES})


def _is_node_link(file: File) -> bool:
    value = file.value if file.is_json else None
    return isinstance(value, dict) and "format" not in value and "nodes" in value and any(x in value for x in _EDGES)


def read_node_link(file: File) -> ForeignGraph:
    document = file.document
    unknown = [key for key in document if key not in _KEYS]
    if unknown or all(x in document for x in _EDGES):
        found = f"an unknown key {brief(unknown[0])}" if unknown else "both 'edges' and 'links'"
        raise InputError(f"{file.what} has {found}; directed, multigraph, graph, nodes and edges were expected")
    for key in ("directed", "multigraph"):
        if not isinstance(document.get(key, False), bool):
            raise unexpected(f"{file.what}: {key}", document[key], "true or false")
    where = next(x for x in _EDGES if x in document)
    graph = ForeignGraph(file.stem, file.what)
    for k, node in enumerate(as_objects(document["nodes"], what=f"{file.what}: nodes")):
        place = f"{file.what}: nodes[{k}]"
        graph.add_node(_identifier(node, "id", place), node, place, name=str(node["id"]))
    for k, edge in enumerate(as_objects(document[where], what=f"{file.what}: {where}")):
        place = f"{file.what}: {where}[{k}]"
        ends = [_identifier(edge, end, place) for end in ("source", "target")]
        graph.add_edge(ends, edge, place, directed=document.get("directed", False))
    return graph


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
