"""Networks that come in levels, drawn in levels: trees, multistage networks, fat trees of hosts and switches.

Source of the order within levels: the barycentre method of Sugiyama, Tagawa & Toda (IEEE Trans. SMC 11, 1981).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.graph import hops_from
from ...core.network import Network

Points = npt.NDArray[np.float64]
_SWEEPS = 8
_WIDE = 2.2  # how much wider than high a drawing of levels may become
_ROWS_WIDE = 0.8  # the same for multistage networks, which run across


def place_by_level(network: Network) -> Points | None:
    """Positions, shape (N, 2), one unit between neighbours within a level; None where there are no natural levels.

    Multistage networks (channels lead one way, from level to level) run from left to right, their rows as they are
    numbered; trees have their centre on top; networks whose terminals are some of their nodes, and whose channels all
    join consecutive distances from the terminals, have these at the bottom.
    """
    if network.num_nodes < 3 or not network.num_channels:
        return None
    ends = np.unique(np.sort(np.stack([network.tail, network.head], axis=1).astype(np.int64), axis=1), axis=0)
    tail, head = np.concatenate([ends, ends[:, ::-1]]).T
    neighbours: list[list[int]] = [[] for _ in range(network.num_nodes)]
    for u, v in ends.tolist():
        neighbours[u].append(v)
        neighbours[v].append(u)
    stage = _stages(network)
    if stage is not None:
        points = _spread(stage, [np.nonzero(stage == x)[0] for x in range(int(stage.max()) + 1)], _ROWS_WIDE)
        return np.stack([points[:, 1], -points[:, 0]], axis=1)
    if len(ends) == network.num_nodes - 1:
        tree = _tree(neighbours, tail, head)
        if tree is not None:
            return tree
    hosts = np.union1d(network.source, network.sink)
    if len(hosts) == network.num_nodes:
        return None
    level = hops_from(network.num_nodes, tail, head, hosts)
    if np.any(level < 0) or np.any(np.abs(level[ends[:, 0]] - level[ends[:, 1]]) != 1):
        return None
    return _spread(level, _ordered(level, neighbours), _WIDE)


def _stages(network: Network) -> Int64 | None:
    """The level of every node, if every channel leads one level on; None otherwise."""
    level = np.full(network.num_nodes, -1, dtype=np.int64)
    entered = np.zeros(network.num_nodes, dtype=np.bool_)
    entered[network.head] = True
    here = np.nonzero(~entered)[0]
    level[here] = 0
    for at in range(network.num_nodes):
        if not len(here):
            break
        leaving = np.isin(network.tail, here)
        here = np.unique(network.head[leaving])
        if np.any(level[here] >= 0):
            return None
        level[here] = at + 1
    return None if np.any(level < 0) else level


def _tree(neighbours: list[list[int]], tail: Int64, head: Int64) -> Points | None:
    """Leaves side by side, parents above the middle of their children, the centre on top."""
    size = len(neighbours)
    first = hops_from(size, tail, head, 0)
    if np.any(first < 0):
        return None
    one = int(first.argmax())
    away = hops_from(size, tail, head, one)
    path = [int(away.argmax())]  # of largest length: the centre is in its middle
    while path[-1] != one:
        path.append(next(v for v in neighbours[path[-1]] if away[v] == away[path[-1]] - 1))
    root = path[len(path) // 2]
    depth = hops_from(size, tail, head, root)
    children = [[x for x in near if depth[x] > depth[v]] for v, near in enumerate(neighbours)]
    across = over_leaves(children, root)
    step = max(1.0, float(across.max()) / _WIDE / max(1, int(depth.max())))
    return np.stack([across, -step * depth], axis=1)


def over_leaves(children: Sequence[Sequence[int]], root: int) -> Points:
    """A coordinate of every vertex of a tree, shape (N,): leaves 0, 1, 2, ..., every other vertex in the middle of its
    outermost children."""
    place = np.zeros(len(children))
    order, todo = [], [root]
    while todo:
        order.append(todo.pop())
        todo.extend(reversed(children[order[-1]]))
    leaves = [v for v in order if not children[v]]
    place[leaves] = np.arange(len(leaves))
    for v in reversed(order):
        if children[v]:
            place[v] = (place[children[v][0]] + place[children[v][-1]]) / 2
    return place


def _ordered(level: Int64, neighbours: list[list[int]]) -> list[Int64]:
    """The nodes of each level, in an order with few crossings."""
    order = [np.nonzero(level == x)[0] for x in range(int(level.max()) + 1)]
    for sweep in range(_SWEEPS):
        spot = np.zeros(len(level))
        for some in order:
            spot[some] = (np.arange(len(some)) + 0.5) / len(some)
        up = sweep % 2 == 0
        for at in range(1, len(order)) if up else range(len(order) - 2, -1, -1):
            other = at - 1 if up else at + 1
            means = []
            for v in order[at].tolist():
                near = [spot[x] for x in neighbours[v] if level[x] == other]
                means.append(float(np.mean(near)) if near else spot[v])
            order[at] = order[at][np.argsort(means, kind="stable")]
            spot[order[at]] = (np.arange(len(order[at])) + 0.5) / len(order[at])
    return order


def _spread(level: Int64, order: list[Int64], wide: float) -> Points:
    """Level x at height x times a step, its nodes spread evenly over the width of the widest level."""
    widest = max(len(x) for x in order)
    step = max(1.0, (widest - 1) / wide / max(1, len(order) - 1))
    points = np.zeros((len(level), 2))
    for at, some in enumerate(order):
        points[some, 0] = (np.arange(len(some)) + 0.5) * widest / len(some) - 0.5
        points[some, 1] = at * step
    return points
