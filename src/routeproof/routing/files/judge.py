"""What is true of a document on its own, in whatever format it is; ``routeproof check`` asks here."""

from __future__ import annotations

import json
from typing import Any

from ...core.errors import InputError, did_you_mean
from ...formats.documents.network import network_to_document
from ...formats.format import FORMATS, Facts, File, Format, directory_format, recognised
from ...formats.text_files import brief
from ..base.routing import Routing
from .table import ROUTING_FILES

_WANTED = "a network, a routing, a destination graph, a wiring or a permutation"


def facts_of(kind: str, text: str, *, what: str, name: str) -> Facts[Routing]:
    """The facts of a document, written in ``text``, of a format that has ``judge``, called ``kind``.

    ``what`` names it in sentences about what is wrong, ``name`` is that of its routing.

    Raises InputError for a document that cannot be understood, and for an unknown kind.
    """
    judges = {x.name: x.judge for x in _all_own() if x.judge is not None}
    if kind not in judges:
        raise InputError(f"a document of the kind {kind[:40]!r}; {', '.join(judges)} are known")
    facts: Facts[Routing] = judges[kind](text, what, name)
    return facts


def document_in(path: str) -> tuple[str, str]:
    """What a file is, as a kind for ``facts_of`` (or "destination-graph"), and its text, or a document of ours that
    says the same.

    Raises InputError for a file in no format that is judged, with what to do instead.
    """
    file = File(path, wanted=_WANTED)
    entry = _entry_of(file)
    if entry is not None:
        return _as_document(file, entry)
    words = [x for line in file.text.splitlines() for x in line.partition("#")[0].replace(",", " ").split()]
    if words and words[0][0] not in "0123456789+-.":
        raise InputError(f"{file.what} begins with {brief(words[0])}; {_WANTED} was expected")
    return "permutation", file.text


def foreign_format(path: str) -> str | None:
    """What people call the format of a file that another tool wrote; None for our own documents and plain lists."""
    file = File(path, wanted=_WANTED)
    entry = _entry_of(file)
    ours = file.is_json and isinstance(file.value, dict) and str(file.value.get("format")).startswith("routeproof/")
    return None if entry is None or ours else entry.help


def _entry_of(file: File) -> Format[Any, Any] | None:
    folder: Format[Any, Any] | None = directory_format(file.path, ROUTING_FILES.own.values())
    folder = folder or directory_format(file.path, FORMATS.own.values())
    if folder is not None:
        return folder
    if not file.start:
        _ = file.text  # raises for a file that is not there
    file.check_not_empty()
    found = recognised(file, _all_own(), by_name=False) or recognised(file, FORMATS.working(), by_name=False)
    if found is None and file.is_json:
        raise _no_document(file)
    return found or recognised(file, FORMATS.working())


def _all_own() -> list[Format[Any, Any]]:
    """The formats of routings come first: a file with a routing and its network is judged as a routing."""
    return [*ROUTING_FILES.own.values(), *FORMATS.own.values()]


def _as_document(file: File, entry: Format[Any, Any]) -> tuple[str, str]:
    if entry.judge is not None:
        return entry.name, file.text
    if entry.document is not None:
        return entry.document(file)
    if entry.read is not None and entry.name not in ROUTING_FILES.own:
        return "network", json.dumps(network_to_document(entry.read(file, None)))
    raise InputError(
        f"{file.what} holds {entry.help}; {entry.instead or 'files of this format are written but not read'}"
    )


def _no_document(file: File) -> InputError:
    if not isinstance(file.value, dict):
        return InputError(f"{file.what} holds {brief(file.value)}; {_WANTED} was expected")
    judged = [f"routeproof/{x}" for x in ("network", "routing", "next-hop", "destination-graph", "wiring")]
    kind = file.value.get("format")
    if kind is None:
        return InputError(f"{file.what} has no key 'format'; known formats: {', '.join(judged)}")
    hint = did_you_mean(kind, judged) if isinstance(kind, str) else f"known: {', '.join(judged)}"
    return InputError(f"{file.what} has the format {brief(kind)}, which is not judged here; {hint}")
