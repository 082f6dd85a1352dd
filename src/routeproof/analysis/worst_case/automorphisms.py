"""Automorphisms of any network, found by canonical labelling (BLISS, through igraph)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.network import Network
from ...core.symmetry import Automorphism, Symmetry, check_automorphism

__all__ = ["find_automorphisms", "from_node_image"]

_MAX_SIZE = 400_000


def find_automorphisms(network: Network) -> Symmetry | None:
    """Generators of the automorphism group (nodes with equal terminals, channels with equal bandwidth).

    Directed channels, parallel channels and unequal bandwidths are turned into coloured vertices, since the search
    knows vertex colours only.  Returns None where the group is trivial or the network is too large to search.
    """
    import igraph

    n = network.num_nodes
    vertex, edges = _plain_graph(network) or _coloured_graph(network)
    if len(vertex) + len(edges) > _MAX_SIZE:
        return None
    graph = igraph.Graph(n=len(vertex), edges=edges)
    generators = []
    for number, image in enumerate(graph.automorphism_group(color=vertex)):
        g = from_node_image(network, np.array(image[:n], dtype=np.int32), name=f"found {number}")
        check_automorphism(network, g)
        generators.append(g)
    return Symmetry(tuple(generators)) if generators else None


def _terminal_colours(network: Network) -> list[int]:
    """Nodes with equal numbers of sources and of sinks have equal colours."""
    pairs = np.stack([network.supply, network.demand], axis=1)
    return [int(x) for x in np.unique(pairs, axis=0, return_inverse=True)[1].reshape(-1)]


def _plain_graph(network: Network) -> tuple[list[int], list[tuple[int, int]]] | None:
    """Colours and edges where every channel has its opposite, none is parallel and all bandwidths are equal."""
    tail, head = network.tail.astype(np.int64), network.head.astype(np.int64)
    there, back = np.sort(tail * network.num_nodes + head), np.sort(head * network.num_nodes + tail)
    if not network.uniform_bandwidth or not np.array_equal(there, back) or (np.diff(there) == 0).any():
        return None
    up = tail < head
    return _terminal_colours(network), list(zip(tail[up].tolist(), head[up].tolist(), strict=True))


def _coloured_graph(network: Network) -> tuple[list[int], list[tuple[int, int]]]:
    """Colours and edges of the general case: links and one-way channels become vertices of their own."""
    links: dict[tuple[int, int], list[int]] = {}
    for a, b, width in zip(network.tail.tolist(), network.head.tolist(), network.bandwidth_rank.tolist(), strict=True):
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


def from_node_image(network: Network, node: npt.NDArray[np.int32], *, name: str) -> Automorphism:
    """The automorphism with this node map; parallel channels go to parallel channels in order of bandwidth."""
    # One key for all channels with the same ends and bandwidth; equal keys stay in order of number.
    size = network.num_nodes
    ends = network.tail.astype(np.int64) * size + network.head
    moved = node[network.tail].astype(np.int64) * size + node[network.head]
    rank = network.bandwidth_rank
    widths = int(rank.max(initial=0)) + 1
    ends, moved = ends * widths + rank, moved * widths + rank
    channel = np.empty(network.num_channels, dtype=np.int32)
    channel[np.argsort(moved, kind="stable")] = np.argsort(ends, kind="stable")
    return Automorphism(name, node.astype(np.int32), channel)
