"""Files of one traffic matrix, as traffic engineering keeps them, and the table of their formats.

Names of nodes are those of the network; rates are exact as written.  A rate of a node to itself is an error unless it
is 0: a demand's diagonal is 0.  Rates of one pair that are given in several lines are added.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ...core.registry import Registry
from ..format import File, Format, listed, recognised
from ..text_files import FilePath, brief, check_readable, parse_number
from .terminal_names import TerminalNames

Rates = dict[tuple[int, int], Fraction]
Named = Iterator[tuple[str, object, object, object]]
"""(place in the file, source, destination, rate) for every entry, as written."""


@dataclass(frozen=True)
class Matrix:
    """``rates``: by (source terminal, destination terminal), positive; ``unit``: what the file says they are in."""

    rates: Rates
    unit: str = ""


def read_matrix(path: FilePath, network: Network) -> Matrix:
    """The matrix in a file, whatever format of ``MATRICES`` it is in.

    Raises InputError, with the place, for formats, names and numbers that are not known, negative rates, rates of a
    terminal to itself, and files without a positive rate.
    """
    file = File(path, wanted="a traffic matrix")
    check_readable(path)
    entry = recognised(file, MATRICES.own.values())
    if entry is None or entry.read is None:
        raise InputError(f"{file.what} is in no known format of matrices: {listed(MATRICES.own.values())}")
    found: Matrix = entry.read(file, network)
    if not found.rates:
        raise InputError(f"{file.what} holds no positive rate; a traffic matrix was expected")
    return found


def _between_terminals(entries: Named, network: Network, *, from_one: bool = False) -> Rates:
    """Entries with names or numbers of terminals; ``from_one``: numbers begin with 1."""
    names, found = TerminalNames(network), dict[tuple[int, int], Fraction]()
    for place, source, destination, rate in entries:
        ends = []
        for word in (source, destination):
            number = int(str(word)) - 1 if from_one and str(word).isdecimal() and len(str(word)) < 10 else word
            some = names.find(number, what=place)
            if len(some) != 1:
                raise InputError(f"{place}: {brief(word)} stands for {len(some)} terminals; one was expected")
            ends.append(some[0])
        i, j = ends
        value = parse_number(rate, what=f"{place}: the rate from {source} to {destination}")
        if value < 0:
            raise InputError(
                f"{place}: the rate from {source} to {destination} is {brief(rate)}; it cannot be negative"
            )
        if i == j and value:
            raise InputError(f"{place}: {source} sends {brief(rate)} to itself; a demand's diagonal is 0")
        if value:
            found[i, j] = found.get((i, j), Fraction(0)) + value
    return found


# -- SNDlib ---------------------------------------------------------------------------------------------------------

_DEMAND = re.compile(r"(\S+) \( (\S+) (\S+) \) (\S+) (\S+) (\S+)")
_SECTION = re.compile(r"([A-Z_]+) \(")


def _sndlib(file: File, network: Network) -> Matrix:
    """Its native text: ``name ( source target ) routing_unit demand_value max_path_length``."""
    section, unit, entries = "", "", []
    for number, raw in enumerate(file.text.splitlines(), 1):
        line = " ".join(raw.partition("#")[0].replace("(", " ( ").replace(")", " ) ").split())
        place = f"{file.what}, line {number}"
        if not line or line.startswith("?"):
            continue
        if not section:
            opened = _SECTION.fullmatch(line) or _SECTION.match(line)
            if opened is None:
                raise InputError(f"{place}: {brief(line)}; a section such as DEMANDS ( was expected")
            section = "" if line.endswith(" )") else opened[1]
        elif line == ")":
            section = ""
        elif section == "META" and line.partition("=")[0].strip() == "unit":
            unit = line.partition("=")[2].strip()
        elif section == "DEMANDS":
            found = _DEMAND.fullmatch(line)
            if found is None:
                raise InputError(f"{place}: {brief(line)}; name ( source target ) unit value length was expected")
            if found[4] not in ("1", "1.0", "1.00"):
                raise InputError(f"{place}: a routing unit of {found[4]}; 1 was expected")
            entries.append((place, found[2], found[3], found[5]))
    if section:
        raise InputError(f"{file.what}: the section {section} does not end; is the file cut off?")
    return Matrix(_between_terminals(iter(entries), network), unit)


def _sndlib_xml(file: File, network: Network) -> Matrix:
    root = _xml(file)
    entries = []
    for number, demand in enumerate(root.iterfind(".//{*}demand"), 1):
        place = f"{file.what}: demand {demand.get('id') or number}"
        parts = {x.tag.rpartition("}")[2]: (x.text or "").strip() for x in demand}
        missing = [x for x in ("source", "target", "demandValue") if x not in parts]
        if missing:
            raise InputError(f"{place} has no {missing[0]}")
        if parts.get("routingUnit", "1") not in ("1", "1.0", "1.00"):
            raise InputError(f"{place} has a routing unit of {brief(parts['routingUnit'])}; 1 was expected")
        entries.append((place, parts["source"], parts["target"], parts["demandValue"]))
    unit = next((str(x.text).strip() for x in root.iterfind(".//{*}meta/{*}unit")), "")
    return Matrix(_between_terminals(iter(entries), network), unit)


# -- TOTEM ----------------------------------------------------------------------------------------------------------


def _totem(file: File, network: Network) -> Matrix:
    """``<src id=...><dst id=...>rate</dst>``; numbers that are not names of nodes begin with 1."""
    root = _xml(file)
    entries = []
    for source in root.iterfind(".//{*}IntraTM/{*}src"):
        for end in source.iterfind("{*}dst"):
            place = f"{file.what}: from {source.get('id')} to {end.get('id')}"
            entries.append((place, source.get("id"), end.get("id"), (end.text or "").strip()))
    unit = next((str(x.get("value")) for x in root.iterfind(".//{*}unit") if x.get("type") == "bandwidth"), "")
    known = TerminalNames(network)
    named = all(known.has(x[1]) and known.has(x[2]) for x in entries)
    return Matrix(_between_terminals(iter(entries), network, from_one=not named), unit)


def _xml(file: File) -> Any:
    from xml.etree import ElementTree  # entities are refused below

    if "<!DOCTYPE" in file.text or "<!ENTITY" in file.text:
        raise InputError(f"{file.what} declares a document type; plain XML was expected")
    try:
        return ElementTree.fromstring(file.text)  # noqa: S314
    except ElementTree.ParseError as error:
        raise InputError(f"{file.what} is no XML that can be read: {error}") from None


# -- REPETITA -------------------------------------------------------------------------------------------------------


def _repetita(file: File, network: Network) -> Matrix:
    """``DEMANDS n``, a heading, and n lines ``label src dest bw``; nodes are numbers from 0, in the graph's order."""
    lines = [(k, x.split()) for k, x in enumerate(file.text.splitlines(), 1) if x.strip()]
    if len(lines) < 2 or lines[1][1] != ["label", "src", "dest", "bw"]:
        raise InputError(f"{file.what}: DEMANDS, a number, and the heading label src dest bw were expected")
    stated = parse_number(lines[0][1][-1], what=f"{file.what}, line {lines[0][0]}: the number of demands")
    if stated != len(lines) - 2:
        raise InputError(f"{file.what} states {stated} demands and has {len(lines) - 2}; is it cut off?")
    entries = []
    for number, words in lines[2:]:
        if len(words) != 4:
            raise InputError(f"{file.what}, line {number}: {brief(' '.join(words))}; label src dest bw was expected")
        node = _by_node(words[1:3], network, f"{file.what}, line {number}")
        entries.append((f"{file.what}, line {number}", *node, words[3]))
    return Matrix(_between_terminals(iter(entries), network), "kbps")


def _by_node(words: list[str], network: Network, place: str) -> tuple[int, int]:
    """Terminals at nodes with these numbers."""
    found = []
    for word in words:
        at = int(word) if word.isdecimal() and len(word) < 10 else -1
        here = [] if at < 0 else (network.source == at).nonzero()[0].tolist()
        if len(here) != 1:
            raise InputError(
                f"{place}: node {brief(word)} of {network.name} has {len(here)} terminals; one was expected"
            )
        found.append(int(here[0]))
    return found[0], found[1]


# -- tables ---------------------------------------------------------------------------------------------------------


def _csv(file: File, network: Network) -> Matrix:
    """Three columns with a heading (source, destination, rate), or a table with names of nodes on both sides."""
    sample = file.text[:4096]
    separator = max(",;\t", key=sample.count)
    rows = [x for x in csv.reader(io.StringIO(file.text), delimiter=separator) if any(cell.strip() for cell in x)]
    head = [x.strip() for x in rows[0]] if rows else []
    entries: list[tuple[str, object, object, object]] = []
    for number, row in enumerate(rows[1:], 2):
        place = f"{file.what}, row {number}"
        if len(row) != len(head):
            raise InputError(f"{place} has {len(row)} cells; {len(head)} were expected, as in the heading")
        cells = [x.strip() for x in row]
        if len(head) == 3 and len(rows) != 3:
            entries.append((place, cells[0], cells[1], cells[2]))
        else:
            entries += [(place, cells[0], name, x or "0") for name, x in zip(head[1:], cells[1:], strict=True)]
    return Matrix(_between_terminals(iter(entries), network))


def _numpy(file: File, network: Network) -> Matrix:
    """A square array of numbers, in the order of the terminals; floats are the exact binary numbers that they are."""
    import numpy as np

    try:
        array = np.load(file.path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise InputError(f"{file.what} is no array that can be read: {error}") from None
    size = network.num_terminals
    if array.shape != (size, size) or array.dtype.kind not in "iuf":
        raise InputError(f"{file.what} holds {array.dtype} of shape {array.shape}; numbers ({size}, {size}) expected")
    entries = ((f"{file.what}, entry [{i}, {j}]", i, j, x) for i, row in enumerate(array.tolist())
               for j, x in enumerate(row) if x)  # fmt: skip
    return Matrix(_between_terminals(entries, network))


def _json(file: File, network: Network) -> Matrix:
    """``{source: {destination: rate}}``, or N rows of N rates in the order of the terminals."""
    value, entries = file.value, list[tuple[str, object, object, object]]()
    rows = value.items() if isinstance(value, dict) else enumerate(value)
    for source, row in rows:
        if not isinstance(row, type(value)) or (isinstance(row, list) and len(row) != network.num_terminals):
            wanted = f"{network.num_terminals} rates" if isinstance(value, list) else "rates by destination"
            raise InputError(f"{file.what}: row {brief(source)} is {brief(row)}; {wanted} were expected")
        ends = row.items() if isinstance(row, dict) else enumerate(row)
        entries += [(f"{file.what}: from {source} to {end}", source, end, x) for end, x in ends]
    return Matrix(_between_terminals(iter(entries), network))


_FORMAT: type[Format[Matrix, Network]] = Format
SNDLIB = _FORMAT(
    "sndlib", "SNDlib", (".txt",), lambda file: file.start.startswith("?SNDlib") or "\nDEMANDS (" in file.start, _sndlib
)
SNDLIB_XML = _FORMAT("sndlib-xml", "SNDlib's XML", (".xml",), lambda file: "sndlib" in file.start[:2000], _sndlib_xml)
TOTEM = _FORMAT("totem", "TOTEM's XML", (), lambda file: "<IntraTM" in file.start, _totem)
REPETITA = _FORMAT("repetita", "REPETITA", (".demands",), lambda file: file.start.startswith("DEMANDS"), _repetita)
TABLE = _FORMAT("table", "a table with names", (".csv", ".tsv"), None, _csv)
NUMPY = _FORMAT("numpy", "a numpy array", (".npy",), lambda file: "NUMPY" in file.start[:8], _numpy)
JSON = _FORMAT("json", "JSON", (".json",), lambda file: file.is_json, _json)

MATRICES: Registry[Format[Matrix, Network]] = Registry("matrix format", _FORMAT, rooms=[str(__package__)])
"""Every format of traffic matrices by its name."""
