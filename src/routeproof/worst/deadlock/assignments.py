"""Virtual channels for any routing, two ways: paths sorted into layers without cycles, and a numbering of few descents.

Source: layers are the idea of LASH (Skeie, Lysne & Theiss 2002) and DFSSSP (Domke, Hoefler & Nagel 2011): a packet
stays on the virtual channels of one layer.  Here a path goes into the first layer that it does not close a cycle in,
the longest first, some times over.
The numbering is by the heuristic for feedback arcs of Eades, Lin & Smyth 1993 (Inform. Process. Lett. 47), with weights
that grow where paths descend most.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise

import numpy as np

from ...core.arrays import Int64
from ...routing.base.delivery import Bundle
from ...routing.dependencies.virtual_dependencies import by_descents

_ROUNDS = 8
_FILLS = 6  # of layers


class Layers:
    """Layers of paths; ``put`` gives a path's layer.  All layers stay free of cycles at all times.

    In every layer the channels are kept in an order that all dependencies respect (Pearce & Kelly 2006): a new one
    costs a search only where it goes against the order.
    """

    def __init__(self, num_channels: int) -> None:
        self.num_channels = num_channels
        self._layers: list[_Layer] = []
        self._seen: dict[tuple[int, ...], int] = {}

    def __len__(self) -> int:
        return len(self._layers)

    def put(self, path: Sequence[int]) -> int:
        """The layer of a path of channels: that of the same path before, or the first that stays free of cycles.

        Raises ValueError for a path that by itself closes a cycle, i.e. crosses a channel twice.
        """
        key = tuple(path)
        if key in self._seen:
            return self._seen[key]
        if len(set(key)) < len(key):
            raise ValueError(f"path {list(key)} crosses a channel twice; no layer is free of cycles with it")
        self._seen[key] = self.fit(list(pairwise(key)))
        return self._seen[key]

    def fit(self, edges: Collection[tuple[int, int]]) -> int:
        """The first layer that stays free of cycles with these dependencies, which have none by themselves."""
        for k, layer in enumerate(self._layers):
            if layer.add(edges):
                return k
        self._layers.append(_Layer(self.num_channels))
        if not self._layers[-1].add(edges):
            raise ValueError("these dependencies have a cycle by themselves")
        return len(self._layers) - 1


def few_layers(num_channels: int, paths: Sequence[tuple[int, ...]]) -> list[int]:
    """The layer of each path: the longest are put first, then all again by layers, the last or the smallest first.

    That never takes more, as the paths of one layer fit into one again: the iterated greedy colouring of Culberson &
    Luo 1996 (DIMACS Series 26).  An interrupt (Ctrl-C) ends it with the layers that were filled last.
    """
    order = sorted(range(len(paths)), key=lambda k: -len(paths[k]))
    layer: dict[int, int] = {}
    for turn in range(_FILLS):
        layers = Layers(num_channels)
        try:
            layer = {k: layers.put(paths[k]) for k in order}
        except KeyboardInterrupt:
            if not layer:
                raise
            break
        if len(layers) <= 2:
            break
        size = Counter(layer.values())
        order.sort(key=lambda k: (size[layer[k]] if turn % 2 else 0, -layer[k]))
    return [layer[k] for k in range(len(paths))]


class _Layer:
    def __init__(self, size: int) -> None:
        self.after: defaultdict[int, set[int]] = defaultdict(set)
        self.before: defaultdict[int, set[int]] = defaultdict(set)
        self.place = list(range(size))

    def add(self, edges: Iterable[tuple[int, int]]) -> bool:
        """Add all edges, or none if they would close a cycle."""
        added: list[tuple[int, int]] = []
        for u, v in edges:
            if v in self.after[u]:
                continue
            if not self._place(u, v):
                for x, y in added:
                    self.after[x].discard(y)
                    self.before[y].discard(x)
                return False
            self.after[u].add(v)
            self.before[v].add(u)
            added.append((u, v))
        return True

    def _place(self, u: int, v: int) -> bool:
        """Rearrange so that u comes before v; False, changing nothing, if v leads to u."""
        place = self.place
        low, high = place[v], place[u]
        if low > high:
            return True
        ahead = self._reach(v, self.after, lambda x: place[x] <= high)
        if u in ahead:
            return False
        behind = self._reach(u, self.before, lambda x: place[x] >= low)
        moved = [*sorted(behind, key=place.__getitem__), *sorted(ahead, key=place.__getitem__)]
        for x, at in zip(moved, sorted(place[x] for x in moved), strict=True):
            place[x] = at
        return True

    @staticmethod
    def _reach(start: int, edges: defaultdict[int, set[int]], within: Callable[[int], bool]) -> set[int]:
        found, stack = {start}, [start]
        while stack:
            for x in edges[stack.pop()]:
                if x not in found and within(x):
                    found.add(x)
                    stack.append(x)
        return found


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
