"""Routings given for one pair of every class of pairs equivalent under symmetry: by its loads, or by weighted paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, offsets_of
from ...core.errors import InputError
from ...core.exact_arrays import ragged, reduced
from ...core.network import Network
from ...core.rational import as_int_array
from ...core.spread import Progress
from ...formats.documents.packed_ints import pack_ints
from ...graphs.flow_paths import paths_with_cycles
from ...symmetry.automorphisms import ClassSymmetry, opposite_of
from ..base.delivery import Bundle
from ..base.pair_table import PairTable, check_room
from ..base.tabled import TabledRouting
from ..path_sets.path_set import PathSet

_MOST_DIGITS = 4000


@dataclass(frozen=True, eq=False)
class ClassLoads:
    """A unit flow from node ``source`` to node ``destination``: ``load[k] / den`` on ``channel[k]``, without cycles."""

    source: int
    destination: int
    channel: Int32
    load: list[int]
    den: int


def describe_classes(classes: Sequence[ClassLoads], symmetry: ClassSymmetry) -> dict[str, Any]:
    """The classes and the symmetry, in full: what ``read_symmetric`` reads."""
    den = lcm(*(one.den for one in classes))
    if den.bit_length() > 2 * _MOST_DIGITS:
        raise InputError(f"the loads have a denominator of {den.bit_length():,} bits, too long for a report")
    items = []
    for one in classes:
        factor = den // one.den
        whole = [x * factor for x in one.load]
        load: Any = pack_ints(whole) if max(whole) < 1 << 62 else [str(x) for x in whole]
        items.append([one.source, one.destination, pack_ints(one.channel), load])
    return {"symmetry": symmetry.described(), "scale": str(den), "classes": items}


class SymmetricRouting(TabledRouting):
    """Every pair of nodes with terminals is the image of one of ``classes`` under ``symmetry``.  Rows and
    columns are nodes.

    Loads of a class should be the same under whatever leaves its pair as it is; then the routing respects the symmetry.
    (If not, it is a routing all the same.)  Raises InputError for generators that are no automorphisms, a class that is
    given twice, and a pair that no class reaches.
    """

    def __init__(self, network: Network, name: str, classes: Sequence[ClassLoads], symmetry: ClassSymmetry) -> None:
        opposite = opposite_of(network, name, symmetry)
        self.classes, self.symmetry = list(classes), symmetry
        self._moves: list[tuple[Int32, Int32, bool]] = [(g.node, g.channel, False) for g in symmetry.generators]
        if opposite is not None:
            self._moves.append((np.arange(network.num_nodes, dtype=np.int32), opposite, True))
        n = network.num_nodes
        self._class = np.full(n * n, -1, dtype=np.int32)
        self._parent = np.full(n * n, -1, dtype=np.int64)
        self._via = np.full(n * n, -1, dtype=np.int16)
        super().__init__(network, name, self._table(network, name))

    def _table(self, network: Network, name: str) -> PairTable:
        n = network.num_nodes
        channel: list[Int32] = []
        pair: list[int] = []
        of_class: list[int] = []
        for number, one in enumerate(self.classes):
            root = one.source * n + one.destination
            if self._class[root] >= 0:
                raise InputError(f"routing {name}: the pair of nodes {one.source} and {one.destination} is given twice")
            self._class[root] = number
            queue = [(root, one.channel)]
            for at, loads in queue:
                pair.append(at)
                of_class.append(number)
                channel.append(loads)
                i, j = divmod(at, n)
                for k, (node, image, turned) in enumerate(self._moves):
                    a, b = int(node[i]), int(node[j])
                    to = b * n + a if turned else a * n + b
                    if self._class[to] < 0:
                        self._class[to], self._parent[to], self._via[to] = number, at, k
                        queue.append((to, image[loads]))
            check_room(sum(len(x) for x in channel[-len(queue) :]) + sum(len(x) for x in channel[:1]))
        wanted = np.outer(network.supply > 0, network.demand > 0)
        np.fill_diagonal(wanted, False)
        missing = np.nonzero(wanted.ravel() & (self._class < 0))[0]
        if missing.size:
            i, j = divmod(int(missing[0]), n)
            raise InputError(f"routing {name} says nothing about the way from node {i} to node {j}")
        num = as_int_array([x for one in self.classes for x in one.load])
        value = reduced(num, as_int_array([one.den for one in self.classes for _ in one.load]))
        length = np.array([len(x) for x in channel], dtype=np.int64)
        which = np.array(of_class, dtype=np.int64)
        start = offsets_of([len(one.channel) for one in self.classes])
        spot = np.repeat(np.array(pair, dtype=np.int64), length)
        flat = np.concatenate([*channel, np.zeros(0, dtype=np.int32)])
        shape = (network.num_channels, n, n)
        return PairTable.of(flat, spot // n, spot % n, value[ragged(start[which], length)], shape=shape)

    def respects_reversal(self) -> bool:
        # Where there is reversal alone, every pair's loads were made from those of its opposite, or are its own.
        return (self.symmetry.reversal and not self.symmetry.generators) or super().respects_reversal()

    def decomposition(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """That of the pair's class, moved there."""
        if row == column:
            return [(Fraction(1), [])]
        at = row * self.network.num_nodes + column
        if self._class[at] < 0:
            return self._flow_paths(row, column)
        steps = []
        while self._parent[at] >= 0:
            steps.append(int(self._via[at]))
            at = int(self._parent[at])
        result = []
        for weight, path in self._class_paths(int(self._class[at])):
            channels = np.array(path, dtype=np.int32)
            for k in reversed(steps):
                _, image, turned = self._moves[k]
                channels = image[channels]
                if turned:
                    channels = channels[::-1]
            result.append((weight, channels.tolist()))
        return result

    def _class_paths(self, number: int) -> list[tuple[Fraction, list[int]]]:
        known: dict[int, list[tuple[Fraction, list[int]]]] = self.__dict__.setdefault("_known_paths", {})
        if number not in known:
            one = self.classes[number]
            flow = dict(zip(one.channel.tolist(), one.load, strict=True))
            parts = paths_with_cycles(self.network, flow, one.source, one.destination, one.den)
            known[number] = [(Fraction(x, one.den), path) for x, path in parts]
        return known[number]

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # loads are all there is
        """The classes and the symmetry: what ``read_symmetric`` reads."""
        return describe_classes(self.classes, self.symmetry)


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
