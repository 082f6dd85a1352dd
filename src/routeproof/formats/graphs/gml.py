"""GML (Graph Modelling Language): reading with exact numbers and in file order, and writing.

Source: M. Himsolt, "GML: A portable graph file format", 1997.  Text is UTF-8 with HTML character references.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from ...core.errors import InputError, warn
from ...core.network import Network
from ..documents.network import number_text, numeric_attributes
from ..format import File, Format, NetworkFormat
from ..text_files import Cursor, brief, write_text_atomic
from .foreign_graph import Attributes, ForeignGraph, add_attribute, network_of, terminals_per_node

Entries = list[tuple[str, Any, int]]  # key, value (a text or entries), line
_MAX_DEPTH = 100
_TOKEN = re.compile(
    r"""(?P<space>[\s\ufeff]+|\#[^\n]*)
      | (?P<key>[A-Za-z_][A-Za-z0-9_]*)
      | (?P<number>[+-]?(?:[0-9][0-9.]*|\.[0-9]+|INF|NAN)(?:[eE][+-]?[0-9]+)?)
      | (?P<string>"[^"]*")
      | (?P<open>\[)
      | (?P<close>\])""",
    re.VERBOSE,
)
_KEY = re.compile("[A-Za-z][A-Za-z0-9]*")
_BIGGEST = 2**31  # GML integers are 32-bit


def _parse(text: str, what: str) -> Entries:
    """The entries of the file, without recursion."""
    unknown = "is unexpected; a key, a value or a bracket was expected, or a string is not closed (is it cut off?)"
    cursor = Cursor(text, what, _TOKEN, unknown=unknown)
    stack: list[Entries] = [[]]
    key = ""
    for kind, token, line in cursor:
        place = f"{what}, line {line}"
        if not key and kind == "close" and len(stack) > 1:
            stack.pop()
        elif not key:
            if kind != "key":
                raise InputError(f"{place}: found {brief(token)}; a key was expected")
            key = token
        elif kind == "close":
            raise InputError(f"{place}: key '{key[:40]}' has no value")
        elif len(stack) > _MAX_DEPTH:
            raise InputError(f"{place}: nested too deeply; at most {_MAX_DEPTH} levels are read")
        else:  # a bare NAN or INF reads as a key; the value is refused later, where a number is needed
            inner: Entries = []
            value = {"open": inner, "string": html.unescape(token[1:-1])}.get(kind, token)
            stack[-1].append((key, value, line))
            stack += [inner] if kind == "open" else []
            key = ""
    if key or len(stack) > 1:
        raise cursor.fail("it ends too early (is it cut off?)")
    return stack[0]


def read_gml(file: File) -> ForeignGraph:
    what = file.what
    top = _parse(file.text, what)
    graphs = [value for key, value, _ in top if key.lower() == "graph"]
    if len(graphs) != 1 or not isinstance(graphs[0], list):
        found = f"a graph {brief(graphs[0])}" if len(graphs) == 1 else f"{len(graphs)} graphs"
        raise InputError(f"{what} holds {found}; one 'graph [ ... ]' was expected")
    _check_places(top, graphs[0], what)
    directed = [value for key, value, _ in graphs[0] if key == "directed"] or ["0"]
    if directed not in (["0"], ["1"]):
        raise InputError(f"{what}: directed is {brief(directed[0])}; 0 or 1, once, was expected")
    graph = ForeignGraph(file.stem, what)
    for attributes, place in _items(graphs[0], "node", what):
        (identifier,) = _need(attributes, ("id",), f"{place}: a node")
        graph.add_node(identifier, attributes, place)
    for attributes, place in _items(graphs[0], "edge", what):
        ends = _need(attributes, ("source", "target"), f"{place}: an edge")
        if attributes.get("directed", directed[0]) != directed[0]:
            raise InputError(f"{place}: an edge has a 'directed' of its own; one for the whole graph expected")
        graph.add_edge(ends, attributes, place, directed=directed == ["1"])
    return graph


def _check_places(top: Entries, graph: Entries, what: str) -> None:
    """Keys that make the graph are spelt and placed as they must be: elsewhere they would be passed over."""
    for entries, mine in ((top, ("graph",)), (graph, ("directed", "node", "edge"))):
        for key, _, line in entries:
            word = key.lower()
            if word in ("graph", "directed", "node", "edge") and key not in mine:
                if word in mine:
                    raise InputError(f"{what}, line {line}: '{key}' was found; '{word}' was expected")
                place = "outside 'graph'" if entries is top else "inside 'graph'"
                raise InputError(f"{what}, line {line}: '{key}' was found {place}; one 'graph [ ... ]' was expected")


def _items(graph: Entries, kind: str, what: str) -> Iterator[tuple[Attributes, str]]:
    for key, value, line in graph:
        if key == kind:
            if not isinstance(value, list):
                raise InputError(f"{what}, line {line}: '{kind}' is {brief(value)}; '{kind} [ ... ]' was expected")
            attributes: Attributes = {}
            for name, item, _ in value:
                add_attribute(attributes, name, item)
            yield attributes, f"{what}, line {line}"


def _need(attributes: Attributes, keys: tuple[str, ...], what: str) -> list[str]:
    for key in keys:
        if key not in attributes:
            raise InputError(f"{what} has no '{key}'")
        if not isinstance(attributes[key], str):
            raise InputError(f"{what} has more than one '{key}'; a single value was expected")
    return [attributes[key] for key in keys]


def gml_text(network: Network) -> str:
    """A directed GML graph, one edge per channel in order; bandwidths that are no integers as fractions ("3/2")."""
    terminals = terminals_per_node(network, what="GML")
    lines = ["graph [", "  directed 1", "  multigraph 1"]
    for v in range(network.num_nodes):
        label = _quoted(str(v) if network.labels is None else network.labels[v])
        more = "" if terminals is None else f" terminals {terminals[v]}"
        lines.append(f"  node [ id {v} label {label}{more} ]")
    attributes = numeric_attributes(network)
    unsaid = [name for name in attributes if not _KEY.fullmatch(name)]
    if unsaid:
        warn(f"GML has no key for {brief(unsaid[0])}, an attribute of edges; it is left out (GraphML holds it)")
    for c, (u, v) in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
        values = {"bandwidth": number_text(network.bandwidth[c]), **{k: x[c] for k, x in attributes.items()}}
        stated = (f"{k} {_number(x)}" for k, x in values.items() if x is not None and k not in unsaid)
        lines.append(f"  edge [ source {u} target {v} key {c} {' '.join(stated)} ]")
    return "\n".join([*lines, "]", ""])


def _number(value: int | str) -> str:
    return str(value) if isinstance(value, int) and abs(value) < _BIGGEST else f'"{value}"'


def _quoted(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace('"', "&quot;")
    return '"' + escaped.encode("ascii", "xmlcharrefreplace").decode("ascii") + '"'


GML: NetworkFormat = Format(
    "gml",
    "GML",
    extensions=(".gml",),
    read=lambda file, bandwidth: network_of(read_gml(file), bandwidth=bandwidth),
    write=lambda network, path: write_text_atomic(path, gml_text(network)),
    options=("bandwidth", "missing"),
)
