"""Our splitter document: one direction of a splitter, as JSON.

``{"format": "routeproof/splitter", "inputs": M, "adjacent": [[output, ...], ...]}``, outputs 0 .. M/2 - 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import InputError, did_you_mean
from ...core.multistage.splitter import Splitter
from ..format import Format, NetworkFormat
from ..text_files import brief
from .network import check_heading, tell_format

__all__ = ["SPLITTER", "splitter_from_document", "splitter_to_document"]

_KEYS = ("format", "version", "name", "comment", "inputs", "adjacent")


def splitter_from_document(document: Mapping[str, Any], *, what: str, name: str = "splitter") -> Splitter:
    """The splitter that a parsed document describes; raises InputError, naming ``what`` and the first thing wrong."""
    tell_format(document, "splitter", what=what)
    for key in document:
        if key not in _KEYS:
            raise InputError(f"{what} has an unknown key {brief(key)}; {did_you_mean(str(key), _KEYS)}")
    for key in ("inputs", "adjacent"):
        if key not in document:
            raise InputError(f"{what} has no key '{key}'")
    check_heading(document, what=what)
    inputs, adjacent = document["inputs"], document["adjacent"]
    if type(inputs) is not int or inputs < 2 or inputs % 2:
        raise InputError(f"{what}: inputs is {brief(inputs)}; an even number, at least 2, was expected")
    if not isinstance(adjacent, list) or len(adjacent) != inputs:
        found = f"{len(adjacent)} lists" if isinstance(adjacent, list) else brief(adjacent)
        raise InputError(f"{what}: adjacent holds {found}; one for each of {inputs} inputs was expected")
    for i, outputs in enumerate(adjacent):
        if not isinstance(outputs, list):
            raise InputError(f"{what}: adjacent[{i}] is {brief(outputs)}; a list of outputs was expected")
        for k, j in enumerate(outputs):
            if type(j) is not int or not 0 <= j < inputs // 2:
                raise InputError(
                    f"{what}: adjacent[{i}][{k}] is {brief(j)}; an output from 0 to {inputs // 2 - 1} was expected"
                )
    return Splitter(document.get("name") or name, tuple(tuple(x) for x in adjacent))


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
