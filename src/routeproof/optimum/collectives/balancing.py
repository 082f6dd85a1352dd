"""Capacities under which every switch can pass on just what it receives: what no cut needs is left out.

A switch that does not copy sends no more than it receives, and what it receives and does not send is of no use.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...core.arrays import Int64
from ...core.collective import Broadcasts
from ...graphs.max_flow import FlowGraph
from .rate import Scaled

_MOST_ROUNDS = 10_000


def surplus(task: Broadcasts, capacity: Int64) -> Int64:
    """int64 (N,): what enters every switch beyond what leaves it; 0 at nodes that hold a rank."""
    size = task.network.num_nodes
    found = np.zeros(size, dtype=np.int64)
    np.add.at(found, task.head, capacity)
    np.subtract.at(found, task.tail, capacity)
    found[task.reached] = 0
    return found


def balanced(task: Broadcasts, numbers: Scaled) -> Int64 | None:
    """Capacities, int64 (C,), that are balanced at every switch and still carry ``numbers``; None where leaving out
    channel by channel what no cut needs does not lead there."""
    capacity, nodes = numbers.capacity.copy(), task.nodes
    for _ in range(_MOST_ROUNDS):
        more = surplus(task, capacity)
        switches = np.flatnonzero(more).tolist()
        if not switches:
            return capacity
        if not any(_trim(task, capacity, numbers, nodes, w, int(more[w])) for w in switches):
            return None
    return None


def _trim(task: Broadcasts, capacity: Int64, numbers: Scaled, nodes: list[int], w: int, more: int) -> bool:
    """Leave out as much at switch w, of what enters (``more`` > 0) or leaves it, as no cut needs; was there any?"""
    here, need, changed = task.head if more > 0 else task.tail, numbers.total, False
    most = abs(more)
    for c in np.flatnonzero((here == w) & (capacity > 0)).tolist():
        u, v = int(task.tail[c]), int(task.head[c])
        graph = FlowGraph(task.tail, task.head, capacity, numbers.supply)
        ends = [v] if task.reached[v] else [x for x in nodes if x != u]
        limit = need + min(most, int(capacity[c]))
        amount = graph.least(ends, most=limit, stop=need, fed=[u], also=[v])[0] - need
        capacity[c] -= amount
        most -= amount
        changed |= amount > 0
        if not most:
            break
    return changed


def forced(task: Broadcasts, capacity: Int64) -> Int64:
    """Balanced capacities whatever they carry: at every switch the widest channels of the wider side are narrowed."""
    capacity = capacity.copy()
    for _ in range(_MOST_ROUNDS):
        more = surplus(task, capacity)
        switches = np.flatnonzero(more).tolist()
        if not switches:
            return capacity
        for w in switches:
            here = task.head if more[w] > 0 else task.tail
            _narrow(capacity, np.flatnonzero(here == w).tolist(), abs(int(more[w])))
    capacity[~task.reached[task.tail] | ~task.reached[task.head]] = 0
    return capacity


def _narrow(capacity: Int64, channels: Iterable[int], most: int) -> None:
    for c in sorted(channels, key=lambda c: -int(capacity[c])):
        amount = min(most, int(capacity[c]))
        capacity[c] -= amount
        most -= amount
