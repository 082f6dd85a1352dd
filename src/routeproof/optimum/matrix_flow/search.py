"""Column generation: paths that are short under the prices of channels come in, until no pair has a shorter one.

Prices of the program alone are extreme at first, so paths are looked for under a mixture of them and of the lengths
that prove most so far.  Floating point throughout: ``rounding`` makes of it what can be judged.

Source: Ford & Fulkerson 1958 (column generation for path flows); Ben-Ameur & Neto 2007 (Networks 49; separation between
two points).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np

from ...core.arrays import Float64, offsets_of
from ...lp.exact import NotExactError, rounded_down
from ...lp.solver import Generation
from ...machine.deadlines import Deadline
from ...routing.base.routing import Routing
from .master import Master
from .path_simplex import PathSimplex
from .problem import Look, Problem
from .rounding import exact_vertex, routing_of, shares_of, shortened

_CLOSE = 1e-9
_INWARD = (0.7, 0.3, 0.0)  # the share of the best lengths
_STEEPER = (8.0, 16.0, 32.0, 64.0, 128.0)
_ROWS_AT_ONCE = 4  # matrices that a channel comes to be watched under, between two runs of the solver
_PATHS_AT_ONCE = 20_000
_MOST_ROWS = 60_000  # of a basis that is solved exactly


class FlowGeneration(Generation):
    """The best flow, until its ``load`` is within 1 + ``accuracy`` of the ``least`` that the lengths ``best`` prove
    (``complete``), the time is over or somebody interrupts.

    Raises InputError for pairs without a path."""

    complete = False
    least, load = 0.0, float("inf")

    def __init__(self, problem: Problem, deadline: Deadline, accuracy: float) -> None:
        self.problem, self.deadline, self.accuracy = problem, deadline, accuracy

    @property
    def gap(self) -> float:
        return self.load / self.least - 1 if self.least else float("inf")

    def is_near(self) -> bool:
        return self.gap <= self.accuracy

    def prove(self, worth: float, length: Float64) -> None:
        """Lengths become the best where they prove most; ``worth``: what all pairs pay under them."""
        spent = float((length @ self.problem.bandwidth).sum())
        if worth / spent > self.least:
            self.least, self.best = worth / spent, length / spent

    def search(self, tell: Callable[[int, float], None] | None) -> None:
        """``tell``: called with the number of rounds and the gap."""
        self.complete = self.is_near()
        with suppress(KeyboardInterrupt):
            self.warm_up()
            told = None if tell is None else lambda rounds: tell(rounds, self.gap)
            self.complete = self.complete or self.generate(tell=told)
            self.tighten()

    def warm_up(self) -> None:
        """Before the first round."""

    def tighten(self) -> None:
        """After the last one."""

    @abstractmethod
    def answer(self) -> tuple[Routing, list[Any]]:
        """(the flow as a routing, whole lengths (K, C))."""


class PathGeneration(FlowGeneration):
    """Paths between pairs, for any number of matrices."""

    shares = _INWARD

    def __init__(self, problem: Problem, deadline: Deadline, accuracy: float) -> None:
        super().__init__(problem, deadline, accuracy)
        self.look(np.ones((len(problem.whole), problem.network.num_channels)) / problem.bandwidth)
        everything = np.arange(problem.num_pairs)
        found = problem.look(self.best, wanted=everything)
        self.base = offsets_of(found.hops), found.path
        self.load = float((found.load / problem.bandwidth).max())

    @cached_property
    def master(self) -> Master:
        return Master(self.problem, self.base)

    def look(self, length: Float64, own: Float64 | None = None) -> Look:
        """Shortest paths; their lengths become the best where they prove most."""
        found = self.problem.look(length, own)
        self.prove(float(found.dist @ self.problem.largest), length)
        return found

    def warm_up(self) -> None:
        if self.complete or not PathSimplex.serves(self.problem):
            return
        simplex = PathSimplex(self.problem, *self.base)
        try:
            simplex.run(self.deadline)
        finally:
            if simplex.is_sound:
                self.base = simplex.keys()
                if self.master.add(*simplex.others()) == len(simplex.amount):
                    self.master.begin_with(simplex.amount, simplex.loose)
                self.look(simplex.price)

    def solve(self) -> bool:
        if self.deadline.over or not self.master.run(self.deadline):
            return False
        self.load = float((self.master.loads() / self.problem.bandwidth).max())
        self.own = self.master.price / float((self.master.price @ self.problem.bandwidth).sum())
        self.pays = self.master.lengths_of_pairs()
        return True

    def separate(self, share: float) -> int:
        fresh, mixed = self._watch(), self.between(share)
        gain = self.pays - self.look(mixed, self.master.price).cost
        wanted = np.flatnonzero(gain > _CLOSE * float(self.pays.max()))
        if len(wanted) > _PATHS_AT_ONCE:
            worth = gain[wanted] * self.problem.largest[wanted]
            wanted = np.sort(wanted[np.argsort(-worth, kind="stable")[:_PATHS_AT_ONCE]])
        if len(wanted):
            again = self.problem.look(mixed, wanted=wanted)
            fresh += self.master.add(wanted, offsets_of(again.hops[wanted]), again.path.astype(np.int64))
        return fresh

    def tighten(self) -> None:
        """Lengths that grow with the loads of the last solution: where the search is cut short, they prove more than
        its prices."""
        if self.complete or not self.master.solved:
            return
        about = self.master.loads() / self.problem.bandwidth
        for steep in _STEEPER:
            self.look(np.exp(steep * (about / about.max() - 1)) / self.problem.bandwidth)

    def _watch(self) -> int:
        """Matrices that load a channel more than the program knows."""
        master = self.master
        if len(master.row) == 1:
            return 0
        load = master.loads() / self.problem.bandwidth
        load[master.row >= 0] = 0.0
        order = np.argsort(-load, axis=0, kind="stable")[:_ROWS_AT_ONCE]
        channel = np.broadcast_to(np.arange(load.shape[1]), order.shape)
        over = load[order, channel] > master.theta * (1 + _CLOSE)
        return master.watch(order[over], channel[over])

    def answer(self) -> tuple[Routing, list[Any]]:
        """That of the vertex; near it where the search was cut short or the vertex is not exact."""
        master = self.master
        if self.complete and master.solved and master.num_rows <= _MOST_ROWS:
            with suppress(NotExactError):
                share, lengths = exact_vertex(master)
                return routing_of(master, share), shortened(lengths)
        return routing_of(master, shares_of(master)), list(rounded_down(self.best)[0])
