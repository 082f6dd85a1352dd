"""An all-reduce along trees, each used both ways: sums flow to its root, and the result flows back.

Where every channel has a reverse of equal bandwidth, a tree uses a cable in both directions at once, and where every
node holds a rank, the best packing of such trees is as good as any all-reduce: the least ratio of a division of the
nodes bounds both (Tutte 1961, Nash-Williams 1961).  The weights are those of a linear program over cheapest trees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from ...core.arrays import Int64
from ...core.collective import Broadcasts
from ...core.spread import Progress
from ...core.symmetry import orbit_labels
from ...kernel.packings import PackedTree
from ...lp.exact import NotExactError, Program, Triplets, solve_exactly
from ...lp.solver import SolverError
from .symmetric import symmetry_of
from .ways import cheapest_channels

_MOST_CLASSES = 200
_MOST_ROUNDS = 300


@dataclass(frozen=True, eq=False)
class BothWays:
    """``rate``: of all trees together; ``trees``: with the symmetry that they stand for; ``parts``: divisions of the
    nodes that lengths of the program suggest, int64 (N,) each."""

    rate: Fraction
    trees: Sequence[PackedTree]
    symmetry: Mapping[str, Any]
    parts: Sequence[Int64]


def trees_both_ways(task: Broadcasts, most: Fraction, progress: Progress | None = None) -> BothWays | None:
    """The best trees for an all-reduce; None where a channel has no reverse of equal bandwidth, where there are too
    many classes of channels, and where no exact solution was found.

    ``most``: what all ranks reduce in a cycle at most; with as much the search ends.
    """
    network = task.network
    if network.reverse is None:
        return None
    generators, symmetry = symmetry_of(task)
    images = [*(g.channel for g in generators), network.reverse]
    label = orbit_labels(network.num_channels, images).astype(np.int64)
    kinds, row = np.unique(label, return_inverse=True)
    if len(kinds) > _MOST_CLASSES:
        return None
    try:
        return _Cables(task, kinds, row.astype(np.int64)).solved(most, symmetry, progress)
    except (NotExactError, SolverError):
        return None


class _Cables:
    """The program: the least load per bandwidth of trees that together have the weight 1.

    ``kinds``: a channel of every class, which holds both directions; ``row``: int64 (C,), the class of each channel.
    """

    def __init__(self, task: Broadcasts, kinds: Int64, row: Int64) -> None:
        self.task, self.row = task, row
        unit = lcm(*(x.denominator for x in task.network.widths))
        members = np.bincount(row).tolist()
        self.room = [int(task.network.bandwidth[c] * unit) * n for c, n in zip(kinds.tolist(), members, strict=True)]
        self.unit, self.count = unit, len(members)
        self.columns: list[Int64] = []
        self.used: list[Int64] = []

    def solved(
        self, most: Fraction, symmetry: Mapping[str, Any], progress: Progress | None
    ) -> BothWays | None:  # fmt: skip
        common = lcm(*self.room)
        length = [common // x for x in self.room]
        for done in range(_MOST_ROUNDS):
            new = self._add(length)
            if progress is not None:
                progress(done, _MOST_ROUNDS)
            if not new:
                break
            primal, dual = solve_exactly(self._program())
            length = [int(x) for x in dual.num[1:]]
            if primal.fraction(0) * most <= 1:
                break
        else:
            return None
        load = primal.fraction(0)
        weights = [primal.fraction(j + 1) / load for j in range(len(self.columns))]
        root = self.task.nodes[0]
        trees = [PackedTree(root, x, c) for x, c in zip(weights, self.columns, strict=True) if x]
        return BothWays(1 / load, trees, symmetry, self._parts(length))

    def _add(self, length: Sequence[int]) -> bool:
        """Add a cheapest tree as a column; is it a new one?"""
        channels = cheapest_channels(self.task, [length[r] for r in self.row.tolist()], self.task.nodes[0])
        used = np.bincount(self.row[channels], minlength=self.count)
        if any(np.array_equal(used, x) for x in self.used):
            return False
        self.columns.append(channels)
        self.used.append(used)
        return True

    def _program(self) -> Program:
        entries = Triplets()
        size = len(self.columns)
        entries.add(0, np.arange(1, size + 1), 1)
        for r in range(self.count):
            used = np.array([x[r] for x in self.used]) * 2 * self.unit  # once each way
            entries.add(1 + r, 0, self.room[r])
            entries.add(1 + r, np.arange(1, size + 1), -used)
        return entries.program(size + 1, 1, [1, *[0] * self.count])

    def _parts(self, length: Sequence[int]) -> list[Int64]:
        """What channels of at most some length join, for every length."""
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        task, size = self.task, self.task.network.num_nodes
        of = np.array([length[r] for r in self.row.tolist()], dtype=object)
        found = []
        for top in sorted(set(length))[:-1]:
            joined = np.flatnonzero(of <= top)
            ends = task.tail[joined], task.head[joined]
            matrix = coo_matrix((np.ones(len(joined)), ends), shape=(size, size))
            part = connected_components(matrix, directed=False)[1].astype(np.int64)
            part[~np.isin(part, part[task.reached])] = -1
            if len(np.unique(part[part >= 0])) > 1:
                found.append(part)
        return found
