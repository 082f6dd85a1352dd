"""Destination graphs: paths as they are, and the table of conflicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...core.claim import Claim
from ...core.cube.destination_graph import DestinationGraph
from ..reading import Report
from .proof import NotElaborated, Proof


def elaborate_graph(proof: Proof, report: Report, claims: list[Claim], leave_out: Any) -> None:
    from ...formats.documents.destination_graph import graph_from_document

    document = report.subject.get("graph")
    if not isinstance(document, Mapping):
        for claim in claims:
            leave_out(claim, "it is about all graphs of a cube; bounds and refutations are not in the format")
        return
    graph = graph_from_document(document, what="the report's graph")
    proof.graph = {
        "name": str(report.subject.get("document", "destination graph")), "radix": graph.radix,
        "dimensions": graph.dimensions, "paths": [_moves(graph, x) for x in range(graph.cube.num_nodes)],
    }  # fmt: skip
    for claim in claims:
        try:
            _elaborate(proof, graph, claim)
        except NotElaborated as reason:
            leave_out(claim, str(reason))


def _moves(graph: DestinationGraph, x: int) -> list[list[int]]:
    """[step, digit, amount] of every move but waits."""
    return [[step, *move] for step, move in enumerate(graph.path(x), 1) if move[0]]


def _elaborate(proof: Proof, graph: DestinationGraph, claim: Claim) -> None:
    kind = {"valid_many_one": "many-one", "valid_permutation": "permutation"}.get(claim.quantity)
    data = claim.evidence.data
    if claim.evidence.kind != "destination-graph":
        raise NotElaborated("runs, bounds and refutations are not in the format")
    if claim.quantity == "steps":
        proof.claim("steps", value=int(graph.steps))
    elif claim.quantity == "minimum_routing" and claim.value == "true":
        proof.claim("minimum")
    elif kind is None:
        raise NotElaborated("conditions that only serve to find a graph are not in the format")
    elif claim.value == "true":
        proof.claim(kind, slots=[[*move, *found] for move, found in _slots(graph, kind == "many-one")])
    else:
        proof.claim(f"not-{kind}", packets=data["meeting"]["packets"], step=data["meeting"]["step"])


def _slots(graph: DestinationGraph, many_one: bool) -> Iterator[tuple[tuple[int, ...], tuple[int, int]]]:
    """(step, digit, amount), and what all its moves have: (0, prefix) or (1, suffix)."""
    cube = graph.cube
    prefixes: dict[tuple[int, ...], set[int]] = {}
    suffixes: dict[tuple[int, ...], set[int]] = {}
    for x in range(cube.num_nodes):
        for move in _moves(graph, x):
            prefix = int(graph.prefix[x, move[0] - 1])
            prefixes.setdefault(tuple(move), set()).add(prefix)
            suffixes.setdefault(tuple(move), set()).add(int(cube.subtract(x, prefix)))
    for slot, found in sorted(prefixes.items()):
        yield slot, (0, min(found)) if len(found) == 1 or many_one else (1, min(suffixes[slot]))
