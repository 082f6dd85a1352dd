"""Our wiring document: where every wire of a multistage network leads, as JSON.

``{"format": "routeproof/wiring", "inputs": N, "multiplicity": d, "wire": [level][colour][row]}``

log2 N edge levels make a multibutterfly, twice as many a multi-Benes network.  ``name`` and ``comment`` are optional.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.errors import InputError, did_you_mean
from ...core.multistage.wiring import Wiring, check_wiring, find_flaw
from ...core.network import Network
from ..file import File
from ..format import Bandwidth, Facts, Format, NetworkFormat
from ..text_files import FilePath, brief, shown, stem
from .json_text import format_json, parse_object, read_json_object, write_text_atomic
from .network import check_heading, tell_format

__all__ = ["WIRING", "read_wiring", "wiring_from_document", "wiring_to_document", "write_wiring"]

_KEYS = ("format", "version", "name", "comment", "inputs", "multiplicity", "wire")
_NEEDED = ("inputs", "multiplicity", "wire")


def wiring_from_document(document: Mapping[str, Any], *, what: str, name: str = "wiring") -> Wiring:
    """The wiring that a parsed document describes; its blocks and degrees are not judged here (``find_flaw``).

    Raises InputError, naming ``what`` and the first thing wrong: a missing level, a wire that is no permutation.
    """
    tell_format(document, "wiring", what=what)
    for key in document:
        if key not in _KEYS:
            raise InputError(f"{what} has an unknown key {brief(key)}; {did_you_mean(str(key), _KEYS)}")
    for key in _NEEDED:
        if key not in document:
            raise InputError(f"{what} has no key '{key}'")
    check_heading(document, what=what)
    inputs, d = document["inputs"], document["multiplicity"]
    for key, value in (("inputs", inputs), ("multiplicity", d)):
        if type(value) is not int or value < 1:
            raise InputError(f"{what}: {key} is {brief(value)}; a positive whole number was expected")
    if inputs < 2 or inputs & (inputs - 1):
        raise InputError(f"{what}: inputs is {inputs}; a power of two, at least 2, was expected")
    n = inputs.bit_length() - 1
    wire = document["wire"]
    if not isinstance(wire, list) or len(wire) not in (n, 2 * n):
        found = f"{len(wire)} levels" if isinstance(wire, list) else brief(wire)
        raise InputError(
            f"{what}: wire holds {found}; {inputs} inputs need {n} (multibutterfly) or {2 * n} (multi-Benes)"
        )
    for level, colours in enumerate(wire):
        if not isinstance(colours, list) or len(colours) != 2 * d:
            found = f"{len(colours)} colours" if isinstance(colours, list) else brief(colours)
            raise InputError(f"{what}: wire[{level}] holds {found}; {2 * d}, two for each multiplicity, were expected")
        for colour, rows in enumerate(colours):
            place = f"{what}: wire[{level}][{colour}]"
            if not isinstance(rows, list) or len(rows) != inputs:
                found = f"{len(rows)} rows" if isinstance(rows, list) else brief(rows)
                raise InputError(f"{place} holds {found}; {inputs} were expected")
            for r, head in enumerate(rows):
                if type(head) is not int or not 0 <= head < inputs:
                    raise InputError(f"{place}[{r}] is {brief(head)}; a row from 0 to {inputs - 1} was expected")
    array = np.array(wire, dtype=np.int32)
    array.setflags(write=False)
    try:
        return Wiring(document.get("name") or name, array)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def wiring_to_document(wiring: Wiring) -> dict[str, Any]:
    """The document of ``wiring``, which ``wiring_from_document`` reads back."""
    return {
        "format": "routeproof/wiring",
        "name": wiring.name,
        "inputs": wiring.inputs,
        "multiplicity": wiring.multiplicity,
        "wire": wiring.wire.tolist(),
    }


def read_wiring(path: FilePath) -> Wiring:
    """The wiring in a file; raises InputError in one line that names the file."""
    document = read_json_object(path, wanted="a wiring document")
    return wiring_from_document(document, what=f"file {shown(path)}", name=stem(path))


def write_wiring(wiring: Wiring, path: FilePath) -> None:
    """Write a wiring document, whole or not at all."""
    write_text_atomic(path, format_json(wiring_to_document(wiring)))


def _judge(text: str, what: str, name: str) -> Facts[object]:
    """Blocks and degrees; with permutations as wires they leave one logical path per input and output."""
    wiring = wiring_from_document(parse_object(text, what=what), what=what, name=name)
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


def _read(file: File, _bandwidth: Bandwidth) -> Network:
    from ...topologies.multistage.network import network_of_wiring

    return network_of_wiring(check_wiring(wiring_from_document(file.document, what=file.what, name=file.stem)))


WIRING: NetworkFormat = Format(
    "wiring",
    "wiring document",
    sniff=lambda file: file.says("routeproof/wiring"),
    read=_read,
    judge=_judge,
)
