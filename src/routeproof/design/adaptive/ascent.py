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
from ..program.interrupts import Deadline
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
    around: Surroundings, demand: Float64, start: Float64, *, steps: int, stop: Callable[[], bool] | None = None
) -> Climbed:
    """``steps`` multiplicative steps from ``start``; the best lengths of all steps."""
    wide = around.bandwidth
    length = start / (wide @ start)
    best = Climbed(-1.0, length)
    for t in range(steps):
        if stop is not None and stop():
            break
        load, paid = around.shortest_flow(demand, length)
        if paid > best.value:
            best = Climbed(paid, length)
        slope = load / wide
        top = float(slope.max(initial=0.0))
        if top <= 0:
            break
        length = length * np.exp(_STEP / np.sqrt(t + 1) * slope / top)
        length = length / (wide @ length)
    return best


def best_lengths(around: Surroundings, demand: Float64, start: Float64, deadline: Deadline) -> Climbed:
    """The optimum by column generation, or what is reached in time; never worse than ``start``."""
    import highspy

    wide, network = around.bandwidth, around.network
    first = start / (wide @ start)
    ends = np.argwhere(demand > 0)
    far, before, channel = around.searched(first)
    best = Climbed(float(sum(demand[i, j] * far[i, j] for i, j in ends)), first)
    scale = float(demand.max(initial=0.0)) or 1.0
    h = highspy.Highs()  # type: ignore[no-untyped-call]
    h.setOptionValue("output_flag", False)
    h.setOptionValue("threads", 1)
    count = len(ends)
    none = np.zeros(0)
    for i, j in ends:
        h.addRow(float(demand[i, j]) / scale, highspy.kHighsInf, 0, none.astype(np.int32), none)
    for _ in range(network.num_channels):
        h.addRow(0.0, highspy.kHighsInf, 0, none.astype(np.int32), none)
    rows = np.arange(count, count + network.num_channels, dtype=np.int32)
    h.addCol(1.0, 0.0, highspy.kHighsInf, len(rows), rows, wide)
    price = np.zeros(count)
    for _ in range(_ROUNDS):
        added = 0
        for k, (i, j) in enumerate(ends.tolist()):
            if far[i, j] < price[k] - _CLOSE or not price[k]:
                path = around.path(before, channel, i, j)
                h.addCol(
                    0.0, 0.0, highspy.kHighsInf, 1 + len(path),
                    np.array([k, *(count + c for c in path)], dtype=np.int32), np.array([1.0, *[-1.0] * len(path)]),
                )  # fmt: skip
                added += 1
        if not added or deadline.over:
            break
        left = deadline.left(0.05)
        if left is not None:
            h.setOptionValue("time_limit", float(h.getRunTime()) + left)
        h.run()
        dual = np.array(h.getSolution().row_dual)
        if len(dual) != count + network.num_channels or not np.isfinite(dual).all():
            break
        length = np.maximum(dual[count:], 0.0)
        if not length.any():
            break
        price = np.maximum(dual[:count], 0.0)
        far, before, channel = around.searched(length)
        value = float(sum(demand[i, j] * far[i, j] for i, j in ends)) / float(wide @ length)
        if value > best.value:
            best = Climbed(value, length / (wide @ length))
    return best
