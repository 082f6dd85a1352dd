"""Directed graphs without cycles: a numbering that proves it, or a cycle that refutes it.

Checking a numbering is one comparison an edge; that is all a checker trusts.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .arrays import first_true, offsets_of

__all__ = ["first_descent", "numbering_or_cycle"]

Int64 = npt.NDArray[np.int64]


def first_descent(number: Int64, tail: Int64, head: Int64) -> int | None:
    """The first edge k along which ``number`` does not increase, or None: then the graph has no cycle.

    ``number``: int64, shape (V,); edge k leads from vertex ``tail[k]`` to ``head[k]``.
    """
    return first_true(number[tail] >= number[head])


def numbering_or_cycle(num_vertices: int, tail: Int64, head: Int64) -> tuple[Int64 | None, list[int]]:
    """(number, []) with ``number`` increasing along every edge, or (None, cycle) with a shortest cycle found.

    ``number`` is the level: the most edges of a path that ends at the vertex (Kahn's algorithm, level by level).
    ``cycle`` lists vertices, each of which leads to the next and the last to the first.
    """
    order = np.argsort(tail, kind="stable")
    successor = head[order]
    start = np.searchsorted(tail[order], np.arange(num_vertices + 1))
    waiting = np.bincount(head, minlength=num_vertices)
    number = np.full(num_vertices, -1, dtype=np.int64)
    ready = np.nonzero(waiting == 0)[0]
    level = 0
    while len(ready):
        number[ready] = level
        level += 1
        length = start[ready + 1] - start[ready]
        before = offsets_of(length)
        at = np.repeat(start[ready] - before[:-1], length) + np.arange(before[-1])
        freed, times = np.unique(successor[at], return_counts=True)
        waiting[freed] -= times
        ready = freed[waiting[freed] == 0]
    if (number >= 0).all():
        return number, []
    return None, _cycle(successor, start, number < 0)


def _cycle(successor: Int64, start: Int64, left: npt.NDArray[np.bool_]) -> list[int]:
    """A shortest cycle through the first vertex left that is on one: breadth-first search from there."""
    for root in np.nonzero(left)[0].tolist():
        parent = {root: -1}
        frontier = [root]
        while frontier:
            following = []
            for v in frontier:
                for u in successor[start[v] : start[v + 1]].tolist():
                    if u == root:
                        return _way(parent, v)
                    if left[u] and u not in parent:
                        parent[u] = v
                        following.append(u)
            frontier = following
    return []


def _way(parent: dict[int, int], end: int) -> list[int]:
    way = [end]
    while parent[way[-1]] >= 0:
        way.append(parent[way[-1]])
    return way[::-1]
