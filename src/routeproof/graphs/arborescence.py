"""The cheapest tree from a root to all nodes along arcs.

Source: Chu & Liu 1965; Edmonds 1967 (Optimum branchings).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple


class Arc(NamedTuple):
    tail: int
    head: int
    cost: int


def cheapest_tree(size: int, arcs: Sequence[Arc], root: int) -> list[int]:
    """Places in ``arcs`` of a tree with the least total cost, in an order in which it grows from the root.

    Every node must be within reach of the root.  Where cheapest arcs into all nodes make a tree, it is one of few hops.
    """
    least = [min((x.cost for x in into), default=0) for into in _into(size, arcs)]
    free = [k for k, x in enumerate(arcs) if x.cost == least[x.head]]
    found = _grown(size, arcs, free, root)
    if len(found) == size - 1:
        return found
    return _grown(size, arcs, _cheapest(size, list(arcs), root), root)


def _into(size: int, arcs: Sequence[Arc]) -> list[list[Arc]]:
    found: list[list[Arc]] = [[] for _ in range(size)]
    for x in arcs:
        found[x.head].append(x)
    return found


def _grown(size: int, arcs: Sequence[Arc], some: Sequence[int], root: int) -> list[int]:
    """Arcs of a breadth-first tree along ``some``."""
    out: list[list[int]] = [[] for _ in range(size)]
    for k in some:
        out[arcs[k].tail].append(k)
    seen, found, waiting = {root}, list[int](), deque([root])
    while waiting:
        for k in out[waiting.popleft()]:
            if arcs[k].head not in seen:
                seen.add(arcs[k].head)
                found.append(k)
                waiting.append(arcs[k].head)
    return found


def _cheapest(size: int, arcs: list[Arc], root: int) -> list[int]:
    """Cheapest arcs into every node; cycles of them are contracted, and the rest is found for what is left."""
    best: list[int] = [-1] * size
    for k, x in enumerate(arcs):
        if x.tail != x.head and x.head != root and (best[x.head] < 0 or x.cost < arcs[best[x.head]].cost):
            best[x.head] = k
    number, cyclic = _contracted(size, arcs, best, root)
    count = max(number) + 1
    if count == size:
        return [k for k in best if k >= 0]
    kept, smaller = [], []
    for k, x in enumerate(arcs):
        if number[x.tail] != number[x.head]:
            less = arcs[best[x.head]].cost if cyclic[x.head] else 0
            kept.append(k)
            smaller.append(Arc(number[x.tail], number[x.head], x.cost - less))
    chosen = [kept[k] for k in _cheapest(count, smaller, number[root])]
    entered = {arcs[k].head for k in chosen}
    return [*chosen, *(best[v] for v in range(size) if cyclic[v] and v not in entered)]


def _contracted(size: int, arcs: Sequence[Arc], best: Sequence[int], root: int) -> tuple[list[int], list[bool]]:
    """(the number of each node when cycles are one node, whether it is on a cycle)."""
    number, cyclic, state = [-1] * size, [False] * size, [-1] * size
    count = 0
    for start in range(size):
        v, path = start, []
        while v != root and state[v] < 0:
            state[v] = start
            path.append(v)
            v = arcs[best[v]].tail
        if v != root and state[v] == start and number[v] < 0:  # a new cycle
            u = v
            while True:
                number[u], cyclic[u] = count, True
                u = arcs[best[u]].tail
                if u == v:
                    break
            count += 1
    for v in range(size):
        if number[v] < 0:
            number[v] = count
            count += 1
    return number, cyclic
