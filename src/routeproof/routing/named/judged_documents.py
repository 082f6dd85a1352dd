"""What is true of a document on its own: is a network whole, does a routing deliver, is a list a permutation?

A fact is a number, or a question: None where the answer is yes, else a sentence with the first thing wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ..base.routing import Routing

__all__ = ["KINDS", "Facts", "facts_of"]


@dataclass(frozen=True)
class Facts:
    """``facts`` by quantity, in the order in which they are told; ``routing``: of a document that is one and delivers,
    for claims about deadlock."""

    facts: Mapping[str, int | str | None]
    routing: Routing | None = None


def facts_of(kind: str, text: str, *, what: str, name: str) -> Facts:
    """The facts of a document of one of ``KINDS`` that is written in ``text``.

    ``what`` names it in sentences about what is wrong, ``name`` is that of its routing.

    Raises InputError for a document that cannot be understood, and for a kind that is none.
    """
    if kind not in KINDS:
        raise InputError(f"a document of the kind {kind[:40]!r}; {', '.join(KINDS)} are known")
    return KINDS[kind](text, what, name)


def _document(text: str, what: str) -> dict[str, Any]:
    from ...formats.documents.json_text import parse_json
    from ...formats.text_files import brief

    document = parse_json(text, what=what)
    if not isinstance(document, dict):
        raise InputError(f"{what} holds {brief(document)}; an object was expected")
    return document


def _network(text: str, what: str, name: str) -> Facts:
    """Its sizes, and whether every terminal can reach every other."""
    from ...formats.documents.network import network_from_document

    network = network_from_document(_document(text, what), what=what, name=name)
    return Facts(
        {
            "num_nodes": network.num_nodes,
            "num_channels": network.num_channels,
            "num_terminals": network.num_terminals,
            "connected": _unreached(network),
        }
    )


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


def _routing(text: str, what: str, name: str) -> Facts:
    """Whether all pairs are delivered along paths of the network, with weights that sum to 1."""
    from ...formats.documents.routing import paths_from_document
    from ..tables.path_table import TableRouting

    document = _document(text, what)
    if "classes" in document:
        return _routing_by_classes(document, what, name)
    network, paths = paths_from_document(document, what=what)
    wrong: str | None = None
    routing: Routing | None = None
    try:
        routing = TableRouting(network, name, paths)
        routing.check()
    except InputError as error:
        wrong, routing = str(error), None
    facts = {"valid_routing": wrong, "num_terminals": network.num_terminals, "num_paths": len(paths.source)}
    return Facts(facts, routing)


def _routing_by_classes(document: dict[str, Any], what: str, name: str) -> Facts:
    """The same for a routing by classes of pairs: those given stand for all."""
    from ...formats.documents.routing import network_of_routing
    from ..classes.classes_document import routing_of_classes_document

    if not isinstance(document.get("network"), dict):
        raise InputError(f"{what} needs a network")
    network = network_of_routing(document["network"], what)
    wrong: str | None = None
    try:
        routing_of_classes_document(document, network, name=name, what=what)
    except InputError as error:
        wrong = str(error)
    return Facts({"valid_routing": wrong, "num_terminals": network.num_terminals})


def _next_hop(text: str, what: str, _name: str) -> Facts:
    """Whether all packets arrive."""
    from ...formats.documents.next_hops import next_hops_from_document
    from ..base.mixture import Mixture
    from ..tables.next_hop import NextHopRouting

    network, columns, tables = next_hops_from_document(_document(text, what), what=what)
    wrong: str | None = None
    parts: list[tuple[Fraction, NextHopRouting]] = []
    try:
        for k, (weight, table) in enumerate(tables):
            parts.append((weight, NextHopRouting(network, f"tables[{k}]", table, columns)))
    except InputError as error:
        wrong = str(error)
    routing = None if wrong is not None else parts[0][1] if len(parts) == 1 else Mixture(parts)
    return Facts({"valid_routing": wrong, "num_terminals": network.num_terminals}, routing)


def _wiring(text: str, what: str, name: str) -> Facts:
    """Blocks and degrees; with permutations as wires they leave one logical path per input and output."""
    from ...core.multistage.wiring import find_flaw
    from ...formats.documents.wiring import wiring_from_document

    wiring = wiring_from_document(_document(text, what), what=what, name=name)
    kind, sentence = find_flaw(wiring) or ("", None)
    return Facts(
        {
            "valid_wiring": sentence,
            "degrees": sentence if kind == "degrees" else None,
            "one_logical_path": sentence if kind == "logical_path" else None,
            "inputs": wiring.inputs,
            "multiplicity": wiring.multiplicity,
            "num_edge_levels": wiring.num_edge_levels,
        }
    )


def _permutation(text: str, what: str, _name: str) -> Facts:
    from ...formats.documents.traffic import entries_in, permutation_of

    entries = entries_in(text, what=what, wanted="a permutation")
    if not entries:
        raise InputError(f"{what} holds no numbers; a permutation was expected")
    wrong: str | None = None
    try:
        permutation_of(entries, what=what)
    except InputError as error:
        wrong = str(error)
    return Facts({"valid_permutation": wrong, "num_terminals": len(entries)})


KINDS: Mapping[str, Callable[[str, str, str], Facts]] = {
    "network": _network,
    "routing": _routing,
    "next-hop": _next_hop,
    "wiring": _wiring,
    "permutation": _permutation,
}
"""The kinds of documents, and what judges each."""
