"""Our destination graph document: the moves of every node of a t-nary d-cube to node 0, as JSON.

``{"format": "routeproof/destination-graph", "radix": t, "dimensions": d,
"paths": {"<d digits>": [[i, j], ..., [0, 0], ...]}}``

Digits are written together (``"0110"``), with commas between them where t > 10.  ``[i, j]`` subtracts j from the i-th
digit, counted from 1 at the left; ``[0, 0]`` stays put.  The path of node 0 may be left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.cube.destination_graph import Cube, DestinationGraph, Move
from ...core.errors import InputError
from ..format import File, Format, NetworkFormat
from ..text_files import FilePath, brief, unexpected
from .json_text import write_json


def graph_from_document(document: Mapping[str, Any], *, what: str) -> DestinationGraph:
    """The destination graph that a parsed document describes; raises InputError, naming the node, for a path that does
    not end at 0 and what is out of range. Whether packets meet is not judged here."""
    from ..structure import DestinationGraphDocument, document_of

    data = document_of(DestinationGraphDocument, document, what=what)
    try:
        cube = Cube(data.radix, data.dimensions)
        return DestinationGraph.of(data.radix, data.dimensions, _paths(cube, data.paths))
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def _paths(cube: Cube, given: Mapping[str, Any]) -> dict[int, list[Move]]:
    if len(given) > cube.num_nodes:
        raise InputError(f"it has {len(given)} paths; the cube has {cube.num_nodes} nodes")
    node_of = {cube.label(u): u for u in range(cube.num_nodes)}
    unknown = next((key for key in given if key not in node_of), None)
    if unknown is not None:
        comma = " with commas between them" if cube.radix > 10 else ""
        digits = f"{cube.dimensions} digits from 0 to {cube.radix - 1}{comma}"
        raise InputError(f"paths has the node {brief(unknown)}; {digits} were expected")
    return {node_of[key]: _moves(cube, key, moves) for key, moves in given.items()}


def _moves(cube: Cube, key: str, moves: object) -> list[Move]:
    place = f"the path of node {key}"
    if not isinstance(moves, list):
        raise unexpected(place, moves, "a list of moves [i, j]")
    for n, move in enumerate(moves, 1):
        if not isinstance(move, list) or len(move) != 2 or any(type(x) is not int for x in move):
            raise unexpected(f"{place}: step {n}", move, "a move [i, j]")
        if move != [0, 0] and not (1 <= move[0] <= cube.dimensions and 1 <= move[1] < cube.radix):
            digits = f"a digit from 1 to {cube.dimensions} and an amount from 1 to {cube.radix - 1}"
            raise unexpected(f"{place}: step {n}", move, f"[0, 0], or {digits},")
    return [(i, j) for i, j in moves]


def graph_to_document(graph: DestinationGraph) -> dict[str, Any]:
    """The document of ``graph``; nodes in order, without waits at the end, without node 0."""
    cube = graph.cube
    return {
        "format": "routeproof/destination-graph",
        "radix": graph.radix,
        "dimensions": graph.dimensions,
        "paths": {cube.label(u): [list(x) for x in graph.path(u)] for u in range(1, cube.num_nodes)},
    }


def read_graph(path: FilePath) -> DestinationGraph:
    file = File(path, wanted="a destination graph")
    return graph_from_document(file.document, what=file.what)


def write_graph(graph: DestinationGraph, path: FilePath) -> None:
    write_json(graph_to_document(graph), path)


DESTINATION_GRAPH: NetworkFormat = Format(
    "destination-graph",
    "destination graph document",
    sniff=lambda file: file.says("routeproof/destination-graph"),
    document=lambda file: ("destination-graph", file.text),
)
