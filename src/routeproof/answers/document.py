"""Judging a document on its own: is this network whole, does this routing deliver, is this list a permutation?"""

from __future__ import annotations

import json
import os
from fractions import Fraction
from typing import Any

from ..core.claim import Claim, Evidence, Grade
from ..core.errors import InputError, did_you_mean
from ..core.network import Network
from .answer import PlainAnswer

__all__ = ["DocumentAnswer", "answer_document"]

_JUDGED = (
    "routeproof/network",
    "routeproof/routing",
    "routeproof/next-hop",
    "routeproof/destination-graph",
    "routeproof/wiring",
)


class DocumentAnswer(PlainAnswer):
    """What a document is, and what is true of it."""


def answer_document(path: str) -> DocumentAnswer:
    """Judge a network (our document, GraphML, GML), a routing, a destination graph, a wiring, or a list
    (a permutation).

    A document that can be understood but is not what it should be gives claims whose value is ``"false"``, with the
    first thing wrong as ``witness`` in the evidence.  Raises InputError for one that cannot be understood.
    """
    from ..formats.files import read_network
    from ..formats.infiniband.ibnetdiscover import has_fabric

    if os.path.splitext(path)[1].lower() in (".graphml", ".xml", ".gml") or has_fabric(path):
        return _network(path, read_network(path))
    from ..formats.documents.json_text import DOCUMENT_LIMIT, parse_json
    from ..formats.text_files import (
        MEGABYTE,
        brief,
        read_text,
        shown,
    )

    wanted = "a network, a routing, a destination graph, a wiring or a permutation"
    if not path.lower().endswith(".json"):
        text = read_text(path, limit=64 * MEGABYTE, wanted=wanted)
        if text.lstrip()[:1] not in ("{", "["):
            words = [x for line in text.splitlines() for x in line.partition("#")[0].replace(",", " ").split()]
            if words and words[0][0] not in "0123456789+-.":
                raise InputError(f"file {shown(path)} begins with {brief(words[0])}; {wanted} was expected")
            return _judged(path, "permutation", text)
    else:
        text = read_text(path, limit=DOCUMENT_LIMIT, wanted=wanted)
    document = parse_json(text, what=f"file {shown(path)}")
    if isinstance(document, list):
        return _judged(path, "permutation", text)
    if not isinstance(document, dict):
        raise InputError(f"file {shown(path)} holds {brief(document)}; {wanted} was expected")
    kind = document.get("format")
    if kind == "routeproof/network":
        return _judged(path, "network", text)
    if kind == "routeproof/routing":
        return _judged(path, "routing", text)
    if kind == "routeproof/next-hop":
        return _judged(path, "next-hop", text)
    if kind == "routeproof/destination-graph":
        return _destination_graph(path, document)
    if kind == "routeproof/wiring":
        return _judged(path, "wiring", text)
    if kind == "routeproof/report":
        raise InputError(f"file {shown(path)} is a report; routeproof verify checks reports")
    if kind is None:
        raise InputError(f"file {shown(path)} has no key 'format'; known formats: {', '.join(_JUDGED)}")
    hint = did_you_mean(kind, _JUDGED) if isinstance(kind, str) else f"known: {', '.join(_JUDGED)}"
    raise InputError(f"file {shown(path)} has the format {brief(kind)}, which is not judged here; {hint}")


def _network(path: str, network: Network) -> DocumentAnswer:
    """A network in a format of others: judged as the document that it makes."""
    from ..formats.documents.network import network_to_document

    return _judged(path, "network", json.dumps(network_to_document(network)))


def _judged(path: str, kind: str, text: str) -> DocumentAnswer:
    """The facts as claims.  The document is part of the subject, so that they can be checked again."""
    from ..formats.text_files import shown
    from ..routing.named.judged_documents import facts_of

    name = os.path.basename(path)
    found = facts_of(kind, text, what=f"file {shown(name)}", name=name)
    claims = [_claim(quantity, fact) for quantity, fact in found.facts.items()]
    if found.routing is not None:
        from ..analysis.deadlock.channels import deadlock, virtual_channels

        alone = deadlock(found.routing)
        claims.append(alone.claim())
        if kind == "routing":
            claims.append(virtual_channels(found.routing, alone=alone).claim())
    return DocumentAnswer({"document": name, "kind": kind, "content": text}, tuple(claims))


def _destination_graph(path: str, document: dict[str, Any]) -> DocumentAnswer:
    """Whether packets can meet, many-one or under permutations; minimum routing; steps."""
    from ..formats.documents.destination_graph import graph_from_document
    from ..formats.text_files import shown
    from .destination_graph import destination_graph_claims, destination_graph_subject

    graph = graph_from_document(document, what=f"file {shown(path)}")
    return DocumentAnswer(destination_graph_subject(graph, os.path.basename(path)), destination_graph_claims(graph))


def _claim(quantity: str, fact: int | str | None) -> Claim:
    if isinstance(fact, int):
        return Claim(quantity, "==", Fraction(fact), Grade.EXHAUSTED, Evidence("document"))
    data = {} if fact is None else {"witness": fact}
    return Claim(quantity, "==", "true" if fact is None else "false", Grade.EXHAUSTED, Evidence("document", data))
