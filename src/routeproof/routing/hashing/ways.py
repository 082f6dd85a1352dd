"""The paths that hashes choose among, with their probabilities as whole numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from ..base.routing import Routing

_MOST_PATHS = 4096  # of a pair


def ways_of(
    routing: Routing, row: int, column: int, loads: Mapping[int, Fraction]
) -> list[tuple[int, list[int]]] | None:
    """(weight, path) for all paths of a pair with these loads; None where they are many."""
    if routing.has_explicit_paths:
        found = routing.paths(row, column)
    else:
        head, end = routing.network.head, int(routing.column_node[column])
        found, steps = [], steps_of(routing, loads)
        todo: list[tuple[Fraction, int, list[int]]] = [(Fraction(1), int(routing.row_node[row]), [])]
        while todo:
            weight, v, path = todo.pop()
            if v == end:
                found.append((weight, path))
            else:
                todo += [(weight * p, int(head[c]), [*path, c]) for c, p in steps[v]]
            if len(found) + len(todo) > _MOST_PATHS:
                return None
    if len(found) > _MOST_PATHS:
        return None
    scale = math.lcm(*(w.denominator for w, _ in found))
    return [(int(w * scale), path) for w, path in found]


def steps_of(routing: Routing, loads: Mapping[int, Fraction]) -> dict[int, list[tuple[int, Fraction]]]:
    """At every node the next channels of the pair's flows, with their probabilities."""
    found: dict[int, list[tuple[int, Fraction]]] = {}
    for c, x in loads.items():
        found.setdefault(int(routing.network.tail[c]), []).append((c, x))
    for v, out in found.items():
        total = sum((x for _, x in out), Fraction(0))
        found[v] = [(c, x / total) for c, x in out]
    return found
