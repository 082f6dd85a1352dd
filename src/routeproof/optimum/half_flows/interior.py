"""Half flows by a primal-dual interior point (Mehrotra 1992).

Terminals of a node share their flow.  Potentials are eliminated node by node by the inverse of a weighted Laplacian;
one dense system is left in links and nodes.
"""

from __future__ import annotations

import itertools
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import lapack, lu_solve

from ...core.arrays import Float64
from ...core.network import Network
from .elimination_kernels import mirrored, take_from_links
from .program import HalfFlows, spread

_STEP = 0.995
_PARTS = 16  # of the work between links, for threads
_REFINED = 2  # how often the solution of a Newton system is refined


@dataclass(frozen=True)
class _Newton:
    """A direction: of flows there and back, slacks, reduced costs of the three, potentials, lengths, q, and x."""

    there: Float64
    back: Float64
    slack: Float64
    cost_there: Float64
    cost_back: Float64
    cost_slack: Float64
    potential: Float64
    length: Float64
    ends: Float64
    load: float


class InteriorHalfFlows(HalfFlows):
    """``there``, ``back``: (K, E), what each node's flow puts on a link, in the direction of its channel and back;
    ``potential``: (K, N)."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        size, count, links = network.num_nodes, len(self.nodes), len(self.links)
        self.there = np.full((count, links), 1.0 / size)
        self.back = self.there.copy()
        used = self.weight @ (self.there + self.back)
        self.ends = np.full(size, 1.0 / size)
        self.load = 2.0 * float((used / self.wide).max())
        self.slack = self.load * self.wide - used
        self.potential = np.zeros((count, size))
        self.length = np.full(links, 1.0 / float(self.wide.sum()))
        self.cost_there = self.weight[:, None] * self.length
        self.cost_back, self.cost_slack = self.cost_there.copy(), self.length.copy()

    def judge(self) -> None:
        self._keep_potential(-self.potential / self.weight[:, None])
        self._keep_flow(self.there - self.back)

    def step(self, pool: Executor) -> bool:
        try:
            system = _System(self, pool)
            flat = _Targets(-self.there * self.cost_there, -self.back * self.cost_back, -self.slack * self.cost_slack)
            first = system.direction(flat)
            mean = self._mean(None, 0.0, 0.0)
            far = self._mean(first, *self._room(first))
            centre = mean * (far / mean) ** 3
            second = system.direction(
                _Targets(
                    flat.there + centre - first.there * first.cost_there,
                    flat.back + centre - first.back * first.cost_back,
                    flat.slack + centre - first.slack * first.cost_slack,
                )
            )
        except np.linalg.LinAlgError:
            return False
        primal, dual = (min(1.0, _STEP * x) for x in self._room(second))
        if not (np.isfinite(primal) and np.isfinite(dual)) or max(primal, dual) < 1e-10:
            return False
        self.there = self.there + primal * second.there
        self.back = self.back + primal * second.back
        self.slack = self.slack + primal * second.slack
        self.ends = self.ends + primal * second.ends
        self.load += primal * second.load
        self.cost_there = self.cost_there + dual * second.cost_there
        self.cost_back = self.cost_back + dual * second.cost_back
        self.cost_slack = self.cost_slack + dual * second.cost_slack
        self.potential = self.potential + dual * second.potential
        self.length = self.length + dual * second.length
        self.rounds += 1
        self.judge()
        return True

    def _room(self, move: _Newton) -> tuple[float, float]:
        """How far flows and costs may go before one of them is 0."""
        primal = ((self.there, move.there), (self.back, move.back), (self.slack, move.slack))
        dual = (
            (self.cost_there, move.cost_there), (self.cost_back, move.cost_back), (self.cost_slack, move.cost_slack),
        )  # fmt: skip
        return tuple(min(_most(x, dx) for x, dx in side) for side in (primal, dual))  # type: ignore[return-value]

    def _mean(self, move: _Newton | None, primal: float, dual: float) -> float:
        """The mean product of a flow and its cost, after a move."""
        total, count = 0.0, 0
        primal, dual = min(primal, 1.0), min(dual, 1.0)
        for name in ("there", "back", "slack"):
            x, z = getattr(self, name), getattr(self, f"cost_{name}")
            if move is not None:
                x, z = x + primal * getattr(move, name), z + dual * getattr(move, f"cost_{name}")
            total, count = total + float((x * z).sum()), count + x.size
        return total / count


@dataclass(frozen=True)
class _Targets:
    """What the products of flows and costs are to change by."""

    there: Float64
    back: Float64
    slack: Float64


class _System:
    """The Newton system at an iterate, factored."""

    def __init__(self, at: InteriorHalfFlows, pool: Executor) -> None:
        self.at, self.pool = at, pool
        size, links = at.network.num_nodes, len(at.links)
        self.ratio_there, self.ratio_back = at.there / at.cost_there, at.back / at.cost_back
        self.ratio_slack = at.slack / at.cost_slack
        self.sums, self.skew = self.ratio_there + self.ratio_back, self.ratio_there - self.ratio_back
        dense = np.zeros((links + size + 1, links + size + 1))
        self.inverse = np.empty((len(at.nodes), size, size))
        for _ in pool.map(self._invert, range(len(at.nodes))):
            pass
        share = at.weight[:, None] * self.skew
        take = take_from_links.for_steps(len(at.nodes) * links * (links + 2 * size))
        ends = [int(x) for x in links * np.sqrt(np.arange(_PARTS + 1) / _PARTS)]  # of triangles of one area
        for _ in pool.map(
            lambda some: take(dense, self.inverse, at.tail, at.head, share, *some), itertools.pairwise(ends)
        ):
            pass
        below = np.tril_indices(links, -1)
        dense[:links, :links].T[below] = dense[:links, :links][below]
        dense[links:-1, :links] = dense[:links, links:-1].T
        dense[links:-1, links:-1] -= self.inverse.sum(axis=0)
        every = np.arange(links)
        dense[every, every] += (at.weight[:, None] ** 2 * self.sums).sum(axis=0) + self.ratio_slack
        dense[:links, -1] = dense[-1, :links] = at.wide
        dense[links:-1, links:-1] -= np.abs(np.diag(dense)[links:-1]).max()
        if not np.isfinite(dense).all():
            raise np.linalg.LinAlgError
        *self.factors, singular = lapack.dgetrf(dense, overwrite_a=True)
        if singular:
            raise np.linalg.LinAlgError
        costs = at.potential[:, at.tail] - at.potential[:, at.head]
        priced = at.weight[:, None] * at.length
        left = at.left(at.there - at.back)
        left[np.arange(len(at.nodes)), at.nodes] -= 1.0
        self.miss = -(left + at.ends)
        self.miss_links = at.load * at.wide - at.weight @ (at.there + at.back) - at.slack
        self.miss_there, self.miss_back = priced - costs - at.cost_there, priced + costs - at.cost_back
        self.miss_slack = at.length - at.cost_slack
        self.miss_ends, self.miss_load = -at.potential.sum(axis=0), 1.0 - float(at.wide @ at.length)

    def _invert(self, k: int) -> None:
        """The inverse of node k's Laplacian, on what sums to 0."""
        at = self.at
        size, tail, head = at.network.num_nodes, at.tail, at.head
        flat = np.bincount(np.concatenate([tail * size + head, head * size + tail]), minlength=size * size,
                           weights=np.concatenate([self.sums[k], self.sums[k]])).reshape(size, size)  # fmt: skip
        degree = flat.sum(axis=1)
        level = float(np.median(degree)) / size
        laplace = level - flat
        every = np.arange(size)
        laplace[every, every] += degree
        factor, info = lapack.dpotrf(laplace.T, lower=1, clean=0, overwrite_a=1)
        if info == 0:
            factor, info = lapack.dpotri(factor, lower=1, overwrite_c=1)
        if info != 0:
            raise np.linalg.LinAlgError
        mirrored.for_steps(size * size)(factor, 1.0 / (level * size * size), self.inverse[k])

    def direction(self, wanted: _Targets) -> _Newton:
        at = self.at
        there = wanted.there / at.cost_there - self.ratio_there * self.miss_there
        back = wanted.back / at.cost_back - self.ratio_back * self.miss_back
        slack = wanted.slack / at.cost_slack - self.ratio_slack * self.miss_slack
        at_nodes = self.miss - at.left(there - back)
        on_links = self.miss_links - at.weight @ (there + back) - slack
        found = self._solved(at_nodes, on_links, self.miss_ends, self.miss_load)
        for refined in range(_REFINED + 1):
            potential, length, ends, load = found
            costs = potential[:, at.tail] - potential[:, at.head]
            priced = at.weight[:, None] * length
            cost_there, cost_back = self.miss_there + priced - costs, self.miss_back + priced + costs
            cost_slack = self.miss_slack + length
            there = (wanted.there - at.there * cost_there) / at.cost_there
            back = (wanted.back - at.back * cost_back) / at.cost_back
            slack = (wanted.slack - at.slack * cost_slack) / at.cost_slack
            if refined == _REFINED:
                break
            more = self._solved(
                self.miss - at.left(there - back) - ends,
                self.miss_links - at.weight @ (there + back) - slack + load * at.wide,
                self.miss_ends - potential.sum(axis=0),
                self.miss_load - float(at.wide @ length),
            )
            found = (potential + more[0], length + more[1], ends + more[2], load + more[3])
        return _Newton(there, back, slack, cost_there, cost_back, cost_slack, potential, length, ends, load)

    def _solved(
        self, at_nodes: Float64, on_links: Float64, of_ends: Float64, of_load: float
    ) -> tuple[Float64, Float64, Float64, float]:
        """(potentials, lengths, q, x) that make up for what is missing at nodes, on links, in sums of potentials, and
        of the lengths."""
        at = self.at
        tail, head, weight, links = at.tail, at.head, at.weight, len(at.links)
        start = at_nodes - at_nodes.mean(axis=1)[:, None]
        base = np.matmul(self.inverse, start[:, :, None])[:, :, 0]
        rest = on_links - weight @ (self.skew * (base[:, tail] - base[:, head]))
        on_nodes = of_ends - of_ends.mean() - base.sum(axis=0)
        found = lu_solve(self.factors, np.concatenate([-rest, on_nodes, [of_load]]), check_finite=False)
        length, ends, load = found[:links], found[links:-1], float(found[-1])
        moved = spread(weight[:, None] * self.skew * length, tail, head, at.network.num_nodes) - ends
        potential = base + np.matmul(self.inverse, moved[:, :, None])[:, :, 0]
        return potential, length, ends, load


def _most(x: npt.NDArray[Any], move: npt.NDArray[Any]) -> float:
    down = move < 0
    return float((-x[down] / move[down]).min()) if down.any() else 1.0 / _STEP
