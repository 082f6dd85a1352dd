"""Judging a document on its own: is this network whole, does this routing deliver, is this list a permutation?

What is claimed of destination graphs, wherever they come from, stands here too.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from warnings import catch_warnings, simplefilter

from ..claims.cube.destination_graph import COUNTING_BOUND, DESTINATION_GRAPH, REFUTATION
from ..claims.kind import HWANG
from ..core.claim import Claim
from ..core.cube.bounds import lower_bounds
from ..core.cube.conditions import Meeting, Verdict, judge_conditions
from ..core.cube.destination_graph import Cube, DestinationGraph
from ..core.errors import InputError
from ..core.network import Network
from ..formats.documents.destination_graph import graph_from_document, graph_to_document
from ..formats.documents.json_text import parse_object
from ..formats.documents.packed_ints import pack_ints
from ..formats.format import read_network
from ..formats.text_files import shown
from .answer import PlainAnswer, Shown


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class DocumentAnswer(PlainAnswer):
    """What is true of the document in the file ``path``; ``form``: the format of others that it is in."""

    shown = Shown("terminal.table:document_parts", figure="drawing.cubes:document_figure")

    path: str
    form: str | None


def answer_document(path: str) -> DocumentAnswer:
    """Judge a network or a routing in any format that says all of it, a destination graph, a wiring, or a list (a
    permutation).

    A document that can be understood but is not what it should be gives claims whose value is ``"false"``, with the
    first thing wrong as ``witness`` in the evidence.  Raises InputError for one that cannot be understood.
    """
    from ..routing.files.table import document_in, foreign_format

    kind, text, network = document_in(path)
    judged = _destination_graph(path, text) if kind == "destination-graph" else _judged(path, kind, text)
    notes = _regular(path, kind, network)
    return DocumentAnswer(about=judged[0], stated=judged[1], notes=notes, path=path, form=foreign_format(path))


def _regular(path: str, kind: str, network: Network | None) -> list[str]:
    """What is regular about the network in a file, or in a folder of dumps, whose switches have names; nothing of other
    documents.  ``network``: it, where it was read."""
    from .fabrics.alike import alike_lines

    if not (os.path.isdir(path) or (kind == "network" and os.path.isfile(path))):
        return []
    with catch_warnings(), suppress(InputError):  # of a folder with a routing alone
        simplefilter("ignore")
        network = network or read_network(path)
        return [] if network.labels is None else alike_lines(network)
    return []


def _judged(path: str, kind: str, text: str) -> tuple[dict[str, Any], tuple[Claim, ...]]:
    """The facts as claims.  The document is part of the subject, so that they can be checked again."""
    from ..routing.files.table import facts_of
    from ..worst.deadlock.channels import deadlock, virtual_channels

    name = os.path.basename(path)
    found = facts_of(kind, text, what=f"file {shown(name)}", name=name)
    claims = [_fact(quantity, fact) for quantity, fact in found.facts.items()]
    if found.routing is not None:
        alone = deadlock(found.routing)
        claims.append(alone.claim())
        if kind == "routing":
            claims.append(virtual_channels(found.routing, alone=alone).claim())
    return {"document": name, "kind": kind, "content": text}, tuple(claims)


def _destination_graph(path: str, text: str) -> tuple[dict[str, Any], tuple[Claim, ...]]:
    """Whether packets can meet, many-one or under permutations; minimum routing; steps."""
    what = f"file {shown(path)}"
    graph = graph_from_document(parse_object(text, what=what), what=what)
    return destination_graph_subject(graph, os.path.basename(path)), destination_graph_claims(graph)


def _fact(quantity: str, fact: int | str | None) -> Claim:
    from ..claims.documents import DOCUMENT

    if isinstance(fact, int):
        return DOCUMENT.claim(fact, quantity=quantity)
    data = {} if fact is None else {"witness": fact}
    return DOCUMENT.claim("true" if fact is None else "false", data, quantity=quantity)


def destination_graph_subject(graph: DestinationGraph, document: str) -> dict[str, Any]:
    """``document``: the file's name, for people; the graph itself stands beside it, so that claims can be verified."""
    return {"document": document, "kind": "destination-graph", "graph": graph_to_document(graph)}


def cube_subject(cube: Cube) -> dict[str, Any]:
    """Where there is no graph: the t-nary d-cube alone."""
    return {"kind": "destination-graph", "radix": cube.radix, "dimensions": cube.dimensions}


def destination_graph_claims(graph: DestinationGraph) -> tuple[Claim, ...]:
    """valid_many_one, valid_permutation, minimum_routing, c1_prime, c2_prime and steps.

    The first two follow from a finite table of conflicts by Lemmas 2 and 3: PROVED; a "false" carries the two packets,
    the step and the link, and for permutations a whole permutation.  The others are read off all paths: EXHAUSTED.
    """
    found = judge_conditions(graph)
    return (
        _verdict("valid_many_one", found.many_one, "Lemma 2 (C1)"),
        _verdict("valid_permutation", found.permutation, "Lemma 3 (C2)"),
        _verdict("minimum_routing", found.minimum_routing, "sec. 1"),
        _verdict("c1_prime", found.c1_prime, "sec. 2 (C1')"),
        _verdict("c2_prime", found.c2_prime, "sec. 2 (C2')"),
        DESTINATION_GRAPH.claim(graph.steps, quantity="steps", source=f"{HWANG}, sec. 2 (l(T))"),
    )


def _verdict(quantity: str, verdict: Verdict, where: str) -> Claim:
    data: dict[str, Any] = {}
    if not verdict.holds:
        data["witness"] = verdict.reason
        if verdict.meeting is not None:
            data["meeting"] = _meeting_data(verdict.meeting)
        elif verdict.nodes:
            data["nodes"] = list(verdict.nodes)
        if verdict.permutation is not None:
            data["permutation"] = pack_ints(verdict.permutation)
    value = "true" if verdict.holds else "false"
    return DESTINATION_GRAPH.claim(value, data, quantity=quantity, source=f"{HWANG}, {where}")


def _meeting_data(meeting: Meeting) -> Mapping[str, Any]:
    """Two packets as [origin, destination], the step from 1, and the link as [tail, head], by number of node."""
    packets = [list(x) for x in meeting.packets]
    return {"packets": packets, "step": meeting.step, "link": [meeting.tail, meeting.head]}


def bound_claims(radix: int, dimensions: int, kind: str) -> list[Claim]:
    """The best lower bound on the steps of all ``many-one`` or ``permutation`` graphs: PROVED by counting."""
    best = lower_bounds(radix, dimensions, many_one=kind == "many-one")[0]
    data = {"rule": best.rule, "because": best.because}
    source = HWANG if best.rule in ("lemma-1", "diameter") else "docs/destination-graphs.md"
    return [COUNTING_BOUND.claim(best.steps, data, {"graphs": kind}, source=source)]


def refutation_claim(radix: int, dimensions: int, lemmas: Sequence[Sequence[int]]) -> Claim:
    """No permutation graph of d steps exists: the lemmas refute ``core.cube.bounds.tight_clauses``; PROVED."""
    packed = pack_ints([x for lemma in lemmas for x in (*lemma, 0)])
    data = {"formula": [radix, dimensions], "lemmas": packed}
    return REFUTATION.claim(dimensions + 1, data, {"graphs": "permutation"})
