"""A routing given by weighted paths for one pair of every class of pairs equivalent under symmetry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.network import Network
from ...core.spread import Progress
from ...formats.documents.packed_ints import pack_ints
from ...symmetry.automorphisms import ClassSymmetry
from ..base.bundle import Bundle
from ..path_sets.path_set import PathSet
from .symmetric_table import ClassLoads, SymmetricRouting


@dataclass(frozen=True, eq=False)
class ClassPaths:
    """Weighted paths (lists of channels) from node ``source`` to node ``destination``; weights sum to 1."""

    source: int
    destination: int
    paths: list[tuple[Fraction, list[int]]]


class PathClassRouting(SymmetricRouting):
    """As ``SymmetricRouting``, but its packets take these paths and no others with the same loads.

    ``within``: a path set that all paths are in (``routing.path_sets``), or None.
    Raises InputError, too, for weights that are not positive or do not sum to 1, paths that do not lead from source to
    destination, and paths outside the set.
    """

    has_explicit_paths = True

    def __init__(
        self,
        network: Network,
        name: str,
        classes: Sequence[ClassPaths],
        symmetry: ClassSymmetry,
        *,
        within: PathSet | None = None,
    ) -> None:
        if within is not None:
            self.allowed, self.channel_attributes = within.name, within.channel_attributes
        self.class_paths = list(classes)
        _check(network, name, self.class_paths, symmetry, within)
        super().__init__(network, name, [_loads(one) for one in classes], symmetry)

    @property
    def entries(self) -> int:
        return max((lcm(*(w.denominator for w, _ in one.paths)) for one in self.class_paths), default=0)

    def _class_paths(self, number: int) -> list[tuple[Fraction, list[int]]]:
        return self.class_paths[number].paths

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """Those of the pair's class, moved there."""
        return self.decomposition(row, column)

    def _bundles(self, progress: Progress | None) -> Iterator[Bundle]:
        """Every path of a class, moved to all pairs of the class; those that are turned round come by themselves."""
        for number, one in enumerate(self.class_paths):
            row, column, turned, image = self.moved(number)
            for _, path in one.paths:
                channel = image[:, path]
                for which, there in ((~turned, channel), (turned, channel[:, ::-1])):
                    if which.any():
                        yield Bundle(row[which], column[which], np.ascontiguousarray(there[which]))
            if progress is not None:
                progress(number + 1, len(self.class_paths))

    def moved(self, number: int) -> tuple[Int32, Int32, npt.NDArray[np.bool_], Int32]:
        """(row, column, turned, channel) of the m pairs of a class: int32 (m,), int32 (m,), bool (m,), int32 (m, C).

        Its paths become those of pair b by ``channel[b]``, and are walked backwards where ``turned[b]``.
        """
        one, n = self.class_paths[number], self.network.num_nodes
        root = one.source * n + one.destination
        below: dict[int, list[int]] = {}
        for at in np.nonzero(self._class == number)[0].tolist():
            if at != root:
                below.setdefault(int(self._parent[at]), []).append(at)
        pairs, turned = [root], [False]
        image = [np.arange(self.network.num_channels, dtype=np.int32)]
        for k, at in enumerate(pairs):  # grows while it is walked through
            for to in below.get(at, ()):
                _, channel, turn = self._moves[int(self._via[to])]
                pairs.append(to)
                turned.append(turned[k] != turn)
                image.append(channel[image[k]])
        where = np.array(pairs)
        return (where // n).astype(np.int32), (where % n).astype(np.int32), np.array(turned), np.stack(image)

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # they are told in any case
        """The paths by class: what ``read_path_classes`` reads."""
        scale = lcm(*(w.denominator for one in self.class_paths for w, _ in one.paths))
        classes = [
            [one.source, one.destination, [[str(int(w * scale)), pack_ints(np.array(path))] for w, path in one.paths]]
            for one in self.class_paths
        ]
        return {
            "symmetry": self.symmetry.described(),
            "allowed": self.allowed,
            "scale": str(scale),
            "path_classes": classes,
        }


def _check(
    network: Network, name: str, classes: Sequence[ClassPaths], symmetry: ClassSymmetry, within: PathSet | None
) -> None:
    if within is not None:
        if symmetry.reversal and not within.reversible:
            raise InputError(f"routing {name}: reversal of paths takes paths out of the set {within.name}")
        for g in symmetry.generators:
            if not within.is_kept_by(g):
                raise InputError(f"routing {name}: symmetry '{g.name}' takes paths out of the set {within.name}")
    for one in classes:
        ends = f"from node {one.source} to node {one.destination}"
        if any(w <= 0 for w, _ in one.paths) or sum((w for w, _ in one.paths), Fraction(0)) != 1:
            raise InputError(f"routing {name}: the weights {ends} are not positive with a sum of exactly 1")
        for _, path in one.paths:
            at = one.source
            for c in path:
                if int(network.tail[c]) != at:
                    raise InputError(f"routing {name}: a path {ends} breaks at node {at}")
                at = int(network.head[c])
            if at != one.destination or not path:
                raise InputError(f"routing {name}: a path {ends} ends at node {at}")
            if within is not None and not within.holds(one.source, one.destination, path):
                raise InputError(f"routing {name}: a path {ends} is not in the set {within.name}")


def _loads(one: ClassPaths) -> ClassLoads:
    den = lcm(*(w.denominator for w, _ in one.paths))
    loads: dict[int, int] = {}
    for weight, path in one.paths:
        for c in path:
            loads[c] = loads.get(c, 0) + int(weight * den)
    channels = sorted(loads)
    return ClassLoads(
        one.source, one.destination, np.array(channels, dtype=np.int32), [loads[c] for c in channels], den
    )
