"""The best lengths of channels for one demand: the dual of its maximum concurrent flow.

For lengths l with sum of b(c) l(c) = 1, no flow of the demand D has a congestion below sum of D(i, j) dist_l(i, j), and
the best lengths reach it.  That function of l is concave: it is climbed by multiplicative steps along the loads of
shortest paths (Plotkin, Shmoys & Tardos 1995; Garg & Koenemann 2007), or found by a linear program over paths that are
added while a shorter one is there (column generation; Ford & Fulkerson 1958).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Float64
from ...lp.solver import Solver
from ...machine.deadlines import Deadline
from ...symmetry.folded_demand import Folded
from .surroundings import Surroundings

_STEP = 0.3
_ROUNDS = 200
_CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class Climbed:
    """``value``: what the lengths prove, in floats; ``length``: float64 (C,), with sum of b l = 1."""

    value: float
    length: Float64


def climb(
    around: Surroundings, folded: Folded, start: Float64, *, steps: int, stop: Callable[[], bool] | None = None
) -> Climbed:
    """``steps`` multiplicative steps from ``start`` (C,); the best lengths of all steps."""
    sources = np.unique(folded.source)
    each = folded.start(start)
    best = Climbed(-1.0, each[folded.label])
    for t in range(steps):
        if stop is not None and stop():
            break
        length = each[folded.label]
        found = around.searched(length, sources)
        paid = folded.paid(found.far)
        if paid > best.value:
            best = Climbed(paid, length)
        load = around.loads(found, folded.source, folded.end, folded.amount)
        slope = np.bincount(folded.label, weights=load) / folded.wide
        top = float(slope.max(initial=0.0))
        if top <= 0:
            break
        each = each * np.exp(_STEP / np.sqrt(t + 1) * slope / top)
        each = each / (folded.wide @ each)
    return best


def best_lengths(around: Surroundings, folded: Folded, start: Float64, deadline: Deadline) -> Climbed:
    """The optimum by column generation, or what is reached in time; never worse than ``start``."""
    sources, count, classes = np.unique(folded.source), len(folded.source), len(folded.wide)
    each = folded.start(start)
    found = around.searched(each[folded.label], sources)
    best = Climbed(folded.paid(found.far), each[folded.label])
    if not count or best.value <= 0:
        return best
    scale = float(folded.amount.max())
    solver = Solver()
    least = np.concatenate([folded.amount / scale, np.zeros(classes)])
    solver.add_rows(least, np.full(len(least), np.inf))
    solver.add_column(1.0, np.arange(count, count + classes), folded.wide)
    price = np.zeros(count)
    for _ in range(_ROUNDS):
        added = 0
        for k, (i, j) in enumerate(zip(folded.source.tolist(), folded.end.tolist(), strict=True)):
            if found.far[i, j] < price[k] - _CLOSE or not price[k]:
                used, times = np.unique(folded.label[around.path(found, i, i, j)], return_counts=True)
                solver.add_column(0.0, np.concatenate([[k], count + used]), np.concatenate([[1.0], -times]))
                added += 1
        if not added or deadline.over:
            break
        solver.run(deadline.left(0.05))
        _, dual = solver.solution()
        if len(dual) != count + classes or not np.isfinite(dual).all():
            break
        each = np.maximum(dual[count:], 0.0)
        if not each.any():
            break
        price = np.maximum(dual[:count], 0.0)
        found = around.searched(each[folded.label], sources)
        value = folded.paid(found.far) / float(folded.wide @ each)
        if value > best.value:
            best = Climbed(value, each[folded.label] / float(folded.wide @ each))
    return best
