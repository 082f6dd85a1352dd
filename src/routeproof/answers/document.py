"""Judging a document on its own: is this network whole, does this routing deliver, is this list a permutation?"""

from __future__ import annotations

import os
from fractions import Fraction

from ..core.claim import Claim, Evidence, Grade
from .answer import PlainAnswer

__all__ = ["answer_document"]


def answer_document(path: str) -> PlainAnswer:
    """Judge a network or a routing in any format that says all of it, a destination graph, a wiring, or a list (a
    permutation).

    A document that can be understood but is not what it should be gives claims whose value is ``"false"``, with the
    first thing wrong as ``witness`` in the evidence.  Raises InputError for one that cannot be understood.
    """
    from ..routing.files.judge import document_in

    kind, text = document_in(path)
    return _destination_graph(path, text) if kind == "destination-graph" else _judged(path, kind, text)


def _judged(path: str, kind: str, text: str) -> PlainAnswer:
    """The facts as claims.  The document is part of the subject, so that they can be checked again."""
    from ..formats.text_files import shown
    from ..routing.files.judge import facts_of

    name = os.path.basename(path)
    found = facts_of(kind, text, what=f"file {shown(name)}", name=name)
    claims = [_claim(quantity, fact) for quantity, fact in found.facts.items()]
    if found.routing is not None:
        from ..analysis.deadlock.channels import deadlock, virtual_channels

        alone = deadlock(found.routing)
        claims.append(alone.claim())
        if kind == "routing":
            claims.append(virtual_channels(found.routing, alone=alone).claim())
    return PlainAnswer(about={"document": name, "kind": kind, "content": text}, stated=tuple(claims))


def _destination_graph(path: str, text: str) -> PlainAnswer:
    """Whether packets can meet, many-one or under permutations; minimum routing; steps."""
    from ..formats.documents.destination_graph import graph_from_document
    from ..formats.documents.json_text import parse_object
    from ..formats.text_files import shown
    from .destination_graph import destination_graph_claims, destination_graph_subject

    what = f"file {shown(path)}"
    graph = graph_from_document(parse_object(text, what=what), what=what)
    about = destination_graph_subject(graph, os.path.basename(path))
    return PlainAnswer(about=about, stated=destination_graph_claims(graph))


def _claim(quantity: str, fact: int | str | None) -> Claim:
    if isinstance(fact, int):
        return Claim(quantity, "==", Fraction(fact), Grade.EXHAUSTED, Evidence("document"))
    data = {} if fact is None else {"witness": fact}
    return Claim(quantity, "==", "true" if fact is None else "false", Grade.EXHAUSTED, Evidence("document", data))
