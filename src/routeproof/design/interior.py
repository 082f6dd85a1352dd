"""Mehrotra's predictor-corrector for the worst-case program, which never forms a matrix larger than the potentials'.

Each block's flows are eliminated by the Laplacian of its own small network, and what is left is one dense system in
the potentials: with W = y / s and D = z / x + W, the flows of block b give L_b = E_b D^-1 E_b' and
G_b = E_b D^-1 W P_b, and

    S = P' (W - W^2 / D) P + diag(v / p) + A' diag(u / t) A + sum over b of G_b' L_b^-1 G_b.

Source: Mehrotra 1992 (SIAM J. Optim. 2(4)), the steps; the elimination is the block structure of eq. 8 in Towles,
Dally & Boyd 2003 (SPAA).  Nothing here is trusted: flows and multipliers are rounded and judged elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from .interior_blocks import Blocks
from .interior_system import PotentialSystem, num_threads

__all__ = ["Iterate", "solve_interior"]

Float64 = npt.NDArray[np.float64]
Progress = Callable[[int, float], None]
_STEP = 0.97
_FIRST, _FIRST_DUAL = 0.05, 10.0  # measured: smaller duals run away, other sizes take more rounds
_TOLERANCE = 1e-6  # how far conservation may be off when the gap is believed


@dataclass(frozen=True, eq=False)
class Iterate:
    """``x``: flows by variable; ``y``: multipliers of ``P p - x >= 0``; ``p``: potentials, then w; ``node``: those of
    conservation; ``gap``: the complementarity left, relative to the objective; ``rounds``: steps made;
    ``interrupted``: by the user."""

    x: Float64
    y: Float64
    p: Float64
    node: Float64
    gap: float
    primal_error: float
    dual_error: float
    rounds: int
    interrupted: bool = False


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
) -> Iterate:
    """Minimise ``cost . x + price * w / load``, ``load`` being about as large as w will be.

    Stops at the relative gap ``accuracy``, after ``most_rounds`` or ``seconds``, when no more progress is made, or when
    ``judge`` (asked now and then) is content.  Returns the last iterate; it need not be feasible.
    """
    with _one_thread():
        state = _State(blocks, cost, price, load)
        return state.run(accuracy, most_rounds, seconds, progress, judge)


class _State:
    def __init__(self, blocks: Blocks, cost: Float64, price: float, load: float) -> None:
        self.b = blocks
        v, q, r = blocks.num_variables, blocks.num_potentials + 1, len(blocks.right)
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
        size = _FIRST
        self.x, self.s = np.full(v, size), np.full(v, size)
        self.p = np.full(q, size)
        self.p[-1] = 2.0
        self.t = np.maximum(self.a @ self.p, size)
        self.y, self.z = np.full(v, _FIRST_DUAL), np.full(v, _FIRST_DUAL)
        self.v, self.u = np.full(q, _FIRST_DUAL), np.full(self.a.shape[0], _FIRST_DUAL)
        self.node = np.zeros(r)

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

    def direction(self, c_x: Float64, c_s: Float64, c_p: Float64, c_t: Float64) -> list[Float64]:
        """The Newton step for complementarity residuals ``c_x`` (x z), ``c_s`` (s y), ``c_p`` (p v), ``c_t`` (t u)."""
        w, d = self.w, self.d
        h = c_x / self.x - c_s / self.s - w * self.r_over - self.r_x
        q = self.r_flow - self.balance(h / d)
        solved = self.system.laplace(q)
        ut = self.u / self.t
        right = (
            -self.r_p + c_p / self.p + self.under(c_s / self.s + w * self.r_over + w / d * (h + self.rise(solved)))
            + self.at @ (c_t / self.t + ut * self.r_load)
        )  # fmt: skip
        dp = self.system.solve(right)
        over = self.over(dp)
        dn = self.system.laplace(q - self.balance(w / d * over))
        dx = (self.rise(dn) + w * over + h) / d
        ds = over - dx - self.r_over
        dy = (c_s - self.y * ds) / self.s
        dz = (c_x - self.z * dx) / self.x
        dv = (c_p - self.v * dp) / self.p
        dt = self.a @ dp - self.r_load
        du = (c_t - self.u * dt) / self.t
        return [dx, ds, dp, dt, dn, dy, dz, dv, du]

    def run(
        self,
        accuracy: float,
        most_rounds: int,
        seconds: float | None,
        progress: Progress | None,
        judge: Callable[[Iterate], bool] | None,
    ) -> Iterate:
        end = None if seconds is None else time.monotonic() + seconds
        rounds = 0
        best = self.iterate(0)
        with ThreadPoolExecutor(num_threads()) as pool:
            while rounds < most_rounds and not (best.gap <= accuracy and best.primal_error <= _TOLERANCE):
                if end is not None and time.monotonic() > end:
                    break
                try:
                    self.step(pool)
                except (np.linalg.LinAlgError, FloatingPointError):
                    break
                except KeyboardInterrupt:
                    return replace(best, interrupted=True)
                rounds += 1
                found = self.iterate(rounds)
                if not np.isfinite(found.gap):
                    break
                best = found
                if progress is not None:
                    progress(rounds, found.gap)
                if self.stalled or (judge is not None and judge(found)):
                    break
        return best

    def step(self, pool: ThreadPoolExecutor) -> None:
        self.residuals()
        self.factor(pool)
        count = 2 * len(self.x) + len(self.p) + len(self.t)
        mu = self.complementarity() / count
        first = self.direction(-self.x * self.z, -self.s * self.y, -self.p * self.v, -self.t * self.u)
        a, b = self.lengths(first)
        dx, ds, dp, dt, _, dy, dz, dv, du = first
        after = (
            (self.x + a * dx) @ (self.z + b * dz) + (self.s + a * ds) @ (self.y + b * dy)
            + (self.p + a * dp) @ (self.v + b * dv) + (self.t + a * dt) @ (self.u + b * du)
        ) / count  # fmt: skip
        aim = max((after / mu) ** 3, 1e-6) * mu if after > 0 else 1e-6 * mu
        both = self.direction(
            aim - self.x * self.z - dx * dz,
            aim - self.s * self.y - ds * dy,
            aim - self.p * self.v - dp * dv,
            aim - self.t * self.u - dt * du,
        )
        a, b = self.lengths(both)
        a, b = min(1.0, _STEP * a), min(1.0, _STEP * b)
        dx, ds, dp, dt, dn, dy, dz, dv, du = both
        self.x, self.s, self.p, self.t = self.x + a * dx, self.s + a * ds, self.p + a * dp, self.t + a * dt
        self.y, self.z, self.v, self.u = self.y + b * dy, self.z + b * dz, self.v + b * dv, self.u + b * du
        self.node = self.node + b * dn
        self.last = (a, b, mu)
        self.stalled = max(a, b) < 1e-3

    stalled = False

    def lengths(self, way: list[Float64]) -> tuple[float, float]:
        """How far the primal and the dual step may go until something becomes negative; at most 1."""
        dx, ds, dp, dt, _, dy, dz, dv, du = way
        primal = ((self.x, dx), (self.s, ds), (self.p, dp), (self.t, dt))
        dual = ((self.y, dy), (self.z, dz), (self.v, dv), (self.u, du))
        return min(_room(*k) for k in primal), min(_room(*k) for k in dual)

    def complementarity(self) -> float:
        return float(self.x @ self.z + self.s @ self.y + self.p @ self.v + self.t @ self.u)

    def iterate(self, rounds: int) -> Iterate:
        self.residuals()
        value = abs(float(self.cost @ self.x + self.price @ self.p)) + 1e-300
        p = self.p.copy()
        p[-1] *= self.load
        primal = max(float(np.abs(r).max(initial=0.0)) for r in (self.r_flow, self.r_over, self.r_load))
        dual = float(np.abs(self.r_x).sum() + np.abs(self.r_p).sum())
        return Iterate(self.x, self.y, p, self.node, self.complementarity() / value, primal, dual, rounds)


def _room(x: Float64, dx: Float64) -> float:
    falling = dx < 0
    return min(1.0, float((x[falling] / -dx[falling]).min(initial=np.inf)) if falling.any() else 1.0)


def _one_thread() -> AbstractContextManager[object]:
    """One thread in each call of BLAS: blocks run side by side, and threads of both kinds get in each other's way."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    limits: AbstractContextManager[object] = threadpool_limits(1)
    return limits
