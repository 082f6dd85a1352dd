"""From a fixed-point solution of one channel's transportation problem to the exact one.

The kernels solve with loads rounded up to 2**-bits.  Here the solution is made exact: only pairs whose slack is
within the rounding can matter, and on those few the residual graph is searched with exact integers.  No negative
cycle proves the flow optimal, and the shortest distances correct the potentials; a negative cycle improves the flow.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.rational import Rationals
from .transport_arrays import Channels


@dataclass(frozen=True, eq=False)
class ExactSolution:
    """An optimal flow and optimal potentials: ``value = sum(load * flow) = supply . u + demand . v``.

    row, column: the numbers (int32) of the rows and columns that take part; u, v: their potentials; flow: int64 per
    entry of the channel's loads.
    """

    value: Fraction
    row: npt.NDArray[np.int32]
    column: npt.NDArray[np.int32]
    u: list[Fraction]
    v: list[Fraction]
    flow: Int64


@dataclass(slots=True)
class _Arc:
    """potential[head] <= potential[tail] + cost; while ``amount`` is positive it may also be taken backwards."""

    tail: int
    head: int
    cost: int
    amount: int


def make_exact(one: Channels, load: Rationals, *, bits: int, u: Int64, v: Int64, flow: Int64) -> ExactSolution:
    """Exact optimum of one channel from the kernels' optimum.

    load, u, flow: per entry (u: the potential of the entry's row); v: int64 per column number; the channel's weights
    lie in [load * 2**bits, load * 2**bits + 2).  Raises ArithmeticError if no exact optimum is reached (never seen).
    """
    _, row, column, weight, supply, demand = one
    entries = np.nonzero((weight > 0) & (supply[row] > 0) & (demand[column] > 0))[0]
    rows, row_at = np.unique(row[entries], return_inverse=True)
    columns, column_at = np.unique(column[entries], return_inverse=True)
    num_rows = len(rows)
    if not len(entries):
        return ExactSolution(Fraction(0), rows, columns, [], [], flow)
    u_of = np.zeros(num_rows, dtype=np.int64)
    u_of[row_at] = u[entries]
    v_of = v[columns]
    slack = u_of[row_at] + v_of[column_at] - weight[entries]
    total = int(supply[rows].sum() + demand[columns].sum())
    near = np.nonzero(slack <= 8 * total + 64)[0]

    # Nodes: rows, columns, and last the zero node.  A row's potential is u, a column's is -v.  All costs are exact, in
    # units of 1 / (scale * 2**bits), and reduced by the fixed-point potentials, so that they are tiny or positive.
    near_load = load[entries[near]]
    scale = math.lcm(*near_load.denominators())
    zero = num_rows + len(columns)
    flow_of = flow[entries]
    arcs = []
    for e, num, den in zip(near.tolist(), near_load.num.tolist(), near_load.den.tolist(), strict=True):
        i, j = int(row_at[e]), int(column_at[e])
        cost = (int(u_of[i]) + int(v_of[j])) * scale - ((int(num) * (scale // int(den))) << bits)
        arcs.append(_Arc(i, num_rows + j, cost, int(flow_of[e])))
    left, missing = supply[rows], demand[columns]
    np.subtract.at(left, row_at, flow_of)
    np.subtract.at(missing, column_at, flow_of)
    arcs += [_Arc(i, zero, int(x) * scale, int(left[i])) for i, x in enumerate(u_of)]
    arcs += [_Arc(zero, num_rows + j, int(x) * scale, int(missing[j])) for j, x in enumerate(v_of)]

    shift = _distances(zero + 1, arcs)
    unit = scale << bits
    whole_u = [int(x) * scale + shift[i] - shift[zero] for i, x in enumerate(u_of)]
    whole_v = [int(x) * scale - shift[num_rows + j] + shift[zero] for j, x in enumerate(v_of)]
    new_flow = flow.copy()
    new_flow[entries[near]] = [arc.amount for arc in arcs[: len(near)]]
    used = np.nonzero(new_flow)[0]
    value = Rationals(load.num[used].astype(object) * new_flow[used], load.den[used]).total()
    bound = sum(a * x for a, x in zip(supply[rows].tolist(), whole_u, strict=True))
    bound = Fraction(bound + sum(a * x for a, x in zip(demand[columns].tolist(), whole_v, strict=True)), unit)
    if bound != value:
        raise ArithmeticError(f"the exact flow ({value}) and potentials ({bound}) do not meet")
    exact_u, exact_v = ([Fraction(x, unit) for x in whole] for whole in (whole_u, whole_v))
    return ExactSolution(value, rows, columns, exact_u, exact_v, new_flow)


def _distances(num_nodes: int, arcs: list[_Arc]) -> list[int]:
    """Shortest distances (from anywhere, at 0) in the residual graph; cancels negative cycles in the amounts first."""
    out: list[list[tuple[_Arc, int]]] = [[] for _ in range(num_nodes)]  # forwards: 1, backwards: -1
    for arc in arcs:
        out[arc.tail].append((arc, 1))
        out[arc.head].append((arc, -1))
    distance = [0] * num_nodes
    via: list[tuple[_Arc, int] | None] = [None] * num_nodes
    waiting = deque(range(num_nodes))
    queued = [True] * num_nodes
    steps = 0
    while waiting:
        a = waiting.popleft()
        queued[a] = False
        for arc, way in out[a]:
            if way < 0 and arc.amount <= 0:
                continue
            b, new = arc.head if way > 0 else arc.tail, distance[a] + way * arc.cost
            if new >= distance[b]:
                continue
            distance[b] = new
            via[b] = arc, way
            steps += 1
            if not queued[b]:
                queued[b] = True
                waiting.append(b)
            if steps % num_nodes == 0 and (cycle := _cycle(via)):
                amount = min((arc.amount for arc, way in cycle if way < 0), default=0)
                if amount <= 0:
                    raise ArithmeticError("a negative cycle without a limit: the loads are inconsistent")
                for arc, way in cycle:
                    arc.amount += way * amount
                return _distances(num_nodes, arcs)
    return distance


def _cycle(via: list[tuple[_Arc, int] | None]) -> list[tuple[_Arc, int]]:
    """The arcs of a cycle in the search's parent pointers, or an empty list."""
    walk = [-1] * len(via)  # the walk that met a node first: a later one ends there
    for start in range(len(via)):
        x, passed = start, []
        while walk[x] < 0 and (step := via[x]) is not None:
            walk[x] = start
            passed.append((x, step))
            x = step[0].tail if step[1] > 0 else step[0].head
        if walk[x] == start and via[x] is not None:
            at = [node for node, _ in passed].index(x)
            return [step for _, step in passed[at:]]
    return []
