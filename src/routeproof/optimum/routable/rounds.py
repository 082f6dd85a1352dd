"""The program solved by rows that are made when asked for, each round from the last one's basis.

Where a flow is above the distance under its channel's lengths, the shortest path becomes a row.  Paths are looked for
between the solver's solution and the best one that is known to keep to all of them: the solver's own vertex, far
outside at first, asks for many that are of no use.  Floating point throughout.

Source: separation between two points, Ben-Ameur & Neto 2007 (Networks 49).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Float64
from ...graphs.shortest import EveryPair
from ...lp.exact import VERTEX, solver_of
from ...lp.solver import Generation, Proposal, SolverError, Status
from ...machine.deadlines import Deadline
from ..design import NothingReachedError
from .program import PathRow, RatioProgram

_CLOSE = 1e-9  # relative
_SHARES = (0.4, 0.2, 0.0)  # of the solution that keeps to all paths
_NOTHING = 1e-11
_MOST_OF_ONE = 400  # rows of a focus channel that one round takes
_SLICE = 2.0  # seconds to the first look at the clock, and at interrupts; each later one takes twice as long

Progress = Callable[[int, float, float], None]


@dataclass(frozen=True, eq=False)
class Rounds:
    """``x`` keeps to all paths and reaches the ratio ``high``; ``proposal`` is what the solver says of the program with
    ``rows``, which none that keeps to all paths falls below; ``complete``: both are the same."""

    rows: list[PathRow]
    proposal: Proposal
    x: Float64
    high: float
    complete: bool
    interrupted: bool


def solve_by_rounds(program: RatioProgram, *, deadline: Deadline, progress: Progress | None = None) -> Rounds:
    """Until the solver's solution keeps to all paths, the time is over, or somebody interrupts.

    Raises SolverError where the solver fails; KeyboardInterrupt and SolverError, too, before its first solution.
    """
    search = _RatioGeneration(program, deadline)
    interrupted = complete = False
    tell = None if progress is None else lambda rounds: progress(rounds, search.low, search.high)
    try:
        complete = search.generate(tell=tell)
    except KeyboardInterrupt:
        if search.proposal is None:
            raise
        interrupted = True
    if search.proposal is None:
        raise NothingReachedError("the time limit was reached before any routing was found")
    return Rounds(search.solved_rows, search.proposal, search.best, search.high, complete, interrupted)


class _RatioGeneration(Generation):
    """``low``: the ratio of the solver's point; ``high``: that of ``best``."""

    shares = _SHARES

    def __init__(self, program: RatioProgram, deadline: Deadline) -> None:
        self.program, self.deadline = program, deadline
        network = program.reduction.network
        self.bandwidth = np.array([float(x) for x in network.bandwidth])
        self.live = program.flow_at >= 0
        self.rows: list[PathRow] = []
        self.solved_rows: list[PathRow] = []
        self.known: set[tuple[int, tuple[int, ...]]] = set()
        self.proposal: Proposal | None = None
        self.low, self.high = 0.0, float("inf")
        self.solver = solver_of(program.base, program.base.cost.astype(np.float64), **VERTEX)
        self._begin()

    def _begin(self) -> None:
        """Begin with the paths of fewest hops that cross their channel."""
        network, focus = self.program.reduction.network, self.program.focus
        paths = EveryPair(self.program.reduction.network, np.ones((len(focus), network.num_channels)))
        there = paths.distance[np.arange(len(focus)), :, network.tail[focus]]
        back = paths.distance[np.arange(len(focus)), network.head[focus], :]
        across = there[:, :, None] + 1 + back[:, None, :] == paths.distance
        self._take(np.where(across & self.live, 1.0, 0.0), paths, most=len(across) * len(across[0]) ** 2)

    def solve(self) -> bool:
        solver, seconds = self.solver, _SLICE
        while seconds == _SLICE or solver.status is Status.OUT_OF_TIME:
            if self.deadline.over and self.proposal is not None:
                return False
            left = self.deadline.left(_SLICE)
            solver.run(seconds if left is None else min(seconds, left))
            seconds *= 2
        if solver.status is not Status.OPTIMAL:
            raise SolverError(f"the solver stopped without a solution ({solver.status_in_words})")
        self.proposal = solver.proposal()
        self.solved_rows, self.own, self.low = list(self.rows), self.proposal.x, solver.objective
        if not self.rounds:
            self.best = self.own.copy()
            self.best[self.program.length] = 1.0
            self.best, self.high = self._scaled(self.best)
        return True

    def separate(self, share: float) -> int:
        """Take paths that are too short."""
        x = self.between(share)
        paths = EveryPair(self.program.reduction.network, np.maximum(x[self.program.length], 0.0))
        flow = np.where(self.live, x[self.program.flow_at], 0.0)
        better, high = self._scaled(x, paths, flow)
        if high < self.high:
            self.best, self.high = better, high
        return self._take(flow - paths.distance, paths, most=_MOST_OF_ONE)

    def _scaled(self, x: Float64, paths: EveryPair | None = None, flow: Float64 | None = None) -> tuple[Float64, float]:
        """With lengths that keep to all paths, and the ratio that they prove; infinite where they cannot."""
        length = np.maximum(x[self.program.length], 0.0)
        if paths is None or flow is None:
            paths = EveryPair(self.program.reduction.network, length)
            flow = np.where(self.live, x[self.program.flow_at], 0.0)
        carrying = flow > _NOTHING
        if (paths.distance[carrying] <= 0).any():
            return x, float("inf")
        stretch = np.divide(flow, paths.distance, out=np.zeros_like(flow), where=carrying).max(axis=(1, 2))
        result = x.copy()
        result[self.program.length] = length * stretch[:, None]
        return result, float((stretch * (length @ self.bandwidth) / self.bandwidth[self.program.focus]).max())

    def _take(self, gap: Float64, paths: EveryPair, *, most: int) -> int:
        """Take the paths of the widest gaps as rows, at most so many of each focus channel."""
        new: list[tuple[int, tuple[int, ...]]] = []
        for k, one in enumerate(gap):
            source, destination = np.nonzero(one > _CLOSE)
            taken = 0
            for at in np.argsort(-one[source, destination], kind="stable").tolist():
                i, j = int(source[at]), int(destination[at])
                row = PathRow(k, i, j, paths.path(k, i, j))
                key = self.program.coefficients(row)
                if key not in self.known:
                    self.known.add(key)
                    self.rows.append(row)
                    new.append(key)
                    taken += 1
                    if taken == most:
                        break
        if new:
            self._add(new)
        return len(new)

    def _add(self, rows: list[tuple[int, tuple[int, ...]]]) -> None:
        entries = [(k, c, 1.0) for k, (_, lengths) in enumerate(rows) for c in lengths]
        entries += [(k, flow, -1.0) for k, (flow, _) in enumerate(rows)]
        row, column, value = np.array(entries).T
        key, at = np.unique(row * self.program.base.num_columns + column, return_inverse=True)
        summed = key // self.program.base.num_columns, key % self.program.base.num_columns, np.bincount(at, value)
        self.solver.add_rows(np.zeros(len(rows)), np.full(len(rows), np.inf), summed)
