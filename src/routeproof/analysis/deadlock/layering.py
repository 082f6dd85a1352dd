"""Virtual channels for any routing: paths sorted into layers, each of which has no cycle of dependencies.

Source: the idea of LASH (Skeie, Lysne & Theiss 2002) and DFSSSP (Domke, Hoefler & Nagel 2011): a packet stays on the
virtual channels of one layer.  Here a path goes into the first layer that it does not close a cycle in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

__all__ = ["Layers"]


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
        edges = list(pairwise(key))
        for k in range(len(self._layers) + 1):
            if k == len(self._layers):
                self._layers.append(_Layer(self.num_channels))
            if self._layers[k].add(edges):
                break
        self._seen[key] = k
        return k


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
