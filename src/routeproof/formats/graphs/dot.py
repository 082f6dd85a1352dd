"""Graphviz DOT: a network for ``dot``, ``neato`` or ``sfdp``; and read, as YATES writes its topologies.

Source: the DOT language of Graphviz, without subgraphs, ports and HTML texts; YATES (Kumar et al. 2018): hosts are
nodes of ``type=host``, and a channel carries its ``capacity``, a rate with a unit such as ``"1Gbps"``.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from ...core.network import Network
from ..documents.network import number_text
from ..format import File, Format, NetworkFormat
from ..rated import gbps_of
from ..text_files import Cursor, brief, write_text_atomic
from .foreign_graph import Attributes, ForeignGraph, add_attribute, network_of

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_RATE = re.compile(r"[0-9.]+[kKMGT]?i?(bps|b/s|Bps|B/s)")
_TOKEN = re.compile(
    r"""(?P<space>[\s\ufeff]+|//[^\n]*|/\*.*?\*/|(?<![^\n])\#[^\n]*)
      | (?P<text>"(?:[^"\\]|\\.)*")
      | (?P<mark>->|--|[][{}=;,:+<])
      | (?P<name>-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?![\w.])|[^\W\d]\w*)""",
    re.VERBOSE | re.DOTALL,
)
_BEGIN = re.compile(
    r"""(\s|//[^\n]*\n|/\*.*?\*/|\#[^\n]*\n)*(strict\s+)?(di)?graph\b\s*("[^"\n]*"|[\w.]+)?\s*\{""",
    re.DOTALL | re.IGNORECASE,
)
_DEFAULTS = ("graph", "node", "edge")


def dot_text(network: Network) -> str:
    """A graph with an edge per link where all channels have opposites, else a digraph with an edge per channel.

    Nodes without terminals are boxes; bandwidths are labels where they are not all 1.  Read again it is the network,
    where terminals send and receive at one node, in order of nodes.
    """
    reverse = network.reverse
    arrow, kind = ("->", "digraph") if reverse is None else ("--", "graph")
    supply = (network.supply + network.demand).tolist()
    in_order = bool((network.source == network.sink).all() and (network.source[1:] >= network.source[:-1]).all())
    told = in_order and set(network.supply.tolist()) != {1}
    lines = [f"{kind} {_quoted(network.name)} {{"]
    for v in range(network.num_nodes):
        shape = "" if supply[v] else ", shape=box"
        own = f", terminals={network.supply[v]}" if told else ""
        lines.append(f"  {v} [label={_quoted(network.label(v))}{shape}{own}];")
    alike = all(b == 1 for b in set(network.bandwidth))
    for c, (u, v) in enumerate(zip(network.tail.tolist(), network.head.tolist(), strict=True)):
        if reverse is not None and int(reverse[c]) < c:
            continue
        text = _quoted(str(number_text(network.bandwidth[c])))
        label = "" if alike else f" [label={text}, bandwidth={text}]"
        lines.append(f"  {u} {arrow} {v}{label};")
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    safe = _CONTROL.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{safe}"'


class _Statements(Cursor):
    def __init__(self, file: File) -> None:
        super().__init__(file.text, file.what, _TOKEN, unknown="is unexpected; is a text or a comment not closed?")
        self.nodes: dict[str, Attributes] = {}
        self.edges: list[tuple[str, str, bool, Attributes]] = []
        self._given: dict[str, Attributes] = {x: {} for x in _DEFAULTS}

    def _take(self, *wanted: str) -> str:
        if not self.at(*wanted):
            raise self.error(" or ".join(wanted))
        return self.take().text

    def _word(self, what: str) -> str:
        if self.now.kind not in ("name", "text"):
            raise self.error(what)
        kind, text, _ = self.take()
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\") if kind == "text" else text

    def read(self) -> None:
        if self._is("strict"):
            raise self.fail("a strict graph, in which parallel edges are one; write graph or digraph")
        if not self._is("graph", "digraph"):
            raise self.error("graph or digraph")
        directed = self.take().text.lower() == "digraph"
        if not self.at("{"):
            self._word("a name or {")
        self._take("{")
        while not self.skip("}"):
            if not self.skip(";"):
                self._statement(directed)
        if self.now.kind != "end":
            raise self.fail(f"{brief(self.now.text)} after the graph; one graph was expected")

    def _is(self, *words: str) -> bool:
        return self.now.kind == "name" and self.now.text.lower() in words

    def _statement(self, directed: bool) -> None:
        if self._is("subgraph") or self.at("{"):
            raise self.fail("a subgraph; statements about nodes and edges were expected")
        if self._is(*_DEFAULTS):
            of = self.take().text.lower()
            self._given[of] |= self._attributes()
            return
        names = [self._word("a node")]
        if self.skip("="):  # an attribute of the graph
            self._word("a value")
            return
        while self.at("->", "--"):
            if (self.take().text == "->") != directed:
                raise self.fail(f"an edge with {'--' if directed else '->'} in a {'di' * directed}graph")
            names.append(self._word("a node"))
        if self.at(":"):
            raise self.fail(f"node {brief(names[-1])} with a port; the name of a node alone was expected")
        found = self._attributes()
        for name in names:
            self.nodes.setdefault(name, dict(self._given["node"]))
        if len(names) == 1:
            self.nodes[names[0]].update(found)
        for a, b in pairwise(names):
            self.edges.append((a, b, directed, {**self._given["edge"], **found}))

    def _attributes(self) -> Attributes:
        found: Attributes = {}
        while self.skip("["):
            while not self.skip("]"):
                key = self._word("an attribute or ]")
                self._take("=")
                add_attribute(found, key, self._word("a value"))
                self.skip(",", ";")
        return found


def read_dot(file: File) -> ForeignGraph:
    """Nodes and edges in the order in which the file names them; a ``capacity`` with a unit is the bandwidth, in bit/s,
    where edges state no ``bandwidth``; where nodes are of ``type=host``, these are the terminals."""
    reader = _Statements(file)
    reader.read()
    graph = ForeignGraph(file.stem, file.what)
    has_hosts = any(x.get("type") == "host" for x in reader.nodes.values())
    for name, attributes in reader.nodes.items():
        if has_hosts:
            attributes.setdefault("terminals", str(int(attributes.get("type") == "host")))
        graph.add_node(name, attributes)
    rated = all(_RATE.fullmatch(str(x.get("capacity"))) and "bandwidth" not in x for *_, x in reader.edges)
    for a, b, directed, attributes in reader.edges:
        if rated:
            what = f"{file.what}: capacity of {brief(a)} -> {brief(b)}"
            attributes["bandwidth"] = gbps_of(attributes.pop("capacity"), what=what) * Fraction(10**9)
        graph.add_edge((a, b), attributes, directed=directed)
    return graph


DOT: NetworkFormat = Format(
    "dot",
    "Graphviz, also of YATES",
    extensions=(".dot", ".gv"),
    sniff=lambda file: bool(_BEGIN.match(file.start)),
    read=lambda file, bandwidth: network_of(read_dot(file), bandwidth=bandwidth),
    write=lambda network, path: write_text_atomic(path, dot_text(network)),
    options=("bandwidth", "missing"),
)
