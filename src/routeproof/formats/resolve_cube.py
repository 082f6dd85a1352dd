"""What the user typed to a t-nary d-cube (``hypercube:6``, ``hyperx:3x3x3``, or the file of a destination graph), to a
wiring (``multibutterfly:1024,d=2,seed=7``, or a document) and to permutations."""

from __future__ import annotations

import os.path
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arrays import Int32
from ..core.cube.destination_graph import Cube, DestinationGraph
from ..core.errors import InputError, did_you_mean
from ..core.multistage.wiring import Wiring, check_wiring
from ..core.network import Network
from ..topologies.build import shortened
from ..topologies.family import TOPOLOGIES, is_family, network_from_spec, wired_names, wiring_named
from ..topologies.grid.lattice import hyperx
from ..topologies.grid.torus import hypercube
from ..topologies.patterns import PERMUTATION_PATTERNS, is_pattern, traffic_pattern
from ..topologies.text import name_of
from .documents.destination_graph import graph_from_document
from .documents.traffic import read_permutations
from .documents.wiring import read_wiring
from .format import File
from .resolve import no_such
from .text_files import shown

_FAMILIES = ("hypercube", "hyperx")


@dataclass(frozen=True)
class NamedCube:
    """``graph``: where a file of one was named."""

    name: str
    cube: Cube
    graph: DestinationGraph | None = None


def resolve_cube(text: str) -> NamedCube | None:
    """The cube that ``text`` names, or None where it speaks of something else; a HyperX must have one radix, bandwidth
    1 and nothing dead."""
    text = text.strip()
    if is_family(text) and text.split(":", 1)[0].strip() in _FAMILIES:
        network = network_from_spec(text)
        shape = network.grid.radix if network.grid is not None else ()
        if len(set(shape)) != 1 or any(b != 1 for b in network.bandwidth):
            raise InputError(
                f"{network.name} is not a t-nary d-cube: one radix for all dimensions, links of bandwidth 1 and "
                "nothing dead were expected, as in hypercube:6 or hyperx:3x3x3"
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


def resolve_request(text: str, cube: Cube, *, many_one: bool) -> Int32:
    """Every node's destination, -1 for none: a pattern, ``all-to:v`` (if ``many_one``), or a file with one list of
    nodes."""
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
    lists = _permutations(text, cube_network(cube), many_one=many_one)
    if len(lists) != 1:
        raise InputError(f"file {shown(text)} holds {len(lists)} lists; one was expected for a cube")
    only: Int32 = lists[0]
    return only


def resolve_permutations(texts: Sequence[str], size: int) -> Int32:
    """The permutations of ``size`` terminals that ``texts`` name (patterns or files), int32, shape (P, size), -1:
    none."""
    if not texts:
        raise InputError("no permutation is given; a pattern such as bit-reversal or a file was expected")
    terminals = Network.of(f"{size} terminals", size, [])
    return np.concatenate([_permutations(text, terminals) for text in texts])


def _permutations(text: str, network: Network, *, many_one: bool = False) -> Int32:
    if is_pattern(text) and not os.path.isfile(text):
        permutation = traffic_pattern(text, network).permutation
        if permutation is None:
            name = text.strip()[:60]
            raise InputError(f"traffic {name} is not a permutation; one such as bit-reversal was expected")
        return permutation.image[None, :]
    if not os.path.exists(text):
        raise InputError(no_such(text, "permutation", "a known pattern", PERMUTATION_PATTERNS))
    return read_permutations(text, network.num_terminals, many_one=many_one)


def resolve_wiring(text: str) -> Wiring:
    """The wiring of a family or a document that ``text`` names, checked: blocks, degrees, one logical path per input
    and output."""
    text = text.strip()
    if os.path.isfile(text):
        return check_wiring(read_wiring(text))
    wiring = wiring_named(text)
    if wiring is not None:
        return wiring if wiring.spec is not None else check_wiring(wiring)
    word, known = name_of(text), wired_names()
    if word in TOPOLOGIES:
        raise InputError(f"{shortened(repr(text))} is not a network of levels and wires; known: {', '.join(known)}")
    hint = did_you_mean(word[:100], known)
    raise InputError(f"wiring {shortened(repr(text))} is neither a known family nor an existing file; {hint}")
