"""Ways between ranks under lengths of channels: paths whose inner nodes are switches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...core.arrays import Int64
from ...core.collective import Broadcasts
from ...graphs.arborescence import Arc, cheapest_tree
from ...graphs.shortest import cheapest, path_by


def cheapest_channels(task: Broadcasts, length: Sequence[int], root: int) -> Int64:
    """The channels of a cheapest tree from ``root`` to all ranks, in an order in which units can travel them; a way
    over switches costs what it would alone.  ``length``: by channel."""
    place = {v: k for k, v in enumerate(task.nodes)}
    arcs, paths = _ways(task, length, place)
    found = cheapest_tree(len(place), arcs, place[root])
    return np.array([c for x in found for c in paths[x]], dtype=np.int64)


def _ways(
    task: Broadcasts, length: Sequence[int], place: Mapping[int, int]
) -> tuple[list[Arc], list[list[int]]]:  # fmt: skip
    """The cheapest way over switches alone from every rank's node to others, between places of nodes."""
    head = task.head.tolist()
    offset, order = task.network.in_channels if task.reversed else task.network.out_channels
    tail = task.tail.tolist()
    arcs, paths = [], []
    for v in task.nodes:

        def onward(u: int, v: int = v) -> list[tuple[int, int]]:
            ends = u != v and task.reached[u]
            return [] if ends else [(c, head[c]) for c in order[offset[u] : offset[u + 1]].tolist()]

        cost, via = cheapest(v, 0, onward, lambda far, c: far + length[c])
        for u in sorted((u for u in cost if u != v and task.reached[u]), key=lambda u: (cost[u], u)):
            arcs.append(Arc(place[v], place[u], cost[u]))
            paths.append(path_by(via, tail.__getitem__, v, u))
    return arcs, paths
