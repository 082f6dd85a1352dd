"""What graph formats have in common, and how such a graph becomes a network.

Every reader makes a ``ForeignGraph``: nodes and edges in file order with their attributes as found.  The rules
from there on are the same for all:

- an undirected edge becomes two channels, there and back, in a row; a directed edge becomes one; parallel edges
  stay parallel channels; self-loops are dropped with a warning;
- the bandwidth is the edge attribute ``bandwidth``, or another that is named, which must be on every edge, unless it is
  said what the others get (``WithMissing``); where no edge has the attribute ``bandwidth`` and none is named, it is 1,
  with a warning if edges state rates in other ones;
- every other edge attribute becomes one of the network's ``channel_attributes``, which routings may name;
- the integer node attribute ``terminals`` says how many terminals a node has; if no node has it, each has one;
- the node attribute ``label`` is the node's name, else its identifier; a label that comes twice gets the identifier.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from ...core.errors import InputError, did_you_mean, warn
from ...core.network import Network
from ..documents.network import MAX_NODES, is_attribute_name
from ..format import Bandwidth, WithMissing
from ..text_files import brief, parse_number, positive_number, unexpected
from .unused_attributes import check_units, warn_of_links, warn_of_rates, warn_of_terminals

Attributes = dict[str, Any]
_OF_AN_EDGE = ("bandwidth", "channel", "directed", "id", "key", "source", "target")
_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")


class ForeignEdge(NamedTuple):
    """An edge between the nodes with numbers ``source`` and ``target``; ``directed`` or both ways."""

    source: int
    target: int
    directed: bool
    attributes: Mapping[str, Any]


class ForeignGraph:
    """``nodes``: (identifier, attributes) in file order. ``what`` names the graph in errors, ``name`` in reports."""

    def __init__(self, name: str, what: str) -> None:
        self.name, self.what = name, what
        self.nodes: list[tuple[str, Mapping[str, Any]]] = []
        self._number: dict[Hashable, int] = {}
        self._edges: list[tuple[Sequence[Hashable], bool, Mapping[str, Any], str]] = []

    def add_node(
        self, key: Hashable, attributes: Mapping[str, Any], place: str = "", *, name: str | None = None
    ) -> None:
        """A node called ``name`` (default: ``key``); raises InputError, beginning with ``place``, for a second one."""
        if key in self._number:
            raise InputError(f"{place or self.what}: node {brief(key)} is there twice; once was expected")
        self._number[key] = len(self.nodes)
        self.nodes.append((str(key) if name is None else name, attributes))

    def add_edge(
        self, ends: Sequence[Hashable], attributes: Mapping[str, Any], place: str = "", *, directed: bool
    ) -> None:
        self._edges.append((ends, directed, attributes, place))

    @cached_property
    def edges(self) -> list[ForeignEdge]:
        """All edges; raises InputError, with the place, for one that ends at a node which is not there."""
        edges = []
        for ends, directed, attributes, place in self._edges:
            lost = next((x for x in ends if x not in self._number), None)
            if lost is not None:
                raise InputError(f"{place}: an edge ends at node {brief(lost)}, which is not there")
            source, target = (self._number[x] for x in ends)
            edges.append(ForeignEdge(source, target, directed, attributes))
        self._edges.clear()  # a large graph is not held twice
        return edges


class SeveralValues:
    """Stands for an attribute that comes more than once: it is neither a number nor a name."""

    def __repr__(self) -> str:
        return "several values"


def add_attribute(attributes: Attributes, key: str, value: Any) -> None:
    """Set an attribute, once."""
    attributes[key] = SeveralValues() if key in attributes else value


def network_of(graph: ForeignGraph, *, bandwidth: Bandwidth = None) -> Network:
    """The network of a graph; ``bandwidth``: the edge attribute to use, with what others get, or one number for all
    channels."""
    if not graph.nodes:
        raise InputError(f"{graph.what} has no nodes; at least one was expected")
    labels = _labels(graph)
    widths = _bandwidths(graph, labels, bandwidth)
    equal = isinstance(bandwidth, (Fraction, int))
    used = _attribute(bandwidth)
    warn_of_links([edge.attributes for edge in graph.edges], what=graph.what, used=used, equal=equal)
    channels = [
        (ends, width)
        for edge, width in zip(graph.edges, widths, strict=True)
        for ends in ((edge.source, edge.target), (edge.target, edge.source))[: 1 if edge.directed else 2]
        if edge.source != edge.target
    ]
    loops = [edge.source for edge in graph.edges if edge.source == edge.target]
    if loops:
        count = f"{len(loops)} self-loops" if len(loops) > 1 else "a self-loop"
        warn(f"{graph.what}: {count} dropped (at node {_clip(labels[loops[0]])})")
    terminals = _terminals(graph, labels)
    numbered = all(label == str(v) for v, label in enumerate(labels))
    return Network.of(
        graph.name,
        len(graph.nodes),
        [ends for ends, _ in channels],
        bandwidth=[width for _, width in channels],
        source=terminals,
        sink=terminals,
        labels=None if numbered else labels,
        channel_attributes=_attributes([edge for edge in graph.edges if edge.source != edge.target]),
    )


def _attributes(edges: Sequence[ForeignEdge]) -> dict[str, list[Any]]:
    """What edges state of both their channels, but for what makes them edges, and their bandwidth."""
    names = dict.fromkeys(x for edge in edges for x in edge.attributes if x not in _OF_AN_EDGE and is_attribute_name(x))
    each = [edge.attributes for edge in edges for _ in range(1 if edge.directed else 2)]
    return {name: [x.get(name) for x in each] for name in names}


def _labels(graph: ForeignGraph) -> list[str]:
    identifiers = [_SPACE.sub(" ", name) for name, _ in graph.nodes]
    labels = []
    for identifier, (_, attributes) in zip(identifiers, graph.nodes, strict=True):
        label = attributes.get("label")
        text = _SPACE.sub(" ", str(label)) if isinstance(label, (str, int)) and not isinstance(label, bool) else ""
        labels.append((text.strip() and text) or identifier)
    counts = Counter(labels)
    labels = [x if counts[x] == 1 else f"{x} ({name})" for x, name in zip(labels, identifiers, strict=True)]
    return labels if len(set(labels)) == len(labels) else identifiers


def _attribute(bandwidth: Bandwidth) -> str:
    if isinstance(bandwidth, WithMissing):
        return bandwidth.attribute
    return bandwidth if isinstance(bandwidth, str) else "bandwidth"


def _bandwidths(graph: ForeignGraph, labels: Sequence[str], bandwidth: Bandwidth) -> list[Fraction]:
    if isinstance(bandwidth, (Fraction, int)):
        return [positive_number(bandwidth, what=f"{graph.what}: bandwidth")] * len(graph.edges)
    attribute = _attribute(bandwidth)
    missing = [e for e, edge in enumerate(graph.edges) if attribute not in edge.attributes]
    if missing and len(missing) == len(graph.edges) and bandwidth is None:
        warn_of_rates([edge.attributes for edge in graph.edges], what=graph.what)
        return [Fraction(1)] * len(graph.edges)
    filled = isinstance(bandwidth, WithMissing) and len(missing) < len(graph.edges)
    if missing and not filled:
        count = f"{len(missing)} of {len(graph.edges)} edges"
        first = _edge_name(graph, labels, missing[0])
        known = sorted({key for edge in graph.edges[:1000] for key in edge.attributes if key.isprintable()})
        some = next((edge.attributes[attribute] for edge in graph.edges if attribute in edge.attributes), 1)
        as_others = brief(some, limit=24).strip("'")
        hint = f"write it on every edge, or give them one (as missing={as_others}), or all edges (bandwidth=1)"
        if len(missing) == len(graph.edges):
            hint = did_you_mean(attribute, known[:100]) if known else "edges have no attributes at all"
        raise InputError(f"{graph.what}: {count} have no attribute {brief(attribute)}, first {first}; {hint}")
    stating = [edge.attributes for edge in graph.edges if attribute in edge.attributes]
    check_units(stating, attribute, what=graph.what)
    if missing and isinstance(bandwidth, WithMissing):
        first = _edge_name(graph, labels, missing[0])
        found = f"{len(missing)} of {len(graph.edges)} edges have no {brief(attribute)}, first {first}"
        warn(f"{graph.what}: {found}: they get bandwidth {bandwidth.missing}")
    result = []
    for e, edge in enumerate(graph.edges):
        if isinstance(bandwidth, WithMissing) and attribute not in edge.attributes:
            result.append(bandwidth.missing)
            continue
        raw = edge.attributes[attribute]
        what = f"{graph.what}: {attribute} of {_edge_name(graph, labels, e)}"
        if _number(raw, what) <= 0:
            raise unexpected(what, raw, "a positive number")
        result.append(_number(raw, what))
    return result


def _number(value: object, what: str) -> Fraction:
    if isinstance(value, SeveralValues):
        raise InputError(f"{what} is {value}; one number was expected")
    return parse_number(value, what=what)


def _edge_name(graph: ForeignGraph, labels: Sequence[str], e: int) -> str:
    edge = graph.edges[e]
    arrow = "->" if edge.directed else "--"
    return f"edge {e} ({_clip(labels[edge.source])} {arrow} {_clip(labels[edge.target])})"


def _clip(label: str) -> str:
    return label if len(label) <= 60 else f"{label[:56]} ..."


def _terminals(graph: ForeignGraph, labels: Sequence[str]) -> list[int] | None:
    """The node of every terminal, in node order; None for one terminal at every node."""
    warn_of_terminals([attributes for _, attributes in graph.nodes], what=graph.what)
    lacking = [v for v, (_, attributes) in enumerate(graph.nodes) if "terminals" not in attributes]
    if len(lacking) == len(graph.nodes):
        return None
    if lacking:
        count = f"{len(lacking)} of {len(graph.nodes)} nodes"
        raise InputError(
            f"{graph.what}: {count} have no attribute 'terminals', first node {_clip(labels[lacking[0]])}; "
            f"write 0 where there is none"
        )
    counts: list[int] = []
    for label, (_, attributes) in zip(labels, graph.nodes, strict=True):
        where, raw = f"{graph.what}: terminals of node {_clip(label)}", attributes["terminals"]
        number = _number(raw, where)
        if number.denominator != 1 or number < 0:
            raise unexpected(where, raw, "an integer of at least 0")
        counts.append(int(number))
    if not 1 <= sum(counts) <= MAX_NODES:
        raise InputError(f"{graph.what} has {sum(counts)} terminals; 1 to {MAX_NODES} were expected")
    return [v for v, count in enumerate(counts) for _ in range(count)]


def terminals_per_node(network: Network, *, what: str) -> list[int] | None:
    """How many terminals each node has, for formats that hold no more than that; None for one each."""
    source = network.source
    if (source != network.sink).any() or (source[1:] < source[:-1]).any():
        raise InputError(
            f"{what} can only hold terminals that send and receive at the same node, numbered in order of nodes; "
            f"those of {network.name} do not: write a network document (.json)"
        )
    counts: list[int] = network.supply.tolist()
    return None if all(count == 1 for count in counts) else counts
