"""Focus channels: one channel of each class of channels equivalent under symmetry.

Source: Towles & Dally 2002 (SPAA), sec. 4.1, Theorem 3, with reversal of paths as a further symmetry: where
load(c; i, j) = load(reverse(c); j, i), a channel and its opposite have the same worst case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ...core.symmetry import Automorphism, Symmetry, check_automorphism, orbit_labels
from ...routing.base.routing import Routing

_FIND_UP_TO_NODES = 20_000
_MAX_SIZE = 400_000


@dataclass(frozen=True, eq=False)
class ChannelClasses:
    """``label``: int32 (C,), the focus channel of every channel; the generators that made it; ``found`` says that
    they were searched for rather than declared with the topology; ``reversal``: opposites are alike too."""

    label: npt.NDArray[np.int32]
    generators: tuple[Automorphism, ...]
    reversal: bool
    found: bool

    @cached_property
    def focus(self) -> npt.NDArray[np.int32]:
        return np.unique(self.label)

    @property
    def names(self) -> tuple[str, ...]:
        own = tuple(g.name for g in self.generators)
        if self.found and own:
            own = (f"{len(own)} {'automorphism' if len(own) == 1 else 'automorphisms'} found",)
        return own + (("reversal of paths",) if self.reversal else ())

    def stabiliser(self, channel: int) -> list[Automorphism]:
        """Those generators that leave ``channel`` where it is."""
        return [g for g in self.generators if int(g.channel[channel]) == channel]


def channel_classes(
    routing: Routing, *, mode: str = "auto", rates_uniform: bool = True, reversal: bool = True
) -> ChannelClasses:
    """Classes of channels under every declared symmetry that the routing is checked to respect.

    Where none is declared, the network's automorphisms are found; those declared by a network that a report cannot name
    are written in full, like found ones.  A declared symmetry that the *network* does not have is an error; one that
    the routing does not respect is left out.  ``mode``: "auto" or "none".
    """
    if mode not in ("auto", "none"):
        raise InputError(f"symmetry is '{mode}'; auto or none was expected")
    network = routing.network
    label = np.arange(network.num_channels, dtype=np.int32)
    if mode == "none" or not rates_uniform:
        return ChannelClasses(label, (), False, False)
    candidates: tuple[Automorphism, ...] = ()
    found = False
    if routing.by_node and network.symmetry is not None:
        candidates = network.symmetry.generators
        for g in candidates:
            check_automorphism(network, g)
        if network.spec is None:  # a report holds the network in full, which says nothing of its symmetry
            candidates, found = tuple(from_node_image(network, g.node, name=g.name) for g in candidates), True
    elif routing.by_node and network.num_nodes <= _FIND_UP_TO_NODES:
        symmetry = find_automorphisms(network, routing.channel_kind)
        if symmetry is not None:
            candidates, found = symmetry.generators, True
    kept = tuple(g for g in candidates if routing.respects(g))
    images = [g.channel for g in kept]
    opposite = network.reverse if reversal and np.array_equal(network.supply, network.demand) else None
    both_ways = opposite is not None and routing.respects_reversal()
    if opposite is not None and both_ways:
        images.append(opposite)
    return ChannelClasses(orbit_labels(len(label), images) if images else label, kept, both_ways, found)


def find_automorphisms(
    network: Network,
    kind: Int64 | None = None,
    *,
    colour: Int64 | None = None,
    blocks: Sequence[Sequence[int]] = (),
) -> Symmetry | None:
    """Generators of the automorphism group (nodes with equal terminals, channels with equal bandwidth, and of one
    ``kind``, shape (C,), where it is given).

    Only those that take nodes to nodes of the same ``colour``, shape (N,), and each of the ``blocks``, sets of nodes,
    to one of them.

    Directed channels, parallel channels and unequal bandwidths are turned into coloured vertices, since the search
    knows vertex colours only.  Returns None where the group is trivial or the network is too large to search.
    """
    import igraph

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
