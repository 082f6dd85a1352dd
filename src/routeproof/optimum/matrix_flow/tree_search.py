"""One matrix on a large network: column generation over trees, one commodity for every source.

A column is a tree of one source, with all that the source sends; the program has a row for every source and one for
every channel that is near the largest load.  Where few cuts decide, as in wide-area networks, few trees do: a network
of 750 nodes takes some ten rounds.  Lengths to begin with come from rounds of multiplicative weights, and trees are
looked for half-way between the solver's lengths and the best ones so far.

Source: Dantzig & Wolfe 1960; Jones, Lustig, Farvolden & Powell 1993 (Math. Programming 62; what formulation by trees,
paths or pairs costs); Young 1995 (SODA) and Garg & Koenemann 1998 (FOCS; multiplicative weights).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.arrays import Float64, Int32, Int64, offsets_of
from ...core.errors import InputError
from ...lp.exact import rounded_down
from ...lp.solver import Solver, Status
from ...machine.deadlines import Deadline
from ...routing.base.routing import Routing
from ...routing.tables.trees import TreeRouting
from .problem import Problem, trees
from .rounding import NAME
from .search import FlowGeneration

_ROUNDS = 30  # of multiplicative weights
_KEPT = 3  # of those, the last so many give trees
_STEEP = 4.0
_NEAR = 0.9  # of the largest load: such a channel has a row from the beginning
_ROWS_AT_ONCE = 60
_INWARD = (0.5, 0.0)
_CLOSE = 1e-7
_FINE = 1 << 30
_LEAST = 0.05  # seconds


class TreeGeneration(FlowGeneration):
    """Trees of all sources, for one matrix; ``share``: of the last solution, by column."""

    shares = _INWARD

    def __init__(self, problem: Problem, deadline: Deadline, accuracy: float) -> None:
        super().__init__(problem, deadline, accuracy)
        network = problem.network
        self.width = problem.bandwidth
        self.source = np.flatnonzero(network.supply > 0).astype(np.int64)
        place = np.full(network.num_nodes, -1, dtype=np.int64)
        place[self.source] = np.arange(len(self.source))
        self.rate = np.zeros((len(self.source), network.num_nodes))
        self.rate[place[problem.pair[0]], problem.pair[1]] = problem.largest
        self._ends = np.array([network.tail, network.head], dtype=np.int64)
        self.via = np.empty((len(self.source), network.num_nodes), dtype=np.int64)
        self.carried = np.empty((len(self.source), network.num_channels))
        self.pays = np.empty((len(self.source), 2))
        self.of: list[Int64] = []
        self.trees: list[Int32] = []
        self.loads: list[Any] = []
        self.share = np.zeros(0)
        self.row = np.full(network.num_channels, -1, dtype=np.int64)
        self.look(1 / self.width)
        self.size = float((self.carried.sum(axis=0) / self.width).max())
        self._solver = Solver()
        one = np.ones(len(self.source))
        self._solver.add_column(1.0)
        self._solver.add_rows(one, one)
        self._add(np.arange(len(self.source)))

    def look(self, length: Float64, own: Float64 | None = None) -> None:
        """Trees of all sources; their lengths become the best where they prove most."""
        network = self.problem.network
        offset, order = network.out_channels
        run = trees.for_steps(20 * len(self.source) * network.num_channels)
        other = length if own is None else own
        i, j = run(
            offset, order, self._ends, self.source, self.rate, length, other, self.via, self.carried, self.pays
        )  # fmt: skip
        if i >= 0:
            name = network.label
            raise InputError(f"no path leads from {name(i)} to {name(j)}, between which the matrix asks for a rate")
        self.prove(float(self.pays[:, 0].sum()), length)

    def warm_up(self) -> None:
        """Lengths that grow with the load so far; trees of the last rounds."""
        total = np.zeros(len(self.width))
        steep, length = _STEEP * np.log(max(2, len(self.width))), 1 / self.width
        about = total
        for n in range(_ROUNDS):
            self.look(length)
            total += self.carried.sum(axis=0)
            about = total / (n + 1) / self.width
            if n >= _ROUNDS - _KEPT:
                self._add(np.arange(len(self.source)))
            length = np.exp(min(1.0, (n + 2) / 8) * (1 + n / 10) * steep * (about / about.max() - 1)) / self.width
            if self.deadline.over:
                break
        self._watch(np.flatnonzero(about > _NEAR * about.max()))

    def solve(self) -> bool:
        if self.deadline.over:
            return False
        while True:
            if self._solver.run(self.deadline.left(_LEAST)) is not Status.OPTIMAL:
                return False
            x, dual = self._solver.solution()
            x = np.maximum(x, 0.0)
            load = sum(part.T @ x[at] for part, at in self._parts()) / self.width
            self.load, self.share = float(load.max()), x[1:]
            over = np.flatnonzero((load > x[0] * self.size * (1 + _CLOSE)) & (self.row < 0))
            if not len(over):
                self.own = np.where(self.row >= 0, np.maximum(dual[self.row], 0.0), 0.0) / self.width
                self.worth = dual[: len(self.source)] * self.size
                return True
            self._watch(over[np.argsort(-load[over], kind="stable")[:_ROWS_AT_ONCE]])

    def separate(self, share: float) -> int:
        self.look(self.between(share), self.own)
        gain = self.worth - self.pays[:, 1]
        return self._add(np.flatnonzero(gain > self.accuracy / 10 * self.load / len(self.source)))

    def answer(self) -> tuple[Routing, list[Any]]:
        network = self.problem.network
        return TreeRouting(network, NAME, *self._weighted(), _FINE), list(rounded_down(self.best[None, :])[0])

    def _weighted(self) -> tuple[Int32, Int64, Int32]:
        """(source, weight, via) of the trees of the last solution, or of the first ones, with whole weights."""
        of = np.concatenate(self.of)
        count = len(self.source)
        share = np.concatenate([self.share, np.zeros(len(of) - len(self.share))])
        if not self.share.any():
            share[:count] = 1.0
        whole = np.floor(np.minimum(share, 1.0) * _FINE).astype(np.int64)
        most = np.lexsort((share, of))  # the last of every source is its heaviest
        last = most[np.append(np.flatnonzero(np.diff(of[most])), len(most) - 1)]
        whole[last] += _FINE - np.bincount(of, whole, minlength=count).astype(np.int64)[of[last]]
        every = np.concatenate(self.trees)
        used = np.flatnonzero(whole > 0)
        return self.source[of[used]].astype(np.int32), whole[used], every[used]

    def _parts(self) -> list[tuple[Any, slice]]:
        """Loads of the trees that came in together, and their columns."""
        end = 1 + offsets_of([part.shape[0] for part in self.loads])
        return [(part, slice(int(a), int(b))) for part, a, b in zip(self.loads, end[:-1], end[1:], strict=True)]

    def _watch(self, channel: Int64) -> None:
        """Rows for these channels: theta, less what the trees carry per bandwidth, is at least 0."""
        from scipy.sparse import csr_array, hstack

        count, first = len(channel), self._solver.num_rows
        self.row[channel] = first + np.arange(count)
        parts = [part.tocsc()[:, channel].T * -1.0 for part in self.loads]
        scale = 1 / (self.width[channel] * self.size)
        rows = hstack([csr_array(np.ones((count, 1))), *(csr_array(x.multiply(scale[:, None])) for x in parts)])
        entries = rows.tocoo()
        self._solver.add_rows(np.zeros(count), np.full(count, np.inf), (entries.row, entries.col, entries.data))

    def _add(self, which: Int64) -> int:
        """The trees of these sources that were looked at last, as columns; how many they are."""
        from scipy.sparse import csr_array

        if not len(which):
            return 0
        loads = csr_array(self.carried[which])
        self.of.append(which)
        self.trees.append(self.via[which].astype(np.int32))
        self.loads.append(loads)
        member, channel = loads.nonzero()
        keep = self.row[channel] >= 0
        value = -loads.data[keep] / self.width[channel[keep]] / self.size
        row = np.concatenate([self.row[channel[keep]], which])
        column = np.concatenate([member[keep], np.arange(len(which))])
        values = np.concatenate([value, np.ones(len(which))])
        self._solver.add_columns(np.zeros(len(which)), (column, row, values))
        return len(which)
