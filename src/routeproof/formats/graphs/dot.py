"""Graphviz DOT: a network for ``dot``, ``neato`` or ``sfdp``; and read, as YATES writes its topologies.

Source: the DOT language of Graphviz, without subgraphs, ports and HTML texts; YATES (Kumar et al. 2018): hosts are
nodes of ``type=host``, and a channel carries its ``capacity``, a rate with a unit such as ``"1Gbps"``.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from ...core.errors import InputError
from ...core.network import Network
from ..documents.network import number_text
from ..format import File, Format, NetworkFormat
from ..lines import tokens
from ..rated import gbps_of
from ..text_files import brief, write_text_atomic
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


class _Statements:
    def __init__(self, file: File) -> None:
        self._what = file.what
        self._tokens = tokens(file.text, _TOKEN, self._unknown, end="the end of the file")
        self._now = next(self._tokens)
        self.nodes: dict[str, Attributes] = {}
        self.edges: list[tuple[str, str, bool, Attributes]] = []
        self._given: dict[str, Attributes] = {x: {} for x in _DEFAULTS}

    def _unknown(self, rest: str, line: int) -> InputError:
        return InputError(f"{self._what}, line {line}: unexpected {brief(rest)}; is a text or a comment not closed?")

    def _error(self, why: str) -> InputError:
        return InputError(f"{self._what}, line {self._now.line}: {why}")

    def _next(self) -> str:
        token, self._now = self._now, next(self._tokens)
        return token.text

    def _at(self, *marks: str) -> bool:
        return self._now.kind == "mark" and self._now.text in marks

    def _take(self, *wanted: str) -> str:
        if not self._at(*wanted):
            raise self._error(f"{brief(self._now.text)}; {' or '.join(wanted)} was expected")
        return self._next()

    def _word(self, what: str) -> str:
        if self._now.kind not in ("name", "text"):
            raise self._error(f"{brief(self._now.text)}; {what} was expected")
        quoted = self._now.kind == "text"
        token = self._next()
        return token[1:-1].replace('\\"', '"').replace("\\\\", "\\") if quoted else token

    def read(self) -> None:
        if self._is("strict"):
            raise self._error("a strict graph, in which parallel edges are one; write graph or digraph")
        directed = self._take_kind() == "digraph"
        if not self._at("{"):
            self._word("a name or {")
        self._take("{")
        while not self._at("}"):
            if self._at(";"):
                self._next()
            else:
                self._statement(directed)
        self._next()
        if self._now.kind != "end":
            raise self._error(f"{brief(self._now.text)} after the graph; one graph was expected")

    def _take_kind(self) -> str:
        if self._now.kind != "name" or self._now.text.lower() not in ("graph", "digraph"):
            raise self._error(f"{brief(self._now.text)}; graph or digraph was expected")
        return self._next().lower()

    def _is(self, *words: str) -> bool:
        return self._now.kind == "name" and self._now.text.lower() in words

    def _statement(self, directed: bool) -> None:
        if self._is("subgraph") or self._at("{"):
            raise self._error("a subgraph; statements about nodes and edges were expected")
        if self._is(*_DEFAULTS):
            of = self._next().lower()
            self._given[of] |= self._attributes()
            return
        names = [self._word("a node")]
        if self._at("="):  # an attribute of the graph
            self._next()
            self._word("a value")
            return
        while self._at("->", "--"):
            if (self._next() == "->") != directed:
                raise self._error(f"an edge with {'--' if directed else '->'} in a {'di' * directed}graph")
            names.append(self._word("a node"))
        if self._at(":"):
            raise self._error(f"node {brief(names[-1])} with a port; the name of a node alone was expected")
        found = self._attributes()
        for name in names:
            self.nodes.setdefault(name, dict(self._given["node"]))
        if len(names) == 1:
            self.nodes[names[0]].update(found)
        for a, b in pairwise(names):
            self.edges.append((a, b, directed, {**self._given["edge"], **found}))

    def _attributes(self) -> Attributes:
        found: Attributes = {}
        while self._at("["):
            self._next()
            while not self._at("]"):
                key = self._word("an attribute or ]")
                self._take("=")
                add_attribute(found, key, self._word("a value"))
                if self._at(",", ";"):
                    self._next()
            self._next()
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
