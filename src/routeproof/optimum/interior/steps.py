"""Where the interior-point method starts, and one step of it.

The start is inside, both sides feasible (nearly), all products of about one size.  Flows: the electrical current of
every pair, and a little both ways on every channel.  Potentials: half the largest flow that each must exceed (where two
stand above a flow), raised until all channels have the same load.  Multipliers: the same traffic for all pairs on every
channel, a little less than is admissible.  A constant start instead took some ten rounds to become feasible.

A step is the predictor, Mehrotra's corrector, then correctors of centrality, each weighted.  Every corrector is one
more solution with the same factors, which cost far more.

Source: Mehrotra 1992 (SIAM J. Optim. 2(4)); Gondzio 1996 (Comput. Optim. Appl. 6) and Colombo & Gondzio 2008 (Comput.
Optim. Appl. 41), the correctors and their weights; the weight is the one of a few that lets the step go farthest, for
the primal and the dual side apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64
from .blocks import Blocks
from .kernels import reach
from .system import PotentialSystem

_STEP = 0.99
_LEAST_AIM = 1e-6
_WEIGHTS = 8
_FARTHER, _AT_LEAST = 1.5, 0.3  # a corrector aims at a step of 1.5 times the length, and 0.3
_NEAR = 0.1  # products from a tenth of the aim to ten times it are near enough
_WORTH = 1.02
_ROOM = 0.05  # how much of load and of traffic is left free


@dataclass(frozen=True, eq=False)
class Direction:
    """A way, or a point: ``primal``: x, s, p, t; ``dual``: z, y, v, u in the same order, all positive at points;
    ``node``: the multipliers of conservation."""

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
