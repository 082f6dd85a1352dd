"""Compiled searches: a binary heap, which the caller keeps with its size; Dijkstra's algorithm, for lengths in whole
numbers or in floating point; breadth-first search, which may count shortest paths; the walk along one; simple paths."""

from __future__ import annotations

import numpy as np

from ..machine.compiled import njit


@njit(cache=True, nogil=True, error_model="numpy")
def push(heap, size, key, item):  # type: ignore[no-untyped-def]
    """Put ``key`` and ``item`` on a heap of ``size`` entries: ``heap`` (2, more than ``size``), keys and items."""
    at = size
    while at > 0:
        up = (at - 1) >> 1
        if heap[0, up] <= key:
            break
        heap[0, at] = heap[0, up]
        heap[1, at] = heap[1, up]
        at = up
    heap[0, at] = key
    heap[1, at] = item


@njit(cache=True, nogil=True, error_model="numpy")
def pop(heap, size):  # type: ignore[no-untyped-def]
    """Remove the least entry of a heap of ``size`` (read it at index 0 before)."""
    size -= 1
    key = heap[0, size]
    item = heap[1, size]
    at = 0
    while True:
        low = 2 * at + 1
        if low >= size:
            break
        if low + 1 < size and heap[0, low + 1] < heap[0, low]:
            low += 1
        if heap[0, low] >= key:
            break
        heap[0, at] = heap[0, low]
        heap[1, at] = heap[1, low]
        at = low
    heap[0, at] = key
    heap[1, at] = item


@njit(cache=True, nogil=True, error_model="numpy")
def grow_tree(offset, order, far_end, length, start, end, lowest, dist, via, heap, settled):  # type: ignore[no-untyped-def]
    """Shortest paths from ``start`` until ``end`` is reached (-1: until all are): by node its distance in ``dist``, and
    in ``via`` the channel by which it is reached, -1 for none.

    The channels out of v are ``order[offset[v]:offset[v + 1]]``, and c leads to ``far_end[c]``; with the channels into
    v and their tails, it is a tree towards ``start``.  dist: more than any distance before, of the kind of ``length``;
    heap: (2, C + 2), of that kind, too.  Of paths that are equally long the first one found is taken, or, with
    ``lowest`` and lengths that are all positive, the one whose last channel has the lowest number.
    Returns how many nodes are ``settled``, which are left in this order.
    """
    done = 0
    via[:] = -1
    dist[start] = 0
    heap[0, 0] = 0
    heap[1, 0] = start
    size = 1
    while size > 0:
        far = heap[0, 0]
        v = np.int64(heap[1, 0])
        pop(heap, size)
        size -= 1
        if far > dist[v]:
            continue
        settled[done] = v
        done += 1
        if v == end:
            return done
        for k in range(offset[v], offset[v + 1]):
            c = order[k]
            u = far_end[c]
            there = far + length[c]
            if there < dist[u]:
                dist[u] = there
                via[u] = c
                push(heap, size, there, u)
                size += 1
            elif lowest and there == dist[u] and c < via[u]:
                via[u] = c
    return done


@njit(cache=True, nogil=True)
def reach(offset, neighbour, starts, most, hops, ways, queue):  # type: ignore[no-untyped-def]
    """The hops from the nearest of ``starts`` (no two alike) to each node, in ``hops``, -1 before and where none lead.

    Node v leads to ``neighbour[offset[v]:offset[v + 1]]``; with what leads to v in its place, the hops to ``starts``.
    ways: int64, how many shortest paths there are, no more than ``most``; of length 0 where they are not counted.
    Returns how many nodes are reached, which are left in ``queue``, in order of hops.
    """
    counted = len(ways) > 0
    last = 0
    for s in starts:
        hops[s] = 0
        if counted:
            ways[s] = 1
        queue[last] = s
        last += 1
    first = 0
    while first < last:
        v = queue[first]
        first += 1
        if last == len(hops) and hops[v] == hops[queue[last - 1]]:
            break  # no path leads on from the farthest
        ahead = hops[v] + 1
        for p in range(offset[v], offset[v + 1]):
            u = neighbour[p]
            if hops[u] < 0:
                hops[u] = ahead
                queue[last] = u
                last += 1
                if counted:
                    ways[u] = 0
            if counted and hops[u] == ahead:
                ways[u] = most if ways[u] > most - ways[v] else ways[u] + ways[v]
    return last


@njit(cache=True, nogil=True)
def reach_all(offset, neighbour, starts, most, hops, ways):  # type: ignore[no-untyped-def]
    """``reach`` from each of ``starts`` by itself, into ``hops[k]`` and ``ways[k]``: (K, N), or ``ways`` (K, 0)."""
    queue = np.empty(len(offset) - 1, dtype=np.int32)
    for k in range(len(starts)):
        reach(offset, neighbour, starts[k : k + 1], most, hops[k], ways[k], queue)


@njit(cache=True, nogil=True)
def walk_ranks(out_offset, out_state, out_channel, starts, ranks, hops, ways, offset, channel):  # type: ignore[no-untyped-def]
    """Write the shortest paths from ``starts[k]``, the ``ranks[k]``-th in order of channels, into ``channel``.

    ``hops`` and ``ways`` are those from every state to the goals.
    """
    for k in range(len(starts)):
        at = starts[k]
        rank = ranks[k]
        place = offset[k]
        while hops[at] > 0:
            for p in range(out_offset[at], out_offset[at + 1]):
                there = out_state[p]
                if hops[there] >= 0 and hops[there] + 1 == hops[at]:
                    if rank < ways[there]:
                        channel[place] = out_channel[p]
                        place += 1
                        at = there
                        break
                    rank -= ways[there]


@njit(cache=True, nogil=True)
def simple_paths(leaving, head, hops, start, goal, wanted, longest, effort, length, channel):  # type: ignore[no-untyped-def]
    """The ``wanted`` shortest paths from start to goal that visit no node twice, by length, then by channels.

    ``hops[v]``: distance from v to the goal.  ``channel``: int32 (wanted, longest); ``length``: int32 (wanted,).
    Returns how many there are, or -1 where more than ``effort`` steps were taken.
    """
    out_offset, out_channel = leaving
    if hops[start] < 0:
        return 0
    on_path = np.zeros(len(hops), dtype=np.bool_)
    at = np.empty(longest + 1, dtype=np.int32)
    place = np.empty(longest + 1, dtype=np.int64)
    found = 0
    steps = 0
    for limit in range(hops[start], longest + 1):
        depth = 0
        at[0] = start
        place[0] = out_offset[start]
        on_path[:] = False
        on_path[start] = True
        while depth >= 0:
            u = at[depth]
            if place[depth] == out_offset[u + 1]:
                on_path[u] = False
                depth -= 1
                continue
            c = out_channel[place[depth]]
            place[depth] += 1
            v = head[c]
            steps += 1
            if steps > effort:
                return -1
            if on_path[v] or hops[v] < 0 or depth + 1 + hops[v] > limit:
                continue
            channel[found, depth] = c
            if v == goal:
                if depth + 1 == limit:
                    length[found] = limit
                    found += 1
                    if found == wanted:
                        return found
                    channel[found, : depth + 1] = channel[found - 1, : depth + 1]
                continue
            depth += 1
            at[depth] = v
            place[depth] = out_offset[v]
            on_path[v] = True
    return found
