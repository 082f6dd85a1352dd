"""The most that routable demand makes of given weights: paths packed into channels, found path by path.

    maximise  sum over paths P of w(pair of P) x(P),   for every channel e: sum over paths through e of x(P) <= b(e)

Its dual has a length l(e) >= 0 for every channel: minimise sum b(e) l(e), where no pair's distance is below its weight.
A program has as many rows as channels; paths come in where distances are too short.  They are looked for under lengths
between the solver's and the best that are known to be long enough: under the solver's alone, most paths that come in
are of no use (100 times as many on a 16-ary 2-cube).  Programs of several weights share their paths and start from one
another's solution.  Floating point throughout: ``rounding`` judges what comes out.

Source: column generation for path flows, Ford & Fulkerson 1958; separation between two points, Ben-Ameur & Neto 2007
(Networks 49).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Float64
from ...core.errors import InputError
from ...core.network import Network
from ...graphs.shortest import Joined, Searched
from ...lp.solver import PRIMAL, Solver
from .loads import PairLoads

_CLOSE = 1e-9
_AT_ONCE = 500  # paths that come in between two runs of the solver
_MOST_PATHS = 20_000  # then those of earlier programs are forgotten
_INWARD = (0.8, 0.3, 0.0)  # the share of the lengths that are long enough
_SPREAD = 32  # paths of a pair that is tight
_TIE = 1e-5  # of the longest channel: it decides between paths that are equally long


@dataclass(frozen=True, eq=False)
class Packed:
    """``value``: what ``flow`` makes, (node, node, path, amount) where positive; ``bound``: what no demand passes.

    ``lengths``: (C,) each, what proves the bound first, then the solver's own, a vertex of the dual.
    """

    value: float
    bound: float
    lengths: Sequence[Float64]
    flow: Sequence[tuple[int, int, tuple[int, ...], float]]


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
        for x in self.bandwidth.tolist():
            self._solver.add_row(-np.inf, x)
        self._solver.maximise()

    def most(
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
        search = _Search(self.joined, self.bandwidth, loads)
        for length in (np.ones(self.network.num_channels), 1 / self.bandwidth, *start):
            search.look(length)
        while True:
            self._solver.run()
            amounts, dual = self._solver.solution()
            own, value = np.zeros(self.network.num_channels), 0.0
            if self._path:
                own = np.maximum(dual, 0.0)
                value = self._solver.objective
            near = search.bound <= max(enough, value * (1 + max(accuracy, _CLOSE)))
            if near and not (vertex and search.bound > enough):
                return Packed(value, search.bound, (search.best, own), self._flow(amounts))
            for share in (0.0,) if near else _INWARD:
                tree, distance = search.look(share * search.best + (1 - share) * own)
                if self._take(tree, search, loads, distance):
                    break
            else:
                return Packed(value, search.bound, (search.best, own), self._flow(amounts))

    def spread(self, loads: PairLoads, length: Float64) -> None:
        """Take many paths of every pair that are shortest under ``length``: one after another, each where the fewest
        run so far."""
        sources, row = np.unique(loads.source, return_inverse=True)
        used = np.zeros(self.network.num_channels)
        for _ in range(_SPREAD):
            tree = self.joined.searched(length + used * (_TIE * length.max()), sources)
            for k in range(len(loads)):
                path = self._add(tree, loads, k, int(row[k]))
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

    def _take(self, tree: Searched, search: _Search, loads: PairLoads, distance: Float64) -> bool:
        """Take shortest paths of the pairs that are too near; False where all of them are known."""
        gap = loads.about - distance
        short = np.flatnonzero(gap > _CLOSE * search.top)
        taken = 0
        for k in short[np.argsort(-gap[short], kind="stable")].tolist():
            before = len(self._path)
            self._add(tree, loads, k, int(search.row[k]))
            taken += len(self._path) - before
            if taken == _AT_ONCE:
                break
        return taken > 0

    def _add(self, tree: Searched, loads: PairLoads, k: int, row: int) -> tuple[int, ...]:
        """Take the shortest path of the k-th pair, if it is not known."""
        path = tuple(self.joined.path(tree, row, int(loads.source[k]), int(loads.destination[k])))
        if path not in self._known:
            self._known.add(path)
            self._path.append(path)
            self._pair.append((int(loads.source[k]), int(loads.destination[k])))
            self._solver.add_column(float(loads.about[k]), path, np.ones(len(path)))
        return path

    def _flow(self, amounts: Float64) -> list[tuple[int, int, tuple[int, ...], float]]:
        return [(*self._pair[k], self._path[k], float(amounts[k])) for k in np.flatnonzero(amounts > 0).tolist()]


class _Search:
    """The best lengths so far that are long enough, and the ``bound`` that they prove."""

    def __init__(self, joined: Joined, bandwidth: Float64, loads: PairLoads) -> None:
        self.joined, self.bandwidth, self.loads = joined, bandwidth, loads
        self.sources, self.row = np.unique(loads.source, return_inverse=True)
        self.top = float(loads.about.max())
        self.best, self.bound = np.zeros(len(bandwidth)), float("inf")

    def look(self, length: Float64) -> tuple[Searched, Float64]:
        """Shortest paths, and the distance of every pair."""
        tree = self.joined.searched(length, self.sources)
        distance = tree.far[self.row, self.loads.destination]
        if not np.isfinite(distance).all():
            k = int(np.argmax(~np.isfinite(distance)))
            ends = f"node {self.loads.source[k]} to node {self.loads.destination[k]}"
            raise InputError(f"no path leads from {ends}, though its packets load a channel")
        if (distance > 0).all():
            stretch = float((self.loads.about / distance).max())
            bound = stretch * float(self.bandwidth @ length)
            if bound < self.bound:
                self.best, self.bound = stretch * length, bound
        return tree, distance
