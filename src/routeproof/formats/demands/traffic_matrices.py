"""Traffic matrices as SNDlib, TOTEM, REPETITA and YATES keep them."""

from __future__ import annotations

import re
from typing import Any

from ...core.errors import InputError
from ...core.network import Network
from ..format import File
from ..text_files import brief, parse_number
from .matrix import Matrix, MatrixFormat, alone, between_terminals
from .terminal_names import TerminalNames

# -- SNDlib ---------------------------------------------------------------------------------------------------------

_DEMAND = re.compile(r"(\S+) \( (\S+) (\S+) \) (\S+) (\S+) (\S+)")
_SECTION = re.compile(r"([A-Z_]+) \(")


def _sndlib(file: File, network: Network) -> Matrix:
    """Its native text: ``name ( source target ) routing_unit demand_value max_path_length``."""
    section, depth, unit, entries = "", 0, "", []
    for number, raw in enumerate(file.text.splitlines(), 1):
        line = " ".join(raw.partition("#")[0].replace("(", " ( ").replace(")", " ) ").split())
        place = f"{file.what}, line {number}"
        if not line or line.startswith("?"):
            continue
        if not section:
            opened = _SECTION.fullmatch(line) or _SECTION.match(line)
            if opened is None:
                raise InputError(f"{place}: {brief(line)}; a section such as DEMANDS ( was expected")
            section, depth = "" if line.endswith(" )") else opened[1], 0
        elif section == "ADMISSIBLE_PATHS":  # with a part for every demand
            depth += line.count("(") - line.count(")")
            section = "" if depth < 0 else section
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
    return Matrix(between_terminals(iter(entries), network), unit)


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
    return Matrix(between_terminals(iter(entries), network), unit)


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
    return Matrix(between_terminals(iter(entries), network, from_one=not named), unit)


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
    return Matrix(between_terminals(iter(entries), network), "kbps")


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


# -- YATES ----------------------------------------------------------------------------------------------------------


def _yates(file: File, network: Network) -> list[Matrix]:
    """One matrix a line, n * n rates row after row; or n lines of n rates, one matrix; in terminal order."""
    size = network.num_terminals
    lines = [(k, x.split()) for k, x in enumerate(file.text.splitlines(), 1) if x.strip()]
    wide = size * size if len(lines[0][1]) == size * size else size
    for number, words in lines:
        if len(words) != wide:
            raise InputError(
                f"{file.what}, line {number}: {len(words)} numbers; {size * size} (a matrix a line) or {size} (a row a "
                f"line) were expected, for {size} terminals"
            )
    if wide == size:
        if len(lines) != size:
            raise InputError(f"{file.what} has {len(lines)} lines of {size} numbers; {size} lines were expected")
        lines = [(lines[0][0], [x for _, words in lines for x in words])]
    found = []
    for number, words in lines:
        ends = ((k // size, k % size) for k in range(size * size))
        entries = ((f"{file.what}, line {number}", i, j, x) for (i, j), x in zip(ends, words, strict=True))
        found.append(Matrix(between_terminals(entries, network)))
    return found


def _looks_like_yates(file: File) -> bool:
    """Nothing but numbers in its first line, with blanks between them."""
    words = file.start.lstrip().partition("\n")[0].split()
    return len(words) > 1 and all(_NUMBER.fullmatch(x) for x in words[:1000])


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")

SNDLIB = MatrixFormat(
    "sndlib",
    "SNDlib",
    (".txt",),
    lambda file: file.start.startswith("?SNDlib") or "\nDEMANDS (" in file.start,
    alone(_sndlib),
)
SNDLIB_XML = MatrixFormat(
    "sndlib-xml", "SNDlib's XML", (".xml",), lambda file: "sndlib" in file.start[:2000], alone(_sndlib_xml)
)
TOTEM = MatrixFormat("totem", "TOTEM's XML", (), lambda file: "<IntraTM" in file.start, alone(_totem))
REPETITA = MatrixFormat(
    "repetita", "REPETITA", (".demands",), lambda file: file.start.startswith("DEMANDS"), alone(_repetita)
)
YATES = MatrixFormat("yates", "YATES's rows of numbers", (), _looks_like_yates, _yates)
