"""Routings on tori, meshes and HyperX whose loads have a closed form: their paths, symmetries and delivery."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.symmetry import Automorphism
from .layout import grid_of
from .loads import GridLoads
from .paths import own_paths
from .symmetry import check_delivery, respects, respects_reversal

__all__ = ["GridRouting", "grid_of"]

Int64 = npt.NDArray[np.int64]
_CHECKED_NODES = 256


class GridRouting(GridLoads):
    """A routing of one or two phases, each dimension by dimension; see ``GridLoads`` for its loads."""

    # -- paths ------------------------------------------------------------------------------------------

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """The routing's own paths with their exact weights, heaviest first; where they may be more than 10,000, few
        paths with the same loads."""
        if row == column:
            return [(Fraction(1), [])]
        found = own_paths(self.grid, self.lines, self.orders, row, column)
        return super().paths(row, column) if found is None else found

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
            check_delivery(self, *self._telling_pairs())

    def _telling_pairs(self) -> tuple[Int64, Int64]:
        """(rows, columns) of pairs whose delivery implies that of all."""
        nodes = np.arange(self.network.num_nodes)
        sources = nodes if self.grid.kind == "mesh" else nodes[:1]
        return np.repeat(sources, len(nodes)), np.tile(nodes, len(sources))
