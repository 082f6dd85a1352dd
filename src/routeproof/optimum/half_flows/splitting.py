"""Half flows for networks of a thousand nodes and more: Douglas and Rachford's splitting (Lions & Mercier 1979).

Let d_k be the net flow of node k with w_k terminals, and h(d) = max over links e of sum_k w_k |d_k(e)| / b_e, the load.
The program is h plus the condition that all flows end alike.  Both have a step that costs one pass:

- of h (its proximal step): on link e all flows shrink by a threshold t_e >= 0, so that every link has the same load, or
  less where t_e = 0; sum_e b_e t_e is the size of the step;
- of the condition: what is missing at nodes is sent as electric currents go, one product with the matrix of
  resistances.  The potentials of the currents are those of a bound.

Beside a number for each node and link only matrices of nodes by nodes are held.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np

from ...core.arrays import Float64, offsets_of
from ...core.network import Network
from ...machine.one_thread import num_threads
from .program import HalfFlows
from .splitting_kernels import leaving, moved, shrunk, thresholds

_RELAXED = 1.6  # of a step from a point to where both conditions together send it
_SIZE = 2.0  # of the proximal step, in mean flows of the first currents
_CLOSE, _SECANTS = 1e-9, 12  # how nearly the thresholds sum up to the size of the step, and after how many trials
_SHARE = 0.1  # it is judged when so many more iterations were made


class SplitHalfFlows(HalfFlows):
    """``point``: (E, K), from which the flows are found; ``threshold``: (E,)."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        size, links = network.num_nodes, len(self.links)
        end = np.concatenate([self.tail, self.head])
        order = np.argsort(end, kind="stable")
        self._start = offsets_of(np.bincount(end, minlength=size))
        self._link = np.tile(np.arange(links), 2)[order]
        self._sign = np.repeat(np.array([1.0, -1.0]), links)[order]
        self._pushed = self._currents(np.zeros((size, len(self.nodes))))
        self.point = self._pushed[self.head] - self._pushed[self.tail]
        self.threshold = np.zeros(links)
        self._count = np.zeros(links)
        self._size = _SIZE * float(np.abs(self.point).mean()) * float(self.wide.sum())
        self._load = self.low * self.unit
        self._next = 1

    def _currents(self, leaving: Float64) -> Float64:
        """(N, K): potentials of the currents that, taken from flows of which so much is left, make them end alike."""
        leaving[self.nodes, np.arange(len(self.nodes))] -= 1.0
        leaving -= (leaving @ self.weight / self.weight.sum())[:, None]
        found: Float64 = self.resistance @ leaving
        return found

    def judge(self) -> None:
        self._keep_potential(self._pushed.T)
        flow = np.empty_like(self.point)
        shrunk.for_steps(self.point.size)(self.point, self.threshold, flow, 0, len(flow))
        self._keep_flow(flow.T)

    def step(self, pool: Executor) -> bool:
        self._shrink(pool)
        left, steps = np.empty_like(self._pushed), 2.0 * self.point.size
        self._over(
            pool, leaving.for_steps(steps), len(left), self.point, self.threshold, self._start, self._link, self._sign,
            left,
        )  # fmt: skip
        self._pushed = self._currents(left)
        self._over(
            pool, moved.for_steps(steps), len(self.point), self.point, self.threshold, self._pushed, self.tail,
            self.head, _RELAXED,
        )  # fmt: skip
        self.rounds += 1
        if self.rounds >= self._next:
            self._next = self.rounds + max(1, int(_SHARE * self.rounds))
            self.judge()
        return bool(np.isfinite(self._load))

    def _shrink(self, pool: Executor) -> None:
        """Find the load for which the thresholds sum up to the size of the step: their sum is convex, and falls."""
        for _ in range(_SECANTS):
            self._over(
                pool, thresholds.for_steps(3.0 * self.point.size), len(self.point), self.point, self.weight,
                self._load * self.wide, self.threshold, self._count,
            )  # fmt: skip
            more = float(self.wide @ self.threshold) - self._size
            if abs(more) <= _CLOSE * self._size:
                return
            some = self.threshold > 0
            slope = float((self.wide[some] ** 2 / self._count[some]).sum())
            aim = self._load + more / slope if slope > 0 else 0.0
            self._load = max(aim, self._load / 2)

    def _over(self, pool: Executor, kernel: Callable[..., None], count: int, *arguments: Any) -> None:
        """Call a kernel over so many links or nodes, in as many parts as there are threads."""
        ends = np.linspace(0, count, num_threads() + 1).astype(np.int64).tolist()
        for _ in pool.map(lambda part: kernel(*arguments, *part), itertools.pairwise(ends)):
            pass
