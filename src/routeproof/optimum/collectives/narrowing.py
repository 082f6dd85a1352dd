"""The best rate where switches copy nothing and cannot pass on all that they receive: a linear program over what of
each channel reaches a rank, with the cuts that flows find too narrow.

    minimise w,  f(c) <= b(c) w,  f enters every switch as much as it leaves it,
                 f leaves every set of nodes that misses a rank with what the set emits at rate 1.

The best rate is 1 / w: by edge splitting every such f is made of ways between ranks (``splitting``).  The multipliers
are weights of cuts and potentials of switches, which prove it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm

import numpy as np

from ...core.arrays import Bools, Int64
from ...core.collective import Broadcasts
from ...core.spread import Progress
from ...graphs.max_flow import ENDLESS, FlowGraph
from ...lp.exact import ExactPoint, NotExactError, Program, Triplets, solve_exactly
from ...lp.solver import SolverError
from .rate import Cut, Scaled

_MOST_CHANNELS = 600
_MOST_ROUNDS = 100


@dataclass(frozen=True, eq=False)
class Narrowed:
    """``numbers``: the best rate with balanced capacities that carry it; ``cuts``: sets with their weights, and
    ``potential``: int64 (N,), which prove that it is the best."""

    numbers: Scaled
    cuts: list[tuple[Bools, int]]
    potential: Int64


def narrowed(task: Broadcasts, first: Cut, progress: Progress | None = None) -> Narrowed | None:
    """None where the network is too large, where no rate above 0 is possible, or no exact solution was found.

    ``first``: the best cut where switches may copy.
    """
    if task.network.num_channels > _MOST_CHANNELS:
        return None
    try:
        return _Rows(task, first).solved(progress)
    except (NotExactError, SolverError):
        return None


class _Rows:
    def __init__(self, task: Broadcasts, first: Cut) -> None:
        self.task = task
        size = task.network.num_nodes
        self.sets: list[Bools] = [first.inside]
        self.sets += [np.arange(size) != v for v in task.nodes if task.total > task.supply[v]]
        self.switches = np.flatnonzero(~task.reached).tolist()
        self.unit = lcm(*(x.denominator for x in task.network.widths))

    def solved(self, progress: Progress | None) -> Narrowed | None:
        for done in range(_MOST_ROUNDS):
            primal, dual = solve_exactly(self._program())
            if progress is not None:
                progress(done, _MOST_ROUNDS)
            new = self._too_narrow(primal)
            if new is None:
                return None
            if not new:
                return self._answer(primal, dual)
            self.sets += new
        return None

    def _program(self) -> Program:
        """Column 0 is w, column c + 1 is f(c)."""
        task, entries = self.task, Triplets()
        row = {w: k for k, w in enumerate(self.switches)}
        for c, (u, v) in enumerate(zip(task.tail.tolist(), task.head.tolist(), strict=True)):
            for w, sign in ((u, -1), (v, 1)):
                if w in row:
                    entries.add(row[w], c + 1, sign)
        equal, count = len(row), task.network.num_channels
        for c, b in enumerate(task.network.bandwidth):
            entries.add(equal + c, 0, int(b * self.unit))
            entries.add(equal + c, c + 1, -self.unit)
        bound = [0] * (equal + count)
        for inside in self.sets:
            entries.add(len(bound), 1 + np.flatnonzero(inside[task.tail] & ~inside[task.head]), 1)
            bound.append(int(task.supply[inside].sum()))
        return entries.program(count + 1, equal, bound)

    def _too_narrow(self, primal: ExactPoint) -> list[Bools] | None:
        """A set for every rank that f does not reach with all that is emitted; None where numbers are too long."""
        task, need = self.task, self.task.total * primal.den
        flow = [int(x) for x in primal.num[1:]]
        if sum(flow) + need >= ENDLESS:
            return None
        graph = FlowGraph(task.tail, task.head, flow, task.supply * primal.den)
        return [graph.side for v in task.nodes if graph.least([v], most=need)[0] < need]

    def _answer(self, primal: ExactPoint, dual: ExactPoint) -> Narrowed | None:
        load = primal.fraction(0)
        if not load:
            return None
        rate = 1 / load
        flow = [primal.fraction(c + 1) * rate for c in range(self.task.network.num_channels)]
        scale = lcm(rate.denominator, *(x.denominator for x in flow))
        unit = int(rate * scale)
        whole = [int(x * scale) for x in flow]
        if sum(whole) + unit * self.task.total >= ENDLESS:
            return None
        numbers = Scaled(rate, scale, np.array(whole, dtype=np.int64), self.task.supply * unit)
        y = [int(x) for x in dual.num]
        equal, first = len(self.switches), len(self.switches) + self.task.network.num_channels
        if max(map(abs, y), default=0) >= 1 << 50:
            return None
        potential = np.zeros(self.task.network.num_nodes, dtype=np.int64)
        potential[self.switches] = y[:equal]
        cuts = [(inside, w) for inside, w in zip(self.sets, y[first:], strict=True) if w]
        return Narrowed(numbers, cuts, potential)
