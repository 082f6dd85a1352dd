"""Compiled: shortest augmenting paths for transportation problems, the same code for rows and for columns."""

from __future__ import annotations

import numpy as np

from ..machine.compiled import njit
from .search_kernels import pop, push

FAR = np.int64(4_000_000_000_000_000_000)

# Scratch is kept in few two-dimensional arrays, because every array costs compile time: of int64, or of Python integers
# for the interpreted copy, where 64 bits do not do.
# The state of a side (``transport_arrays.Side``: rows or columns) is an array (8, n), one line each for:
REST = 0  # what may still be sent (received)
POT = 1  # potential
CAP = 2  # supply (demand)
DIST = 3  # distance in the search; FAR between searches
FROM = 4  # the node of the other side that the search came from
EDGE = 5  # the edge that it came over
SEEN = 6  # list of the nodes that the search has reached
DONE = 7  # 1 while the distance is final; 0 between searches
# Edges are an array (2, m): weight and flow.
WEIGHT = 0
FLOW = 1


@njit(cache=True, nogil=True, error_model="numpy")
def _augment(start, end_a, end_b, a_side, b_side, edge):  # type: ignore[no-untyped-def]
    """Push as much as fits along the search path from a-node ``start`` to b-node ``end_b``, or to ``end_a`` (release).

    A b-node was reached over an edge that gains flow, an a-node over one that loses it.
    """
    amount = a_side[REST, start]
    for doing in range(2):
        if end_b >= 0:
            b = end_b
            if doing == 0:
                amount = min(amount, b_side[REST, b])
            else:
                b_side[REST, b] -= amount
        else:
            b = a_side[FROM, end_a]
            if doing == 0:
                amount = min(amount, edge[FLOW, a_side[EDGE, end_a]])
            else:
                edge[FLOW, a_side[EDGE, end_a]] -= amount
                a_side[REST, end_a] += amount
        while True:
            a = b_side[FROM, b]
            if doing == 1:
                edge[FLOW, b_side[EDGE, b]] += amount
            if a == start:
                break
            if doing == 0:
                amount = min(amount, edge[FLOW, a_side[EDGE, a]])
            else:
                edge[FLOW, a_side[EDGE, a]] -= amount
            b = a_side[FROM, a]
    a_side[REST, start] -= amount


@njit(cache=True, nogil=True, error_model="numpy")
def _shifted(a_side, num_seen_a, b_side, num_seen_b, best, far):  # type: ignore[no-untyped-def]
    """Shift the potentials by what the search tree allows, and forget the tree; returns what the dual value gains."""
    gain = np.int64(0)
    for t in range(num_seen_a):
        a = a_side[SEEN, t]
        change = best - a_side[DIST, a]
        if change > 0:
            a_side[POT, a] -= change
            gain -= change * a_side[CAP, a]
        a_side[DIST, a] = far
    for t in range(num_seen_b):
        b = b_side[SEEN, t]
        change = best - b_side[DIST, b]
        if b_side[DONE, b] == 1 and change > 0:
            b_side[POT, b] += change
            gain += change * b_side[CAP, b]
        b_side[DIST, b] = far
        b_side[DONE, b] = 0
    return gain


@njit(cache=True, nogil=True, error_model="numpy")
def phase(num_a, sending, receiving, edge, heap, value, stop, far):  # type: ignore[no-untyped-def]
    """Saturate the first ``num_a`` nodes of side ``sending`` whose potential is positive, or bring it to 0.

    ``far``: beyond all distances, FAR where they fit 64 bits.  Returns the dual value.
    """
    a_ptr, a_link, a_side = sending
    b_ptr, b_link, b_side = receiving
    for start in range(num_a):
        while a_side[REST, start] > 0 and a_side[POT, start] > 0:
            best = a_side[POT, start]
            end_a = np.int64(start)
            end_b = np.int64(-1)
            num_seen_a = np.int64(1)  # plain 1 and 0 would be types of their own, and what they go to compiled again
            num_seen_b = np.int64(0)
            waiting = np.int64(0)
            a_side[SEEN, 0] = start
            a_side[DIST, start] = 0
            scanned = 0
            while True:
                while scanned < num_seen_a:
                    a = a_side[SEEN, scanned]
                    scanned += 1
                    base = a_side[DIST, a] + a_side[POT, a]
                    if base < best:
                        best = base
                        end_a = a
                        end_b = np.int64(-1)
                    for p in range(a_ptr[a], a_ptr[a + 1]):
                        b = a_link[0, p]
                        d = base + b_side[POT, b] - edge[WEIGHT, a_link[1, p]]
                        if d < best and d < b_side[DIST, b]:
                            if b_side[DIST, b] == far:
                                b_side[SEEN, num_seen_b] = b
                                num_seen_b += 1
                            b_side[DIST, b] = d
                            b_side[FROM, b] = a
                            b_side[EDGE, b] = a_link[1, p]
                            push(heap, waiting, d, b)
                            waiting += 1
                b = np.int64(-1)
                d = far
                while waiting > 0:
                    d = heap[0, 0]
                    b = heap[1, 0]
                    pop(heap, waiting)
                    waiting -= 1
                    if b_side[DONE, b] == 0 and d == b_side[DIST, b]:
                        break
                    b = np.int64(-1)
                if b < 0 or d >= best:
                    break
                b_side[DONE, b] = 1
                if b_side[REST, b] > 0:
                    best = d
                    end_b = b
                    break
                for p in range(b_ptr[b], b_ptr[b + 1]):
                    if edge[FLOW, b_link[1, p]] > 0:
                        a = b_link[0, p]
                        if a_side[DIST, a] == far:
                            a_side[DIST, a] = d
                            a_side[FROM, a] = b
                            a_side[EDGE, a] = b_link[1, p]
                            a_side[SEEN, num_seen_a] = a
                            num_seen_a += 1
            value += _shifted(a_side, num_seen_a, b_side, num_seen_b, best, far)
            if end_b >= 0 or end_a != start:
                _augment(start, end_a, end_b, a_side, b_side, edge)
            if value <= stop:
                return value
    return value
