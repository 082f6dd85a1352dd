"""One channel's transportation problem where rates have too many digits for 64-bit arithmetic.

The compiled kernels solve it with rates rounded down; their flow fits, and only what rounding left over is still to be
sent.  Shortest augmenting paths in Python integers do that, by the method of ``graphs.augmenting_kernels``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from ..core.arrays import Int32
from ..core.rational import Rationals
from .transport import solve_exactly

_BITS = 36  # of all rates together, as the kernels get them


class LongSolution(NamedTuple):
    """An optimal flow per entry, and potentials of the rows and columns by number."""

    flow: list[int]
    u: dict[int, Fraction]
    v: dict[int, Fraction]


@dataclass
class _Side:
    """Rows or columns: their edges as (edge, other node), what they may still send, and potentials, whole numbers."""

    edges: list[list[tuple[int, int]]]
    rest: list[int]
    potential: list[int]


def solve_long(row: Int32, column: Int32, load: Rationals, supply: list[int], demand: list[int]) -> LongSolution:
    """The optimum of one channel: entries sorted by row, loads not negative."""
    total = sum(supply) + sum(demand)
    drop = max(0, total.bit_length() - _BITS)
    small = [np.array([x >> drop for x in amounts], dtype=np.int64) for amounts in (supply, demand)]
    exact = load.fractions()
    u, v = ([Fraction(0)] * len(amounts) for amounts in (supply, demand))
    flow = [0] * len(exact)
    try:
        start = solve_exactly(row, column, load, *small)
    except OverflowError:  # loads too large for the kernels: everything is sent here
        small = [np.zeros_like(x) for x in small]
    else:
        flow = [int(x) << drop for x in start.flow.tolist()]
        for side, numbers, values in ((u, start.row, start.u), (v, start.column, start.v)):
            for k, x in zip(numbers.tolist(), values, strict=True):
                side[k] = x
    entries = list(zip(row.tolist(), column.tolist(), exact, strict=True))
    for i, j, w in entries:  # those whose rate was rounded to nothing: first columns, then rows
        if not small[1][j]:
            v[j] = max(v[j], w - u[i])
    for i, j, w in entries:
        if not small[0][i]:
            u[i] = max(u[i], w - v[j])
    unit = math.lcm(*{x.denominator for side in (exact, u, v) for x in side})
    weight = [int(x * unit) for x in exact]
    sides = []
    for ends, others, amounts, values in ((row, column, supply, u), (column, row, demand, v)):
        edges: list[list[tuple[int, int]]] = [[] for _ in amounts]
        rest = list(amounts)
        for e, (a, b) in enumerate(zip(ends.tolist(), others.tolist(), strict=True)):
            edges[a].append((e, b))
            rest[a] -= flow[e]
        sides.append(_Side(edges, rest, [int(x * unit) for x in values]))
    _settle(sides[0], sides[1], flow, weight)
    _settle(sides[1], sides[0], flow, weight)
    potentials = ({k: Fraction(x, unit) for k, x in enumerate(side.potential) if x} for side in sides)
    return LongSolution(flow, *potentials)


def _settle(sending: _Side, receiving: _Side, flow: list[int], weight: list[int]) -> None:
    """Send what is left at nodes whose potential is positive, or bring the potential to 0."""
    for start in range(len(sending.rest)):
        while sending.rest[start] > 0 and sending.potential[start] > 0:
            _augment(start, sending, receiving, flow, weight)


def _augment(start: int, sending: _Side, receiving: _Side, flow: list[int], weight: list[int]) -> None:
    near: dict[int, int] = {start: 0}  # distances on the side that sends
    far: dict[int, int] = {}  # and on the other
    via_near: dict[int, tuple[int, int]] = {}  # (edge, node before)
    via_far: dict[int, tuple[int, int]] = {}
    best, last, at_far = sending.potential[start], start, False
    done: set[int] = set()
    waiting: list[tuple[int, int]] = []
    fresh = [start]
    while True:
        for a in fresh:
            base = near[a] + sending.potential[a]
            if base < best:
                best, last, at_far = base, a, False
            for e, b in sending.edges[a]:
                d = base + receiving.potential[b] - weight[e]
                if d < best and d < far.get(b, best):
                    far[b], via_far[b] = d, (e, a)
                    heappush(waiting, (d, b))
        fresh = []
        while waiting and (waiting[0][1] in done or waiting[0][0] > far[waiting[0][1]]):
            heappop(waiting)
        if not waiting or waiting[0][0] >= best:
            break
        d, b = heappop(waiting)
        done.add(b)
        if receiving.rest[b] > 0:
            best, last, at_far = d, b, True
            break
        for e, a in receiving.edges[b]:
            if flow[e] > 0 and a not in near:
                near[a], via_near[a] = d, (e, b)
                fresh.append(a)
    for a, d in near.items():
        sending.potential[a] -= max(0, best - d)
    for b in done:
        receiving.potential[b] += max(0, best - far[b])
    if not at_far and last == start:
        return
    path: list[tuple[int, int]] = []  # (edge, +1 or -1), from the end
    node, here_far = last, at_far
    while here_far or node != start:
        e, before = via_far[node] if here_far else via_near[node]
        path.append((e, 1 if here_far else -1))
        node, here_far = before, not here_far
    amount = min([sending.rest[start], *(flow[e] for e, way in path if way < 0)])
    if at_far:
        amount = min(amount, receiving.rest[last])
        receiving.rest[last] -= amount
    else:
        sending.rest[last] += amount
    sending.rest[start] -= amount
    for e, way in path:
        flow[e] += way * amount
