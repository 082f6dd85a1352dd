"""Compiled: the alternating directions method's pass over all flows, and what judges its iterates in floats.

Arrays of flows hold for every source ``s`` a block of shape (C, D - first[s]), at ``start[s]``: the destinations from
``first[s]`` on, the others being reversed paths of other sources (or ``first`` is 0 everywhere).  ``frame`` and
``state``: see ``method.Frame`` and ``method.Iterate``.
"""

from __future__ import annotations

import numpy as np

from ...machine.compiled import njit
from ..program.rounding import whole_flow

_NOTHING = 1e-10
_UNIT = 1 << 40


@njit(cache=True)
def source_flows(s, frame, state):  # type: ignore[no-untyped-def]
    """float64 (C, D - first[s]): of the conserved flows of source ``s`` those nearest to half of
    |f| + (u + v - |g|) - cost."""
    f, g, u, v, cost = state
    source, destination, tail, head, laplace = frame.source, frame.destination, frame.tail, frame.head, frame.laplace
    count, n = len(tail), len(laplace)
    base, at = frame.first[s], frame.start[s]
    width = v.shape[1] - base
    x = np.empty((count, width))
    excess = np.zeros((n, width))
    for k in range(width):
        excess[source[s], k] += 1.0
        excess[destination[base + k], k] -= 1.0
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


@njit(cache=True)
def pass_over(sources, frame, state, relax, by_source, by_destination):  # type: ignore[no-untyped-def]
    """One round for ``sources``: flows from the memories and potentials, then the memories, over-relaxed by ``relax``;
    0 leaves the memories as they are.

    Sets ``by_source[:, s]`` (2, S, C) and adds to ``by_destination`` (2, C, D) the sums of |g| and of |f|; with
    ``half`` a pair of a node with itself counts in the former only.
    """
    f, g, u, v, _ = state
    less = 1.0 - relax
    skip = 1 if frame.half else 0
    for s in sources:
        x = source_flows(s, frame, state)
        base, at, width = frame.first[s], frame.start[s], x.shape[1]
        for c in range(len(x)):
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


@njit(cache=True)
def distances(sources, frame, g, penalty, hop, by_source, by_destination):  # type: ignore[no-untyped-def]
    """The sum over all pairs of the shortest distance, a channel being as long as the pair's multiplier on it and
    ``hop`` for each pair of terminals; the sums of multipliers into ``by_source`` (S, C) and ``by_destination``."""
    nodes, ends, first, start, half = frame[:5]
    head, offset, leaving, supply, demand = frame.head, frame.offset, frame.leaving, frame.supply, frame.demand
    n, count, num_destinations = len(offset) - 1, len(head), by_destination.shape[1]
    far = np.empty(n)
    done = np.empty(n, dtype=np.bool_)
    total = 0.0
    for s in sources:
        base, at = first[s], start[s]
        width = num_destinations - base
        for k in range(width):
            source, destination = nodes[s], ends[base + k]
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


@njit(cache=True)
def rounded(sources, frame, state, out):  # type: ignore[no-untyped-def]
    """Into ``out`` (float32, laid out as ``f``) the flows of ``sources``, conserved, nonnegative and without cycles."""
    nodes, ends, first, start, _ = frame[:5]
    head, offset, leaving, opposite, count = frame.head, frame.offset, frame.leaving, frame.opposite, len(frame.tail)
    variable = np.arange(count)
    members = np.ones(count, dtype=np.int64)
    flow = np.empty(count)
    for s in sources:
        x = source_flows(s, frame, state)
        base, at, width = first[s], start[s], x.shape[1]
        for k in range(width):
            source, destination = nodes[s], ends[base + k]
            if source == destination:
                for c in range(count):
                    out[at + c * width + k] = 0.0
                continue
            for c in range(count):
                value = max(x[c, k], 0.0)
                if opposite[c] >= 0:
                    value = max(x[c, k] - x[opposite[c], k], 0.0)
                flow[c] = value if value > _NOTHING else 0.0
            whole = whole_flow(offset, leaving, head, variable, members, flow, source, destination, _UNIT)
            for c in range(count):
                out[at + c * width + k] = whole[c] / _UNIT


@njit(cache=True)
def matrix_of(c, flows, frame):  # type: ignore[no-untyped-def]
    """float64 (S, D): what channel ``c`` carries of every pair, out of ``rounded`` flows."""
    num_sources, num_destinations = len(frame.first), len(frame.destination)
    matrix = np.zeros((num_sources, num_destinations))
    for s in range(num_sources):
        base, at = frame.first[s], frame.start[s]
        width = num_destinations - base
        for k in range(width):
            matrix[s, base + k] = flows[at + c * width + k]
            if frame.half and k > 0:
                matrix[base + k, s] = flows[at + frame.opposite[c] * width + k]
    return matrix
