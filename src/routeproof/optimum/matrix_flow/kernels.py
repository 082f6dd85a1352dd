"""Compiled: shortest paths of many pairs of nodes, each under lengths of its own."""

from __future__ import annotations

import numpy as np

from ...graphs.search_kernels import grow_tree
from ...machine.compiled import njit


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
