"""Routings on tori, meshes and HyperX whose loads have a closed form: their paths, symmetries and delivery."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Grid
from ...core.spread import Progress
from ...core.symmetry import Automorphism
from ..base.bundle import Bundle
from ..base.delivery import check_delivery
from ..base.routing import Dependency
from .dependencies import grid_dependencies
from .lines import Line
from .loads import GridLoads
from .orders import Order
from .relative import translated_bundles
from .symmetry import respects, respects_reversal

_CHECKED_NODES = 256
_CELLS = 1 << 20


class GridRouting(GridLoads):
    """A routing of one or two phases, each dimension by dimension; see ``GridLoads`` for its loads."""

    has_explicit_paths = True

    # -- paths ------------------------------------------------------------------------------------------

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """The routing's own paths with their exact weights, heaviest first; refused where they may be more than
        10,000."""
        found = self._own_paths(row, column)
        if found is None:
            label = self.network.label
            raise InputError(
                f"{self.name} has too many paths from {label(row)} to {label(column)} to write them all out"
            )
        return found

    def decomposition(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """Its own paths, or, where they may be more than 10,000, few paths with the same loads."""
        found = self._own_paths(row, column)
        return self._flow_paths(row, column) if found is None else found

    def _own_paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]] | None:
        if row == column:
            return [(Fraction(1), [])]
        return own_paths(self.grid, self.lines, self.orders, row, column)

    def _bundles(self, progress: Progress | None) -> Iterator[Bundle]:
        """On tori and HyperX the paths of one source, moved to all: they depend on the displacement alone."""
        if self.grid.kind == "mesh":
            yield from super()._bundles(progress)
        else:
            yield from translated_bundles(self, self.places, progress)

    def dependencies(self, progress: Progress | None = None) -> Iterator[Dependency]:
        """By rule, where every node sends and receives; no path is written out."""
        if (self.network.supply > 0).all() and (self.network.demand > 0).all():
            yield from grid_dependencies(self)
        else:
            yield from super().dependencies(progress)

    def makes_dependency(self, row: int, column: int, first: int, second: int) -> bool:
        if self._own_paths(row, column) is not None:
            return super().makes_dependency(row, column, first, second)
        # Too many paths to write out: the packet that the rule names for this dependency, and no other.
        named = (first, second, row, column)
        return any((np.stack(found, axis=1) == named).all(axis=1).any() for found in grid_dependencies(self))

    # -- laws -------------------------------------------------------------------------------------------

    def respects(self, g: Automorphism) -> bool:
        return respects(self, g)

    def respects_reversal(self) -> bool:
        return respects_reversal(self)

    def check(self) -> None:
        """Raise InputError unless every pair is delivered with weight exactly 1.

        All pairs are checked on networks of up to 256 nodes; on tori and HyperX those of one source stand for all,
        by translation.  On larger networks delivery rests on the construction, which does not depend on size.
        """
        if self.network.num_nodes <= _CHECKED_NODES:
            rows, columns = self._telling_pairs()
            step = max(1, _CELLS // self.network.num_nodes)
            for at in range(0, len(rows), step):
                i, j = rows[at : at + step], columns[at : at + step]
                away = i != j
                check_delivery(self.network, self.name, i[away], j[away], self.pair_loads(i[away], j[away]))

    def _telling_pairs(self) -> tuple[Int64, Int64]:
        """(rows, columns) of pairs whose delivery implies that of all."""
        nodes = np.arange(self.network.num_nodes)
        sources = nodes if self.grid.kind == "mesh" else nodes[:1]
        return np.repeat(sources, len(nodes)), np.tile(nodes, len(sources))


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
