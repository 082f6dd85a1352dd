"""k trees from every rank, all of one weight: the largest weight for which they fit, and such trees.

Trees of weight y fit into channels of bandwidth b just if they fit into channels that hold floor(b / y) whole trees.
So y is one of b / m; it is found by bisection, and the cuts between ranks decide whether it fits.

Source: ForestColl (Zhao et al. 2024), trees of a fixed k.  Like there, every switch must be able to pass on all whole
trees that it receives.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from ...core.arrays import Int64
from ...core.collective import Broadcasts
from ...core.errors import InputError
from ...core.spread import Stage, silent
from ...graphs.max_flow import FlowGraph
from .rate import Scaled
from .result import Best, packed
from .splitting import balanced

_MOST, _MOST_TRIED = 10_000, 1000


def few_trees(best: Best, k: int, stage: Stage = silent) -> Best:
    """``best`` with ``k`` trees of one weight from every rank that emits, equal ones told once, and the rate that they
    carry: the largest of such trees, where all channels have reverses of equal bandwidth.

    Raises InputError for k below 1, and where no k trees fit that every switch can pass on.
    """
    if not 1 <= k <= _MOST:
        raise InputError(f"--trees is {k}; a number from 1 to {_MOST} was expected")
    task = best.task
    with stage(f"{k} trees from every rank") as progress:
        found = _weight(task, best.cut.rate / k, k)
        if found is None:
            raise InputError(f"no {k} trees from every rank fit that every switch of {task.network.name} can pass on")
        weight, capacity = found
        if progress is not None:
            progress(1, 1)
    trees = packed(task, _numbers(task, weight, k), capacity, stage)
    return replace(
        best, rate=k * weight, trees=[replace(x, weight=x.weight * weight) for x in trees], symmetry=None, above=None
    )


def _weight(task: Broadcasts, most: Fraction, k: int) -> tuple[Fraction, Int64] | None:
    """The largest weight up to ``most`` whose trees fit, with the capacities in trees."""
    low = most
    while (found := _fits(task, low, k)) is None:
        low /= 2
        if low * 4 * k * task.total * task.network.num_nodes < most:
            return None
    high = most
    while _count(task, low, high) > _MOST_TRIED + 2 * len(task.network.widths):
        middle = (low + high) / 2
        found_there = _fits(task, middle, k)
        if found_there is None:
            high = middle
        else:
            low, found = middle, found_there
    options = sorted({x for b in task.network.widths for x in _steps(b, low, high)})
    best, first, last = (low, found), 0, len(options) - 1
    while first <= last:
        middle_one = (first + last) // 2
        capacity = _fits(task, options[middle_one], k)
        if capacity is None:
            last = middle_one - 1
        else:
            best, first = (options[middle_one], capacity), middle_one + 1
    return best


def _count(task: Broadcasts, low: Fraction, high: Fraction) -> int:
    """At most so many weights are in ``_steps`` of all widths."""
    return sum(int(b // low) - int(b // high) + 1 for b in task.network.widths)


def _steps(width: Fraction, low: Fraction, most: Fraction) -> list[Fraction]:
    """The weights from ``low`` to ``most`` of which a channel of this width just holds a whole number."""
    first = -((-width) // most)
    return [width / m for m in range(max(1, int(first)), int(width // low) + 1)]


def _numbers(task: Broadcasts, weight: Fraction, k: int) -> Scaled:
    most = k * task.total  # no channel needs to hold more
    whole = np.array([min(int(x // weight), most) for x in task.network.widths], dtype=np.int64)
    return Scaled(Fraction(k), 1, whole[task.network.bandwidth_rank], task.supply * k)


def _fits(task: Broadcasts, weight: Fraction, k: int) -> Int64 | None:
    """Capacities in trees, balanced at switches; None where ``k`` trees from every rank do not fit."""
    numbers = _numbers(task, weight, k)
    graph = FlowGraph(task.tail, task.head, numbers.capacity, numbers.supply)
    need = numbers.total
    _, place = graph.least(task.nodes, most=need, stop=need - 1)
    return balanced(task, numbers) if place < 0 else None
