"""What carries a collective between nodes: capacities between pairs of nodes, made of paths of channels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...core.collective import Broadcasts

Pair = tuple[int, int]
Path = tuple[int, ...]


class Share(NamedTuple):
    """``amount`` of a path's capacity."""

    amount: int
    path: Path


class Links:
    """By pair of nodes (tail, head), the paths of channels that join them, each with whole capacity of its own."""

    def __init__(self, task: Broadcasts, capacity: Iterable[int]) -> None:
        """Every channel is a path; ``capacity``: by channel."""
        self._task = task
        self._shares: dict[Pair, list[Share]] = {}
        ends = zip(task.tail.tolist(), task.head.tolist(), capacity, strict=True)
        for c, (u, v, amount) in enumerate(ends):
            if amount:
                self._shares.setdefault((u, v), []).append(Share(amount, (c,)))

    def pairs(self) -> list[Pair]:
        """All pairs that are joined."""
        return list(self._shares)

    def capacity(self, pair: Pair) -> int:
        return sum(x.amount for x in self._shares.get(pair, ()))

    def take(self, pair: Pair, amount: int) -> list[Share]:
        """Take so much capacity off the pair, path by path; it must have as much."""
        shares, found = self._shares[pair], []
        while amount:
            last = shares.pop()
            used = min(last.amount, amount)
            found.append(Share(used, last.path))
            if used < last.amount:
                shares.append(Share(last.amount - used, last.path))
            amount -= used
        if not shares:
            del self._shares[pair]
        return found

    def split_off(self, u: int, w: int, t: int, amount: int) -> None:
        """Make so much of the way from u over w to t a way of its own from u to t; none where u is t."""
        first, second = self.take((u, w), amount), self.take((w, t), amount)
        if u == t:
            return
        into = self._shares.setdefault((u, t), [])
        for share, path in paired(first, second):
            into.append(Share(share, self._without_loops((*path[0], *path[1]))))

    def _without_loops(self, path: Path) -> Path:
        """The path, without what leads from a node back to it."""
        tail, head = self._task.tail, self._task.head
        kept: list[int] = []
        for c in path:
            at = next((k for k, x in enumerate(kept) if tail[x] == head[c]), None)
            kept = [*kept, c] if at is None else kept[:at]
        return tuple(kept)


def paired(first: Sequence[Share], second: Sequence[Share]) -> Iterable[tuple[int, tuple[Path, Path]]]:
    """Both lists, which amount to the same, cut where either changes: (amount, a path of each)."""
    one, two = list(first), list(second)
    while one and two:
        a, b = one.pop(), two.pop()
        amount = min(a.amount, b.amount)
        yield amount, (a.path, b.path)
        if a.amount > amount:
            one.append(Share(a.amount - amount, a.path))
        if b.amount > amount:
            two.append(Share(b.amount - amount, b.path))
