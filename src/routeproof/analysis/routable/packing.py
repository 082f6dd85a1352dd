"""The most that routable demand makes of given weights: paths packed into channels, found path by path.

    maximise sum over paths P of w(pair of P) x(P),  for every channel e: sum over paths through e of x(P) <= b(e)

Its dual has a length l(e) >= 0 for every channel: minimise sum b(e) l(e), where no pair's distance is below its weight.
A program has as many rows as channels; paths come in where distances are too short.  Programs of several weights share
their paths and start from one another's solution.  Floating point throughout: ``ratio`` judges what comes out.

Source: column generation for path flows, Ford & Fulkerson 1958.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.errors import InputError
from ...core.network import Network

_CLOSE = 1e-9
_AT_ONCE = 200  # paths that come in between two runs of the solver


@dataclass(frozen=True, eq=False)
class Weights:
    """``weight[k] > 0`` for demand from node ``source[k]`` to node ``destination[k]``; no pair twice."""

    source: Int64
    destination: Int64
    weight: Float64


@dataclass(frozen=True, eq=False)
class Packed:
    """``value``: what was reached; ``length``: (C,), the dual; ``flow``: (node, node, path, amount) where positive.

    ``settled``: paths were added until none was missing.  Else what is reached may be too little, while ``length``,
    times ``stretch``, still proves that no demand makes more than ``bound``.
    """

    value: float
    length: Float64
    flow: Sequence[tuple[int, int, tuple[int, ...], float]]
    settled: bool
    bound: float


class Packing:
    """The programs of one network.  Raises InputError where the solver is not installed."""

    def __init__(self, network: Network) -> None:
        try:
            import highspy
            import scipy  # noqa: F401
        except ImportError:
            raise InputError("demand sets of this kind need a solver: pip install 'routeproof[design]'") from None
        self.network = network
        self.bandwidth = np.array([float(x) for x in network.bandwidth])
        self._pair: list[tuple[int, int]] = []
        self._path: list[tuple[int, ...]] = []
        self._known: set[tuple[int, ...]] = set()
        self._highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("threads", 1)
        for x in self.bandwidth.tolist():
            self._highs.addRow(-highspy.kHighsInf, x, 0, np.zeros(0, dtype=np.int32), np.zeros(0))
        self._highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
        self._infinity = highspy.kHighsInf

    def most(self, weights: Weights, *, enough: float) -> Packed:
        """Stops early as soon as the bound is at most ``enough``."""
        self._price(weights)
        sources, row = np.unique(weights.source, return_inverse=True)
        while True:
            self._highs.run()
            solution = self._highs.getSolution()
            length = np.maximum(np.array(solution.row_dual, dtype=np.float64), 0.0)
            if len(length) != self.network.num_channels or not self._path:
                length = np.zeros(self.network.num_channels)
            tree = ShortestPaths(self.network, length, sources)
            distance = tree.distance[row, weights.destination]
            if not np.isfinite(distance).all():
                k = int(np.argmax(~np.isfinite(distance)))
                raise InputError(f"no path leads from node {weights.source[k]} to node {weights.destination[k]}")
            value = float(self._highs.getInfo().objective_function_value) if self._path else 0.0
            bound = _stretch(weights.weight, distance) * float(self.bandwidth @ length)
            short = np.flatnonzero(weights.weight - distance > _CLOSE * max(1.0, float(weights.weight.max())))
            settled = not self._take(tree, weights, short, row)
            if settled or bound <= enough:
                return Packed(value, length, self._flow(solution), settled, bound)

    def _price(self, weights: Weights) -> None:
        """Every known path is worth the weight of its pair, or nothing."""
        if not self._pair:
            return
        nodes = self.network.num_nodes
        order = np.argsort(weights.source * nodes + weights.destination)
        key = (weights.source * nodes + weights.destination)[order]
        pair = np.array(self._pair, dtype=np.int64) @ np.array([nodes, 1])
        at = np.minimum(np.searchsorted(key, pair), max(0, len(key) - 1))
        cost = np.where(key[at] == pair, weights.weight[order][at], 0.0)
        self._highs.changeColsCost(len(cost), np.arange(len(cost), dtype=np.int32), cost)

    def _take(self, tree: ShortestPaths, weights: Weights, short: Int64, row: Int64) -> bool:
        """Take the shortest paths of some of these pairs; False where all of them are known."""
        gap = weights.weight[short] - tree.distance[row[short], weights.destination[short]]
        found = False
        for k in short[np.argsort(-gap, kind="stable")[:_AT_ONCE]].tolist():
            path = tree.path(int(row[k]), int(weights.destination[k]))
            if path in self._known:
                continue
            self._known.add(path)
            self._path.append(path)
            self._pair.append((int(weights.source[k]), int(weights.destination[k])))
            places = np.array(path, dtype=np.int32)
            self._highs.addCol(float(weights.weight[k]), 0.0, self._infinity, len(path), places, np.ones(len(path)))
            found = True
        return found

    def _flow(self, solution: Any) -> list[tuple[int, int, tuple[int, ...], float]]:
        amounts = np.array(solution.col_value, dtype=np.float64)
        return [(*self._pair[k], self._path[k], float(amounts[k])) for k in np.flatnonzero(amounts > 0).tolist()]


class ShortestPaths:
    """Distances from some nodes to all under ``length`` (C,), >= 0: float64 (len(sources), N).  Of whole lengths that
    sum to less than 2^53 they are exact."""

    def __init__(self, network: Network, length: Float64, sources: Int64) -> None:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        nodes = network.num_nodes
        key = network.tail.astype(np.int64) * nodes + network.head
        order = np.lexsort((length, key))  # of parallel channels the shortest
        first = order[np.concatenate([[True], key[order][1:] != key[order][:-1]])]
        self._channel = dict(zip(key[first].tolist(), first.tolist(), strict=True))
        graph = csr_array((length[first], (network.tail[first], network.head[first])), shape=(nodes, nodes))
        self.sources, self._nodes = sources, nodes
        self.distance, self._before = dijkstra(graph, indices=sources, return_predecessors=True)

    def path(self, row: int, end: int) -> tuple[int, ...]:
        """The channels from ``sources[row]`` to ``end``."""
        start, found = int(self.sources[row]), []
        while end != start:
            before = int(self._before[row, end])
            found.append(self._channel[before * self._nodes + end])
            end = before
        return tuple(reversed(found))


def _stretch(weight: Float64, distance: Float64) -> float:
    """By how much lengths must grow so that no pair's distance is below its weight."""
    return float("inf") if (distance <= 0).any() else float((weight / distance).max())
