"""Compiled: Dijkstra's algorithm, for lengths in whole numbers or in floating point."""

from __future__ import annotations

import numpy as np

from ..machine.compiled import njit
from .heap_kernels import pop, push


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
