"""Compiled: shortest paths of many pairs of nodes, each under lengths of its own."""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit


@njit(cache=True, nogil=True, error_model="numpy")
def _tree(offset, order, head, length, start, end, dist, via, key, item, settled):  # type: ignore[no-untyped-def]
    """Dijkstra's algorithm from ``start`` until ``end`` is reached (-1: until all are): ``dist`` and, by node, the
    channel that it is reached ``via``.  ``key``, ``item``: room for the heap, one more than there are channels.
    Returns how many nodes are ``settled``, which are left in this order."""
    done = 0
    dist[:] = np.inf
    via[:] = -1
    dist[start] = 0.0
    key[0] = 0.0
    item[0] = start
    size = 1
    while size:
        far = key[0]
        v = item[0]
        size -= 1
        last = key[size]
        moved = item[size]
        at = 0
        while True:
            low = 2 * at + 1
            if low >= size:
                break
            if low + 1 < size and key[low + 1] < key[low]:
                low += 1
            if key[low] >= last:
                break
            key[at] = key[low]
            item[at] = item[low]
            at = low
        key[at] = last
        item[at] = moved
        if far > dist[v]:
            continue
        settled[done] = v
        done += 1
        if v == end:
            return done
        for k in range(offset[v], offset[v + 1]):
            c = order[k]
            u = head[c]
            there = far + length[c]
            if there < dist[u]:
                dist[u] = there
                via[u] = c
                at = size
                size += 1
                while at > 0:
                    up = (at - 1) >> 1
                    if key[up] <= there:
                        break
                    key[at] = key[up]
                    item[at] = item[up]
                    at = up
                key[at] = there
                item[at] = u
    return done


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
    key = np.empty(count + 2)
    item = np.empty(count + 2, dtype=np.int64)
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
            _tree(offset, order, head, mine, start, end, dist_of, via, key, item, settled)
        elif start != before:
            _tree(offset, order, head, length[0], start, -1, dist_of, via, key, item, settled)
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
    key = np.empty(len(head) + 2)
    item = np.empty(len(head) + 2, dtype=np.int64)
    settled = np.empty(nodes, dtype=np.int64)
    carried = np.empty(nodes)
    load[:] = 0.0
    pays[:] = 0.0
    for k in range(len(source)):
        done = _tree(offset, order, head, length, source[k], -1, dist, via[k], key, item, settled)
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
