"""Clauses that say: these paths can be sorted into so many layers without any of these cycles of dependencies.

If they have no model, more layers are needed to be free of cycles: every assignment of paths to layers that has no
cycle at all satisfies them, once the layers are named so that the first path is in the first one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..core.errors import VerificationError

Path = Sequence[int]


def layer_formula(paths: Sequence[Path], count: int, cycles: Sequence[Sequence[int]]) -> tuple[int, list[list[int]]]:
    """(the number of variables, clauses) for different ``paths`` of channels, in ``count`` layers.

    A path's dependencies are its pairs of successive channels; a cycle is a list of channels, each of which depends on
    the one before, and the first on the last.  Raises VerificationError for a cycle that no paths make.
    """
    edges = sorted({edge for path in paths for edge in pairwise(path)})
    place = {edge: len(paths) + k for k, edge in enumerate(edges)}

    def name(thing: int, layer: int) -> int:
        return thing * count + layer + 1

    clauses = [[name(0, 0)]] if paths else []
    for p, path in enumerate(paths):
        clauses.append([name(p, k) for k in range(count)])
        for k in range(count):
            clauses += [[-name(p, k), name(place[edge], k)] for edge in pairwise(path)]
    for number, cycle in enumerate(cycles):
        around = list(zip(cycle, [*cycle[1:], *cycle[:1]], strict=True))
        if len(cycle) < 2 or not all(edge in place for edge in around):
            raise VerificationError(f"cycle {number} is not made of dependencies of the paths")
        clauses += [[-name(place[edge], k) for edge in around] for k in range(count)]
    return (len(paths) + len(edges)) * count, clauses
