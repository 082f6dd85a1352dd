"""Mehrotra's predictor-corrector for the worst-case program, which never forms a matrix larger than the potentials'.

Each block's flows are eliminated by the Laplacian of its own small network, and what is left is one dense system in
the potentials: with W = y / s and D = z / x + Q' W Q, the flows of block b give L_b = E_b D^-1 E_b' and
G_b = E_b D^-1 Q' W P_b, and

    S = P' (W - W Q D^-1 Q' W) P + diag(v / p) + A' diag(u / t) A + sum over b of G_b' L_b^-1 G_b.

The elimination is the block structure of eq. 8 in Towles, Dally & Boyd 2003 (SPAA); the steps are ``steps``'.
Nothing here is trusted: flows and multipliers are rounded and judged elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from ...core.arrays import Float64
from ...machine.deadlines import Deadline
from ...machine.one_thread import num_threads, one_blas_thread
from .blocks import Blocks
from .steps import Direction, best_step, start_point
from .system import PotentialSystem

Progress = Callable[[int, float], None]
_NEVER = Deadline(None)
_CORRECTORS, _CORRECTORS_LARGE = 3, 8
_REFINED = 10
_LEFT = 1e-3  # of the gap: what errors in the potentials' equation may amount to
_EARLY = 0.1
_PATIENCE = 4  # rounds without a smaller gap
_LARGE = 3000  # potentials from which factors cost far more than solutions
_TOLERANCE = 1e-6  # how far conservation may be off when the gap is believed


@dataclass(frozen=True, eq=False)
class Iterate:
    """``x``: flows by variable; ``y``: multipliers of ``P p - Q x >= 0`` (``p``: potentials, then w); ``most``: what
    ``P' y`` may be at most; ``gap``: the complementarity left and what the multipliers are off, relative to the
    objective; ``primal_error``: what flows and potentials are off; ``rounds``: steps made; ``interrupted``: by the
    user, or by the time; ``early``: a point well inside, from which to start with another cost."""

    x: Float64
    y: Float64
    most: Float64
    gap: float
    primal_error: float
    rounds: int
    interrupted: bool = False
    early: Direction | None = None


def solve_interior(
    blocks: Blocks,
    *,
    cost: Float64,
    price: float,
    load: float,
    accuracy: float,
    most_rounds: int = 80,
    deadline: Deadline = _NEVER,
    progress: Progress | None = None,
    start: Direction | None = None,
) -> Iterate:
    """Minimise ``cost . x + price * w / load``, ``load`` being about as large as w will be.

    Stops at the relative gap ``accuracy``, after ``most_rounds``, at the ``deadline`` or when no more progress is made.
    Returns the best iterate; it need not be feasible.  ``start``: the ``early`` of a solution without ``cost``, with
    the price 1.
    """
    with one_blas_thread():
        return _State(blocks, cost, price, load, start).run(accuracy, most_rounds, deadline, progress)


class _State:
    """``primal``: x, s, p, t; ``dual``: z, y, v, u, in the same order; ``node``: the multipliers of conservation."""

    def __init__(self, blocks: Blocks, cost: Float64, price: float, load: float, start: Direction | None) -> None:
        self.b, self.cost, self.stalled = blocks, cost, False
        q = blocks.num_potentials + 1
        # The last potential is w / load, so that all unknowns are of the order of 1.
        scale = np.ones(q)
        scale[-1] = load
        self.a = blocks.load.multiply(scale[None, :] / load).tocsr()
        self.at = self.a.T.tocsr()
        self.price = np.zeros(q)
        self.price[-1] = price
        self.system = PotentialSystem(blocks, self.a)
        if start is None:
            start = start_point(blocks, self.system, self.a, cost, self.price)
        else:
            start = Direction(start.primal, price * start.dual, price * start.node)
            start.dual[: len(cost)] += cost
        self.cuts = np.cumsum([len(cost), len(blocks.cover), q])
        self.place(start.primal, start.dual, start.node)

    def place(self, primal: Float64, dual: Float64, node: Float64) -> None:
        self.primal, self.dual, self.node = primal, dual, node
        self.x, self.s, self.p, self.t = np.split(primal, self.cuts)
        self.z, self.y, self.v, self.u = np.split(dual, self.cuts)

    def residuals(self) -> None:
        self.r_flow = self.b.right - self.b.balance(self.x)
        self.r_over = self.b.up(self.x) + self.s - self.b.over(self.p)
        self.r_load = self.t - self.a @ self.p
        self.r_x = self.cost + self.b.down(self.y) - self.b.rise(self.node) - self.z
        self.r_p = self.price - self.b.under(self.y) - self.at @ self.u - self.v

    def factor(self, pool: ThreadPoolExecutor) -> None:
        self.w = self.y / self.s
        self.d = self.z / self.x + self.b.down(self.w)
        flow = self.w * self.b.up(self.z / self.x) / self.b.up(self.d)
        self.system.factor(self.w, self.d, flow=flow, load=self.u / self.t, potential=self.v / self.p, pool=pool)

    def direction(self, change: Float64, *, correcting: bool = False) -> Direction:
        """The Newton step that changes the products x z, s y, p v and t u by ``change`` and takes the residuals away;
        ``correcting``: as if there were none."""
        b, s, p, t, w, d, ut = self.b, self.s, self.p, self.t, self.w, self.d, self.u / self.t
        c_x, c_s, c_p, c_t = np.split(change, self.cuts)
        h = c_x / self.x - b.down(c_s / s)
        q = np.zeros(len(self.node))
        base, load = c_s / s, c_t / t
        if not correcting:
            h -= b.down(w * self.r_over) + self.r_x
            q += self.r_flow
            base += w * self.r_over
            load += ut * self.r_load
        q -= b.balance(h / d)
        ratio = w / b.up(d)
        right = c_p / p + b.under(base + ratio * b.up(h + b.rise(self.system.laplace(q)))) + self.at @ load
        if not correcting:
            right -= self.r_p

        def spread(dp: Float64) -> Direction:
            over = b.over(dp)
            dn = self.system.laplace(q - b.balance(b.down(ratio * over)))
            rise = b.rise(dn)
            dx = (rise + b.down(w * over) + h) / d
            ds, dt = over - b.up(dx), self.a @ dp
            if not correcting:
                ds -= self.r_over
                dt -= self.r_load
                rise = rise - self.r_x
            # Of dy and dz the one by its product, the other by the flow's equation: where w is large, ds has no digits.
            dy, dz = (c_s - self.y * ds) / s, (c_x - self.z * dx) / self.x
            if b.covered is None:
                tight = w > self.z / self.x
                dy, dz = np.where(tight, rise + dz, dy), np.where(tight, dz, dy - rise)
            else:  # what the flow's equation leaves is shared among its covers
                tight = b.down(w) > self.z / self.x
                left = np.where(tight, rise + dz - b.down(dy), 0.0)
                dy = dy + w * b.up(left / b.down(w))
                dz = np.where(tight, dz, b.down(dy) - rise)
            dual = [dz, dy, (c_p - self.v * dp) / p, (c_t - self.u * dt) / t]
            return Direction(np.concatenate([dx, ds, dp, dt]), np.concatenate(dual), dn)

        dp = self.system.solve(right)
        found = spread(dp)
        # Large and small numbers stand side by side in the factors: again with what is left of the equation.
        enough, before = _LEFT * self.complementarity(), np.inf
        for _ in range(_REFINED):
            _, dy, dv, du = np.split(found.dual, self.cuts)
            left = -b.under(dy) - self.at @ du - dv
            if not correcting:
                left += self.r_p
            size = float(np.abs(left).sum())
            if size <= enough or size > 0.7 * before:
                break
            before = size
            dp = dp - self.system.solve(left)
            found = spread(dp)
        return found

    def run(self, accuracy: float, most_rounds: int, deadline: Deadline, progress: Progress | None) -> Iterate:
        rounds, took = 0, 0.0
        best = last = self.iterate(0)
        early: Direction | None = None
        with ThreadPoolExecutor(num_threads()) as pool:
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

    def value(self) -> float:
        return abs(float(self.cost @ self.x + self.price @ self.p)) + 1e-300

    def step(self, pool: ThreadPoolExecutor) -> None:
        self.residuals()
        self.factor(pool)
        step = best_step(
            self.primal,
            self.dual,
            self.direction,
            lambda change: self.direction(change, correcting=True),
            correctors=_CORRECTORS if len(self.p) < _LARGE else _CORRECTORS_LARGE,
        )
        a, b, way = step.primal, step.dual, step.way
        self.place(self.primal + a * way.primal, self.dual + b * way.dual, self.node + b * way.node)
        self.stalled = max(a, b) < 1e-3

    def complementarity(self) -> float:
        return float(self.x @ self.z + self.s @ self.y + self.p @ self.v + self.t @ self.u)

    def iterate(self, rounds: int) -> Iterate:
        self.residuals()
        primal = max(float(np.abs(r).max(initial=0.0)) for r in (self.r_flow, self.r_over, self.r_load))
        gap = self.complementarity() + float(np.abs(self.r_x).sum() + np.abs(self.r_p).sum())
        most = np.maximum(-(self.at @ self.u), 0.0)
        return Iterate(self.x, self.y, most, gap / self.value(), primal, rounds)
