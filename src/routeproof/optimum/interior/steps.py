"""The steps of an interior-point method, and when they end, whatever the program and its equations are.

A step is the predictor, Mehrotra's corrector, then correctors of centrality, each weighted.  Every corrector is one
more solution with the same factors, which cost far more.

Source: Mehrotra 1992 (SIAM J. Optim. 2(4)); Gondzio 1996 (Comput. Optim. Appl. 6) and Colombo & Gondzio 2008 (Comput.
Optim. Appl. 41), the correctors and their weights; the weight is the one of a few that lets the step go farthest, for
the primal and the dual side apart.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import numpy as np

from ...core.arrays import Float64
from ...machine.deadlines import Deadline
from ...machine.one_thread import num_threads, one_blas_thread
from .kernels import reach

_STEP = 0.99
_LEAST_AIM = 1e-6
_WEIGHTS = 8
_FARTHER, _AT_LEAST = 1.5, 0.3  # a corrector aims at a step of 1.5 times the length, and 0.3
_NEAR = 0.1  # products from a tenth of the aim to ten times it are near enough
_WORTH = 1.02
_REFINED = 10
_LEFT = 1e-3  # of the gap: what errors in the equation may amount to
_EARLY = 0.1
_PATIENCE = 4  # rounds without a smaller gap
_TOLERANCE = 1e-6  # how far conservation may be off when the gap is believed

Progress = Callable[[int, float], None]


@dataclass(frozen=True, eq=False)
class Direction:
    """A way, or a point: ``primal``, and ``dual`` in the same order, all positive at points; ``node``: the multipliers
    of conservation."""

    primal: Float64
    dual: Float64
    node: Float64


@dataclass(frozen=True, eq=False)
class Step:
    """A ``way``, and how far to go: on the ``primal`` and on the ``dual`` side."""

    way: Direction
    primal: float
    dual: float


def best_step(
    primal: Float64,
    dual: Float64,
    newton: Callable[[Float64], Direction],
    correct: Callable[[Float64], Direction],
    *,
    correctors: int,
) -> Step:
    """The step from the point ``primal``, ``dual`` > 0, whose products are complementarity.

    ``newton(c)``: the direction that takes residuals away and changes the products by c, to first order;
    ``correct(c)``: the same without residuals.
    """
    count = len(primal)
    products = primal * dual
    mean = float(products.sum()) / count
    way = newton(-products)
    a, b = _far(primal, way.primal), _far(dual, way.dual)
    after = float((primal + min(1.0, a) * way.primal) @ (dual + min(1.0, b) * way.dual)) / count
    aim = max((after / mean) ** 3, _LEAST_AIM) * mean if after > 0 else _LEAST_AIM * mean
    change = aim - way.primal * way.dual
    for k in range(correctors + 1):
        more = correct(change)
        least = max(min(1.0, a) * min(1.0, b), 0.1)
        wa, far_a = _weighted(primal, way.primal, more.primal, least)
        wb, far_b = _weighted(dual, way.dual, more.dual, least)
        if k and min(1.0, far_a) + min(1.0, far_b) < _WORTH * (min(1.0, a) + min(1.0, b)):
            break
        a, b = far_a, far_b
        way = Direction(way.primal + wa * more.primal, way.dual + wb * more.dual, way.node + wb * more.node)
        if k == correctors or min(a, b) >= 1.0:
            break
        reach_a, reach_b = (min(1.0, _FARTHER * far + _AT_LEAST) for far in (a, b))
        there = (primal + reach_a * way.primal) * (dual + reach_b * way.dual)
        change = np.maximum(np.clip(there, _NEAR * aim, aim / _NEAR) - there, -aim / _NEAR)
    return Step(way, min(1.0, _STEP * a), min(1.0, _STEP * b))


def _far(x: Float64, way: Float64) -> float:
    return float(reach(x, way, way, np.zeros(1))[0])


def _weighted(x: Float64, way: Float64, more: Float64, least: float) -> tuple[float, float]:
    """(weight, how far ``x`` + a (``way`` + weight * ``more``) stays positive, at most 2)."""
    weights = np.linspace(least, 1.0, _WEIGHTS)
    far = reach(x, way, more, weights)
    best = len(far) - 1 - int(np.argmax(far[::-1]))
    return float(weights[best]), float(far[best])


def refined(
    solve: Callable[[Float64], Float64],
    spread: Callable[[Float64], Direction],
    left: Callable[[Direction], Float64],
    right: Float64,
    complementarity: float,
) -> Direction:
    """The direction ``spread`` of the equation's solution.  Large and small numbers stand side by side in its factors:
    it is solved again with what is ``left`` of it."""
    way = solve(right)
    found, enough, before = spread(way), _LEFT * complementarity, np.inf
    for _ in range(_REFINED):
        rest = left(found)
        size = float(np.abs(rest).sum())
        if size <= enough or size > 0.7 * before:
            break
        before = size
        way = way - solve(rest)
        found = spread(way)
    return found


@dataclass(frozen=True, eq=False)
class Reached:
    """``gap``: the complementarity left and what the multipliers are off, relative to the objective;
    ``primal_error``: what flows and potentials are off; ``rounds``: steps made; ``interrupted``: by the user, or by
    the time; ``early``: a point well inside, from which to start with another cost."""

    gap: float
    primal_error: float
    rounds: int
    interrupted: bool = field(default=False, kw_only=True)
    early: Direction | None = field(default=None, kw_only=True)


R = TypeVar("R", bound=Reached)


class InteriorMethod(ABC, Generic[R]):
    """``primal``, ``dual`` > 0 and ``node``: as in ``Direction``; ``correctors``: how many a step makes at most."""

    primal: Float64
    dual: Float64
    node: Float64
    correctors: int
    stalled = False

    @abstractmethod
    def place(self, primal: Float64, dual: Float64, node: Float64) -> None:
        """Go to this point."""

    @abstractmethod
    def residuals(self) -> None:
        """Note what equations are off at the point."""

    @abstractmethod
    def factor(self, pool: ThreadPoolExecutor) -> None:
        """Factor the equation of the point."""

    @abstractmethod
    def direction(self, change: Float64, *, correcting: bool = False) -> Direction:
        """The Newton step that changes the products of ``primal`` and ``dual`` by ``change`` and takes the residuals
        away; ``correcting``: as if there were none."""

    @abstractmethod
    def value(self) -> float:
        """The objective, above 0."""

    @abstractmethod
    def iterate(self, rounds: int) -> R:
        """The point as a result."""

    def complementarity(self) -> float:
        return float(self.primal @ self.dual)

    def step(self, pool: ThreadPoolExecutor) -> None:
        self.residuals()
        self.factor(pool)
        step = best_step(
            self.primal,
            self.dual,
            self.direction,
            lambda change: self.direction(change, correcting=True),
            correctors=self.correctors,
        )
        a, b, way = step.primal, step.dual, step.way
        self.place(self.primal + a * way.primal, self.dual + b * way.dual, self.node + b * way.node)
        self.stalled = max(a, b) < 1e-3

    def run(self, accuracy: float, most_rounds: int, deadline: Deadline, progress: Progress | None) -> R:
        """The best iterate within so many rounds; it need not be feasible.  It ends at the relative gap ``accuracy``,
        at the ``deadline``, when no more progress is made or somebody interrupts."""
        rounds, took = 0, 0.0
        best = last = self.iterate(0)
        early: Direction | None = None
        with one_blas_thread(), ThreadPoolExecutor(num_threads()) as pool:
            try:
                while rounds < most_rounds and not (best.gap <= accuracy and best.primal_error <= _TOLERANCE):
                    begun, left = time.monotonic(), deadline.left()
                    if left is not None and left < 0.5 * took:  # less than half of a round is not worth beginning
                        best = replace(best, interrupted=True)
                        break
                    try:
                        self.step(pool)
                    except (np.linalg.LinAlgError, FloatingPointError):
                        break
                    rounds += 1
                    took = time.monotonic() - begun
                    last = self.iterate(rounds)
                    if not np.isfinite(last.gap):
                        break
                    if early is None and last.gap <= _EARLY:
                        early = Direction(self.primal, self.dual, self.node)
                    if last.gap < best.gap or best.primal_error > _TOLERANCE:
                        best = last
                    if progress is not None:
                        progress(rounds, last.gap)
                    done = self.complementarity() <= 0.3 * accuracy * self.value()  # the rest is floating point's
                    if done or self.stalled or rounds >= best.rounds + _PATIENCE:
                        break
            except KeyboardInterrupt:
                pool.shutdown(wait=False, cancel_futures=True)
                best = replace(best, interrupted=True)
        return replace(best, early=early)
