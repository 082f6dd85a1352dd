"""Our splitter document: one direction of a splitter, as JSON.

``{"format": "routeproof/splitter", "inputs": M, "adjacent": [[output, ...], ...]}``, outputs 0 .. M/2 - 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.multistage.splitter import Splitter
from ..format import Format, NetworkFormat
from ..text_files import unexpected
from .network import integer_list, sized_list

__all__ = ["SPLITTER", "splitter_from_document", "splitter_to_document"]


def splitter_from_document(document: Mapping[str, Any], *, what: str, name: str = "splitter") -> Splitter:
    """The splitter that a parsed document describes; raises InputError, naming ``what`` and the first thing wrong."""
    from ..structure import SplitterDocument, document_of

    data = document_of(SplitterDocument, document, what=what)
    inputs = data.inputs
    if inputs < 2 or inputs % 2:
        raise unexpected(f"{what}: inputs", inputs, "an even number, at least 2,")
    wanted = f"one for each of {inputs} inputs was expected"
    sized_list(data.adjacent, [inputs], what=f"{what}: adjacent", things="lists", wanted=wanted)
    for i, outputs in enumerate(data.adjacent):
        integer_list(outputs, what=f"{what}: adjacent[{i}]", below=inputs // 2, thing="an output")
    return Splitter(data.name or name, tuple(tuple(x) for x in data.adjacent))


def splitter_to_document(splitter: Splitter) -> dict[str, Any]:
    """The document of ``splitter``, which ``splitter_from_document`` reads back."""
    return {
        "format": "routeproof/splitter",
        "name": splitter.name,
        "inputs": splitter.inputs,
        "adjacent": [list(x) for x in splitter.adjacent],
    }


SPLITTER: NetworkFormat = Format(
    "splitter",
    "a splitter",
    sniff=lambda file: file.says("routeproof/splitter"),
    instead="routeproof expansion measures splitters",
)
