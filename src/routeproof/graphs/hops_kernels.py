"""Compiled: breadth-first search, which may count shortest paths on the way, and the walk along one of them."""

from __future__ import annotations

import numpy as np

from ..machine.compiled import njit


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
def reach_all(offset, neighbour, most, hops, ways):  # type: ignore[no-untyped-def]
    """``reach`` from every node v, into ``hops[v]`` and ``ways[v]``: (N, N), or ``ways`` (N, 0)."""
    queue = np.empty(len(hops), dtype=np.int32)
    start = np.empty(1, dtype=np.int32)
    for v in range(len(hops)):
        start[0] = v
        reach(offset, neighbour, start, most, hops[v], ways[v], queue)


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
