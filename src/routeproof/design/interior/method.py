"""Mehrotra's predictor-corrector for the worst-case program, which never forms a matrix larger than the potentials'.

Each block's flows are eliminated by the Laplacian of its own small network, and what is left is one dense system in
the potentials: with W = y / s and D = z / x + W, the flows of block b give L_b = E_b D^-1 E_b' and
G_b = E_b D^-1 W P_b, and

    S = P' (W - W^2 / D) P + diag(v / p) + A' diag(u / t) A + sum over b of G_b' L_b^-1 G_b.

The elimination is the block structure of eq. 8 in Towles, Dally & Boyd 2003 (SPAA); the steps are ``interior_steps``'.
Nothing here is trusted: flows and multipliers are rounded and judged elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ...machine.one_thread import num_threads, one_blas_thread
from .blocks import Blocks
from .start import Start, start_point
from .steps import Direction, best_step
from .system import PotentialSystem

__all__ = ["Iterate", "solve_interior"]

Float64 = npt.NDArray[np.float64]
Progress = Callable[[int, float], None]
_CORRECTORS, _CORRECTORS_LARGE = 3, 8
_REFINED = 10
_LEFT = 1e-3  # of the gap: what errors in the potentials' equation may amount to
_EARLY = 0.1
_PATIENCE = 4  # rounds without a smaller gap
_LARGE = 3000  # potentials from which factors cost far more than solutions
_TOLERANCE = 1e-6  # how far conservation may be off when the gap is believed


@dataclass(frozen=True, eq=False)
class Iterate:
    """``x``: flows by variable; ``y``: multipliers of ``P p - x >= 0``; ``p``: potentials, then w; ``node``: those of
    conservation; ``most``: what ``P' y`` may be at most; ``gap``: the complementarity left and what the
    multipliers are off, relative to the objective; ``rounds``: steps made; ``interrupted``: by the user, or by the
    time; ``early``: a point well inside, from which to start with another cost."""

    x: Float64
    y: Float64
    p: Float64
    node: Float64
    most: Float64
    gap: float
    primal_error: float
    dual_error: float
    rounds: int
    interrupted: bool = False
    early: Start | None = None


def solve_interior(
    blocks: Blocks,
    *,
    cost: Float64,
    price: float,
    load: float,
    accuracy: float,
    most_rounds: int = 80,
    seconds: float | None = None,
    progress: Progress | None = None,
    judge: Callable[[Iterate], bool] | None = None,
    start: Start | None = None,
) -> Iterate:
    """Minimise ``cost . x + price * w / load``, ``load`` being about as large as w will be.

    Stops at the relative gap ``accuracy``, after ``most_rounds`` or ``seconds``, when no more progress is made, or when
    ``judge`` (asked now and then) is content.  Returns the best iterate; it need not be feasible.
    ``start``: the ``early`` of a solution without ``cost``, with the price 1.
    """
    with one_blas_thread():
        state = _State(blocks, cost, price, load, start)
        return state.run(accuracy, most_rounds, seconds, progress, judge)


class _State:
    def __init__(self, blocks: Blocks, cost: Float64, price: float, load: float, start: Start | None = None) -> None:
        self.b = blocks
        q = blocks.num_potentials + 1
        self.cost = cost
        self.load = load
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
            start = start.dearer(price, cost)
        self.x, self.s, self.p, self.t = start.x, start.s, start.p, start.t
        self.y, self.z, self.v, self.u = start.y, start.z, start.v, start.u
        self.node = start.node

    # -- the constraints' matrices, applied ---------------------------------------------------------------------------

    def over(self, p: Float64) -> Float64:
        """P p."""
        return np.asarray(p[self.b.row_potential] + p[self.b.column_potential])

    def under(self, y: Float64) -> Float64:
        """P' y."""
        n = self.b.num_potentials + 1
        total: Float64 = np.bincount(self.b.row_potential, weights=y, minlength=n).astype(np.float64)
        return total + np.bincount(self.b.column_potential, weights=y, minlength=n)

    def balance(self, x: Float64) -> Float64:
        """E x."""
        b, n = self.b, len(self.b.right)
        total = np.zeros(n + 1)
        for row, entry in ((b.row1, b.entry1), (b.row2, b.entry2)):
            total += np.bincount(np.where(row >= 0, row, n), weights=entry * x, minlength=n + 1)
        return total[:n]

    def rise(self, node: Float64) -> Float64:
        """E' node."""
        b = self.b
        padded = np.append(node, 0.0)
        return np.asarray(b.entry1 * padded[b.row1] + b.entry2 * padded[b.row2])

    # -- one step -----------------------------------------------------------------------------------------------------

    def residuals(self) -> None:
        self.r_flow = self.b.right - self.balance(self.x)
        self.r_over = self.x + self.s - self.over(self.p)
        self.r_load = self.t - self.a @ self.p
        self.r_x = self.cost + self.y - self.rise(self.node) - self.z
        self.r_p = self.price - self.under(self.y) - self.at @ self.u - self.v

    def factor(self, pool: ThreadPoolExecutor) -> None:
        self.w = self.y / self.s
        self.d = self.z / self.x + self.w
        flow = self.w * (self.z / self.x) / self.d
        self.system.factor(self.w, self.d, flow=flow, load=self.u / self.t, potential=self.v / self.p, pool=pool)

    def direction(self, change: Float64, *, correcting: bool = False) -> Direction:
        """The Newton step that changes the products x z, s y, p v and t u by ``change`` and takes the residuals away;
        ``correcting``: as if there were none."""
        x, s, p, t = self.x, self.s, self.p, self.t
        c_x, c_s, c_p, c_t = np.split(change, np.cumsum([len(x), len(s), len(p)]))
        w, d, ut = self.w, self.d, self.u / t
        h = c_x / x - c_s / s
        q = np.zeros(len(self.node))
        base, load = c_s / s, c_t / t
        if not correcting:
            h -= w * self.r_over + self.r_x
            q += self.r_flow
            base += w * self.r_over
            load += ut * self.r_load
        q -= self.balance(h / d)
        right = c_p / p + self.under(base + w / d * (h + self.rise(self.system.laplace(q)))) + self.at @ load
        if not correcting:
            right -= self.r_p
        dp = self.system.solve(right)
        found = self._spread(dp, change, q, h, correcting)
        # Large and small numbers stand side by side in the factors: again with what is left of the equation.
        cuts = np.cumsum([len(x), len(x), len(p)])
        enough, before = _LEFT * self.complementarity(), np.inf
        for _ in range(_REFINED):
            _, dy, dv, du = np.split(found.dual, cuts)
            left = -self.under(dy) - self.at @ du - dv
            if not correcting:
                left += self.r_p
            size = float(np.abs(left).sum())
            if size <= enough or size > 0.7 * before:
                break
            before = size
            dp = dp - self.system.solve(left)
            found = self._spread(dp, change, q, h, correcting)
        return found

    def _spread(self, dp: Float64, change: Float64, q: Float64, h: Float64, correcting: bool) -> Direction:
        """All of the step that follows from that of the potentials."""
        x, s, p, t = self.x, self.s, self.p, self.t
        c_x, c_s, c_p, c_t = np.split(change, np.cumsum([len(x), len(s), len(p)]))
        w, d = self.w, self.d
        over = self.over(dp)
        dn = self.system.laplace(q - self.balance(w / d * over))
        rise = self.rise(dn)
        dx = (rise + w * over + h) / d
        ds, dt = over - dx, self.a @ dp
        if not correcting:
            ds -= self.r_over
            dt -= self.r_load
            rise = rise - self.r_x
        # Of dy and dz the one by its product, the other by the flow's equation: where w is large, ds has no digits.
        dy, dz = (c_s - self.y * ds) / s, (c_x - self.z * dx) / x
        tight = w > self.z / x
        dy, dz = np.where(tight, rise + dz, dy), np.where(tight, dz, dy - rise)
        dual = [dz, dy, (c_p - self.v * dp) / p, (c_t - self.u * dt) / t]
        return Direction(np.concatenate([dx, ds, dp, dt]), np.concatenate(dual), dn)

    def run(
        self,
        accuracy: float,
        most_rounds: int,
        seconds: float | None,
        progress: Progress | None,
        judge: Callable[[Iterate], bool] | None,
    ) -> Iterate:
        end = None if seconds is None else time.monotonic() + seconds
        rounds, took = 0, 0.0
        best = last = self.iterate(0)
        early: Start | None = None
        with ThreadPoolExecutor(num_threads()) as pool:
            try:
                while rounds < most_rounds and not (best.gap <= accuracy and best.primal_error <= _TOLERANCE):
                    begun = time.monotonic()
                    if end is not None and begun + 0.5 * took > end:  # half of a round is no round
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
                        early = self.point()
                    if last.gap < best.gap or best.primal_error > _TOLERANCE:
                        best = last
                    if progress is not None:
                        progress(rounds, last.gap)
                    done = self.complementarity() <= 0.3 * accuracy * self.value()  # the rest is floating point's
                    if done or self.stalled or rounds >= best.rounds + _PATIENCE or (judge is not None and judge(last)):
                        break
            except KeyboardInterrupt:
                pool.shutdown(wait=False, cancel_futures=True)
                best = replace(best, interrupted=True)
        return replace(best, early=early)

    def point(self) -> Start:
        return Start(self.x, self.s, self.p, self.t, self.y, self.z, self.v, self.u, self.node)

    def value(self) -> float:
        return abs(float(self.cost @ self.x + self.price @ self.p)) + 1e-300

    def step(self, pool: ThreadPoolExecutor) -> None:
        self.residuals()
        self.factor(pool)
        step = best_step(
            np.concatenate([self.x, self.s, self.p, self.t]),
            np.concatenate([self.z, self.y, self.v, self.u]),
            self.direction,
            lambda change: self.direction(change, correcting=True),
            correctors=_CORRECTORS if len(self.p) < _LARGE else _CORRECTORS_LARGE,
        )
        a, b, way = step.primal, step.dual, step.way
        cuts = np.cumsum([len(self.x), len(self.s), len(self.p)])
        dx, ds, dp, dt = np.split(way.primal, cuts)
        dz, dy, dv, du = np.split(way.dual, cuts)
        self.x, self.s, self.p, self.t = self.x + a * dx, self.s + a * ds, self.p + a * dp, self.t + a * dt
        self.y, self.z, self.v, self.u = self.y + b * dy, self.z + b * dz, self.v + b * dv, self.u + b * du
        self.node = self.node + b * way.node
        self.stalled = max(a, b) < 1e-3

    stalled = False

    def complementarity(self) -> float:
        return float(self.x @ self.z + self.s @ self.y + self.p @ self.v + self.t @ self.u)

    def iterate(self, rounds: int) -> Iterate:
        self.residuals()
        value = self.value()
        p = self.p.copy()
        p[-1] *= self.load
        primal = max(float(np.abs(r).max(initial=0.0)) for r in (self.r_flow, self.r_over, self.r_load))
        dual = float(np.abs(self.r_x).sum() + np.abs(self.r_p).sum())
        most = np.maximum(-(self.at @ self.u), 0.0)
        return Iterate(
            self.x, self.y, p, self.node, most, (self.complementarity() + dual) / value, primal, dual, rounds
        )
