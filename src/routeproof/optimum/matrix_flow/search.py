"""Column generation: paths that are short under the prices of channels come in, until no pair has a shorter one.

Prices of the program alone are extreme at first, so paths are looked for under a mixture of them and of the lengths
that prove most so far.  The first of those come from rounds of multiplicative weights.  Floating point throughout:
``exact`` and ``rounding`` make of it what can be judged.

Source: Ford & Fulkerson 1958 (column generation for path flows); Young 1995 (SODA) and Garg & Koenemann 1998 (FOCS)
(multiplicative weights); Ben-Ameur & Neto 2007 (Networks 49; separation between two points).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Float64, offsets_of
from ...lp.solver import Generation
from ...machine.deadlines import Deadline
from .master import Master
from .problem import Look, Problem

_CLOSE = 1e-9
_INWARD = (0.7, 0.3, 0.0)  # the share of the best lengths
_ROUNDS = 1  # of multiplicative weights
_STEEP = 4.0
_STEEPER = (8.0, 16.0, 32.0, 64.0, 128.0)
_ROWS_AT_ONCE = 4  # matrices that a channel comes to be watched under, between two runs of the solver
_PATHS_AT_ONCE = 20_000


@dataclass(frozen=True, eq=False)
class Found:
    """``master``: the program and its last solution, whose largest load per bandwidth is ``load``; ``lengths`` (K, C)
    prove ``least``; ``complete``: the two are as near as was asked for."""

    master: Master
    load: float
    lengths: Float64
    least: float
    complete: bool


def search(
    problem: Problem,
    deadline: Deadline,
    *,
    accuracy: float = _CLOSE,
    tell: Callable[[int, float], None] | None = None,
) -> Found:
    """The best flow, until its load is within 1 + ``accuracy`` of what lengths prove, the time is over or somebody
    interrupts.  ``tell``: called with the number of rounds and the gap.  Raises InputError for pairs without a path."""
    work = _PathGeneration(problem, deadline, accuracy)
    complete = work.is_near()
    with suppress(KeyboardInterrupt):
        complete = complete or work.generate(tell=None if tell is None else lambda rounds: tell(rounds, work.gap))
        if not complete:
            work.tighten()
    return Found(work.master, work.load, work.best, work.least, complete)


class _PathGeneration(Generation):
    """``best``: the lengths that prove ``least``; ``load``: the largest of the master's solution."""

    shares = _INWARD

    def __init__(self, problem: Problem, deadline: Deadline, accuracy: float) -> None:
        self.problem, self.deadline, self.accuracy = problem, deadline, accuracy
        self.least, self.best = 0.0, np.zeros((len(problem.whole), problem.network.num_channels))
        self._warm_up()
        everything = np.arange(problem.num_pairs)
        found = problem.look(self.best, wanted=everything)
        self.master = Master(problem, (offsets_of(found.hops), found.path.astype(np.int64)))
        self.load = self.master.size

    @property
    def gap(self) -> float:
        return self.load / self.least - 1 if self.least else float("inf")

    def look(self, length: Float64, own: Float64 | None = None) -> Look:
        """Shortest paths; their lengths become the best where they prove most."""
        found = self.problem.look(length, own)
        bound = float(found.dist @ self.problem.largest) / float((length @ self.problem.bandwidth).sum())
        if bound > self.least:
            self.least, self.best = bound, length / float((length @ self.problem.bandwidth).sum())
        return found

    def solve(self) -> bool:
        if self.deadline.over or not self.master.run(self.deadline):
            return False
        self.load = float((self.master.loads() / self.problem.bandwidth).max())
        self.own = self.master.price / float((self.master.price @ self.problem.bandwidth).sum())
        self.pays = self.master.lengths_of_pairs()
        return True

    def separate(self, share: float) -> int:
        """Let rows and paths come in that the last solution asks for."""
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

    def is_near(self) -> bool:
        return self.gap <= self.accuracy

    def tighten(self) -> None:
        """Lengths that grow with the loads of the last solution: where the search is cut short, they prove more than
        its prices."""
        if not self.master.solved:
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

    def _warm_up(self) -> None:
        """Lengths that grow with the load that the shortest paths so far make."""
        width = self.problem.bandwidth
        length = np.ones(self.best.shape) / width
        total = np.zeros(self.best.shape)
        steep = _STEEP * np.log(max(2, total.size))
        for n in range(_ROUNDS):
            found = self.look(length)
            total += found.load
            about = total / (n + 1) / width
            top = float(about.max())
            length = np.exp(min(1.0, (n + 2) / 8) * steep * (about / top - 1)) / width
