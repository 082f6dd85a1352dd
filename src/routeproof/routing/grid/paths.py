"""The paths themselves of a grid routing, by enumeration of intermediates, directions and dimension orders."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

from ...core.network import Grid
from .lines import Line
from .orders import Order

__all__ = ["own_paths"]

_MOST_PATHS = 10_000


def own_paths(
    grid: Grid, lines: Sequence[Line], orders: Sequence[Order], row: int, column: int
) -> list[tuple[Fraction, list[int]]] | None:
    """Weighted paths (channels) from node ``row`` to node ``column``, heaviest first; None if there may be too many."""
    start, end = ([int(x) for x in grid.coordinates[v]] for v in (row, column))
    walks = [line.walks(s, t) for line, s, t in zip(lines, start, end, strict=True)]
    # Only dimensions in which something moves can be told apart by their order.
    moving = [r for r in range(grid.num_dimensions) if any(first or second for _, first, second in walks[r])]
    choices = [[order] if order is not None else list(itertools.permutations(moving)) for order in orders]
    if math.prod(map(len, walks)) * math.prod(map(len, choices)) > _MOST_PATHS:
        return None
    each = Fraction(1, math.prod(map(len, choices)))
    weight: dict[tuple[int, ...], Fraction] = {}
    for way in itertools.product(*walks):
        chance = math.prod((x for x, _, _ in way), start=each)
        legs = [(first, second) for _, first, second in way]
        for order in itertools.product(*choices):
            position, path = list(start), []
            for phase, dimensions in enumerate(order):
                for r in dimensions:
                    for d in legs[r][phase]:
                        path.append(int(grid.channel_at[grid.node(position), r, d]))
                        position[r] = (position[r] + _step(grid, d)) % grid.radix[r]
            weight[tuple(path)] = weight.get(tuple(path), Fraction(0)) + chance
    return [(x, list(path)) for path, x in sorted(weight.items(), key=lambda item: (-item[1], item[0]))]


def _step(grid: Grid, d: int) -> int:
    return d + 1 if grid.kind == "hyperx" else 1 - 2 * d
