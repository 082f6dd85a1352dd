"""Who may send to whom, by kind: terminals that may send to the same terminals are of one kind."""

from __future__ import annotations

import numpy as np

from ..core.arrays import Int64
from .transport import TransportSet


def partners(demands: TransportSet) -> tuple[Int64, Int64]:
    """For every terminal a number of whom it may send to, and one of whom it may receive from: equal numbers, equal
    partners, apart from the terminal itself."""
    size = demands.size
    group = np.zeros(size, dtype=np.int64) if demands.group is None else demands.group.astype(np.int64)
    pairs = demands.pairs if demands.box is None else set(demands.box.limits)
    if pairs is None:
        return group + 1, group + 1
    sides = []
    for mine, other in ((0, 1), (1, 0)):
        found: list[list[int]] = [[] for _ in range(size)]
        for pair in pairs:
            if demands.allows(*pair):
                found[pair[mine]].append(pair[other])
        names: dict[tuple[int, ...], int] = {(): 0}
        sides.append(np.array([names.setdefault(tuple(sorted(x)), len(names)) for x in found], dtype=np.int64))
    return sides[0], sides[1]


def representatives(demands: TransportSet) -> list[tuple[int, int]]:
    """Allowed pairs, at least one for any two kinds of terminals of which one may send to the other."""
    pairs = demands.pairs if demands.box is None else set(demands.box.limits)
    if pairs is not None:
        return [pair for pair in pairs if demands.allows(*pair)]
    if demands.group is None:
        return [(0, 1)]
    first: dict[int, int] = {}
    found = []
    for i, g in enumerate(demands.group.tolist()):
        if g >= 0 and g in first:
            found.append((first[g], i))
        first.setdefault(g, i)
    return found
