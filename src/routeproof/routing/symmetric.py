"""A routing given for one pair of every class that symmetry cannot tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import InputError
from ..core.network import Network
from ..core.rational import Rationals, as_int_array, parse_fraction
from ..core.symmetry import Automorphism, check_automorphism
from ..core.translations import translations_of
from ..formats.packed_ints import pack_ints, unpack_ints
from .base import Routing
from .flow_paths import whole_paths
from .pair_table import PairTable, TabledRouting, check_room

__all__ = [
    "ClassLoads",
    "SymmetricRouting",
    "describe_classes",
    "read_symmetric",
    "routing_of_classes",
    "symmetry_of",
]

Int32 = npt.NDArray[np.int32]
_MOST_DIGITS = 4000
_MOST_CELLS = 1 << 26
_MOST_TABLED = 4_000_000


@dataclass(frozen=True, eq=False)
class ClassLoads:
    """A unit flow from node ``source`` to node ``destination``: ``load[k] / den`` on ``channel[k]``, without cycles."""

    source: int
    destination: int
    channel: Int32
    load: list[int]
    den: int


class SymmetricRouting(TabledRouting):
    """Every pair of nodes with terminals is the image of one of ``classes`` under ``generators`` (automorphisms) and,
    if ``reversal``, reversing paths.  Rows and columns are nodes.

    Loads of a class should be the same under whatever leaves its pair as it is; then the routing respects the symmetry.
    (If not, it is a routing all the same.)  Raises InputError for generators that are no automorphisms, a class that is
    given twice, and a pair that no class reaches.
    """

    def __init__(
        self,
        network: Network,
        name: str,
        classes: Sequence[ClassLoads],
        *,
        generators: Sequence[Automorphism],
        reversal: bool,
        declared: Sequence[str] | None = None,
    ) -> None:
        for g in generators:
            check_automorphism(network, g)
        opposite = network.reverse
        if reversal and (opposite is None or not np.array_equal(network.supply, network.demand)):
            raise InputError(f"routing {name} uses reversal of paths, which {network.name} does not have")
        self.classes = list(classes)
        self.generators = list(generators)
        self.reversal = reversal
        self.declared = None if declared is None else list(declared)
        self._moves: list[tuple[Int32, Int32, bool]] = [(g.node, g.channel, False) for g in generators]
        if reversal and opposite is not None:
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
        num, den = self._values()
        length = np.array([len(x) for x in channel], dtype=np.int64)
        which = np.array(of_class, dtype=np.int64)
        start = np.concatenate([[0], np.cumsum([len(one.channel) for one in self.classes])])
        at_load = np.repeat(start[which], length) + _counts(length)
        spot = np.repeat(np.array(pair, dtype=np.int64), length)
        flat = np.concatenate([*channel, np.zeros(0, dtype=np.int32)])
        shape = (network.num_channels, n, n)
        return PairTable.of(flat, spot // n, spot % n, Rationals(num[at_load], den[at_load]), shape=shape)

    def _values(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        num = as_int_array([x for one in self.classes for x in one.load])
        den = as_int_array([one.den for one in self.classes])
        if num.dtype != object and den.dtype != object:
            den = np.repeat(den, np.array([len(one.load) for one in self.classes], dtype=np.int64))
            common = np.gcd(num, den)
            return num // common, den // common
        loads = [Fraction(x, one.den) for one in self.classes for x in one.load]
        return as_int_array([x.numerator for x in loads]), as_int_array([x.denominator for x in loads])

    @cached_property
    def _dense(self) -> npt.NDArray[np.int32] | None:
        """int32 (N * N, C): which of the distinct loads (0: none); None where that is too large to hold."""
        n, count = self.network.num_nodes, self.network.num_channels
        if n * n * count > _MOST_CELLS or self.table.load.num.dtype == object or self.table.load.den.dtype == object:
            return None
        known_num, known_den = self._values()
        num, _ = _numbered(self.table.load.num, known_num)
        den, different = _numbered(self.table.load.den, known_den)
        which = num * different + den
        if int(which.max(initial=0)) >= np.iinfo(np.int32).max:
            which = np.unique(which, return_inverse=True)[1]
        cells = np.zeros((n * n, count), dtype=np.int32)
        cells[self.table.row.astype(np.int64) * n + self.table.column, self.table.channel] = which + 1
        return cells

    def _unmoved(self, node: Int32, channel: Int32, turned: bool) -> bool:
        cells, n = self._dense, self.network.num_nodes
        assert cells is not None
        key = node.astype(np.int64)[:, None] * (1 if turned else n) + node.astype(np.int64) * (n if turned else 1)
        to = key.ravel()
        step = max(1, (1 << 22) // max(1, cells.shape[1]))
        return all(
            np.array_equal(cells[to[at : at + step]][:, channel], cells[at : at + step]) for at in range(0, n * n, step)
        )

    def respects(self, g: Automorphism) -> bool:
        """All loads are compared; raises InputError if ``g`` is no automorphism of the network."""
        if self._dense is None:
            return super().respects(g)
        check_automorphism(self.network, g)
        return self._unmoved(g.node, g.channel, False)

    def respects_reversal(self) -> bool:
        opposite = self.network.reverse
        if opposite is None or self._dense is None:
            return super().respects_reversal()
        return self._unmoved(np.arange(self.network.num_nodes, dtype=np.int32), opposite, True)

    def paths(self, row: int, column: int) -> list[tuple[Fraction, list[int]]]:
        """Few weighted paths with the pair's loads: those of its class, moved there."""
        if row == column:
            return [(Fraction(1), [])]
        at = row * self.network.num_nodes + column
        if self._class[at] < 0:
            return super().paths(row, column)
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
            parts = whole_paths(self.network, flow, one.source, one.destination, one.den)
            known[number] = [(Fraction(x, one.den), path) for x, path in parts]
        return known[number]

    def describe(self) -> dict[str, Any]:
        """The classes and the symmetry, in full: what ``read_symmetric`` reads."""
        return describe_classes(self.name, self.classes, self.generators, self.reversal, self.declared)


def _numbered(values: npt.NDArray[np.int64], known: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], int]:
    """Which of the different ones each of ``values`` is, and how many those are; quick where they are among ``known``,
    which are few and alone are sorted then."""
    different = np.unique(known)
    if different.dtype == values.dtype and len(different):
        at = np.minimum(np.searchsorted(different, values), len(different) - 1)
        if np.array_equal(different[at], values):
            return at, len(different)
    different, at = np.unique(values, return_inverse=True)
    return at.astype(np.int64), len(different)


def describe_classes(
    name: str,
    classes: Sequence[ClassLoads],
    generators: Sequence[Automorphism],
    reversal: bool,
    declared: Sequence[str] | None,
) -> dict[str, Any]:
    """The classes and the symmetry, in full: what ``read_symmetric`` reads."""
    symmetry: dict[str, Any] = {"reversal": reversal}
    if declared is not None:
        symmetry["declared"] = list(declared)
    else:
        symmetry["found"] = [pack_ints(g.node) for g in generators]
    den = lcm(*(one.den for one in classes))
    if den.bit_length() > 2 * _MOST_DIGITS:
        raise InputError(f"the loads have a denominator of {den.bit_length():,} bits, too long for a report")
    items = []
    for one in classes:
        factor = den // one.den
        whole = [x * factor for x in one.load]
        load: Any = pack_ints(whole) if max(whole) < 1 << 62 else [str(x) for x in whole]
        items.append([one.source, one.destination, pack_ints(one.channel), load])
    return {"spec": name, "symmetry": symmetry, "scale": str(den), "classes": items}


def routing_of_classes(
    network: Network,
    name: str,
    classes: Sequence[ClassLoads],
    *,
    generators: Sequence[Automorphism],
    reversal: bool,
    declared: Sequence[str] | None,
) -> Routing:
    """A ``SymmetricRouting`` or, where its table is too large and translations do instead, an ``InvariantRouting``."""
    longest = max((len(one.channel) for one in classes), default=0)
    if network.num_nodes**2 * longest > _MOST_TABLED:
        from .invariant import InvariantRouting

        for g in generators:
            check_automorphism(network, g)
        shift = translations_of(network, generators)
        if shift is not None:
            return InvariantRouting(
                network, name, classes, translations=shift, generators=generators, reversal=reversal, declared=declared
            )
    return SymmetricRouting(network, name, classes, generators=generators, reversal=reversal, declared=declared)


def read_symmetric(network: Network, data: Mapping[str, Any]) -> Routing:
    """The routing that ``describe`` wrote.  Whether it delivers every pair is not yet checked: call ``check``.

    Raises InputError or VerificationError for anything that does not fit the network.
    """
    from .names import ROUTINGS

    name = data.get("spec")
    if not isinstance(name, str) or name.partition(":")[0].strip() in (*ROUTINGS, "mix"):
        raise InputError(f"loads by class are called {str(name)[:40]!r}; a name of their own was expected")
    classes = data.get("classes")
    if not isinstance(classes, list):
        raise InputError("loads by class need 'classes' (a list)")
    scale = parse_fraction(data.get("scale"), what="the scale of the loads")
    if scale.denominator != 1 or scale < 1:
        raise InputError("the scale of the loads must be a whole number, at least 1")
    generators, reversal, declared = symmetry_of(network, data.get("symmetry"))
    found = []
    for item in classes:
        if not isinstance(item, list) or len(item) != 4:
            raise InputError("a class of pairs is [source, destination, channels, loads]")
        i, j = (_node(network, x) for x in item[:2])
        channel = unpack_ints(item[2], what="the channels of a class", max_items=network.num_channels)
        outside = len(channel) and (int(channel.min()) < 0 or int(channel.max()) >= network.num_channels)
        if i == j or outside or len(np.unique(channel)) != len(channel):
            raise InputError(f"the class of nodes {i} and {j} names wrong channels")
        load = _loads(item[3], len(channel))
        found.append(ClassLoads(i, j, channel.astype(np.int32), load, int(scale)))
    return routing_of_classes(network, name, found, generators=generators, reversal=reversal, declared=declared)


def symmetry_of(network: Network, symmetry: object) -> tuple[list[Automorphism], bool, list[str] | None]:
    """(generators, reversal?, their declared names or None) of what ``describe`` wrote as "symmetry"."""
    if not isinstance(symmetry, Mapping):
        raise InputError("a routing by classes needs 'symmetry' (an object)")
    generators, declared = _generators(network, symmetry)
    return generators, symmetry.get("reversal") is True, declared


def _loads(value: object, count: int) -> list[int]:
    if isinstance(value, str):
        load = [int(x) for x in unpack_ints(value, what="the loads of a class", max_items=count)]
    elif isinstance(value, list):
        numbers = [parse_fraction(x, what="a load") for x in value]
        load = [int(x) if x.denominator == 1 else 0 for x in numbers]
    else:
        raise InputError("the loads of a class must be packed, or a list of whole numbers")
    if len(load) != count or any(x <= 0 for x in load):
        raise InputError(f"a class with {count} channels needs as many positive loads")
    return load


def _generators(network: Network, symmetry: Mapping[str, Any]) -> tuple[list[Automorphism], list[str] | None]:
    if "found" in symmetry:
        texts = symmetry["found"]
        if not isinstance(texts, list):
            raise InputError("'found' symmetry must be a list")
        result = []
        for k, text in enumerate(texts):
            node = unpack_ints(text, what=f"symmetry.found[{k}]", max_items=network.num_nodes)
            if not np.array_equal(np.sort(node), np.arange(network.num_nodes)):
                raise InputError(f"symmetry.found[{k}] is not a permutation of the nodes")
            result.append(extended(network, node, f"found[{k}]"))
        return result, None
    known = {g.name: g for g in network.symmetry.generators} if network.symmetry is not None else {}
    names = symmetry.get("declared")
    if not isinstance(names, list) or any(x not in known for x in names):
        raise InputError(f"the routing uses a symmetry that {network.name} does not declare")
    return [known[x] for x in names], [str(x) for x in names]


def extended(network: Network, node: npt.NDArray[np.integer], name: str) -> Automorphism:
    """A node map with the channel map that goes with it; parallel channels in order of bandwidth, then of number."""
    widths = {x: k for k, x in enumerate(sorted(set(network.bandwidth)))}
    rank = np.array([widths[x] for x in network.bandwidth], dtype=np.int64)
    number = np.arange(network.num_channels)
    channel = np.empty(network.num_channels, dtype=np.int32)
    order = np.lexsort((number, rank, node[network.head], node[network.tail]))
    channel[order] = np.lexsort((number, rank, network.head, network.tail))
    return Automorphism(name, node.astype(np.int32), channel)


def _node(network: Network, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < network.num_nodes:
        raise InputError(f"node {str(value)[:40]!r} of a class is outside 0 to {network.num_nodes - 1}")
    return value


def _counts(length: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """0, 1, ... length[0]-1, 0, 1, ... length[1]-1, ..."""
    start = np.cumsum(length) - length
    return np.arange(int(length.sum())) - np.repeat(start, length)
