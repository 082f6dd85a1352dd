"""The most that routable demand makes of given weights: paths packed into channels, found path by path.

    maximise  sum over paths P of w(pair of P) x(P),   for every channel e: sum over paths through e of x(P) <= b(e)

Its dual has a length l(e) >= 0 for every channel: minimise sum b(e) l(e), where no pair's distance is below its weight.
A program has as many rows as channels; paths come in where distances are too short (``lp.solver``: with the
solver's lengths alone, 100 times as many on a 16-ary 2-cube).  Programs of several weights share their paths and start
from one another's solution.  What comes out in floating point is judged by ``best_lengths`` and ``certified_flow``;
the vertex that it stands for is there in fractions, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import as_int_array
from ...graphs.shortest import Joined, Searched
from ...lp.exact import (
    DENOMINATORS,
    Program,
    Triplets,
    basic_multipliers,
    basic_solution,
    fraction_near,
    whole_near,
    without_common_factor,
)
from ...lp.solver import PRIMAL, Generation, Solver
from .loads import PairLoads

_CLOSE = 1e-9
_AT_ONCE = 500  # paths that come in between two runs of the solver
_MOST_PATHS = 20_000  # then those of earlier programs are forgotten
_INWARD = (0.8, 0.3, 0.0)  # the share of the lengths that are long enough
_SPREAD = 32  # paths of a pair that is tight
_TIE = 1e-5  # of the longest channel: it decides between paths that are equally long
_TINY = 1e-12
_LONGEST = 1 << 53

Proposed = Sequence[tuple[int, int, tuple[int, ...], float | Fraction]]
"""(node, node, path, amount)."""


@dataclass(frozen=True, eq=False)
class Packed:
    """``value``: what ``flow`` makes, where positive; ``bound``: what no demand passes.

    ``lengths``: (C,) each, what proves the bound first, then the solver's own, a vertex of the dual.
    """

    value: float
    bound: float
    lengths: Sequence[Float64]
    flow: Proposed


class Packing:
    """The programs of one network."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.bandwidth = np.array([float(x) for x in network.bandwidth])
        self.joined = Joined(network)
        self._begin()

    def _begin(self) -> None:
        self._pair: list[tuple[int, int]] = []
        self._path: list[tuple[int, ...]] = []
        self._known: set[tuple[int, ...]] = set()
        self._solver = Solver(simplex_strategy=PRIMAL)
        self._solver.add_rows(np.full(len(self.bandwidth), -np.inf), self.bandwidth)
        self._solver.maximise()

    def maximise(
        self,
        loads: PairLoads,
        *,
        enough: float,
        accuracy: float = _CLOSE,
        start: Sequence[Float64] = (),
        vertex: bool = False,
    ) -> Packed:
        """Until no demand makes more than ``enough``, or than 1 + ``accuracy`` times what is reached.

        ``start``: lengths to begin with; ``vertex``: go on until the solver's own lengths are long enough.  Raises
        InputError where some pair has no path.
        """
        if len(self._path) > _MOST_PATHS:
            self._begin()
        self._price(loads)
        search = _LengthSearch(self, loads, enough, accuracy, vertex=vertex)
        for length in (np.ones(self.network.num_channels), 1 / self.bandwidth, *start):
            search.look(length)
        search.generate()
        return Packed(search.value, search.bound, (search.best, search.own), self._flow(search.amounts.tolist()))

    def vertex(self, loads: PairLoads) -> tuple[Int64 | None, Proposed]:
        """Of the last program, which was for these loads: whole lengths, None where they are too long to be judged,
        and amounts in fractions.  Raises NotExactError where its basis stands for none."""
        load = dict(zip(loads.ends(), loads.load.fractions(), strict=True))
        weight = [load.get(pair, Fraction(0)) for pair in self._pair]
        unit, common = (lcm(*(x.denominator for x in some)) for some in (self.network.bandwidth, weight))
        entries = Triplets()
        for k, path in enumerate(self._path):
            entries.add(list(path), k, -1)
        rows = entries.summed(len(self.bandwidth), len(self._path))
        bound = as_int_array([-int(x * unit) for x in self.network.bandwidth])
        cost = as_int_array([-int(x * common) for x in weight])
        program, proposal = Program(len(self._path), 0, *rows, bound, cost, {}), self._solver.proposal()
        amount, price = basic_solution(program, proposal), basic_multipliers(program, proposal)
        length = without_common_factor([max(0, int(x)) for x in price.num])
        exact = [Fraction(max(0, int(x)), amount.den * unit) for x in amount.num]
        return length.astype(np.int64) if sum(length) < _LONGEST else None, self._flow(exact)

    def spread(self, loads: PairLoads, length: Float64) -> None:
        """Take many paths of every pair that are shortest under ``length``: one after another, each where the fewest
        run so far."""
        sources, row = np.unique(loads.source, return_inverse=True)
        used = np.zeros(self.network.num_channels)
        for _ in range(_SPREAD):
            tree = self.joined.searched(length + used * (_TIE * length.max()), sources)
            for k in range(len(loads)):
                path = self.path(tree, int(row[k]), loads, k)
                self.add(loads, k, path)
                used[list(path)] += 1 / self.bandwidth[list(path)]

    def _price(self, loads: PairLoads) -> None:
        """Every known path is worth the weight of its pair, or nothing."""
        if not self._pair:
            return
        nodes = self.network.num_nodes
        key = loads.source * nodes + loads.destination
        pair = np.array(self._pair, dtype=np.int64) @ np.array([nodes, 1])
        at = np.minimum(np.searchsorted(key, pair), max(0, len(key) - 1))
        cost = np.where(key[at] == pair, loads.about[at], 0.0)
        self._solver.set_costs(cost)

    def path(self, tree: Searched, row: int, loads: PairLoads, k: int) -> tuple[int, ...]:
        """The shortest path of the k-th pair."""
        return tuple(self.joined.path(tree, row, int(loads.source[k]), int(loads.destination[k])))

    def add(self, loads: PairLoads, k: int, path: tuple[int, ...]) -> bool:
        """Take a path of the k-th pair; False where it is known."""
        if path in self._known:
            return False
        self._known.add(path)
        self._path.append(path)
        self._pair.append((int(loads.source[k]), int(loads.destination[k])))
        self._solver.add_column(float(loads.about[k]), path, np.ones(len(path)))
        return True

    def solve(self) -> tuple[float, Float64, Float64]:
        """(value, amounts, lengths) of the program over the known paths."""
        self._solver.run()
        amounts, dual = self._solver.solution()
        if not self._path:
            return 0.0, amounts, np.zeros(self.network.num_channels)
        return self._solver.objective, amounts, np.maximum(dual, 0.0)

    def _flow(self, amounts: Sequence[float | Fraction]) -> Proposed:
        every = zip(self._pair, self._path, amounts, strict=True)
        return [(*pair, path, x) for pair, path, x in every if x > 0]


class _LengthSearch(Generation):
    """``best``: the best lengths so far that are long enough, which prove ``bound``; ``value``: of the solver's."""

    shares = _INWARD

    def __init__(self, packing: Packing, loads: PairLoads, enough: float, accuracy: float, *, vertex: bool) -> None:
        self.packing, self.loads, self.enough, self.vertex = packing, loads, enough, vertex
        self.accuracy = max(accuracy, _CLOSE)
        self.sources, self.row = np.unique(loads.source, return_inverse=True)
        self.top = float(loads.about.max())
        self.best, self.bound = np.zeros(packing.network.num_channels), float("inf")

    def solve(self) -> bool:
        self.value, self.amounts, self.own = self.packing.solve()
        return True

    def separated(self, shares: Sequence[float] | None = None) -> bool:
        near = self.bound <= max(self.enough, self.value * (1 + self.accuracy))
        if near and not (self.vertex and self.bound > self.enough):
            return False
        return super().separated((0.0,) if near else shares)

    def separate(self, share: float) -> int:
        """Take shortest paths of the pairs that are too near."""
        tree, distance = self.look(self.between(share))
        gap = self.loads.about - distance
        short = np.flatnonzero(gap > _CLOSE * self.top)
        taken = 0
        for k in short[np.argsort(-gap[short], kind="stable")].tolist():
            path = self.packing.path(tree, int(self.row[k]), self.loads, k)
            taken += self.packing.add(self.loads, k, path)
            if taken == _AT_ONCE:
                break
        return taken

    def look(self, length: Float64) -> tuple[Searched, Float64]:
        """Shortest paths, and the distance of every pair."""
        tree = self.packing.joined.searched(length, self.sources)
        distance = tree.far[self.row, self.loads.destination]
        if not np.isfinite(distance).all():
            k = int(np.argmax(~np.isfinite(distance)))
            ends = f"node {self.loads.source[k]} to node {self.loads.destination[k]}"
            raise InputError(f"no path leads from {ends}, though its packets load a channel")
        if (distance > 0).all():
            stretch = float((self.loads.about / distance).max())
            bound = stretch * float(self.packing.bandwidth @ length)
            if bound < self.bound:
                self.best, self.bound = stretch * length, bound
        return tree, distance


@dataclass(frozen=True, eq=False)
class PathFlow:
    """``amount`` of demand from a routing's ``row`` to its ``column`` along ``path`` (channels)."""

    row: int
    column: int
    path: tuple[int, ...]
    amount: Fraction


def best_lengths(loads: PairLoads, proposed: Sequence[Float64], target: Fraction) -> tuple[Fraction, Int64] | None:
    """What whole lengths near the proposed ones prove, as soon as it is at most ``target``, else the best of it; None
    where they prove nothing."""
    best: tuple[Fraction, Int64] | None = None
    for length in proposed:
        for whole in whole_near(length):
            bound = loads.bound(whole)
            if bound is not None and (best is None or bound < best[0]):
                best = bound, whole
                if bound <= target:
                    return best
    return best


def certified_flow(network: Network, proposed: Proposed, loads: PairLoads) -> tuple[Fraction, list[PathFlow]]:
    """A flow near the proposed one that respects every bandwidth exactly, and the load that it makes."""
    place = {pair: k for k, pair in enumerate(loads.ends())}
    flow = [x for x in proposed if (x[0], x[1]) in place and x[3] > _TINY]
    best: tuple[Fraction, list[PathFlow]] = Fraction(0), []
    for most in (*DENOMINATORS, None):
        amounts = [fraction_near(x[3], most) for x in flow]
        used: dict[int, Fraction] = {}
        for (_, _, path, _), x in zip(flow, amounts, strict=True):
            for e in path:
                used[e] = used.get(e, Fraction(0)) + x
        share = min([Fraction(1), *(network.bandwidth[e] / x for e, x in used.items() if x)])
        found, made = [], Fraction(0)
        for (i, j, path, _), x in zip(flow, amounts, strict=True):
            if x:
                k = place[i, j]
                found.append(PathFlow(int(loads.row[k]), int(loads.column[k]), path, share * x))
                made += share * x * loads.load.fraction(k)
        if made > best[0]:
            best = made, found
    return best
