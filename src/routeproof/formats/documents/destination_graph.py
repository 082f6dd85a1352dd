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
from ..text_files import FilePath, brief
from .json_text import format_json, write_text_atomic
from .network import tell_format

__all__ = ["graph_from_document", "graph_to_document", "write_graph"]


def graph_from_document(document: Mapping[str, Any], *, what: str) -> DestinationGraph:
    """The destination graph that a parsed document describes.

    Raises InputError, naming the node, for digits out of range, moves out of range, a node without a path, and a path
    that does not end at 0.  Whether packets meet is not judged here.
    """
    from .structure import DestinationGraphDocument, validated

    tell_format(document, "destination-graph", what=what)
    data = validated(DestinationGraphDocument, dict(document), what=what)
    try:
        cube = Cube(data.radix, data.dimensions)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None
    if len(data.paths) > cube.num_nodes:
        raise InputError(f"{what} has {len(data.paths)} paths; the cube has {cube.num_nodes} nodes")
    node_of = {cube.label(u): u for u in range(cube.num_nodes)}
    paths: dict[int, list[Move]] = {}
    for key, moves in data.paths.items():
        if key not in node_of:
            raise InputError(f"{what}: paths has the node {brief(key)}; {_digits(cube)} were expected")
        place = f"{what}: the path of node {key}"
        if not isinstance(moves, list):
            raise InputError(f"{place} is {brief(moves)}; a list of moves [i, j] was expected")
        paths[node_of[key]] = [_move(cube, x, n, place) for n, x in enumerate(moves)]
    try:
        return DestinationGraph.of(data.radix, data.dimensions, paths)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def _digits(cube: Cube) -> str:
    comma = " with commas between them" if cube.radix > 10 else ""
    return f"{cube.dimensions} digits from 0 to {cube.radix - 1}{comma}"


def _move(cube: Cube, value: object, n: int, place: str) -> Move:
    pair = value if isinstance(value, list) and len(value) == 2 else (None, None)
    i, j = pair
    if type(i) is not int or type(j) is not int:
        raise InputError(f"{place}: step {n + 1} is {brief(value)}; a move [i, j] was expected")
    if (i, j) != (0, 0) and not (1 <= i <= cube.dimensions and 1 <= j < cube.radix):
        raise InputError(
            f"{place}: step {n + 1} is {brief(value)}; [0, 0], or a digit from 1 to {cube.dimensions} and an amount "
            f"from 1 to {cube.radix - 1}, was expected"
        )
    return i, j


def graph_to_document(graph: DestinationGraph) -> dict[str, Any]:
    """The document of ``graph``; nodes in order, without waits at the end, without node 0."""
    cube = graph.cube
    return {
        "format": "routeproof/destination-graph",
        "radix": graph.radix,
        "dimensions": graph.dimensions,
        "paths": {cube.label(u): [list(x) for x in graph.path(u)] for u in range(1, cube.num_nodes)},
    }


def write_graph(graph: DestinationGraph, path: FilePath) -> None:
    """Write a destination graph document, whole or not at all."""
    write_text_atomic(path, format_json(graph_to_document(graph)))
