"""What is to be routed: the pairs of nodes that any of the matrices asks for; and their shortest paths, compiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import INT64_MAX, IntArray, as_int_array
from ...demand_sets.hull import Hull
from ...graphs.search_kernels import grow_tree
from ...machine.compiled import njit

_MOST_BITS = 4096  # of the common denominator of the rates


@dataclass(frozen=True, eq=False)
class Problem:
    """``pair``: int64 (2, P), source and destination nodes that differ, sorted; ``whole[k][p]`` / ``unit``: the rate
    that matrix k asks for from the one to the other, all terminals of a node together; ``cut_off``: what an error says
    of a pair without a path."""

    network: Network
    pair: Int64
    whole: Sequence[Sequence[int]]
    unit: int
    cut_off: str = ", between which the matrix asks for a rate"

    @staticmethod
    def of(network: Network, demands: Hull) -> Problem:
        """Raises InputError for matrices between other terminals, those that load nothing, and rates whose common
        denominator is too long."""
        demands.check_between(network)
        source, sink = network.source.tolist(), network.sink.tolist()
        every: list[dict[tuple[int, int], Fraction]] = []
        for name, rates in zip(demands.names, demands.matrices, strict=True):
            found: dict[tuple[int, int], Fraction] = {}
            for (i, j), x in rates.items():
                ends = source[i], sink[j]
                if ends[0] != ends[1] and x:
                    found[ends] = found[ends] + x if ends in found else x
            if not found:
                raise InputError(
                    f"{demands.text}: {name} asks only for rates inside nodes, which load no channel of {network.name}"
                )
            every.append(found)
        pairs, none = sorted(set().union(*every)), Fraction(0)
        unit = lcm(*{x.denominator for found in every for x in found.values()})
        if unit.bit_length() > _MOST_BITS:
            raise InputError(f"{demands.text}: the rates have no common denominator of a reasonable length")
        whole = [
            [num * (unit // den) for num, den in (found.get(ends, none).as_integer_ratio() for ends in pairs)]
            for found in every
        ]
        return Problem(network, np.array(pairs, dtype=np.int64).T.copy(), whole, unit)

    @property
    def num_pairs(self) -> int:
        return int(self.pair.shape[1])

    @cached_property
    def rates(self) -> IntArray:
        """(K, P): ``whole``; sums of one matrix fit where it is int64."""
        flat = as_int_array([x for row in self.whole for x in row])
        longest = max(map(sum, self.whole))
        return (flat if longest <= INT64_MAX else flat.astype(object)).reshape(len(self.whole), -1)

    @cached_property
    def largest(self) -> Float64:
        """(P,): the largest rate of every pair."""
        return np.array([x / self.unit for x in self.rates.max(axis=0).tolist()])

    @cached_property
    def share(self) -> Float64:
        """(K, P): the rates as shares of the largest of their pair."""
        return np.asarray(self.rates / self.rates.max(axis=0), dtype=np.float64)

    @cached_property
    def common(self) -> IntArray:
        """(P,): the largest whole number that divides all rates of a pair."""
        return np.asarray(np.gcd.reduce(self.rates, axis=0))

    @cached_property
    def bandwidth(self) -> Float64:
        return np.array([float(x) for x in self.network.bandwidth])

    @cached_property
    def _ends(self) -> Int64:
        return np.array([self.network.tail, self.network.head], dtype=np.int64)

    def look(self, length: Float64, own: Float64 | None = None, wanted: Int64 | None = None) -> Look:
        """Shortest paths under ``length`` (K, C), see ``kernels.shortest``; the paths of the pairs ``wanted``."""
        pairs, count = self.num_pairs, self.network.num_channels
        mask = np.zeros(pairs, dtype=np.bool_)
        room = 0
        if wanted is not None:
            mask[wanted] = True
            room = len(wanted) * (self.network.num_nodes - 1)
        offset, order = self.network.out_channels
        dist, cost, hops = np.empty(pairs), np.empty(pairs), np.empty(pairs, dtype=np.int64)
        load, path = np.zeros(length.shape), np.empty(room, dtype=np.int32)
        trees = pairs if len(length) > 1 else len(np.unique(self.pair[0]))
        filled = shortest.for_steps(20 * trees * count)(
            offset, order, self._ends, self.pair, self.share, self.largest, length, length if own is None else own,
            mask, dist, cost, hops, load, path,
        )  # fmt: skip
        if not np.isfinite(dist).all():
            i, j = self.pair[:, int(np.argmax(~np.isfinite(dist)))].tolist()
            name = self.network.label
            raise InputError(f"no path leads from {name(i)} to {name(j)}{self.cut_off}")
        return Look(dist, cost, hops, load, path[:filled].astype(np.int64))


@dataclass(frozen=True, eq=False)
class Look:
    """By pair: the distance, what its shortest path costs under other lengths (both for a unit of the pair's largest
    rate), and its hops; the load (K, C) that all of them make; the channels of the paths that were wanted."""

    dist: Float64
    cost: Float64
    hops: Int64
    load: Float64
    path: Int64


@njit(cache=True, nogil=True, error_model="numpy")
def shortest(  # type: ignore[no-untyped-def]
    offset, order, ends, pairs, rate, largest, length, own, wanted, dist, cost, hops, load, path
):  # fmt: skip
    """Shortest paths of ``pairs`` (2, P), sorted by source, under ``length`` (K, C); ``ends`` (2, C): tail and head.

    A channel is sum over k of ``rate[k, p]`` * ``length[k, c]`` long to pair p, rate float64 (K, P), as shares of the
    ``largest`` (P,).  With one matrix all pairs of a source share one tree: a rate does not change what is shortest.
    Left in, by pair: ``dist``, what the path costs under ``own`` (K, C) in ``cost``, its number of ``hops``; in
    ``load`` (K, C) what it carries; one after the other in ``path`` the channels of the paths of pairs that are
    ``wanted``, from source to destination.  Returns how many channels these are.  A pair without a path has an infinite
    distance.
    """
    tail = ends[0]
    head = ends[1]
    matrices = length.shape[0]
    count = length.shape[1]
    dist_of = np.empty(len(offset) - 1)
    via = np.empty(len(offset) - 1, dtype=np.int64)
    heap = np.empty((2, count + 2))
    settled = np.empty(len(offset) - 1, dtype=np.int64)
    mine = np.empty(count)
    filled = 0
    before = -1
    for p in range(pairs.shape[1]):
        start = pairs[0, p]
        end = pairs[1, p]
        if matrices > 1:
            mine[:] = 0.0
            for k in range(matrices):
                if rate[k, p] > 0:
                    mine += rate[k, p] * length[k]
            dist_of[:] = np.inf
            grow_tree(offset, order, head, mine, start, end, False, dist_of, via, heap, settled)
        elif start != before:
            dist_of[:] = np.inf
            grow_tree(offset, order, head, length[0], start, -1, False, dist_of, via, heap, settled)
            before = start
        dist[p] = dist_of[end] if matrices > 1 else dist_of[end] * rate[0, p]
        hops[p] = 0
        cost[p] = 0.0
        if not np.isfinite(dist_of[end]):
            continue
        v = end
        while v != start:
            c = via[v]
            for k in range(matrices):
                if rate[k, p] > 0:
                    cost[p] += rate[k, p] * own[k, c]
                    load[k, c] += rate[k, p] * largest[p]
            hops[p] += 1
            v = tail[c]
        if wanted[p]:
            v = end
            at = filled + hops[p]
            while v != start:
                at -= 1
                c = via[v]
                path[at] = c
                v = tail[c]
            filled += hops[p]
    return filled


@njit(cache=True, nogil=True, error_model="numpy")
def trees(offset, order, ends, source, rate, length, own, via, load, pays):  # type: ignore[no-untyped-def]
    """For every ``source`` (S,) a tree of shortest paths under ``length`` (C,), which carries ``rate`` (S, N).

    Left: the channel by which a node is reached in ``via`` (S, N), -1 for none; what the tree carries in ``load``
    (S, C); in ``pays`` (S, 2) what that costs under ``length`` and under ``own`` (C,).
    Returns a source and a node that it does not reach though it has a rate, or (-1, -1).
    """
    tail = ends[0]
    head = ends[1]
    nodes = len(offset) - 1
    dist = np.empty(nodes)
    heap = np.empty((2, len(head) + 2))
    settled = np.empty(nodes, dtype=np.int64)
    carried = np.empty(nodes)
    load[:] = 0.0
    pays[:] = 0.0
    for k in range(len(source)):
        dist[:] = np.inf
        done = grow_tree(offset, order, head, length, source[k], -1, False, dist, via[k], heap, settled)
        for v in range(nodes):
            carried[v] = rate[k, v]
            if rate[k, v] > 0 and not np.isfinite(dist[v]):
                return source[k], v
        for x in range(done - 1, 0, -1):
            v = settled[x]
            c = via[k, v]
            if carried[v] > 0:
                load[k, c] += carried[v]
                pays[k, 0] += carried[v] * length[c]
                pays[k, 1] += carried[v] * own[c]
                carried[tail[c]] += carried[v]
    return -1, -1
