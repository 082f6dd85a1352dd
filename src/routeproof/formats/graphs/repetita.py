"""REPETITA's ``.graph`` files, read only: nodes, and directed edges with IGP weight, bandwidth and delay.

Source: Gay, Schaus & Vissicchio 2017, "REPETITA: repeatable experiments for performance evaluation of traffic
engineering algorithms".  Bandwidths are in kbps, and count as they stand: ``bandwidth=1`` makes all channels alike.
"""

from __future__ import annotations

from ...core.errors import InputError
from ..format import File, Format, NetworkFormat
from ..text_files import Line, brief
from .foreign_graph import ForeignGraph, network_of

_NODE = ["label", "x", "y"]
_EDGE = ["label", "src", "dest", "weight", "bw", "delay"]


def read_repetita(file: File) -> ForeignGraph:
    """Nodes 0, 1, ... in order; an edge's attributes are ``weight``, ``bandwidth`` and ``delay``."""
    lines, nodes = _section(file, list(file.lines()), "NODES", _NODE)
    lines, edges = _section(file, lines, "EDGES", _EDGE)
    if lines:
        raise lines[0].error(f"{brief(' '.join(lines[0].words))}; the end was expected")
    graph = ForeignGraph(file.stem, file.what)
    for k, line in enumerate(nodes):
        name, x, y = line.words
        graph.add_node(k, {"label": name, "Longitude": x, "Latitude": y}, name=name)
    for line in edges:
        _, *ends, weight, width, delay = line.words
        for end in ends:
            if not (end.isdecimal() and len(end) < 10 and int(end) < len(nodes)):
                raise line.error(f"node {brief(end)}; 0 to {len(nodes) - 1} were expected")
        attributes = {"weight": weight, "bandwidth": width, "delay": delay}
        graph.add_edge([int(x) for x in ends], attributes, line.place, directed=True)
    return graph


def _section(file: File, lines: list[Line], name: str, heading: list[str]) -> tuple[list[Line], list[Line]]:
    """(lines after the section, its own): ``NAME count``, the heading, and so many lines."""
    first, *rest = lines or [Line(1, "", f"{file.what}, line 1")]
    words = first.words
    if len(words) != 2 or words[0] != name or not (words[1].isdecimal() and len(words[1]) < 10):
        raise first.error(f"{brief(' '.join(words))}; {name} and a number were expected")
    if not rest or rest[0].words != heading:
        raise InputError(f"{file.what}, line {first.number + 1}: the heading {' '.join(heading)} was expected")
    count = int(words[1])
    own = rest[1 : count + 1]
    wrong = next((x for x in own if len(x.words) != len(heading)), None)
    if wrong is not None:
        raise wrong.error(f"{brief(' '.join(wrong.words))}; {' '.join(heading)} was expected")
    if len(own) < count:
        raise first.error(f"{count} {name.lower()} are stated, {len(own)} are there")
    return rest[count + 1 :], own


REPETITA: NetworkFormat = Format(
    "repetita",
    "REPETITA",
    extensions=(".graph",),
    sniff=lambda file: file.start.split()[:1] == ["NODES"] and file.start.split()[2:5] == _NODE,
    read=lambda file, bandwidth: network_of(read_repetita(file), bandwidth=bandwidth),
    options=("bandwidth", "missing"),
)
