"""Random minimal routing on any network: per path (every shortest path alike) or per hop.

In the literature: "random minimal"; equal-cost multipath (ECMP), which is per hop (``ecmp``).  Both meanings are in use
and they differ (conventions, §19).
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64, first_true
from ...core.errors import InputError
from ...core.exact_arrays import grown
from ...core.loads import LoadBlock, PairBlock, UniformBounds
from ...core.network import Network
from ...machine.compiled import njit
from ..base.delivery import check_connected
from ..base.entry import RoutingEntry, check_choice, with_options
from ..base.pair_table import check_table_size
from ..base.routing import Routing

_MOST_PATHS = 1 << 62  # between two nodes
_CELL_BYTES = 2 + 8 + 4  # distance, number of paths, and both in fewer bytes


class Minimal:
    """Random minimal routing; ``choice`` is ``per-path`` (uniform over shortest paths) or ``per-hop``
    (uniform over the channels that come nearer to the destination, hop by hop).

    ``weight``: the channel attribute of the network by which paths are shortest; by default hops count."""

    def __init__(self, *, choice: str = "per-path", weight: str | None = None) -> None:
        check_choice("minimal", "choice", choice, ("per-path", "per-hop"))
        self.choice, self.weight = choice, weight

    def on(self, network: Network) -> Routing:
        if self.weight is not None:
            from .weighted import WeightedShortest

            name = with_options("minimal", choice=self.choice, weight=self.weight)
            each = np.ones(network.num_channels, dtype=np.int64) if self.choice == "per-hop" else None
            return WeightedShortest(network, self.weight, name, each)
        if self.choice == "per-hop":
            from .per_hop import MinimalPerHop

            return MinimalPerHop(network)
        return MinimalPerPath(network)


class MinimalPerPath(Routing):
    """Uniform over the shortest paths of each pair; parallel channels make different paths.

    The load of channel (u, v) from s to d is P(s, u) P(v, d) / P(s, d) where D(s, u) + 1 + D(v, d) = D(s, d), with D
    the hop distance and P the number of shortest paths, both exact (int64; more than 2**62 paths are refused).
    """

    in_full = False
    of_network = True
    crosses_once = True
    remade = "split"

    def __init__(self, network: Network) -> None:
        super().__init__(network, "minimal:choice=per-path")
        self._each = 0
        self._tables  # noqa: B018  # disconnected pairs and overflow are said at once

    @cached_property
    def _tables(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16], Int64, Int64]:
        from ...graphs.search_kernels import reach_all

        network = self.network
        n = network.num_nodes
        each = _CELL_BYTES * (2 if network.reverse is None else 1)
        check_table_size(network, "minimal per path", "keeps distance", 32_000, each)
        offset, channels = network.out_channels
        dist = np.full((n, n), -1, dtype=np.int16)
        count = np.zeros((n, n), dtype=np.int64)
        reach_all.for_steps(n * network.num_channels)(
            offset, network.head[channels], np.arange(n), _MOST_PATHS + 1, dist, count
        )
        many = first_true(count.max(axis=1, initial=0) > _MOST_PATHS)
        if many is not None:
            raise InputError(
                f"minimal per path: from node {network.label(many)} some destination has more than 2^62 "
                f"shortest paths; use minimal:choice=per-hop"
            )
        check_connected(network, dist)
        if network.reverse is not None or (np.array_equal(dist, dist.T) and np.array_equal(count, count.T)):
            return dist, dist, count, count
        return dist, np.ascontiguousarray(dist.T), count, np.ascontiguousarray(count.T)

    @cached_property
    def _near(self) -> tuple[npt.NDArray[np.integer], npt.NDArray[np.integer], int]:
        """Distances, with numbers of shortest paths in the low bits, so many, and their transpose: one place to look in
        instead of two.  Where both need more than 32 bits, distances alone."""
        dist, dist_to, ways, ways_to = self._tables
        bits = int(ways.max(initial=0)).bit_length()
        both = bits + int(dist.max(initial=0)).bit_length()
        if both > 32:
            return dist, dist_to, 0
        kind: type[np.unsignedinteger] = np.uint16 if both <= 16 else np.uint32
        near = dist.astype(kind) << bits
        near |= ways.astype(kind)
        return near, near if ways_to is ways else np.ascontiguousarray(near.T), bits

    @property
    def hops(self) -> npt.NDArray[np.int16]:
        """Hop distances, int16 (N, N)."""
        return self._tables[0]

    @cached_property
    def denominators(self) -> list[int]:
        """The distinct numbers of shortest paths: every load is a fraction over one of them."""
        near, _, bits = self._near
        counts = near & near.dtype.type((1 << bits) - 1) if bits else self._tables[2]
        found = np.flatnonzero(np.bincount(counts.ravel())) if bits <= 16 and bits else np.unique(counts)
        return [x for x in found.tolist() if x > 0]

    @cached_property
    def _roles(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], npt.NDArray[np.int16]]:
        network = self.network
        is_column = network.demand > 0
        farthest = np.where(is_column[None, :], self._tables[0], -1).max(axis=1).astype(np.int16)
        return network.supply > 0, is_column, farthest

    def channel_loads(self, channels: npt.ArrayLike, *, rows: npt.NDArray[np.bool_] | None = None) -> LoadBlock:

        wanted = np.asarray(channels, dtype=np.int32).reshape(-1)
        is_row, is_column, farthest = self._roles
        tables = Tables(*self._tables, *self._near, is_row if rows is None else is_row & rows, is_column, farthest)
        each = self._each or 2 * self.expected_loads(0)
        kernel = loads_by_channel.for_steps(len(wanted) * (2 * self.network.num_nodes + 5 * each // 2))
        run = partial(kernel, self.network.tail[wanted], self.network.head[wanted], tables)
        _, offset, (row, column), load = grown(len(wanted), each, run, ends=2)
        if rows is None:  # a pair may have many paths: what is known of some channels spares a second run of others
            self._each = max(self._each, len(row) // max(1, len(wanted)) * 9 // 8)
        return LoadBlock(wanted, offset, row, column, load)

    def uniform_bounds(self) -> UniformBounds | None:
        from .uniform_bounds import bounds_by_source

        return bounds_by_source(self.network, self._tables[0], self._tables[2])

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:

        sources = np.asarray(rows, dtype=np.int32).reshape(-1)
        sinks = np.asarray(columns, dtype=np.int32).reshape(-1)
        dist, _, count, _ = self._tables
        kernel = loads_by_pair.for_steps(len(sources) * self.network.num_channels)
        run = partial(kernel, self.network.out_channels, self.network.head, dist, count, sources, sinks)
        _, offset, (channel,), load = grown(len(sources), 64, run)
        return PairBlock(offset, channel, load)

    def respects_reversal(self) -> bool:
        """True where every channel has its opposite: paths reversed are paths, and their numbers are equal."""
        return self.network.reverse is not None


WEIGHT_OPTION = {"weight": "shortest by this edge attribute of a graph file (an IGP metric) in place of hops"}
_OPTIONS = {
    "choice": "per-path (uniform over shortest paths) or per-hop (uniform over the next channels)",
    **WEIGHT_OPTION,
}

ENTRY = RoutingEntry(
    name="minimal",
    help="random shortest paths, on any network",
    build=lambda network, options: Minimal(**options).on(network),
    options=_OPTIONS,
)


class Tables(NamedTuple):
    """Of shape (N, N): hops from row to column, int16, shortest paths, int64, and both once more (``_near``), each with
    its transpose.  Of shape (N,): which nodes send, which receive, bool; the largest distance from each, int16."""

    dist: Any
    dist_to: Any
    ways: Any
    ways_to: Any
    near: Any
    near_to: Any
    bits: Any
    is_row: Any
    is_column: Any
    farthest: Any


@njit(cache=True, nogil=True)
def _columns_behind(u, v, tables, column, level, ways, begin, chosen):  # type: ignore[no-untyped-def]
    """The highest level of the columns d with a shortest path from u over v, their level being the distance from v.

    Lists of them, each in ascending order and at most half as long as the one before, stand one after the other in
    ``column``, from ``begin[k]`` on, with their levels and their numbers of ``ways`` from v.  The first holds all of
    them; ``chosen[b]`` is the shortest that holds those of level b and below.
    """
    dist, is_column = tables.dist, tables.is_column
    size = 0
    top = -1
    for d in range(len(is_column)):
        b = dist[v, d]
        if is_column[d] and b >= 0 and b + 1 == dist[u, d]:
            column[size] = d
            level[size] = b
            ways[size] = tables.ways[v, d]
            size += 1
            while top < b:
                top += 1
                chosen[top] = 0
            chosen[b] += 1  # how many are of level b, for now
    begin[0] = 0
    begin[1] = size
    last = 0
    within = size
    for b in range(top, -1, -1):
        first = begin[last]
        end = begin[last + 1]
        if within < end - first and 2 * within <= end - first:
            last += 1
            begin[last + 1] = end
            for t in range(first, end):
                if level[t] <= b:
                    to = begin[last + 1]
                    column[to] = column[t]
                    level[to] = level[t]
                    ways[to] = ways[t]
                    begin[last + 1] += 1
        within -= chosen[b]
        chosen[b] = last
    return top


@njit(cache=True, nogil=True)
def loads_by_channel(tails, heads, tables, offset, row, column, num, den):  # type: ignore[no-untyped-def]
    """Loads num / den from ``row`` to ``column``, as long as they fit; returns the number of channels done."""
    _, dist_to, ways_from, ways_to, near, near_to, bits, is_row, _, farthest = tables
    mask = (np.int64(1) << bits) - 1
    num_nodes = len(is_row)
    behind = np.empty(2 * num_nodes, dtype=np.int32)
    level = np.empty(2 * num_nodes, dtype=np.int32)
    ways = np.empty(2 * num_nodes, dtype=np.int64)
    begin = np.empty(66, dtype=np.int64)
    chosen = np.zeros(num_nodes + 2, dtype=np.int32)
    before = np.empty(num_nodes, dtype=np.int32)
    num_before = np.zeros(num_nodes + 2, dtype=np.int32)  # by distance
    at = np.int64(0)
    for k in range(len(tails)):
        u = tails[k]
        v = heads[k]
        top = _columns_behind(u, v, tables, behind, level, ways, begin, chosen)
        size = 0
        num_before[:] = 0
        for s in range(num_nodes):
            a = dist_to[u, s]
            if is_row[s] and a >= 0 and a + 1 == dist_to[v, s] and farthest[s] > a and top >= 0:
                before[size] = s
                size += 1
                num_before[a] += 1
        for s in before[:size]:
            a = dist_to[u, s]
            which = chosen[min(farthest[s] - a - 1, top)]
            first = begin[which]
            end = begin[which + 1]
            if at + end - first > len(row):
                return k
            times = ways_to[u, s]
            many = num_before[a] > end - first  # rows ask for few d: their lines stay at hand
            for t in range(first, end):
                d = behind[t]
                both = np.int64(near_to[d, s] if many else near[s, d])
                if a + 1 + level[t] == both >> bits:
                    row[at] = s
                    column[at] = d
                    num[at] = times * ways[t]
                    den[at] = both & mask if bits > 0 else ways_from[s, d]
                    at += 1
        offset[k + 1] = at
    return len(tails)


@njit(cache=True, nogil=True)
def loads_by_pair(leaving, heads, dist, count, rows, cols, offset, channel, num, den):  # type: ignore[no-untyped-def]
    """Loads of all channels for pairs (rows[k], cols[k]), as long as they fit; returns the number of pairs done."""
    offset_out, channels_out = leaving
    num_nodes = dist.shape[0]
    seen = np.full(num_nodes, -1, dtype=np.int64)
    stack = np.empty(num_nodes, dtype=np.int32)
    at = np.int64(0)
    for k in range(len(rows)):
        s = rows[k]
        d = cols[k]
        begin = at
        if s != d:
            stack[0] = s
            size = 1
            seen[s] = k
            while size > 0:
                size -= 1
                x = stack[size]
                for p in range(offset_out[x], offset_out[x + 1]):
                    c = channels_out[p]
                    y = heads[c]
                    if dist[y, d] >= 0 and dist[y, d] + 1 == dist[x, d]:
                        if at >= len(channel):
                            return k
                        channel[at] = c
                        num[at] = count[s, x] * count[y, d]
                        den[at] = count[s, d]
                        at += 1
                        if seen[y] != k:
                            seen[y] = k
                            stack[size] = y
                            size += 1
            order = np.argsort(channel[begin:at])
            channel[begin:at] = channel[begin:at][order]
            num[begin:at] = num[begin:at][order]
        offset[k + 1] = at
    return len(rows)
