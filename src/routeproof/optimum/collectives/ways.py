"""Ways between ranks under lengths of channels: paths whose inner nodes are switches."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...core.arrays import Int64
from ...core.collective import Broadcasts
from ...graphs.arborescence import Arc, cheapest_tree


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
    arcs, paths = [], []
    for v in task.nodes:
        dist, via = {v: 0}, dict[int, int]()
        heap, done = [(0, v)], set[int]()
        while heap:
            far, u = heapq.heappop(heap)
            if u in done:
                continue
            done.add(u)
            if u != v and task.reached[u]:
                arcs.append(Arc(place[v], place[u], far))
                paths.append(_path(via, task.tail, u, v))
                continue
            for c in order[offset[u] : offset[u + 1]].tolist():
                there = far + length[c]
                if there < dist.get(head[c], there + 1):
                    dist[head[c]], via[head[c]] = there, c
                    heapq.heappush(heap, (there, head[c]))
    return arcs, paths


def _path(via: Mapping[int, int], tail: Any, end: int, start: int) -> list[int]:
    found = []
    while end != start:
        found.append(via[end])
        end = int(tail[via[end]])
    return found[::-1]
