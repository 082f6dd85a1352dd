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

from ...core.rational import Rationals

__all__ = ["ExactSolution", "make_exact"]

Int64 = npt.NDArray[np.int64]


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


def make_exact(
    row: npt.NDArray[np.int32],
    column: npt.NDArray[np.int32],
    load: Rationals,
    supply: Int64,
    demand: Int64,
    *,
    weight: Int64,
    bits: int,
    u: Int64,
    v: Int64,
    flow: Int64,
) -> ExactSolution:
    """Exact optimum from the kernels' optimum.

    row, column, load, weight, u, flow: per entry (u: the potential of the entry's row); v: int64 per column number;
    weight in [load * 2**bits, load * 2**bits + 2).  Raises ArithmeticError if no exact optimum is reached (never seen).
    """
    live = (weight > 0) & (supply[row] > 0) & (demand[column] > 0)
    rows, row_at = np.unique(row[live], return_inverse=True)
    columns, column_at = np.unique(column[live], return_inverse=True)
    entries = np.nonzero(live)[0]
    num_rows, num_columns = len(rows), len(columns)
    if not len(entries):
        return ExactSolution(Fraction(0), rows, columns, [], [], flow)
    u_of = np.zeros(num_rows, dtype=np.int64)
    u_of[row_at] = u[entries]
    v_of = v[columns]
    slack = u_of[row_at] + v_of[column_at] - weight[entries]
    total = int(supply[rows].sum() + demand[columns].sum())
    tolerance = 8 * total + 64
    near = np.nonzero(slack <= tolerance)[0]

    # Arcs a -> b of cost k say: potential[b] <= potential[a] + k.  Nodes: rows, columns, and last the zero node.
    # A row's potential is u, a column's is -v.  All costs below are exact, in units of 1 / (scale * 2**bits), and
    # already reduced by the fixed-point potentials, so that they are tiny or positive.
    near_load = load[entries[near]]
    scale = math.lcm(*near_load.denominators()) if len(near) else 1
    zero = num_rows + num_columns
    tails: list[int] = []
    heads: list[int] = []
    costs: list[int] = []
    amounts: list[int] = []
    pairs = zip(near.tolist(), near_load.num.tolist(), near_load.den.tolist(), strict=True)
    flow_of = flow[entries]
    for e, num, den in pairs:
        i, j = int(row_at[e]), int(column_at[e])
        tails.append(i)
        heads.append(num_rows + j)
        costs.append((int(u_of[i]) + int(v_of[j])) * scale - ((int(num) * (scale // int(den))) << bits))
        amounts.append(int(flow_of[e]))
    sent = np.zeros(num_rows, dtype=np.int64)
    np.add.at(sent, row_at, flow_of)
    got = np.zeros(num_columns, dtype=np.int64)
    np.add.at(got, column_at, flow_of)
    for i in range(num_rows):
        tails.append(i)
        heads.append(zero)
        costs.append(int(u_of[i]) * scale)
        amounts.append(int(supply[rows[i]] - sent[i]))
    for j in range(num_columns):
        tails.append(zero)
        heads.append(num_rows + j)
        costs.append(int(v_of[j]) * scale)
        amounts.append(int(demand[columns[j]] - got[j]))

    shift = _settle(zero + 1, tails, heads, costs, amounts)
    unit = scale << bits
    exact_u = [Fraction(int(u_of[i]) * scale + shift[i] - shift[zero], unit) for i in range(num_rows)]
    exact_v = [Fraction(int(v_of[j]) * scale - shift[num_rows + j] + shift[zero], unit) for j in range(num_columns)]
    new_flow = flow.copy()
    new_flow[entries[near]] = amounts[: len(near)]
    used = np.nonzero(new_flow)[0]
    value = Rationals(load.num[used].astype(object) * new_flow[used], load.den[used]).total()
    bound = sum((int(supply[r]) * x for r, x in zip(rows, exact_u, strict=True)), Fraction(0))
    bound += sum((int(demand[c]) * x for c, x in zip(columns, exact_v, strict=True)), Fraction(0))
    if bound != value:
        raise ArithmeticError(f"the exact flow ({value}) and potentials ({bound}) do not meet")
    return ExactSolution(value, rows, columns, exact_u, exact_v, new_flow)


def _settle(num_nodes: int, tails: list[int], heads: list[int], costs: list[int], amounts: list[int]) -> list[int]:
    """Shortest distances (from anywhere, at 0) in the residual graph; cancels negative cycles in ``amounts`` first.

    Every arc may carry more; an arc with a positive amount may also be taken backwards.
    """
    out: list[list[int]] = [[] for _ in range(num_nodes)]  # arc e forwards: e; backwards: ~e
    for e, (a, b) in enumerate(zip(tails, heads, strict=True)):
        out[a].append(e)
        out[b].append(~e)
    distance = [0] * num_nodes
    via = [0] * num_nodes
    has_via = [False] * num_nodes
    waiting = deque(range(num_nodes))
    queued = [True] * num_nodes
    steps = 0
    while waiting:
        a = waiting.popleft()
        queued[a] = False
        base = distance[a]
        for e in out[a]:
            if e >= 0:
                b, new = heads[e], base + costs[e]
            else:
                if amounts[~e] <= 0:
                    continue
                b, new = tails[~e], base - costs[~e]
            if new < distance[b]:
                distance[b] = new
                via[b] = e
                has_via[b] = True
                steps += 1
                if not queued[b]:
                    queued[b] = True
                    waiting.append(b)
                if steps % num_nodes == 0:
                    cycle = _cycle(num_nodes, tails, heads, via, has_via)
                    if cycle:
                        amount = min((amounts[~x] for x in cycle if x < 0), default=0)
                        if amount <= 0:
                            raise ArithmeticError("a negative cycle without a limit: the loads are inconsistent")
                        for x in cycle:
                            amounts[x if x >= 0 else ~x] += amount if x >= 0 else -amount
                        return _settle(num_nodes, tails, heads, costs, amounts)
    return distance


def _cycle(num_nodes: int, tails: list[int], heads: list[int], via: list[int], has_via: list[bool]) -> list[int]:
    """The arcs of a cycle in the search's parent pointers, or an empty list."""
    state = [0] * num_nodes
    for start in range(num_nodes):
        x = start
        while state[x] == 0 and has_via[x]:
            state[x] = start + 1
            x = tails[via[x]] if via[x] >= 0 else heads[~via[x]]
        if state[x] == start + 1 and has_via[x]:
            cycle = []
            y = x
            while True:
                cycle.append(via[y])
                y = tails[via[y]] if via[y] >= 0 else heads[~via[y]]
                if y == x:
                    return cycle
        # Nodes walked through keep their mark; a later walk that meets them ends there.
    return []
