"""Compiled: the alternating directions method's pass over all flows, and what judges its iterates in floats.

Arrays of flows hold for every source ``s`` a block of shape (C, D - first[s]), at ``start[s]``: the destinations from
``first[s]`` on, the others being reversed paths of other sources (or ``first`` is 0 everywhere).  ``f`` and ``g`` are
the method's memories for x >= 0 and for u + v - x >= 0: their positive parts are x and u + v - x as last seen, their
negative parts the multipliers, scaled.
"""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit
from ..program.rounding_kernels import whole_flow

__all__ = ["distances", "matrix_of", "pass_over", "positive_sums", "rescale", "rounded", "source_flows"]

_NOTHING = 1e-10
_UNIT = 1 << 40


@njit(cache=True, nogil=True)
def source_flows(s, f, g, u, v, start, first, src, dst, tail, head, laplace, cost):  # type: ignore[no-untyped-def]
    """float64 (C, D - first[s]): of the conserved flows of source ``s`` those nearest to half of
    |f| + (u + v - |g|) - cost.  ``u``: (S, C); ``v``: (C, D); ``cost``: (S, D), over the penalty;
    ``laplace``: the Laplacian's pseudo-inverse, (N, N)."""
    count, n = len(tail), len(laplace)
    base = first[s]
    width = v.shape[1] - base
    x = np.empty((count, width))
    excess = np.zeros((n, width))
    for k in range(width):
        excess[src[s], k] += 1.0
        excess[dst[base + k], k] -= 1.0
    at = start[s]
    for c in range(count):
        a, b, mine = tail[c], head[c], u[s, c]
        here = at + c * width
        for k in range(width):
            value = 0.5 * (abs(f[here + k]) + (mine + v[c, base + k]) - abs(g[here + k]) - cost[s, base + k])
            x[c, k] = value
            excess[a, k] -= value
            excess[b, k] += value
    rise = np.dot(laplace, excess)
    for c in range(count):
        a, b = tail[c], head[c]
        for k in range(width):
            x[c, k] += rise[a, k] - rise[b, k]
    return x


@njit(cache=True, nogil=True)
def pass_over(  # type: ignore[no-untyped-def]
    sources, f, g, u, v, start, first, src, dst, tail, head, laplace, cost, relax, half, by_source, by_destination
):
    """One round for ``sources``: flows from the memories and potentials, then the memories, over-relaxed by ``relax``.

    Sets ``by_source[:, s]`` (2, S, C) and adds to ``by_destination`` (2, C, D) the sums of |g| and of |f|; with
    ``half`` a pair of a node with itself counts in the former only.
    """
    less = 1.0 - relax
    for s in sources:
        x = source_flows(s, f, g, u, v, start, first, src, dst, tail, head, laplace, cost)
        base, at, width = first[s], start[s], x.shape[1]
        skip = 1 if half else 0
        for c in range(len(tail)):
            mine = u[s, c]
            here = at + c * width
            sum_f, sum_g = 0.0, 0.0
            for k in range(width):
                value = f[here + k]
                value = min(value, 0.0) + relax * x[c, k] + less * max(value, 0.0)
                f[here + k] = value
                value = abs(value)
                sum_f += value
                room = g[here + k]
                room = min(room, 0.0) + relax * (mine + v[c, base + k] - x[c, k]) + less * max(room, 0.0)
                g[here + k] = room
                room = abs(room)
                sum_g += room
                if k >= skip:
                    by_destination[0, c, base + k] += room
                    by_destination[1, c, base + k] += value
            by_source[0, s, c] = sum_g
            by_source[1, s, c] = sum_f


@njit(cache=True, nogil=True)
def positive_sums(sources, f, g, start, first, half, by_source, by_destination):  # type: ignore[no-untyped-def]
    """The sums that ``pass_over`` leaves, of the memories as they are."""
    count, num_destinations = by_destination.shape[1:]
    skip = 1 if half else 0
    for s in sources:
        base = first[s]
        width = num_destinations - base
        for c in range(count):
            here = start[s] + c * width
            sum_f, sum_g = 0.0, 0.0
            for k in range(width):
                value, room = abs(f[here + k]), abs(g[here + k])
                sum_f += value
                sum_g += room
                if k >= skip:
                    by_destination[0, c, base + k] += room
                    by_destination[1, c, base + k] += value
            by_source[0, s, c] = sum_g
            by_source[1, s, c] = sum_f


@njit(cache=True, nogil=True)
def rescale(memory, factor):  # type: ignore[no-untyped-def]
    """Multiply the scaled multipliers: the penalty has changed."""
    for k in range(len(memory)):
        if memory[k] < 0.0:
            memory[k] *= factor


@njit(cache=True, nogil=True)
def distances(  # type: ignore[no-untyped-def]
    sources, g, penalty, start, first, src, dst, head, offset, leaving, hop, supply, demand, half,
    by_source, by_destination,
):  # fmt: skip
    """The sum over all pairs of the shortest distance, a channel being as long as the pair's multiplier on it and
    ``hop`` for each pair of terminals; the sums of multipliers into ``by_source`` (S, C) and ``by_destination``."""
    n, count, num_destinations = len(offset) - 1, len(head), by_destination.shape[1]
    far = np.empty(n)
    done = np.empty(n, dtype=np.bool_)
    total = 0.0
    for s in sources:
        base = first[s]
        width = num_destinations - base
        at = start[s]
        for k in range(width):
            source, destination = src[s], dst[base + k]
            if source == destination:
                continue
            each = hop * supply[source] * demand[destination]
            far[:] = np.inf
            done[:] = False
            far[source] = 0.0
            while True:
                near, v = np.inf, -1
                for i in range(n):
                    if not done[i] and far[i] < near:
                        near, v = far[i], i
                if v < 0 or v == destination:
                    break
                done[v] = True
                for e in range(offset[v], offset[v + 1]):
                    c = leaving[e]
                    length = near + each - penalty * min(g[at + c * width + k], 0.0)
                    if length < far[head[c]]:
                        far[head[c]] = length
            total += 2.0 * far[destination] if half else far[destination]
            for c in range(count):
                y = -penalty * min(g[at + c * width + k], 0.0)
                by_source[s, c] += y
                by_destination[c, base + k] += y
    return total


@njit(cache=True, nogil=True)
def rounded(  # type: ignore[no-untyped-def]
    sources, f, g, u, v, start, first, src, dst, tail, head, laplace, cost, offset, leaving, opposite, out
):
    """Into ``out`` (float32, laid out as ``f``) the flows of ``sources``, conserved, nonnegative and without cycles."""
    count = len(tail)
    variable = np.arange(count)
    members = np.ones(count, dtype=np.int64)
    flow = np.empty(count)
    for s in sources:
        x = source_flows(s, f, g, u, v, start, first, src, dst, tail, head, laplace, cost)
        base, at, width = first[s], start[s], x.shape[1]
        for k in range(width):
            if src[s] == dst[base + k]:
                for c in range(count):
                    out[at + c * width + k] = 0.0
                continue
            for c in range(count):
                value = max(x[c, k], 0.0)
                if opposite[c] >= 0:
                    value = max(x[c, k] - x[opposite[c], k], 0.0)
                flow[c] = value if value > _NOTHING else 0.0
            whole = whole_flow(offset, leaving, head, variable, members, flow, src[s], dst[base + k], _UNIT)
            for c in range(count):
                out[at + c * width + k] = whole[c] / _UNIT


@njit(cache=True, nogil=True)
def matrix_of(c, flows, start, first, opposite, half, num_destinations):  # type: ignore[no-untyped-def]
    """float64 (S, D): what channel ``c`` carries of every pair, out of ``rounded`` flows."""
    num_sources = len(first)
    matrix = np.zeros((num_sources, num_destinations))
    for s in range(num_sources):
        base = first[s]
        width = num_destinations - base
        for k in range(width):
            matrix[s, base + k] = flows[start[s] + c * width + k]
            if half and k > 0:
                matrix[base + k, s] = flows[start[s] + opposite[c] * width + k]
    return matrix
