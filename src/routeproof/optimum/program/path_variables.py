"""Programs whose routings use the paths of a set only: one variable for paths that are equivalent under
symmetry.

A path that crosses n channels of a class of m puts n / m on each of them in the mean over what leaves its pair as it
is.  Paths with the same counts are equivalent to the program, so they share a variable, and its weight is spread
over them evenly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ...lp.exact import Triplets
from ...routing.classes.path_classes import ClassPaths, PathClassRouting
from ...routing.classes.symmetric import RoutingOfClasses
from ...routing.path_sets.path_set import PathSet
from ...symmetry.automorphisms import ClassSymmetry
from ...symmetry.pair_classes import Reduction

if TYPE_CHECKING:
    from ...lp.exact import ExactPoint

_FINE = 1 << 30


def designed_name(allowed: PathSet | None) -> str:
    """What a routing is called that was designed within a set of paths: a set that its name makes again is named, and
    whoever reads the routing checks its paths."""
    return f"designed with {allowed.name}" if allowed is not None and allowed.by_definition else "designed"


def with_paths_of(routing: RoutingOfClasses, name: str, allowed: PathSet) -> PathClassRouting:
    """The same loads as explicit paths, all of them in the set: those that the flow of one pair of every class is
    divided into."""
    classes = [
        ClassPaths(x.source, x.destination, routing.decomposition(x.source, x.destination)) for x in routing.classes
    ]
    return _on_paths(routing.network, name, classes, routing.symmetry, allowed)


def _on_paths(
    network: Network, name: str, classes: list[ClassPaths], symmetry: ClassSymmetry, allowed: PathSet
) -> PathClassRouting:
    return PathClassRouting(network, name, classes, symmetry, within=allowed if allowed.by_definition else None)


class PathVariables:
    """``groups[p]``: for pair class p the paths of each of its variables, whose columns begin at ``first[p]``.

    Raises InputError for symmetry that takes allowed paths to others.
    """

    def __init__(self, reduction: Reduction, allowed: PathSet, first: int) -> None:
        self.reduction, self.allowed = reduction, allowed
        for g in reduction.generators:
            if not allowed.is_kept_by(g):
                raise InputError(
                    f"the symmetry of {reduction.network.name} takes paths out of the set {allowed.name}; "
                    f"design without it (symmetry none)"
                )
        self.groups: list[list[list[Sequence[int]]]] = []
        self._uses: list[list[dict[int, int]]] = []
        self.first: list[int] = []
        for pair in reduction.pairs:
            by_uses: dict[tuple[tuple[int, int], ...], list[Sequence[int]]] = {}
            for path in allowed.paths(pair.source, pair.destination):
                uses: dict[int, int] = {}
                for o in pair.channel[list(path)].tolist():
                    uses[o] = uses.get(o, 0) + 1
                by_uses.setdefault(tuple(sorted(uses.items())), []).append(path)
            self.first.append(first)
            self.groups.append(list(by_uses.values()))
            self._uses.append([dict(key) for key in by_uses])
            first += len(by_uses)
        self.end = first

    def flows(self, flow: list[Int64], into: Triplets) -> list[int]:
        """Rows that make the flows those of weighted paths, in place of conservation; returns right-hand sides."""
        bound: list[int] = []
        for pair, columns, uses, first in zip(self.reduction.pairs, flow, self._uses, self.first, strict=True):
            into.add(len(bound), first + np.arange(len(uses)), 1)
            bound.append(1)
            members = np.bincount(pair.channel, minlength=len(pair.channel))
            rows: dict[int, int] = {}
            for o in np.unique(pair.channel[columns >= 0]).tolist():
                rows[o] = len(bound)
                into.add(len(bound), int(columns[o]), int(members[o]))
                bound.append(0)
            for k, one in enumerate(uses):
                for o, count in one.items():
                    into.add(rows[o], first + k, -count)
        return bound

    def routing_from_exact(self, name: str, point: ExactPoint) -> PathClassRouting:
        return self._routing(
            name, [[int(x) for x in point.num[a : a + len(g)]] for a, g in zip(self.first, self.groups, strict=True)]
        )

    def routing_from_floats(self, name: str, x: npt.NDArray[np.float64]) -> PathClassRouting:
        """A routing near an approximate solution: weights rounded to whole parts of a sum."""
        weights = []
        for a, group in zip(self.first, self.groups, strict=True):
            part = [int(y) if y >= 64 else 0 for y in np.maximum(x[a : a + len(group)], 0.0) * _FINE]
            weights.append(part if any(part) else [1] + [0] * (len(part) - 1))
        return self._routing(name, weights)

    def _routing(self, name: str, weights: list[list[int]]) -> PathClassRouting:
        own, classes = self.reduction, list[ClassPaths]()
        for pair, groups, weight in zip(own.pairs, self.groups, weights, strict=True):
            total, paths = sum(weight), list[tuple[Fraction, list[int]]]()
            for w, group in zip(weight, groups, strict=True):
                paths += [(Fraction(w, total * len(group)), list(path)) for path in group] if w else []
            classes.append(ClassPaths(pair.source, pair.destination, paths))
        return _on_paths(own.network, name, classes, own.symmetry, self.allowed)
