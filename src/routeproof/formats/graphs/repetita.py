"""REPETITA's ``.graph`` files, read only: nodes, and directed edges with IGP weight, bandwidth and delay.

Source: Gay, Schaus & Vissicchio 2017, "REPETITA: repeatable experiments for performance evaluation of traffic
engineering algorithms".  Bandwidths are in kbps, and count as they stand: ``bandwidth=1`` makes all channels alike.
"""

from __future__ import annotations

from ...core.errors import InputError
from ..format import File, Format, NetworkFormat
from ..text_files import brief
from .foreign_graph import ForeignEdge, ForeignGraph, network_of

_NODE = ["label", "x", "y"]
_EDGE = ["label", "src", "dest", "weight", "bw", "delay"]


def read_repetita(file: File) -> ForeignGraph:
    """Nodes 0, 1, ... in order; an edge's attributes are ``weight``, ``bandwidth`` and ``delay``.

    Raises InputError, with the line, for a section, heading or line that is another one, or is missing.
    """
    lines = [(k, x.split()) for k, x in enumerate(file.text.splitlines(), 1) if x.strip()]
    lines, nodes = _section(file, lines, "NODES", _NODE)
    lines, edges = _section(file, lines, "EDGES", _EDGE)
    if lines:
        raise InputError(f"{file.what}, line {lines[0][0]}: {brief(' '.join(lines[0][1]))}; the end was expected")
    found = []
    for number, (_, source, target, weight, width, delay) in edges:
        for end in (source, target):
            if not (end.isdecimal() and len(end) < 10 and int(end) < len(nodes)):
                raise InputError(f"{file.what}, line {number}: node {brief(end)}; 0 to {len(nodes) - 1} were expected")
        attributes = {"weight": weight, "bandwidth": width, "delay": delay}
        found.append(ForeignEdge(int(source), int(target), True, attributes))
    named = [(name, {"label": name, "Longitude": x, "Latitude": y}) for _, (name, x, y) in nodes]
    return ForeignGraph(file.stem, file.what, named, found)


Lines = list[tuple[int, list[str]]]


def _section(file: File, lines: Lines, name: str, heading: list[str]) -> tuple[Lines, Lines]:
    """(lines after the section, its own): ``NAME count``, the heading, and so many lines."""
    (at, first), *rest = lines or [(1, [])]
    if len(first) != 2 or first[0] != name or not (first[1].isdecimal() and len(first[1]) < 10):
        raise InputError(f"{file.what}, line {at}: {brief(' '.join(first))}; {name} and a number were expected")
    if not rest or rest[0][1] != heading:
        raise InputError(f"{file.what}, line {at + 1}: the heading {' '.join(heading)} was expected")
    count = int(first[1])
    own = rest[1 : count + 1]
    wrong = next((x for x in own if len(x[1]) != len(heading)), None)
    if wrong is not None:
        text = brief(" ".join(wrong[1]))
        raise InputError(f"{file.what}, line {wrong[0]}: {text}; {' '.join(heading)} was expected")
    if len(own) < count:
        raise InputError(f"{file.what}, line {at}: {count} {name.lower()} are stated, {len(own)} are there")
    return rest[count + 1 :], own


REPETITA: NetworkFormat = Format(
    "repetita",
    "REPETITA",
    extensions=(".graph",),
    sniff=lambda file: file.start.split()[:1] == ["NODES"] and file.start.split()[2:5] == _NODE,
    read=lambda file, bandwidth: network_of(read_repetita(file), bandwidth=bandwidth),
    options=("bandwidth", "missing"),
)
