"""Loads under uniform traffic of routings over shortest paths, between two bounds, without the loads of single pairs.

One walk over the shortest paths of a node adds up what all its packets load, in fixed point that is rounded down: its
work is that of the channels, not of the pairs.  In the literature: the accumulation of Brandes, "A faster algorithm for
betweenness centrality" (2001); here in integers, with a bound of the error.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64
from ...core.loads import UniformBounds
from ...core.network import Network
from ...core.rational import IntArray
from ...core.segment_sums import BITS
from ...machine.compiled import Kernel, njit

_FROM = 1 << 20  # nodes times channels: with fewer, the loads are soon added up exactly
_FINE = 1000  # the error is below the average load divided by this


def bounds_by_source(network: Network, dist: npt.NDArray[np.int16], ways: Int64) -> UniformBounds | None:
    """All shortest paths alike.  dist: hops, (N, N); ways: numbers of paths, int64 (N, N).  None where the error may be
    large, and for small networks."""
    most = int(ways.max(initial=0))
    if most * network.num_nodes * network.num_terminals >= 1 << 62:
        return None
    error = int(network.supply.astype(np.int64) @ ways.sum(axis=1))
    return _bounds(network, add_by_source, (dist, ways), dist, error)


def bounds_by_destination(
    network: Network, hops: npt.NDArray[np.int16], choices: Int32, weight: Int64
) -> UniformBounds | None:
    """At every node the channels that come nearer, by ``weight``.  hops, choices: by destination, then node: its
    distance, and the weight of these channels.  None as in ``bounds_by_source``."""
    error = int(network.demand.astype(np.int64) @ choices.sum(axis=1, dtype=np.int64))
    return _bounds(network, add_by_destination, (weight, hops, choices), hops.T, error)


def _bounds(
    network: Network, kernel: Kernel, tables: tuple[Any, ...], dist: npt.NDArray[np.int16], error: int
) -> UniformBounds | None:
    """``kernel`` adds up loads, in units of 2**-bits, that are less than ``error`` units too small; dist: by source."""
    supply, demand = network.supply.astype(np.int64), network.demand.astype(np.int64)
    steps = network.num_nodes * network.num_channels
    bits = min(BITS, 61 - (int(supply.sum()) * int(demand.sum())).bit_length())
    if steps < _FROM or bits < 1:
        return None
    crossings = int(supply @ np.einsum("sd,d->s", dist, demand))  # without a table of wide numbers
    if error * network.num_channels * _FINE > crossings << bits:
        return None
    load = np.zeros(network.num_channels, dtype=np.int64)
    kernel(network.out_channels, network.head, supply, demand, bits, *tables, load)
    low: IntArray = load if int(load.max()) + error < 1 << (61 - BITS + bits) else load.astype(object)
    return UniformBounds(low << (BITS - bits), (low + error) << (BITS - bits), crossings)


@njit(cache=True, nogil=True)
def _nearest_first(hops, order, start):  # type: ignore[no-untyped-def]
    """All nodes that are reached, by their distance, into ``order``; returns how many."""
    start[:] = 0
    for x in range(len(hops)):
        if hops[x] >= 0:
            start[hops[x] + 1] += 1
    for a in range(1, len(start)):
        start[a] += start[a - 1]
    for x in range(len(hops)):
        if hops[x] >= 0:
            order[start[hops[x]]] = x
            start[hops[x]] += 1
    return start[len(start) - 1]


@njit(cache=True, nogil=True)
def add_by_source(leaving, head, supply, demand, bits, dist, ways, load):  # type: ignore[no-untyped-def]
    """Add to ``load``, int64 (C,), in units of 2**-bits; the error from one source is below its number of paths."""
    offset, channels = leaving
    num_nodes = len(supply)
    order = np.empty(num_nodes, dtype=np.int32)
    start = np.empty(num_nodes + 2, dtype=np.int32)
    share = np.empty(num_nodes, dtype=np.int64)  # what a shortest path to the node carries farther, or that far
    for s in range(num_nodes):
        if supply[s] == 0:
            continue
        last = _nearest_first(dist[s], order, start) - 1
        for t in range(last, -1, -1):
            u = order[t]
            before = ways[s, u]
            share[u] = (demand[u] << bits) // before
            if dist[s, u] == dist[s, order[last]]:
                continue  # no path leads on from the farthest
            for p in range(offset[u], offset[u + 1]):
                c = channels[p]
                v = head[c]
                if dist[s, v] == dist[s, u] + 1:
                    share[u] += share[v]
                    load[c] += supply[s] * before * share[v]


@njit(cache=True, nogil=True)
def add_by_destination(leaving, head, supply, demand, bits, weight, hops, choices, load):  # type: ignore[no-untyped-def]
    """Add to ``load``, int64 (C,), in units of 2**-bits; at every node what is lost is below its ``choices``."""
    offset, channels = leaving
    num_nodes = len(supply)
    order = np.empty(num_nodes, dtype=np.int32)
    start = np.empty(num_nodes + 2, dtype=np.int32)
    amount = np.empty(num_nodes, dtype=np.int64)
    for d in range(num_nodes):
        if demand[d] == 0:
            continue
        for x in range(num_nodes):
            amount[x] = supply[x] << bits
        for t in range(_nearest_first(hops[d], order, start) - 1, 0, -1):
            u = order[t]
            share = amount[u] // choices[d, u]
            for p in range(offset[u], offset[u + 1]):
                c = channels[p]
                v = head[c]
                if hops[d, v] >= 0 and hops[d, v] + 1 == hops[d, u]:
                    load[c] += demand[d] * share * weight[c]
                    amount[v] += share * weight[c]
