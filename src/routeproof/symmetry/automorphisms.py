"""The automorphisms of a network: those that its topology declares, else those that a search finds; all are checked.
And the symmetry by which a routing, a flow or a bound is given for one pair of every class, as reports write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..core.arrays import Int32, Int64
from ..core.errors import InputError
from ..core.network import Network
from ..core.symmetry import Automorphism, Symmetry, check_automorphism, from_node_image
from ..formats.documents.packed_ints import pack_ints, unpack_ints
from ..kernel.ports import Ports
from ..machine.libraries import igraph

_MAX_SIZE = 400_000


def find_automorphisms(
    network: Network, kind: Int64 | None = None, *, colour: Int64 | None = None, blocks: Sequence[Sequence[int]] = ()
) -> Symmetry | None:
    """Generators of the automorphism group (nodes with equal terminals, channels with equal bandwidth, and of one
    ``kind``, shape (C,), where it is given).

    Only those that take nodes to nodes of the same ``colour``, shape (N,), and each of the ``blocks``, sets of nodes,
    to one of them.

    Directed channels, parallel channels and unequal bandwidths are turned into coloured vertices, since the search
    knows vertex colours only.  Returns None where the group is trivial or the network is too large to search.
    """
    n = network.num_nodes
    rank = network.bandwidth_rank
    if kind is not None:
        rank = np.unique(rank * (int(kind.max(initial=0)) + 1) + kind, return_inverse=True)[1].astype(np.int64)
    vertex, edges = _plain_graph(network, rank) or _coloured_graph(network, rank)
    if len(vertex) + len(edges) > _MAX_SIZE:
        return None
    if colour is not None:
        both = [(x, int(y)) for x, y in zip(vertex, [*colour.tolist(), *[0] * len(vertex)], strict=False)]
        names = {pair: k for k, pair in enumerate(sorted(set(both)))}
        vertex = [names[pair] for pair in both]
    for block in blocks:
        edges += [(v, len(vertex)) for v in block]
        vertex.append(-1)
    vertex = [x + 1 for x in vertex]
    graph = igraph().Graph(n=len(vertex), edges=edges)
    generators = []
    try:
        images = graph.automorphism_group(color=vertex)
    except SystemError as error:  # interrupted in igraph, which says so only by its cause
        raise (error.__cause__ if isinstance(error.__cause__, KeyboardInterrupt) else error) from None
    for number, image in enumerate(images):
        g = from_node_image(network, np.array(image[:n], dtype=np.int32), name=f"found {number}")
        check_automorphism(network, g)
        generators.append(g)
    return Symmetry(tuple(generators)) if generators else None


def _terminal_colours(network: Network) -> list[int]:
    """Nodes with equal numbers of sources and of sinks have equal colours."""
    pairs = np.stack([network.supply, network.demand], axis=1)
    return [int(x) for x in np.unique(pairs, axis=0, return_inverse=True)[1].reshape(-1)]


def _plain_graph(network: Network, rank: Int64) -> tuple[list[int], list[tuple[int, int]]] | None:
    """Colours and edges where every channel has its opposite, none is parallel and all have one rank."""
    tail, head = network.tail.astype(np.int64), network.head.astype(np.int64)
    there, back = np.sort(tail * network.num_nodes + head), np.sort(head * network.num_nodes + tail)
    if rank.any() or not np.array_equal(there, back) or (np.diff(there) == 0).any():
        return None
    up = tail < head
    return _terminal_colours(network), list(zip(tail[up].tolist(), head[up].tolist(), strict=True))


def _coloured_graph(network: Network, rank: Int64) -> tuple[list[int], list[tuple[int, int]]]:
    """Colours and edges of the general case: links and one-way channels become vertices of their own."""
    links: dict[tuple[int, int], list[int]] = {}
    for a, b, width in zip(network.tail.tolist(), network.head.tolist(), rank.tolist(), strict=True):
        links.setdefault((a, b), []).append(width)
    labels = {ends: tuple(sorted(widths)) for ends, widths in links.items()}
    vertex = _terminal_colours(network)
    colours: dict[object, int] = {}

    def colour(key: object) -> int:
        return colours.setdefault(key, network.num_nodes + len(colours))  # apart from the nodes' colours

    edges: list[tuple[int, int]] = []
    for (a, b), widths in labels.items():
        if labels.get((b, a)) == widths:
            if a < b:
                middle = len(vertex)
                vertex.append(colour(("link", widths)))
                edges += [(a, middle), (middle, b)]
        else:  # one way, or different the other way: out-vertex and in-vertex
            first = len(vertex)
            vertex += [colour(("out", widths)), colour(("in", widths))]
            edges += [(a, first), (first, first + 1), (first + 1, b)]
    return vertex, edges


def generators_of(
    network: Network, *, symmetry: str = "auto", kind: Int64 | None = None, blocks: Sequence[Sequence[int]] = ()
) -> tuple[list[Automorphism], list[str] | None]:
    """Generators of the network's automorphisms, and their names where the topology declares them (else None).

    ``symmetry``: "auto" (declared and checked, else searched for), "translations" (declared translations only) or
    "none"; ``kind``, ``blocks``: as in ``find_automorphisms``, of those that are searched for.  Raises InputError for a
    declared symmetry that does not hold.
    """
    if symmetry == "none":
        return [], None
    if network.symmetry is None:
        found = None if symmetry == "translations" else find_automorphisms(network, kind, blocks=blocks)
        return [] if found is None else list(found.generators), None
    chosen = [g for g in network.symmetry.generators if symmetry == "auto" or g.name.startswith("translate")]
    for g in chosen:
        check_automorphism(network, g)
    return chosen, [g.name for g in chosen]


def generators_keeping(
    network: Network, ports: Ports, *, symmetry: str = "auto"
) -> tuple[list[Automorphism], list[str] | None]:
    """As ``generators_of``, of those automorphisms that leave the set of demands with these ports as it is.

    Where some generators do not, others are searched for that keep what every node may send and receive, and the jobs.
    """
    every, names = generators_of(network, symmetry=symmetry)
    kept = [g for g in every if ports.kept_by(g)]
    if len(kept) < len(every) and symmetry == "auto" and ports.by_node and ports.room is None:
        found = find_automorphisms(network, colour=_rates_of(network, ports), blocks=_blocks(network, ports))
        return [g for g in (() if found is None else found.generators) if ports.kept_by(g)], None
    return kept, None if names is None else [g.name for g in kept]


def _rates_of(network: Network, ports: Ports) -> Int64:
    """int64 (N,): equal for nodes that may send as much, and receive as much."""
    sides = []
    for nodes, rates in ((ports.row_node, ports.sends), (ports.column_node, ports.receives)):
        each: list[object] = [None] * network.num_nodes
        for v, x in zip(nodes.tolist(), rates or [Fraction(0)] * len(nodes), strict=True):
            each[v] = x
        sides.append(each)
    number: dict[tuple[object, object], int] = {}
    return np.array([number.setdefault(x, len(number)) for x in zip(*sides, strict=True)], dtype=np.int64)


def _blocks(network: Network, ports: Ports) -> list[list[int]]:
    """Sets of nodes inside which all may send to one another and to nobody else; none where all may, or it is not
    so."""
    between = ports.between(network.num_nodes)
    np.fill_diagonal(between, val=True)
    alike = {row.tobytes(): np.flatnonzero(row) for row in between}
    blocks = [x.tolist() for x in alike.values() if len(x) > 1]
    whole = sum(map(len, blocks)) == len({v for block in blocks for v in block})
    return blocks if whole else []


class ClassSymmetry(NamedTuple):
    """What makes pairs equivalent: ``generators``, ``declared`` by the network under these names (None: found), and, if
    ``reversal``, reversing paths."""

    generators: Sequence[Automorphism]
    reversal: bool
    declared: Sequence[str] | None = None

    def described(self) -> dict[str, Any]:
        """What ``symmetry_of`` reads."""
        if self.declared is not None:
            return {"reversal": self.reversal, "declared": list(self.declared)}
        return {"reversal": self.reversal, "found": [pack_ints(g.node) for g in self.generators]}


def opposite_of(network: Network, name: str, symmetry: ClassSymmetry) -> Int32 | None:
    """``network.reverse`` where the symmetry has reversal; raises InputError for a symmetry that the network lacks."""
    for g in symmetry.generators:
        check_automorphism(network, g)
    if not symmetry.reversal:
        return None
    if network.reverse is None or not np.array_equal(network.supply, network.demand):
        raise InputError(f"routing {name} uses reversal of paths, which {network.name} does not have")
    return network.reverse


def symmetry_of(network: Network, symmetry: object) -> ClassSymmetry:
    """The symmetry that ``ClassSymmetry.described`` wrote."""
    if not isinstance(symmetry, Mapping):
        raise InputError("a routing by classes needs 'symmetry' (an object)")
    if set(symmetry) - {"reversal", "found", "declared"} or len({"found", "declared"} & set(symmetry)) != 1:
        raise InputError("'symmetry' has other keys than 'reversal' and one of 'found' and 'declared'")
    reversal = symmetry.get("reversal", False)
    if not isinstance(reversal, bool):
        raise InputError(f"'reversal' of the symmetry is {str(reversal)[:40]!r}; true or false was expected")
    generators, declared = _generators(network, symmetry)
    return ClassSymmetry(generators, reversal, declared)


def _generators(network: Network, symmetry: Mapping[str, Any]) -> tuple[list[Automorphism], list[str] | None]:
    if "found" in symmetry:
        texts = symmetry["found"]
        if not isinstance(texts, list):
            raise InputError("'found' symmetry must be a list")
        result = []
        for k, text in enumerate(texts):
            node = unpack_ints(text, what=f"symmetry.found[{k}]", max_items=network.num_nodes)
            if not np.array_equal(np.sort(node), np.arange(network.num_nodes)):
                raise InputError(f"symmetry.found[{k}] is not a permutation of the nodes")
            result.append(from_node_image(network, node, name=f"found[{k}]"))
        return result, None
    known = {g.name: g for g in network.symmetry.generators} if network.symmetry is not None else {}
    names = symmetry.get("declared")
    if not isinstance(names, list) or any(not isinstance(x, str) or x not in known for x in names):
        raise InputError(f"the routing uses a symmetry that {network.name} does not declare")
    return [known[x] for x in names], [str(x) for x in names]
