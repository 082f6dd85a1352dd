"""Trees packed up to symmetry: a few trees from one root of every class, each of which stands for all its images.

The weights are those of a linear program with a row for every class of channels; its multipliers are lengths, and a
cheapest tree under them is a column that it lacks, or there is none.  By Edmonds' theorem its optimum is the cut's.

Source: column generation, Dantzig & Wolfe 1960; Edmonds 1967 (Optimum branchings).
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
from ...core.symmetry import Automorphism, orbit_labels
from ...formats.documents.packed_ints import pack_ints
from ...kernel.packings import Classes, PackedTree
from ...lp.exact import NotExactError, Triplets, solve_exactly
from ...lp.solver import SolverError
from ...symmetry.automorphisms import find_automorphisms, generators_of
from .ways import cheapest_channels

_FEWEST_RANKS = 24
_MOST_CLASSES = 200
_MOST_ROUNDS = 300


@dataclass(frozen=True, eq=False)
class SymmetricTrees:
    """``trees``: from one root of every class; ``symmetry``: as evidence names it."""

    trees: Sequence[PackedTree]
    symmetry: Mapping[str, Any]


def symmetric_trees(task: Broadcasts, rate: Fraction, progress: Progress | None = None) -> SymmetricTrees | None:
    """Trees that carry ``rate``, the least cut's; None where there is little symmetry, or no exact solution."""
    if len(task.nodes) < _FEWEST_RANKS:
        return None
    generators, symmetry = symmetry_of(task)
    network = task.network
    classes = Classes(
        orbit_labels(network.num_nodes, [g.node for g in generators]),
        orbit_labels(network.num_channels, [g.channel for g in generators]),
    )
    count = len(np.unique(classes.channel))
    if count > _MOST_CLASSES or count * 4 > network.num_channels:
        return None
    try:
        trees = _Columns(task, rate, classes).solved(progress)
    except (NotExactError, SolverError):
        return None
    return None if trees is None else SymmetricTrees(trees, symmetry)


def symmetry_of(task: Broadcasts) -> tuple[list[Automorphism], Mapping[str, Any]]:
    """Automorphisms that leave what is emitted and who must receive as they are."""
    network = task.network
    every, names = generators_of(network)
    kept = [g for g in every if task.kept_by(g)]
    if len(kept) < len(every):
        colour = task.supply * 2 + task.reached
        found = find_automorphisms(network, colour=colour)
        kept, names = [g for g in (() if found is None else found.generators) if task.kept_by(g)], None
    if names is not None:
        return kept, {"declared": names}
    return kept, {"found": [pack_ints(g.node) for g in kept]}


class _Columns:
    """The program: minimise the largest load per bandwidth of trees that carry ``rate``."""

    def __init__(self, task: Broadcasts, rate: Fraction, classes: Classes) -> None:
        network = task.network
        self.task, self.rate, self.classes = task, rate, classes
        self.kinds, self.row = np.unique(classes.channel, return_inverse=True)
        self.members = np.bincount(self.row)
        self.unit = lcm(*(x.denominator for x in network.widths))
        self.roots = np.unique(classes.node[task.supply > 0]).tolist()
        self.size = np.bincount(classes.node, minlength=network.num_nodes).tolist()
        self.columns: list[tuple[int, Int64]] = []  # (place of the root in ``roots``, channels)
        self.known: set[tuple[int, bytes]] = set()
        self.divisor = [1] * len(self.kinds)  # of the program's rows

    def solved(self, progress: Progress | None) -> list[PackedTree] | None:
        widths = [int(self.task.network.bandwidth[c] * self.unit) for c in self.kinds.tolist()]
        common = lcm(*widths)
        length = [common // x for x in widths]
        for k in range(len(self.roots)):
            self._add(k, self._cheapest(k, length))
        for done in range(_MOST_ROUNDS):
            primal, dual = solve_exactly(self._program())
            if progress is not None:
                progress(done, _MOST_ROUNDS)
            if primal.fraction(0) <= 1:
                used = [(x, primal.fraction(j + 1) / self.rate.denominator) for j, x in enumerate(self.columns)]
                return [PackedTree(self.roots[k], weight, channels) for (k, channels), weight in used if weight]
            first = len(self.roots)
            common = lcm(*self.divisor)
            length = [int(x) * common // d for x, d in zip(dual.num[first:], self.divisor, strict=True)]
            new = [self._add(k, self._cheapest(k, length)) for k in range(len(self.roots))]
            if not any(new):
                return None
        return None

    def _add(self, k: int, channels: Int64) -> bool:
        """Add a column; is it a new one?"""
        key = (k, np.bincount(self.row[channels], minlength=len(self.kinds)).tobytes())
        if key in self.known:
            return False
        self.known.add(key)
        self.columns.append((k, channels))
        return True

    def _program(self) -> Any:
        """A column for the load, and one for every tree: its weight times the denominator of the rate."""
        entries, bound = Triplets(), [self.rate.numerator * int(self.task.supply[v]) for v in self.roots]
        first = len(bound)
        used = np.zeros((len(self.kinds), len(self.columns) + 1), dtype=np.int64)
        for j, (k, channels) in enumerate(self.columns):
            entries.add(k, j + 1, 1)
            count = np.bincount(self.row[channels], minlength=len(self.kinds))
            used[:, j + 1] = -count * self.size[self.roots[k]] * self.unit
        for r, c in enumerate(self.kinds.tolist()):
            wide = int(self.task.network.bandwidth[c] * self.unit)
            used[r, 0] = wide * int(self.members[r]) * self.rate.denominator
            some = np.flatnonzero(used[r])
            self.divisor[r] = int(np.gcd.reduce(used[r]))
            entries.add(first + r, some, used[r, some] // self.divisor[r])
            bound.append(0)
        return entries.program(len(self.columns) + 1, first, bound)

    def _cheapest(self, k: int, length: Sequence[int]) -> Int64:
        """Channels of a cheapest tree from a root under lengths by class."""
        return cheapest_channels(self.task, [length[r] for r in self.row.tolist()], self.roots[k])
