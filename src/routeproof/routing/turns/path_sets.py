"""Sets of paths that a routing may be restricted to, by name: now ``2turn``, at most two turns on a grid.

Source: Towles, Dally & Boyd 2003 (SPAA), sec. 5.2: "2TURN only uses a closed-form description of the possible paths".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.errors import InputError, did_you_mean
from ...core.network import Grid, Network
from ...core.symmetry import Automorphism
from ..grid.layout import channel_places
from .two_turn_paths import channels_of, two_turn_paths

__all__ = ["PATH_SETS", "PathSet", "path_set"]

PATH_SETS = {"2turn": "at most two turns between dimensions and no reversal, on tori and meshes of two dimensions"}


class PathSet:
    """The allowed paths of every pair of nodes, as lists of channels in a fixed order; made once for each pair."""

    def __init__(self, name: str, network: Network, grid: Grid) -> None:
        self.name, self.network, self._grid = name, network, grid
        self._known: dict[tuple[int, int], list[list[int]]] = {}

    def paths(self, source: int, destination: int) -> list[list[int]]:
        """All allowed paths between two nodes; ``[[]]`` from a node to itself."""
        key = (source, destination)
        if key not in self._known:
            at = self._grid.coordinates
            start, end = at[source].tolist(), at[destination].tolist()
            legs = two_turn_paths(self._grid, start, end)
            self._known[key] = [list(channels_of(self._grid, start, one)) for one in legs]
        return self._known[key]

    def distance(self, source: int, destination: int, length: Sequence[int]) -> int:
        """The length of the shortest allowed path, where channels have these whole lengths."""
        return min(sum(length[c] for c in path) for path in self.paths(source, destination))

    def is_kept_by(self, g: Automorphism) -> bool:
        """Does the automorphism take allowed paths to allowed paths?  It does if it takes dimensions to dimensions:
        then turns stay turns, and straight runs stay straight."""
        dimension = channel_places(self.network, self._grid).dimension
        return len({(int(a), int(b)) for a, b in zip(dimension, dimension[g.channel], strict=True)}) == len(
            np.unique(dimension)
        )


def path_set(name: str, network: Network) -> PathSet:
    """The set called ``name`` on ``network``; raises InputError where there is none."""
    if name not in PATH_SETS:
        raise InputError(f"the paths are called '{name[:40]}'; {did_you_mean(name, PATH_SETS)}")
    grid = network.grid
    if grid is None or grid.kind == "hyperx" or grid.num_dimensions != 2:
        raise InputError(
            f"paths of at most two turns need a torus or mesh of two dimensions; {network.name} is not one"
        )
    return PathSet(name, network, grid)
