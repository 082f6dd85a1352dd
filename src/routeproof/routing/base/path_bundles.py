"""The paths by which virtual channels are assigned: explicit ones, else those that loads are decomposed into."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from ...core.stage import Progress
from .bundle import Bundle
from .routing import Routing

__all__ = ["bundles_of"]


def bundles_of(routing: Routing, progress: Progress | None = None) -> Iterator[Bundle]:
    """``routing.bundles`` where its paths are explicit, else the paths of ``routing.decomposition`` with cycles left
    out, pair by pair: rows ascending, for each row columns ascending."""
    return routing.bundles(progress) if routing.has_explicit_paths else _decomposed(routing, progress)


def _decomposed(routing: Routing, progress: Progress | None) -> Iterator[Bundle]:
    rows, columns = np.unique(routing.row_of).tolist(), np.unique(routing.column_of).tolist()
    for k, i in enumerate(rows):
        for j in columns:
            if routing.row_node[i] != routing.column_node[j]:
                yield from (Bundle.of(i, j, path) for path in _straight_paths(routing, i, j))
        if progress is not None:
            progress(k + 1, len(rows))


def _straight_paths(routing: Routing, row: int, column: int) -> list[tuple[int, ...]]:
    straight: dict[tuple[int, ...], Fraction] = {}
    for weight, path in routing.decomposition(row, column):
        way = _without_cycles(routing, path)
        straight[way] = straight.get(way, Fraction(0)) + weight
    if routing.parts:  # heaviest first, as the decomposition of a mixture is
        return sorted(straight, key=lambda way: (-straight[way], way))
    return list(straight)


def _without_cycles(routing: Routing, path: list[int]) -> tuple[int, ...]:
    """What is left of a path where, whenever it comes to a node again, what lies between is left out."""
    tail, head = routing.network.tail, routing.network.head
    at = {int(tail[path[0]]): 0}
    left: list[int] = []
    for c in path:
        left.append(c)
        v = int(head[c])
        if v in at:
            del left[at[v] :]
            at = {u: x for u, x in at.items() if x <= at[v]}
        at[v] = len(left)
    return tuple(left)
