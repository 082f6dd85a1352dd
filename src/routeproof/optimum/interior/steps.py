"""One step of a primal-dual method: predictor, Mehrotra's corrector, then correctors of centrality, each weighted.

Every corrector is one more solution with the same factors, which cost far more.

Source: Mehrotra 1992 (SIAM J. Optim. 2(4)); Gondzio 1996 (Comput. Optim. Appl. 6) and Colombo & Gondzio 2008 (Comput.
Optim. Appl. 41), the correctors and their weights; the weight is the one of a few that lets the step go farthest, for
the primal and the dual side apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Float64
from .kernels import reach

_STEP = 0.99
_LEAST_AIM = 1e-6
_WEIGHTS = 8
_FARTHER, _AT_LEAST = 1.5, 0.3  # a corrector aims at a step of 1.5 times the length, and 0.3
_NEAR = 0.1  # products from a tenth of the aim to ten times it are near enough
_WORTH = 1.02


@dataclass(frozen=True, eq=False)
class Direction:
    """``primal``: x, s, p, t; ``dual``: z, y, v, u in the same order; ``node``: the multipliers of conservation."""

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
