"""Mehrotra's predictor-corrector for the worst-case program, which never forms a matrix larger than the potentials'.

Each block's flows are eliminated by the Laplacian of its own small network, and what is left is one dense system in
the potentials: with W = y / s and D = z / x + Q' W Q, the flows of block b give L_b = E_b D^-1 E_b' and
G_b = E_b D^-1 Q' W P_b, and

    S = P' (W - W Q D^-1 Q' W) P + diag(v / p) + A' diag(u / t) A + sum over b of G_b' L_b^-1 G_b.

The elimination is the block structure of eq. 8 in Towles, Dally & Boyd 2003 (SPAA);
Nothing here is trusted: flows and multipliers are rounded and judged elsewhere.

The start is inside, both sides feasible (nearly), all products of about one size.  Flows: the electrical current of
every pair, and a little both ways on every channel.  Potentials: half the largest flow that each must exceed (where two
stand above a flow), raised until all channels have the same load.  Multipliers: the same traffic for all pairs on every
channel, a little less than is admissible.  A constant start instead took some ten rounds to become feasible.

The steps are those of ``steps``.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64
from ...machine.deadlines import Deadline
from .blocks import Blocks
from .steps import Direction, InteriorMethod, Progress, Reached, refined
from .system import PotentialSystem

_ROOM = 0.05  # how much of load and of traffic is left free


def start_point(blocks: Blocks, system: PotentialSystem, loads: Any, cost: Float64, price: Float64) -> Direction:
    """``loads``: A, scaled; ``price``: of every potential (only the last one, w, has one)."""
    x, little = _flows(blocks, system)
    top = np.zeros(len(price))
    for at in blocks.cover.T:
        np.maximum.at(top, at, blocks.up(x))
    p = (top + little) / blocks.cover.shape[1]
    p[-1] = 0.0
    used = -(loads @ p)
    entry = loads.tocoo()
    more = np.full(len(p), np.inf)
    np.minimum.at(more, entry.col, (float(used.max()) / used)[entry.row])
    p *= np.where(np.isfinite(more), more, 1.0)
    p[-1] = float(used.max()) * (1 + _ROOM)
    members = blocks.up(blocks.members.astype(np.float64))
    size = np.bincount(np.searchsorted(blocks.focus, blocks.reduction.focus), minlength=len(blocks.focus))
    u = (1 - _ROOM) * price[-1] * size / size.sum()
    most = np.maximum(-(loads.T @ u), 0.0)
    share = most / np.maximum(blocks.under(members), 1.0)
    y = members * (1 - 2 * _ROOM) * share[blocks.cover].min(axis=1)
    y = np.maximum(y, 1e-3 * float(y.mean()))
    v = price - blocks.under(y) - loads.T @ u
    v = np.maximum(v, 1e-3 * float(np.abs(v).mean()))
    primal = x, blocks.over(p) - blocks.up(x), p, loads @ p
    dual = cost + blocks.down(y), y, v, u
    return Direction(np.concatenate(primal), np.concatenate(dual), np.zeros(len(blocks.right)))


def _flows(blocks: Blocks, system: PotentialSystem) -> tuple[Float64, float]:
    """Positive flows, nearly conserved, and about how large one is."""
    members = blocks.members.astype(np.float64)
    system.factor_flows(1.0 / members)
    current = blocks.rise(system.laplace(blocks.right)) / members
    against = _opposites(blocks)
    both = against >= 0
    x = np.maximum(np.where(both, current - current[against], current), 0.0)
    little = float(x @ members) / float(members.sum())
    return np.where(both, x + little, np.maximum(x, 0.1 * little)), little


def _opposites(blocks: Blocks) -> npt.NDArray[np.int64]:
    """For every variable that of the opposite channel, for the same pair; -1 where there is none."""
    found = np.full(blocks.num_variables, -1, dtype=np.int64)
    opposite = blocks.reduction.network.reverse
    if opposite is None:
        return found
    for k in range(len(blocks.first) - 1):
        variable = blocks.variable[k].astype(np.int64)
        here = np.nonzero(variable >= 0)[0]
        back = variable[opposite[here]]
        found[blocks.first[k] + variable[here]] = np.where(back >= 0, back + blocks.first[k], -1)
    return found


_NEVER = Deadline(None)
_CORRECTORS, _CORRECTORS_LARGE = 3, 8
_LARGE = 3000  # potentials from which factors cost far more than solutions


@dataclass(frozen=True, eq=False)
class Iterate(Reached):
    """``x``: flows by variable; ``y``: multipliers of ``P p - Q x >= 0`` (``p``: potentials, then w); ``most``: what
    ``P' y`` may be at most."""

    x: Float64
    y: Float64
    most: Float64


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
    return _State(blocks, cost, price, load, start).run(accuracy, most_rounds, deadline, progress)


class _State(InteriorMethod[Iterate]):
    """``primal``: x, s, p, t; ``dual``: z, y, v, u, in the same order; ``node``: the multipliers of conservation."""

    def __init__(self, blocks: Blocks, cost: Float64, price: float, load: float, start: Direction | None) -> None:
        self.b, self.cost = blocks, cost
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
        self.correctors = _CORRECTORS if q < _LARGE else _CORRECTORS_LARGE
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

        def left(found: Direction) -> Float64:
            _, dy, dv, du = np.split(found.dual, self.cuts)
            wrong: Float64 = -b.under(dy) - self.at @ du - dv
            return wrong if correcting else wrong + self.r_p

        return refined(self.system.solve, spread, left, right, self.complementarity())

    def value(self) -> float:
        return abs(float(self.cost @ self.x + self.price @ self.p)) + 1e-300

    def iterate(self, rounds: int) -> Iterate:
        self.residuals()
        primal = max(float(np.abs(r).max(initial=0.0)) for r in (self.r_flow, self.r_over, self.r_load))
        gap = self.complementarity() + float(np.abs(self.r_x).sum() + np.abs(self.r_p).sum())
        most = np.maximum(-(self.at @ self.u), 0.0)
        return Iterate(gap / self.value(), primal, rounds, self.x, self.y, most)
