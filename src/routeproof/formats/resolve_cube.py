"""What the user typed to a t-nary d-cube: ``hypercube:6``, ``hyperx:3x3x3``, or the file of a destination graph."""

from __future__ import annotations

import os.path
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..core.cube.destination_graph import Cube, DestinationGraph
from ..core.errors import InputError
from ..core.network import Network
from ..topologies.grid.hyperx import hyperx
from ..topologies.grid.torus import hypercube
from ..topologies.patterns import PERMUTATION_PATTERNS, is_pattern, traffic_pattern
from ..topologies.spec import is_family, network_from_spec
from .documents.destination_graph import graph_from_document
from .documents.permutations import read_permutations
from .file import File
from .resolve import no_such
from .text_files import shown

__all__ = ["NamedCube", "cube_network", "resolve_cube", "resolve_request"]

_FAMILIES = ("hypercube", "hyperx")


@dataclass(frozen=True)
class NamedCube:
    """``graph``: where a file of one was named."""

    name: str
    cube: Cube
    graph: DestinationGraph | None = None


def resolve_cube(text: str) -> NamedCube | None:
    """The cube that ``text`` names, or None where it speaks of something else.

    Raises InputError for a HyperX of unlike radices, bandwidths other than 1, dead nodes or channels, and a destination
    graph document that makes no sense.
    """
    text = text.strip()
    if is_family(text) and text.split(":", 1)[0].strip() in _FAMILIES:
        network = network_from_spec(text)
        shape = network.grid.radix if network.grid is not None else ()
        if len(set(shape)) != 1 or any(b != 1 for b in network.bandwidth):
            raise InputError(
                f"{network.name} is no t-nary d-cube: one radix for all dimensions, links of bandwidth 1 and nothing "
                "dead were expected, as in hypercube:6 or hyperx:3x3x3"
            )
        return NamedCube(network.name, Cube(shape[0], len(shape)))
    if text.lower().endswith(".json") and os.path.isfile(text):
        file = File(text, wanted="a wiring or a destination graph")
        if file.says("routeproof/destination-graph"):
            graph = graph_from_document(file.document, what=file.what)
            return NamedCube(file.stem, graph.cube, graph)
    return None


def cube_network(cube: Cube) -> Network:
    """The cube as a network: a hypercube for t = 2, otherwise a HyperX."""
    return hypercube(cube.dimensions) if cube.radix == 2 else hyperx(*(cube.radix,) * cube.dimensions)


def resolve_request(text: str, cube: Cube, *, many_one: bool) -> npt.NDArray[np.int32]:
    """Every node's destination, -1 for none: a pattern, ``all-to:v`` (if ``many_one``), or a file with a list of nodes.

    Raises InputError for anything else, for ``uniform``, and for a file with several lists.
    """
    text = text.strip()
    word, _, rest = text.partition(":")
    if word == "all-to":
        node = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 10 else -1
        if not many_one or not 0 <= node < cube.num_nodes:
            raise InputError(
                f"all-to needs a node from 0 to {cube.num_nodes - 1}, as in all-to:0, and --many-one instead of "
                "--permutation"
            )
        return np.full(cube.num_nodes, node, dtype=np.int32)
    if is_pattern(text) and not os.path.isfile(text):
        permutation = traffic_pattern(text, cube_network(cube)).permutation
        if permutation is None:
            raise InputError(f"traffic {text[:60]} is no permutation; one such as bit-reversal was expected")
        return permutation.image
    if not os.path.isfile(text):
        raise InputError(no_such(text, "permutation", "a known pattern", PERMUTATION_PATTERNS))
    lists = read_permutations(text, cube.num_nodes, many_one=many_one)
    if len(lists) != 1:
        raise InputError(f"file {shown(text)} holds {len(lists)} lists; one was expected for a cube")
    only: npt.NDArray[np.int32] = lists[0]
    return only
