"""The program over the paths that are known: least theta with no channel loaded beyond theta times its bandwidth.

Every pair has a base path, which carries whatever its other paths do not.  So a program begins with no path at all, a
path that comes in changes the loads by its difference from the base path, and a pair has a row only if it has a choice:

    minimise theta,  theta - sum over paths q of (their loads on c, less those of the base path) z(q) / b(c) >= base(c),
                     sum over paths q of the pair of z(q) <= its largest rate.

Several matrices: a row for every channel and every matrix that may be the worst there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.arrays import Float64, Int64, members, offsets_of
from ...core.rational import IntArray
from ...lp.solver import PRECISE, PRIMAL, Proposal, Solver, Status
from ...machine.deadlines import Deadline
from .problem import Problem

_LEAST = 0.05  # seconds


class Master:
    """``base``: (offset, channel) of the base paths, pair after pair.

    After ``run`` (``solved``): ``theta``; ``amount`` by path; ``price`` (K, C) of a unit of load, >= 0; ``excess``
    (P,): what a pair's own row costs.  In the solver's program theta is in units of ``size``, and amounts in units of
    ``size`` times the widest bandwidth, so that no coefficient is too small for it.
    """

    def __init__(self, problem: Problem, base: tuple[Int64, Int64]) -> None:
        self.problem = problem
        self.offset, self.channel = base
        count = problem.network.num_channels
        matrices = len(problem.whole)
        self.base_load = self.loads_of(np.arange(problem.num_pairs), *base, problem.largest)
        self.size = float((self.base_load / problem.bandwidth).max())
        self.wide = float(problem.bandwidth.max())
        self.row = np.full((matrices, count), -1, dtype=np.int64)
        self.pair_row = np.full(problem.num_pairs, -1, dtype=np.int64)
        self.pair_of: list[Int64] = []
        self.paths: list[tuple[Int64, Int64]] = []
        self.known: set[tuple[int, bytes]] = set()
        self.theta, self.solved = self.size, False
        self.amount = np.zeros(0)
        self.price, self.excess = np.zeros((matrices, count)), np.zeros(problem.num_pairs)
        self._solver = Solver(**PRECISE, simplex_strategy=PRIMAL)
        self._solver.add_column(1.0)
        worst = (self.base_load / problem.bandwidth).argmax(axis=0)
        self.watch(worst, np.arange(count))

    def loads_of(self, pair: Int64, offset: Int64, channel: Int64, amount: Float64) -> Float64:
        """(K, C): what paths of the pairs load, each carrying ``amount`` times what its pair's matrices ask for."""
        each = np.repeat(amount, np.diff(offset))
        member = np.repeat(pair, np.diff(offset))
        count = self.problem.network.num_channels
        return np.array([np.bincount(channel, each * row[member], minlength=count) for row in self.problem.share])

    def watch(self, matrix: Int64, channel: Int64) -> int:
        """Rows for these channels under these matrices, where they have none; how many are new."""
        new = np.flatnonzero(self.row[matrix, channel] < 0)
        k, c = matrix[new], channel[new]
        first = self._solver.num_rows
        self.row[k, c] = first + np.arange(len(new))
        if not len(new):
            return 0
        width = self.problem.bandwidth[c]
        pair, offset, channel = self.pool()
        delta = self.difference(pair, offset, channel).tocsc()[:, c].tocoo()
        at, path = delta.col, delta.row.astype(np.int64)
        value = -delta.data * self.problem.share[k[at], pair[path]] * self.wide / width[at]
        row = np.concatenate([np.arange(len(new)), at])
        column = np.concatenate([np.zeros(len(new), dtype=np.int64), 1 + path])
        entries = row, column, np.concatenate([np.ones(len(new)), value])
        self._solver.add_rows(self.base_load[k, c] / width / self.size, np.full(len(new), np.inf), _nonzero(entries))
        return len(new)

    def add(self, pair: Int64, offset: Int64, channel: Int64) -> int:
        """Paths that are not known yet; how many there are."""
        new = []
        for n, p in enumerate(pair.tolist()):
            path = channel[offset[n] : offset[n + 1]]
            key = (p, path.tobytes())
            is_base = np.array_equal(path, self.channel[self.offset[p] : self.offset[p + 1]])
            if not is_base and key not in self.known:
                self.known.add(key)
                new.append(n)
        if not new:
            return 0
        which = np.array(new)
        length = np.diff(offset)[which]
        taken = np.concatenate([channel[offset[n] : offset[n + 1]] for n in new])
        pair, offset, channel = pair[which], offsets_of(length), taken
        fresh = np.unique(pair[self.pair_row[pair] < 0])
        if len(fresh):
            first = self._solver.num_rows
            self.pair_row[fresh] = first + np.arange(len(fresh))
            most = self.problem.largest[fresh] / (self.size * self.wide)
            self._solver.add_rows(np.full(len(fresh), -np.inf), most)
        self.pair_of.append(pair)
        self.paths.append((offset, channel))
        self.amount = np.concatenate([self.amount, np.zeros(len(pair))])
        delta = self.difference(pair, offset, channel).tocoo()
        member, c, sign = delta.row.astype(np.int64), delta.col.astype(np.int64), delta.data
        rows, columns, values = [self.pair_row[pair]], [np.arange(len(pair))], [np.ones(len(pair))]
        for k, share in enumerate(self.problem.share):
            known = self.row[k, c] >= 0
            rows.append(self.row[k, c[known]])
            columns.append(member[known])
            values.append((-sign * share[pair[member]] * self.wide / self.problem.bandwidth[c])[known])
        entries = np.concatenate(columns), np.concatenate(rows), np.concatenate(values)
        self._solver.add_columns(np.zeros(len(pair)), _nonzero(entries))
        return len(pair)

    def begin_with(self, amount: Float64, loose: Int64) -> None:
        """Begin with these amounts of the paths that came in, all of which are in the basis, and with the slack of the
        channels ``loose`` there."""
        self.amount = amount
        rows = np.zeros(self.num_rows, dtype=np.bool_)
        rows[self.row[:, loose]] = rows[self.pair_row[self.pair_row >= 0]] = True
        self._solver.begin_at(np.ones(1 + len(self.amount), dtype=np.bool_), rows)

    def run(self, deadline: Deadline) -> bool:
        """False where the time was over before the program was solved: nothing has changed then."""
        if self._solver.run(deadline.left(_LEAST)) is not Status.OPTIMAL:
            return False
        self.solved = True
        x, y = self._solver.solution()
        self.theta = float(x[0]) * self.size
        self.amount = np.maximum(x[1:], 0.0) * (self.size * self.wide)
        there = self.row >= 0
        self.price = np.zeros(self.row.shape)
        self.price[there] = np.maximum(y[self.row[there]], 0.0)
        self.price /= self.problem.bandwidth
        self.excess = np.where(self.pair_row >= 0, np.maximum(-y[self.pair_row], 0.0), 0.0) / self.wide
        return True

    @property
    def num_rows(self) -> int:
        return self._solver.num_rows

    def pool(self) -> tuple[Int64, Int64, Int64]:
        """(pair, offset, channel) of all paths that came in."""
        none = np.zeros(0, dtype=np.int64)
        length = np.concatenate([none, *(np.diff(offset) for offset, _ in self.paths)])
        channel = np.concatenate([none, *(x for _, x in self.paths)])
        return np.concatenate([none, *self.pair_of]), offsets_of(length), channel

    def loads(self) -> Float64:
        """(K, C): of the solution."""
        pair, offset, channel = self.pool()
        taken = np.bincount(pair, self.amount, minlength=self.problem.num_pairs)
        every = np.arange(self.problem.num_pairs)
        left = np.maximum(self.problem.largest - taken, 0.0)
        own = self.loads_of(every, self.offset, self.channel, left)
        return own + self.loads_of(pair, offset, channel, self.amount)

    def lengths_of_pairs(self) -> Float64:
        """(P,): what a unit of the largest rate pays now, which a path must cost less than to come in."""
        member = np.repeat(np.arange(self.problem.num_pairs), np.diff(self.offset))
        cost = np.zeros(self.problem.num_pairs)
        for share, price in zip(self.problem.share, self.price, strict=True):
            cost += share * np.bincount(member, price[self.channel], minlength=self.problem.num_pairs)
        return cost - self.excess

    def whole_base_loads(self) -> IntArray:
        """(K, C): what the base paths load, as whole numbers in units of 1 / ``problem.unit``."""
        rates = self.problem.rates
        found = np.zeros(self.row.shape, dtype=rates.dtype)
        for row, loads in zip(rates, found, strict=True):
            np.add.at(loads, self.channel, row[members(self.offset)])
        return found

    def proposal(self) -> Proposal:
        return self._solver.proposal()

    def difference(self, pair: Int64, offset: Int64, channel: Int64) -> Any:
        """Sparse (paths, C): 1 for channels that only the path crosses, -1 for those that only the base path does."""
        from scipy.sparse import csr_array

        count = self.problem.network.num_channels
        length = np.diff(self.offset)[pair]
        at = np.arange(int(length.sum())) + np.repeat(self.offset[pair] - offsets_of(length)[:-1], length)
        own = csr_array((np.ones(len(channel)), channel, offset), shape=(len(pair), count))
        base = csr_array((np.ones(len(at)), self.channel[at], offsets_of(length)), shape=(len(pair), count))
        delta = (own - base).tocsr()
        delta.eliminate_zeros()
        return delta


def _nonzero(entries: tuple[Int64, Int64, Float64]) -> tuple[Int64, Int64, Float64]:
    some = entries[2] != 0
    return entries[0][some], entries[1][some], entries[2][some]
