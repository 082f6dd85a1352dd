"""Our document of phases: an algorithm of the user's own, as JSON.

``{"format": "routeproof/phases", "operation": "all-gather", "ranks": 2, "chunks": 1, "phases": [[{"from": 0, "to": 1,
"pieces": [0]}, {"from": 1, "to": 0, "pieces": [1]}]]}``.  What a piece is stands in ``core.schedules.own_phases``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import InputError
from ...core.schedules.own_phases import Message, OwnPhases
from ..documents.json_text import read_json_object
from ..text_files import FilePath, shown

_FORMAT = "routeproof/phases"


def read_phases(path: FilePath) -> OwnPhases:
    """The phases in a file, run and right; raises InputError, naming phase and rank."""
    what = f"file {shown(path)}"
    found = phases_from_document(read_json_object(path, wanted="a document of phases"), what=what)
    try:
        found.check()
    except InputError as error:
        raise InputError(f"{what}: {error}") from None
    return found


def phases_from_document(document: Mapping[str, Any], *, what: str) -> OwnPhases:
    """The phases of a parsed document, not yet run; raises InputError."""
    from ..structure import MessageEntry, PhasesDocument, document_of, validated

    data = document_of(PhasesDocument, document, what=what)
    phases = []
    for k, some in enumerate(data.phases):
        entries = [validated(MessageEntry, dict(x), what=f"{what}: phases[{k}][{j}]") for j, x in enumerate(some)]
        phases.append(tuple(Message(x.source, x.to, tuple(x.pieces)) for x in entries))
    return OwnPhases(data.operation, data.ranks, data.chunks, tuple(phases))


def phases_to_document(phases: OwnPhases) -> dict[str, Any]:
    """The document of which ``phases_from_document`` makes the same."""
    return {
        "format": _FORMAT,
        "operation": phases.operation,
        "ranks": phases.num_ranks,
        "chunks": phases.chunks,
        "phases": [
            [{"from": x.source, "to": x.destination, "pieces": list(x.pieces)} for x in some] for some in phases.phases
        ],
    }
