"""GraphML: reading with exact numbers and in file order, and writing.

Read with expat rather than through networkx, which reorders the edges of undirected graphs, loses one of two
parallel edges with equal identifiers, and rounds numbers to floats.  Declared entities are refused before they
can expand.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Mapping
from typing import Any
from xml.parsers import expat  # document types and entities are refused below
from xml.sax.saxutils import escape

from ...core.errors import InputError
from ...core.network import Network
from ..documents.network import numeric_attributes
from ..format import File, Format, NetworkFormat
from ..text_files import MEGABYTE, brief, read_bytes, write_text_atomic
from .foreign_graph import Attributes, ForeignGraph, add_attribute, network_of, terminals_per_node
from .unused_attributes import is_multiplicity_name, is_rate_name, is_state_name, is_terminals_name

_LIMIT = 64 * MEGABYTE
_MAX_DEPTH = 100
_MAX_KEYS = 1000
_KEYS_ARE_FOR = ("all", "graphml", "graph", "node", "edge", "hyperedge", "port", "endpoint")
_OF_A_GRAPH = ("node", "edge", "hyperedge")
_BESIDE_NODES = ("data", "desc", "locator")
_NAMES_OF_DATA = (is_rate_name, is_terminals_name, is_multiplicity_name, is_state_name)
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Elements:
    def __init__(self, what: str, name: str) -> None:
        self.what = what
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self.refuse
        self.parser.EntityDeclHandler = self.refuse
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.stack: list[str] = []
        self.namespace = ""
        self.names: dict[str, tuple[str, str]] = {}  # key id -> (what it is for, attribute name)
        self.defaults: dict[str, Attributes] = {"node": {}, "edge": {}}
        self.with_default: set[str] = set()  # keys
        self.graphs = 0
        self.undirected = True
        self.made = ForeignGraph(name, what)
        self.current: Attributes | None = None  # attributes of the node or edge that we are in
        self.key = ""
        self.text: list[str] = []

    def place(self) -> str:
        return f"{self.what}, line {self.parser.CurrentLineNumber}"

    def error(self, message: str) -> InputError:
        return InputError(f"{self.place()}: {message}")

    def refuse(self, *_: Any) -> None:
        raise self.error("document type and entity declarations are not read; remove the <!DOCTYPE ...> part")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        path = tuple(self.stack)
        self.stack.append(tag)
        if len(self.stack) > _MAX_DEPTH:
            raise self.error(f"elements are nested too deeply; at most {_MAX_DEPTH} levels are read")
        if not path:
            if tag != "graphml":
                raise self.error(f"the file starts with <{tag[:40]}>; <graphml> was expected")
            self.namespace = name.rpartition(" ")[0]
        elif path == ("graphml",) and tag == "key":
            self.key = self.need(attributes, "id", tag)
            if self.key in self.names:
                raise self.error(f"key {brief(self.key)} is declared twice; once was expected")
            if len(self.names) == _MAX_KEYS:
                raise self.error(f"more than {_MAX_KEYS} keys are declared")
            what_for = attributes.get("for", "all")
            if what_for not in _KEYS_ARE_FOR:
                raise self.error(f"key {brief(self.key)} is for {brief(what_for)}; node, edge or all was expected")
            self.names[self.key] = (what_for, attributes.get("attr.name", self.key))
        elif path == ("graphml", "key") and tag == "default":
            if self.key in self.with_default:
                raise self.error(f"key {brief(self.key)} has a second <default>; one was expected")
            if self.graphs:
                raise self.error(f"key {brief(self.key)} has a <default> after the graph; before it, it was expected")
            self.with_default.add(self.key)
            self.text = []
        elif tag == "graph" and "data" not in path:
            self.graphs += 1
            if self.graphs > 1:
                raise self.error("a second or nested <graph>; one graph was expected")
            kind = attributes.get("edgedefault", "undirected")
            self.undirected = self.way(kind, ("undirected", "directed"), "edgedefault")
        elif path == ("graphml", "graph"):
            if name.rpartition(" ")[0] == self.namespace:
                self.start_item(tag, attributes)
        elif path[:2] == ("graphml", "graph") and len(path) == 3 and tag == "data" and self.current is not None:
            self.key = self.need(attributes, "key", tag)
            if self.key not in self.names:
                raise self.error(f"<data> has the key {brief(self.key)}, which no <key> declares")
            self.text = []
        elif path[-1] in ("data", "default"):
            self.text.append(f"<{tag}>")  # so that what stands around it is not a number
        elif tag in _OF_A_GRAPH and "data" not in path and name.rpartition(" ")[0] == self.namespace:
            raise self.error(f"<{tag}> inside <{path[-1][:40]}>; inside <graph> it was expected")

    def start_item(self, tag: str, attributes: dict[str, str]) -> None:
        for key in attributes:
            if tag in ("node", "edge") and any(tells(key) for tells in _NAMES_OF_DATA):
                raise self.error(f"<{tag}> has an attribute {brief(key)}; <data key=...> inside it was expected")
        if tag == "node":
            self.current = {}
            self.made.add_node(self.need(attributes, "id", tag), self.with_defaults(tag), self.place())
        elif tag == "edge":
            undirected = self.undirected
            if "directed" in attributes:
                undirected = self.way(attributes["directed"], ("false", "true"), "directed")
            self.current = {}
            ends = self.need(attributes, "source", tag), self.need(attributes, "target", tag)
            self.made.add_edge(ends, self.with_defaults(tag), self.place(), directed=not undirected)
        elif tag == "hyperedge":
            raise self.error("hyperedges are not read; edges between two nodes were expected")
        elif tag not in _BESIDE_NODES:
            raise self.error(f"<{tag[:40]}> in a graph; <node> and <edge> were expected")

    def end(self, name: str) -> None:
        tag = name.rpartition(" ")[2]
        self.stack.pop()
        if tag == "data" and len(self.stack) == 3 and self.current is not None:
            add_attribute(self.current, self.names[self.key][1], "".join(self.text))
        elif tag == "default" and self.stack == ["graphml", "key"]:
            what_for, name = self.names[self.key]
            for domain in self.defaults if what_for == "all" else self.defaults.keys() & {what_for}:
                add_attribute(self.defaults[domain], name, "".join(self.text))
        elif len(self.stack) == 2:
            self.current = None

    def characters(self, text: str) -> None:
        if (self.stack[-1], len(self.stack)) in (("data", 4), ("default", 3)):
            self.text.append(text)

    def need(self, attributes: dict[str, str], key: str, tag: str) -> str:
        if key not in attributes:
            raise self.error(f"<{tag}> has no attribute '{key}'")
        return attributes[key]

    def way(self, found: str, words: tuple[str, str], key: str) -> bool:
        if found not in words:
            raise self.error(f"{key} is {brief(found)}; '{words[0]}' or '{words[1]}' was expected")
        return found == words[0]

    def with_defaults(self, domain: str) -> Mapping[str, Any]:
        """What will be said of the node or edge that begins here; defaults are shared, never copied to every node."""
        assert self.current is not None
        return ChainMap(self.current, self.defaults[domain]) if self.defaults[domain] else self.current


def read_graphml(file: File) -> ForeignGraph:
    what, content = file.what, read_bytes(file.path, limit=_LIMIT, wanted=file.wanted)
    elements = _Elements(what, file.stem)
    try:
        elements.parser.Parse(content, True)
    except expat.ExpatError as error:
        place = f"line {error.lineno}, column {error.offset + 1}"
        reason = expat.ErrorString(error.code) or "not well-formed"
        raise InputError(f"{what} is not well-formed XML: {reason} at {place}") from None
    except (LookupError, ValueError) as error:  # from encodings that Python does not know or expat cannot use
        if isinstance(error, InputError):
            raise
        reason = str(error).splitlines()[0] if str(error) else "unknown"
        raise InputError(f"{what} has an encoding that cannot be read: {brief(reason)}") from None
    if not elements.graphs:
        raise InputError(f"{what} holds no <graph>")
    return elements.made


def graphml_text(network: Network) -> str:
    """A directed GraphML graph, one edge per channel in order; bandwidths that are no integers as fractions ("3/2")."""
    terminals = terminals_per_node(network, what="GraphML")
    kind = "long" if all(x.denominator == 1 and x < 2**63 for x in network.bandwidth) else "string"
    lines = ['<?xml version="1.0" encoding="utf-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    if network.labels is not None:
        lines.append('  <key id="label" for="node" attr.name="label" attr.type="string"/>')
    if terminals is not None:
        lines.append('  <key id="terminals" for="node" attr.name="terminals" attr.type="int"/>')
    lines.append(f'  <key id="bandwidth" for="edge" attr.name="bandwidth" attr.type="{kind}"/>')
    attributes = numeric_attributes(network)
    for k, name in enumerate(attributes):
        title = escape(name, {'"': "&quot;"})
        lines.append(f'  <key id="channel{k}" for="edge" attr.name="{title}" attr.type="string"/>')
    lines.append('  <graph id="G" edgedefault="directed">')
    for v in range(network.num_nodes):
        data = ""
        if network.labels is not None:
            if _NOT_XML.search(network.labels[v]):
                label = brief(network.labels[v])
                raise InputError(f"label of node {v} is {label}, with a character that XML cannot hold")
            data += f'<data key="label">{escape(network.labels[v])}</data>'
        if terminals is not None:
            data += f'<data key="terminals">{terminals[v]}</data>'
        lines.append(f'    <node id="{v}">{data}</node>' if data else f'    <node id="{v}"/>')
    for c, (u, v) in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
        stated = {"bandwidth": network.bandwidth[c], **{f"channel{k}": x[c] for k, x in enumerate(attributes.values())}}
        data = "".join(f'<data key="{key}">{x}</data>' for key, x in stated.items() if x is not None)
        lines.append(f'    <edge source="{u}" target="{v}">{data}</edge>')
    lines += ["  </graph>", "</graphml>", ""]
    return "\n".join(lines)


GRAPHML: NetworkFormat = Format(
    "graphml",
    "GraphML",
    extensions=(".graphml", ".xml"),
    read=lambda file, bandwidth: network_of(read_graphml(file), bandwidth=bandwidth),
    write=lambda network, path: write_text_atomic(path, graphml_text(network)),
    options=("bandwidth", "missing"),
)
