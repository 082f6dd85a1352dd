"""Judging a document on its own: is this network whole, does this routing deliver, is this list a permutation?"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..core.claim import Claim, Evidence, Grade
from ..core.errors import InputError, did_you_mean
from ..core.network import Network

__all__ = ["Judgement", "judge_document", "plot_document"]

_JUDGED = (
    "routeproof/network",
    "routeproof/routing",
    "routeproof/next-hop",
    "routeproof/destination-graph",
    "routeproof/wiring",
)


@dataclass(frozen=True)
class Judgement:
    """What a document is, and what is true of it."""

    subject: Mapping[str, Any]
    claims: tuple[Claim, ...]


def judge_document(path: str) -> Judgement:
    """Judge a network (our document, GraphML, GML), a routing, a destination graph, a wiring, or a list
    (a permutation).

    A document that can be understood but is not what it should be gives claims whose value is ``"false"``, with the
    first thing wrong as ``witness`` in the evidence.  Raises InputError for one that cannot be understood.
    """
    from ..formats.files import read_network
    from ..formats.infiniband import has_fabric

    if os.path.splitext(path)[1].lower() in (".graphml", ".xml", ".gml") or has_fabric(path):
        return _network(path, read_network(path))
    from ..formats.json_text import parse_json, read_json
    from ..formats.text_files import MEGABYTE, brief, read_text, shown

    wanted = "a network, a routing, a destination graph, a wiring or a permutation"
    if not path.lower().endswith(".json"):
        text = read_text(path, limit=64 * MEGABYTE, wanted=wanted)
        if text.lstrip()[:1] not in ("{", "["):
            words = [x for line in text.splitlines() for x in line.partition("#")[0].replace(",", " ").split()]
            if words and words[0][0] not in "0123456789+-.":
                raise InputError(f"file {shown(path)} begins with {brief(words[0])}; {wanted} was expected")
            return _permutation(path, len(words))
        document = parse_json(text, what=f"file {shown(path)}")
    else:
        document = read_json(path, wanted=wanted)
    if isinstance(document, list):
        return _permutation(path, len(document))
    if not isinstance(document, dict):
        raise InputError(f"file {shown(path)} holds {brief(document)}; {wanted} was expected")
    kind = document.get("format")
    if kind == "routeproof/network":
        return _network(path, read_network(path) if path.lower().endswith(".json") else _from(document, path))
    if kind == "routeproof/routing":
        return _routing(path, document)
    if kind == "routeproof/next-hop":
        return _next_hop(path, document)
    if kind == "routeproof/destination-graph":
        return _destination_graph(path, document)
    if kind == "routeproof/wiring":
        return _wiring(path, document)
    if kind == "routeproof/report":
        raise InputError(f"file {shown(path)} is a report; routeproof verify checks reports")
    if kind is None:
        raise InputError(f"file {shown(path)} has no key 'format'; known formats: {', '.join(_JUDGED)}")
    hint = did_you_mean(kind, _JUDGED) if isinstance(kind, str) else f"known: {', '.join(_JUDGED)}"
    raise InputError(f"file {shown(path)} has the format {brief(kind)}, which is not judged here; {hint}")


def _from(document: dict[str, Any], path: str) -> Network:
    from ..formats.network_document import network_from_document
    from ..formats.text_files import shown, stem

    return network_from_document(document, what=f"file {shown(path)}", name=stem(path))


def _network(path: str, network: Network) -> Judgement:
    """Its sizes, and whether every terminal can reach every other."""
    stuck = _unreached(network)
    claims = [
        _count("num_nodes", network.num_nodes),
        _count("num_channels", network.num_channels),
        _count("num_terminals", network.num_terminals),
        _truth("connected", stuck),
    ]
    return Judgement({"document": os.path.basename(path), "kind": "network"}, tuple(claims))


def _unreached(network: Network) -> str | None:
    """A sentence about two terminals without a path, or None."""
    import igraph

    ends = list(zip(network.tail.tolist(), network.head.tolist(), strict=True))
    graph = igraph.Graph(network.num_nodes, ends, directed=True)
    start = int(network.source[0])
    there = set(graph.subcomponent(start, mode="out"))
    back = set(graph.subcomponent(int(network.sink[0]), mode="in"))
    for j, v in enumerate(network.sink.tolist()):
        if v not in there:
            here, target = network.label(start), network.label(v)
            return f"no path leads from terminal 0 (node {here}) to terminal {j} (node {target})"
    for i, v in enumerate(network.source.tolist()):
        if v not in back:
            target = network.label(int(network.sink[0]))
            return f"no path leads from terminal {i} (node {network.label(v)}) to terminal 0 (node {target})"
    if start == int(network.sink[0]):
        return None  # all reach one node, which reaches all
    for i, v in enumerate(network.source.tolist()):
        missing = set(network.sink.tolist()) - set(graph.subcomponent(v, mode="out"))
        if missing:
            return f"no path leads from terminal {i} (node {network.label(v)}) to node {network.label(min(missing))}"
    return None


def _routing(path: str, document: dict[str, Any]) -> Judgement:
    """Whether all pairs are delivered along paths of the network, with weights that sum to 1."""
    from ..formats.routing_document import paths_from_document
    from ..formats.text_files import shown
    from ..routing.table import TableRouting

    if "classes" in document:
        return _routing_by_classes(path, document)
    network, paths = paths_from_document(document, what=f"file {shown(path)}")
    wrong: str | None = None
    routing: TableRouting | None = None
    try:
        routing = TableRouting(network, os.path.basename(path), paths)
        routing.check()
    except InputError as error:
        wrong = str(error)
    claims = [
        _truth("valid_routing", wrong),
        _count("num_terminals", network.num_terminals),
        _count("num_paths", len(paths.source)),
    ]
    if routing is not None and wrong is None:
        from ..analysis.deadlock import deadlock, virtual_channels

        claims += [deadlock(routing).claim(), virtual_channels(routing).claim()]
    return Judgement({"document": os.path.basename(path), "kind": "routing"}, tuple(claims))


def _routing_by_classes(path: str, document: dict[str, Any]) -> Judgement:
    """The same for a routing by classes of pairs: those given stand for all."""
    from ..formats.routing_document import network_of_routing
    from ..formats.text_files import shown
    from ..routing.classes_document import routing_of_classes_document

    name, what = os.path.basename(path), f"file {shown(path)}"
    if not isinstance(document.get("network"), dict):
        raise InputError(f"{what} needs a network")
    network = network_of_routing(document["network"], what)
    wrong: str | None = None
    try:
        routing_of_classes_document(document, network, name=name, what=what)
    except InputError as error:
        wrong = str(error)
    claims = (_truth("valid_routing", wrong), _count("num_terminals", network.num_terminals))
    return Judgement({"document": name, "kind": "routing"}, claims)


def _next_hop(path: str, document: dict[str, Any]) -> Judgement:
    """Whether all packets arrive, and whether a cycle of channel dependencies could deadlock them."""
    from ..formats.next_hop_document import next_hops_from_document
    from ..formats.text_files import shown
    from ..routing.mixture import Mixture
    from ..routing.next_hop import NextHopRouting

    network, columns, tables = next_hops_from_document(document, what=f"file {shown(path)}")
    wrong: str | None = None
    parts: list[tuple[Fraction, NextHopRouting]] = []
    try:
        for k, (weight, table) in enumerate(tables):
            parts.append((weight, NextHopRouting(network, f"tables[{k}]", table, columns)))
    except InputError as error:
        wrong = str(error)
    claims = [_truth("valid_routing", wrong), _count("num_terminals", network.num_terminals)]
    if wrong is None:
        from ..analysis.deadlock import deadlock

        claims.append(deadlock(parts[0][1] if len(parts) == 1 else Mixture(parts)).claim())
    return Judgement({"document": os.path.basename(path), "kind": "next-hop"}, tuple(claims))


def _destination_graph(path: str, document: dict[str, Any]) -> Judgement:
    """Whether packets can meet, many-one or under permutations; minimum routing; steps."""
    from ..formats.destination_graph_document import graph_from_document
    from ..formats.text_files import shown
    from .destination_graph import destination_graph_claims, destination_graph_subject

    graph = graph_from_document(document, what=f"file {shown(path)}")
    return Judgement(destination_graph_subject(graph, os.path.basename(path)), destination_graph_claims(graph))


def plot_document(judged: Judgement, path: str) -> None:
    """Draw the tree of a destination graph into a file; raises InputError for every other kind of document."""
    from ..formats.destination_graph_document import graph_from_document
    from .tree_picture import draw_tree

    if judged.subject.get("kind") != "destination-graph":
        raise InputError(f"--plot draws destination graphs; this is a {judged.subject.get('kind')}")
    name = str(judged.subject["document"])
    graph = graph_from_document(judged.subject["graph"], what=name)
    draw_tree(graph, path, title=f"{name}, {graph.steps} steps")


def _wiring(path: str, document: dict[str, Any]) -> Judgement:
    """Blocks and degrees; with permutations as wires they leave one logical path per input and output."""
    from ..core.wiring import find_flaw
    from ..formats.text_files import shown, stem
    from ..formats.wiring_document import wiring_from_document

    wiring = wiring_from_document(document, what=f"file {shown(path)}", name=stem(path))
    kind, sentence = find_flaw(wiring) or ("", None)
    claims = (
        _truth("valid_wiring", sentence),
        _truth("degrees", sentence),
        _truth("one_logical_path", sentence if kind == "logical_path" else None),
        _count("inputs", wiring.inputs),
        _count("multiplicity", wiring.multiplicity),
        _count("num_edge_levels", wiring.num_edge_levels),
    )
    return Judgement({"document": os.path.basename(path), "kind": "wiring"}, claims)


def _permutation(path: str, size: int) -> Judgement:
    from ..formats.text_files import shown
    from ..formats.traffic_file import read_permutation

    if not size:
        raise InputError(f"file {shown(path)} holds no numbers; a permutation was expected")
    wrong: str | None = None
    try:
        read_permutation(path, size)
    except InputError as error:
        wrong = str(error)
    claims = (_truth("valid_permutation", wrong), _count("num_terminals", size))
    return Judgement({"document": os.path.basename(path), "kind": "permutation"}, claims)


def _truth(quantity: str, wrong: str | None) -> Claim:
    data = {} if wrong is None else {"witness": wrong}
    return Claim(quantity, "==", "true" if wrong is None else "false", Grade.EXHAUSTED, Evidence("document", data))


def _count(quantity: str, value: int) -> Claim:
    return Claim(quantity, "==", Fraction(value), Grade.EXHAUSTED, Evidence("document"))
