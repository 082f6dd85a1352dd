"""Our wiring document: where every wire of a multistage network leads, as JSON; and lists of faulty switches.

``{"format": "routeproof/wiring", "inputs": N, "multiplicity": d, "wire": [level][colour][row]}``

log2 N edge levels make a multibutterfly, twice as many a multi-Benes network.  ``name`` and ``comment`` are optional.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.multistage.wiring import Splitter, Wiring, check_wiring, find_flaw
from ...core.network import Network
from ..format import Bandwidth, Facts, File, Format, NetworkFormat
from ..text_files import FilePath, brief, unexpected
from .json_text import parse_object, write_json
from .network import integer_list, sized_list


def wiring_from_document(document: Mapping[str, Any], *, what: str, name: str = "wiring") -> Wiring:
    """The wiring that a parsed document describes; its blocks and degrees are not judged here (``find_flaw``)."""
    from ..structure import WiringDocument, document_of

    data = document_of(WiringDocument, document, what=what)
    inputs, d = data.inputs, data.multiplicity
    if inputs < 2 or inputs & (inputs - 1):
        raise unexpected(f"{what}: inputs", inputs, "a power of two, at least 2,")
    if d < 1:
        raise unexpected(f"{what}: multiplicity", d, "a positive whole number")
    n = inputs.bit_length() - 1
    levels = f"{inputs} inputs need {n} (multibutterfly) or {2 * n} (multi-Benes)"
    colours = f"{2 * d}, two for each multiplicity, were expected"
    sized_list(data.wire, (n, 2 * n), what=f"{what}: wire", things="levels", wanted=levels)
    for level, of_colour in enumerate(data.wire):
        place = f"{what}: wire[{level}]"
        for colour, rows in enumerate(sized_list(of_colour, [2 * d], what=place, things="colours", wanted=colours)):
            inner = f"{place}[{colour}]"
            sized_list(rows, [inputs], what=inner, things="rows", wanted=f"{inputs} were expected")
            integer_list(rows, what=inner, below=inputs, thing="a row")
    array = np.array(data.wire, dtype=np.int32)
    array.setflags(write=False)
    try:
        return Wiring(data.name or name, array)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def wiring_to_document(wiring: Wiring) -> dict[str, Any]:
    return {
        "format": "routeproof/wiring",
        "name": wiring.name,
        "inputs": wiring.inputs,
        "multiplicity": wiring.multiplicity,
        "wire": wiring.wire.tolist(),
    }


def read_wiring(path: FilePath) -> Wiring:
    """The wiring in a file; raises InputError in one line that names the file."""
    file = File(path, wanted="a wiring document")
    return wiring_from_document(file.document, what=file.what, name=file.stem)


def write_wiring(wiring: Wiring, path: FilePath) -> None:
    """Write a wiring document, whole or not at all."""
    write_json(wiring_to_document(wiring), path)


def read_switch_faults(path: FilePath, wiring: Wiring) -> npt.NDArray[np.bool_]:
    """The faulty switches in a file, each listed once as ``[level, row]``: bool, shape (levels of switches, N)."""
    file = File(path, wanted="a list of faulty switches")
    what, entries = file.what, file.value
    if not isinstance(entries, list):
        raise InputError(f"{what} holds {brief(entries)}; a list of [level, row] was expected")
    levels, rows = wiring.num_edge_levels, wiring.inputs
    faulty = np.zeros((levels + 1, rows), dtype=np.bool_)
    for k, entry in enumerate(entries):
        if not isinstance(entry, list) or len(entry) != 2 or any(type(x) is not int for x in entry):
            raise unexpected(f"{what}: entry {k}", entry, "[level, row]")
        level, row = entry
        if not 0 <= level <= levels or not 0 <= row < rows:
            raise InputError(
                f"{what}: entry {k} is {brief(entry)}, outside the network; levels are 0 to {levels}, "
                f"rows 0 to {rows - 1}"
            )
        if faulty[level, row]:
            raise InputError(f"{what}: entry {k}, {brief(entry)}, is listed twice; once was expected")
        faulty[level, row] = True
    return faulty


def switch_list(switches: npt.NDArray[np.bool_]) -> list[list[int]]:
    """``[[level, row], ...]`` of the switches that are True."""
    found: list[list[int]] = np.argwhere(switches).tolist()
    return found


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


def _read(file: File, _: Bandwidth) -> Network:
    from ...topologies.multistage.network import network_of_wiring

    return network_of_wiring(check_wiring(wiring_from_document(file.document, what=file.what, name=file.stem)))


WIRING: NetworkFormat = Format(
    "wiring", "wiring document", sniff=lambda file: file.says("routeproof/wiring"), read=_read, judge=_judge
)


def splitter_from_document(document: Mapping[str, Any], *, what: str, name: str = "splitter") -> Splitter:
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
