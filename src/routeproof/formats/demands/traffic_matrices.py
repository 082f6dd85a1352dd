"""Traffic matrices as SNDlib, TOTEM, REPETITA and YATES keep them."""

from __future__ import annotations

import re

from ...core.errors import InputError
from ...core.network import Network
from ..format import File
from ..graphs.sndlib import parse_xml, sections
from ..text_files import brief, parse_number
from .matrices import MatrixFormat, Rates, alone, between_terminals
from .terminal_names import TerminalNames

# -- SNDlib ---------------------------------------------------------------------------------------------------------

_DEMAND = re.compile(r"(\S+) \( (\S+) (\S+) \) (\S+) (\S+) (\S+)")
_ONE = ("1", "1.0", "1.00")


def _sndlib(file: File, network: Network) -> Rates:
    """Its native text: ``name ( source target ) routing_unit demand_value max_path_length``."""
    entries = []
    for section, line in sections(file, "DEMANDS"):
        if section == "DEMANDS":
            found = _DEMAND.fullmatch(line.text)
            if found is None:
                raise line.error(f"{brief(line.text)}; name ( source target ) unit value length was expected")
            if found[4] not in _ONE:
                raise line.error(f"a routing unit of {found[4]}; 1 was expected")
            entries.append((line.place, found[2], found[3], found[5]))
    return between_terminals(entries, network)


def _sndlib_xml(file: File, network: Network) -> Rates:
    root = parse_xml(file)
    entries = []
    for number, demand in enumerate(root.iterfind(".//{*}demand"), 1):
        place = f"{file.what}: demand {demand.get('id') or number}"
        parts = {x.tag.rpartition("}")[2]: (x.text or "").strip() for x in demand}
        missing = [x for x in ("source", "target", "demandValue") if x not in parts]
        if missing:
            raise InputError(f"{place} has no {missing[0]}")
        if parts.get("routingUnit", "1") not in _ONE:
            raise InputError(f"{place} has a routing unit of {brief(parts['routingUnit'])}; 1 was expected")
        entries.append((place, parts["source"], parts["target"], parts["demandValue"]))
    return between_terminals(entries, network)


# -- TOTEM ----------------------------------------------------------------------------------------------------------


def _totem(file: File, network: Network) -> Rates:
    """``<src id=...><dst id=...>rate</dst>``; numbers that are not names of nodes begin with 1."""
    root = parse_xml(file)
    entries = []
    for source in root.iterfind(".//{*}IntraTM/{*}src"):
        for end in source.iterfind("{*}dst"):
            place = f"{file.what}: from {source.get('id')} to {end.get('id')}"
            entries.append((place, source.get("id"), end.get("id"), (end.text or "").strip()))
    known = TerminalNames(network)
    named = all(known.has(x[1]) and known.has(x[2]) for x in entries)
    return between_terminals(entries, network, from_one=not named)


# -- REPETITA -------------------------------------------------------------------------------------------------------


def _repetita(file: File, network: Network) -> Rates:
    """``DEMANDS n``, a heading, and n lines ``label src dest bw``; nodes are numbers from 0, in the graph's order."""
    lines = list(file.lines())
    if len(lines) < 2 or lines[1].words != ["label", "src", "dest", "bw"]:
        raise InputError(f"{file.what}: DEMANDS, a number, and the heading label src dest bw were expected")
    stated = parse_number(lines[0].words[-1], what=f"{lines[0].place}: the number of demands")
    if stated != len(lines) - 2:
        raise InputError(f"{file.what} states {stated} demands and has {len(lines) - 2}; is it cut off?")
    entries = []
    for line in lines[2:]:
        if len(line.words) != 4:
            raise line.error(f"{brief(' '.join(line.words))}; label src dest bw was expected")
        entries.append((line.place, *_by_node(line.words[1:3], network, line.place), line.words[3]))
    return between_terminals(entries, network)


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


def _yates(file: File, network: Network) -> list[Rates]:
    """One matrix a line, n * n rates row after row; or n lines of n rates, one matrix; in terminal order."""
    size = network.num_terminals
    lines = [(x, x.words) for x in file.lines()]
    wide = size * size if len(lines[0][1]) == size * size else size
    for line, words in lines:
        if len(words) != wide:
            raise line.error(
                f"{len(words)} numbers; {size * size} (a matrix a line) or {size} (a row a line) were expected, for "
                f"{size} terminals"
            )
    if wide == size:
        if len(lines) != size:
            raise InputError(f"{file.what} has {len(lines)} lines of {size} numbers; {size} lines were expected")
        lines = [(lines[0][0], [x for _, words in lines for x in words])]
    found = []
    for line, words in lines:
        ends = ((k // size, k % size) for k in range(size * size))
        entries = ((line.place, i, j, x) for (i, j), x in zip(ends, words, strict=True))
        found.append(between_terminals(entries, network))
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
