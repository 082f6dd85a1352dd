"""A numbering of the channels that paths follow upwards, with few descents: virtual channels for any routing.

Source: the heuristic for feedback arcs of Eades, Lin & Smyth 1993 (Inform. Process. Lett. 47), with weights that grow
where paths descend most.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from ...routing.base.bundle import Bundle
from ...routing.dependencies.virtual_dependencies import by_descents

__all__ = ["few_descents"]

Int64 = npt.NDArray[np.int64]
_ROUNDS = 8


def few_descents(num_channels: int, bundles: Callable[[], Iterable[Bundle]]) -> tuple[int, Int64]:
    """(V, number): along every path of ``bundles()`` the ``number`` of its channels descends at most V - 1 times.

    ``number``: int64, shape (C,), a permutation.  V is the best of a few rounds, not the least possible.
    """
    weight: dict[int, float] = {}
    for bundle in bundles():
        keys, counts = np.unique(_keys(num_channels, bundle), return_counts=True)
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
            weight[key] = weight.get(key, 0.0) + count
    best: tuple[int, Int64] | None = None
    for _ in range(_ROUNDS):
        number = _ordered(num_channels, weight)
        most, guilty = 0, np.zeros(0, dtype=np.int64)
        for bundle in bundles():
            virtual = by_descents(number, bundle.channel)
            top = int(virtual.max(initial=0))
            if top < most:
                continue
            if top > most:
                most, guilty = top, guilty[:0]
            bad = Bundle(bundle.row, bundle.column, bundle.channel[virtual.max(axis=1) == top])
            key = _keys(num_channels, bad)
            guilty = np.union1d(guilty, key[number[key % num_channels] <= number[key // num_channels]])
        if best is None or most + 1 < best[0]:
            best = most + 1, number
        if most <= 1:  # none, or a cycle that no numbering avoids
            break
        for key in guilty.tolist():
            weight[key] = 2 * weight[key]
    assert best is not None
    return best


def _keys(num_channels: int, bundle: Bundle) -> Int64:
    return (bundle.channel[:, :-1].astype(np.int64) * num_channels + bundle.channel[:, 1:]).ravel()


def _ordered(size: int, weight: dict[int, float]) -> Int64:
    """Sinks last, sources first, else the vertex whose outgoing weight most exceeds the incoming one."""
    after: list[dict[int, float]] = [{} for _ in range(size)]
    before: list[dict[int, float]] = [{} for _ in range(size)]
    for key, x in weight.items():
        u, v = divmod(key, size)
        after[u][v] = before[v][u] = x
    out = [sum(x.values()) for x in after]
    into = [sum(x.values()) for x in before]

    def rank(v: int) -> tuple[float, int]:
        if not after[v]:
            return (-2.0, v)
        return (-1.0, v) if not before[v] else (1.0 + into[v] / (into[v] + out[v]), v)

    heap = [rank(v) for v in range(size)]
    heapq.heapify(heap)
    front: list[int] = []
    back: list[int] = []
    gone = [False] * size
    while heap:
        urgency, v = heapq.heappop(heap)
        if gone[v] or urgency != rank(v)[0]:
            continue
        gone[v] = True
        (front if after[v] else back).append(v)
        touched = set(after[v]) | set(before[v])
        for u, x in after[v].items():
            into[u] -= x
            del before[u][v]
        for u, x in before[v].items():
            out[u] -= x
            del after[u][v]
        for u in touched:
            heapq.heappush(heap, rank(u))
    number = np.empty(size, dtype=np.int64)
    number[front + back[::-1]] = np.arange(size)
    return number
