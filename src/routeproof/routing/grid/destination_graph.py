"""A destination graph as a routing: translation-invariant paths on the t-nary d-cube, ``hyperx:txt..xt``.

Source: Hwang, Yao & Dasgupta, sec. 1 and 2.  The steps of the paths play no part in loads (see ``schedule``).

``find_meeting`` walks all N^2 packets, every step and every link: a check that knows none of the conditions (prefixes,
suffixes and invariance play no part).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64, offsets_of
from ...core.cube.conditions import Meeting
from ...core.cube.destination_graph import DestinationGraph, Schedule
from ...core.errors import InputError
from ...core.exact_arrays import ragged
from ...core.loads import PairBlock
from ...core.network import Network
from ...core.paths import Paths
from ...core.rational import Rationals
from ...core.symmetry import Automorphism, check_automorphism
from ...core.traffic import Permutation
from ...machine.compiled import njit
from ..base.pair_table import ChannelLoads
from ..base.routing import RoutingByChannel
from .lines import channel_places, grid_of


class DestinationGraphRouting(RoutingByChannel):
    """The packet from x to y goes like the graph's path from x - y to 0, moved by y.

    ``network``: all radices t, d dimensions; a HyperX, or for t = 2 a hypercube, torus or mesh of that shape.
    Raises InputError for any other.
    """

    def __init__(self, network: Network, name: str, graph: DestinationGraph) -> None:
        super().__init__(network, name)
        self.graph, self.cube = graph, graph.cube
        grid = grid_of(network, "a destination graph")
        t, d = graph.radix, graph.dimensions
        shape = (t,) * d
        if grid.radix != shape or grid.oneway or (grid.kind != "hyperx" and t > 2):
            raise InputError(
                f"this destination graph is for the {t}-nary {d}-cube, hyperx:{'x'.join(map(str, shape))}; "
                f"the network is {network.name}"
            )
        cube = self.cube
        self.places = channel_places(network, grid)
        everyone = np.arange(cube.num_nodes)
        # channel[v, k]: the channel by which a move of type k leaves node v.
        head = np.stack([cube.subtract(everyone, np.full_like(everyone, cube.vector[k])) for k in self._types], axis=1)
        by_ends = np.full((cube.num_nodes, cube.num_types + 1), -1, dtype=np.int32)
        ends = network.tail.astype(np.int64) * cube.num_nodes + network.head
        order = np.argsort(ends)
        by_ends[:, 1:] = order[np.searchsorted(ends[order], everyone[:, None] * cube.num_nodes + head)]
        self._channel = by_ends

    @property
    def _types(self) -> range:
        return range(1, self.cube.num_types + 1)

    @cached_property
    def _kind(self) -> npt.NDArray[np.int64]:
        """int64, shape (C,): the type of move that a channel serves."""
        kind = np.zeros(self.network.num_channels, dtype=np.int64)
        kind[self._channel[:, 1:]] = np.array(self._types)
        return kind

    @cached_property
    def _uses(self) -> list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Int64]]:
        """Per type: (prefix, position, count) of every node that makes the move, over all steps."""
        graph, size = self.graph, self.cube.num_nodes
        result = []
        for k in range(self.cube.num_types + 1):
            u, n = np.nonzero(graph.moves == k) if k else (np.zeros(0, np.int64), np.zeros(0, np.int64))
            key, count = np.unique(
                graph.prefix[u, n].astype(np.int64) * size + graph.position[u, n], return_counts=True
            )
            result.append(((key // size).astype(np.int32), (key % size).astype(np.int32), count.astype(np.int64)))
        return result

    def _loads_on(self, channel: int) -> ChannelLoads:
        prefix, position, count = self._uses[int(self._kind[channel])]
        w = np.full_like(prefix, self.network.tail[channel])
        return self.cube.add(w, prefix), self.cube.subtract(w, position), Rationals(count, np.ones_like(count))

    @cached_property
    def _hops(self) -> tuple[Int64, npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """(offset by node, step from 0, type, position before) of every move."""
        u, n = np.nonzero(self.graph.moves)
        offset = np.searchsorted(u, np.arange(self.cube.num_nodes + 1)).astype(np.int64)
        return offset, n, self.graph.moves[u, n].astype(np.int32), self.graph.position[u, n]

    def _crossed(self, source: npt.ArrayLike, sink: npt.ArrayLike) -> tuple[Int64, npt.NDArray[np.int32], Int64]:
        """(length of each path, its channels in order, their steps from 0) for pairs of nodes."""
        offset, step, kind, position = self._hops
        j = np.asarray(sink, dtype=np.int32).reshape(-1)
        u = self.cube.subtract(np.asarray(source, dtype=np.int32).reshape(-1), j)
        length = offset[u + 1] - offset[u]
        at = ragged(offset[u], length)
        node = self.cube.add(position[at], np.repeat(j, length))
        return length, self._channel[node, kind[at]], step[at]

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        length, channel, _ = self._crossed(rows, columns)
        pair = np.repeat(np.arange(len(length)), length)
        key, count = np.unique(pair * self.network.num_channels + channel, return_counts=True)
        offset = np.searchsorted(key, np.arange(len(length) + 1) * self.network.num_channels).astype(np.int64)
        load = count.astype(np.int64)
        return PairBlock(
            offset, (key % self.network.num_channels).astype(np.int32), Rationals(load, np.ones_like(load))
        )

    def decomposition(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """The packet's own path.  (Reports take it as one with its loads: what waits for what is judged by them.)"""
        return [(Fraction(1), self._crossed([row], [column])[1].tolist())]

    def schedule(self, destination: Permutation | npt.ArrayLike) -> Schedule:
        """The timed paths of one packet from every node to ``destination[node]`` (many may share one)."""
        image = destination.image if isinstance(destination, Permutation) else np.asarray(destination)
        size = self.cube.num_nodes
        if image.shape != (size,) or not np.issubdtype(image.dtype, np.integer):
            raise InputError(f"{len(image)} destinations for {size} nodes; one node each was expected")
        if image.min() < 0 or image.max() >= size:
            raise InputError(f"a destination is outside 0 to {size - 1}")
        length, channel, step = self._crossed(np.arange(size), image)
        offset = offsets_of(length)
        paths = Paths(np.arange(size, dtype=np.int32), image.astype(np.int32), offset, channel, Rationals.ones(size))
        return Schedule(self.network, paths, (step + 1).astype(np.int32))

    @property
    def denominators(self) -> list[int]:
        return [1]

    def respects(self, g: Automorphism) -> bool:
        """Exact.  Where g is additive but for a constant, the channels out of node 0 stand for all, by translation."""
        check_automorphism(self.network, g)
        channels = self._channel[0, 1:] if self._additive(g) else np.arange(self.network.num_channels)
        if self._translates(g):
            return True
        return self._agrees(g, channels)

    def _additive(self, g: Automorphism) -> bool:
        cube = self.cube
        here = cube.subtract(g.node, np.full_like(g.node, g.node[0]))
        everyone = np.arange(cube.num_nodes)
        return all(
            np.array_equal(
                here[cube.add(everyone, np.full_like(everyone, e))], cube.add(here, np.full_like(here, here[e]))
            )
            for e in cube.place.tolist()
        )

    def _translates(self, g: Automorphism) -> bool:
        everyone = np.arange(self.cube.num_nodes)
        return np.array_equal(g.node, self.cube.add(everyone, np.full_like(everyone, g.node[0])))

    def check(self) -> None:
        """Every path ends at node 0: ``DestinationGraph`` has checked it."""

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # the graph tells all
        """The graph."""
        from ...formats.documents.destination_graph import graph_to_document

        return {"destination_graph": graph_to_document(self.graph)}


ALL_PACKETS_LIMIT = 8192
"""Nodes: 67 million packets, for which half a gigabyte is held."""


def find_meeting(graph: DestinationGraph, *, many_one: bool) -> Meeting | None:
    """Two packets of one request that meet on a link, or None if no request has such.

    A request has at most one packet from every node and, unless ``many_one``, at most one to every node.
    Raises InputError for cubes of more than ALL_PACKETS_LIMIT nodes.
    """

    cube = graph.cube
    if cube.num_nodes > ALL_PACKETS_LIMIT:
        raise InputError(
            f"the cube has {cube.num_nodes} nodes, so {cube.num_nodes**2:,} packets; all of them are walked up to "
            f"{ALL_PACKETS_LIMIT} nodes"
        )
    found = np.zeros(6, dtype=np.int64)
    step = int(walk_all(graph.moves, cube.digits, cube.place, cube.radix, many_one, found))
    if step < 0:
        raise InputError("a packet does not arrive at its destination")  # DestinationGraph has excluded this
    if not step:
        return None
    a, x, b, y, tail, head = found.tolist()
    return Meeting(((a, x), (b, y)), step, tail, head)


@njit(cache=True, nogil=True)
def walk_all(moves, digit, place, radix, many_one, found):  # type: ignore[no-untyped-def]
    """Walk the packet of every origin and destination; returns the first step (from 1) at which two meet, else 0.

    moves: int16 (N, S).  digit: int32 (N, d).  place: int64 (d,).  many_one: may two packets share a destination?
    found: int64 (6,), filled with origin, destination of both packets, tail and head of the link.
    Two packets count if they have different origins and, unless many_one, different destinations.
    """
    size, steps = moves.shape
    dims = digit.shape[1]
    kinds = dims * (radix - 1) + 1
    here = np.empty((size, size), dtype=np.int32)  # by origin and destination
    start = np.empty((size, size), dtype=np.int32)
    for x in range(size):
        for y in range(size):
            here[x, y] = x
            u = 0
            for m in range(dims):
                u += ((digit[x, m] - digit[y, m]) % radix) * place[m]
            start[x, y] = u
    first_origin = np.empty(size * kinds, dtype=np.int32)
    first_target = np.empty(size * kinds, dtype=np.int32)
    other_origin = np.empty(size * kinds, dtype=np.int64)  # a packet with another origin than the first, as x * N + y
    other_target = np.empty(size * kinds, dtype=np.int64)
    for n in range(steps):
        first_origin[:] = -1
        other_origin[:] = -1
        other_target[:] = -1
        for x in range(size):
            for y in range(size):
                kind = moves[start[x, y], n]
                if kind == 0:
                    continue
                tail = here[x, y]
                m = (kind - 1) // (radix - 1)
                amount = (kind - 1) % (radix - 1) + 1
                value = digit[tail, m]
                head = tail + (((value - amount) % radix) - value) * place[m]
                here[x, y] = head
                link = tail * kinds + kind
                if first_origin[link] < 0:
                    first_origin[link] = x
                    first_target[link] = y
                    continue
                new_origin = x != first_origin[link]
                new_target = y != first_target[link] or many_one
                a = np.int64(-1)
                if new_origin and new_target:
                    a = np.int64(first_origin[link]) * size + first_target[link]
                elif new_origin:
                    other_origin[link] = np.int64(x) * size + y
                    a = other_target[link]
                elif new_target:
                    other_target[link] = np.int64(x) * size + y
                    a = other_origin[link]
                if a >= 0:
                    found[0] = a // size
                    found[1] = a % size
                    found[2] = x
                    found[3] = y
                    found[4] = tail
                    found[5] = head
                    return n + 1
    for x in range(size):
        for y in range(size):
            if here[x, y] != y:
                return -1
    return 0
