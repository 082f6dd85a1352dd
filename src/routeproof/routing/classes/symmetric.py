"""Routings given for one pair of every class of pairs equivalent under symmetry: made, and read from reports.

On networks that look the same from every node, however large, only the loads towards node 0 are held.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, offsets_of
from ...core.errors import InputError
from ...core.exact_arrays import equal, ragged
from ...core.loads import PairBlock
from ...core.network import Network
from ...core.rational import Rationals, as_int_array, parse_fraction
from ...core.symmetry import Automorphism, Translations, check_automorphism, translations_of
from ...formats.documents.packed_ints import unpack_ints
from ...formats.documents.routing import network_entry
from ...symmetry.automorphisms import ClassSymmetry, opposite_of, symmetry_of
from ..base.delivery import check_delivery
from ..base.pair_table import ChannelLoads, stacked
from ..base.routing import Routing, RoutingByChannel
from ..path_sets.names import path_set
from .path_classes import ClassLoads, ClassPaths, PathClassRouting, SymmetricRouting, describe_classes

_MOST_TABLED = 4_000_000


def routing_of_classes(
    network: Network, name: str, classes: Sequence[ClassLoads], symmetry: ClassSymmetry
) -> RoutingOfClasses:
    """A ``SymmetricRouting`` or, where its table is too large and translations do instead, an ``InvariantRouting``."""
    longest = max((len(one.channel) for one in classes), default=0)
    if network.num_nodes**2 * longest > _MOST_TABLED:
        for g in symmetry.generators:
            check_automorphism(network, g)
        shift = translations_of(network, symmetry.generators)
        if shift is not None:
            return InvariantRouting(network, name, classes, symmetry, shift)
    return SymmetricRouting(network, name, classes, symmetry)


def read_symmetric(network: Network, data: Mapping[str, Any]) -> Routing:
    """The routing that ``describe_classes`` wrote.  Whether it delivers every pair is not yet checked: call ``check``.

    Raises InputError or VerificationError for anything that does not fit the network.
    """
    classes = _listed(data, "classes", "loads by class")
    scale = _scale(data, "loads")
    symmetry = symmetry_of(network, data.get("symmetry"))
    found = []
    for item in classes:
        if not isinstance(item, list) or len(item) != 4:
            raise InputError("a class of pairs is [source, destination, channels, loads]")
        i, j = (_node(network, x) for x in item[:2])
        channel, inside = _channels(network, item[2], "the channels of a class")
        if i == j or not inside or len(np.unique(channel)) != len(channel):
            raise InputError(f"the class of nodes {i} and {j} names wrong channels")
        found.append(ClassLoads(i, j, channel.astype(np.int32), _loads(item[3], len(channel)), scale))
    return routing_of_classes(network, data["spec"], found, symmetry)


def read_path_classes(network: Network, data: Mapping[str, Any]) -> PathClassRouting:
    """The routing that ``PathClassRouting.written_in_full`` wrote.

    Raises InputError or VerificationError for anything that does not fit the network.
    """
    allowed = data.get("allowed")
    if allowed is not None and not isinstance(allowed, str):
        raise InputError("'allowed' must name a set of paths")
    classes = _listed(data, "path_classes", "paths by class")
    scale = _scale(data, "weights")
    symmetry = symmetry_of(network, data.get("symmetry"))
    found = []
    for item in classes:
        if not isinstance(item, list) or len(item) != 3 or not isinstance(item[2], list):
            raise InputError("a class of pairs is [source, destination, [[weight, channels], ...]]")
        i, j = (_node(network, x) for x in item[:2])
        paths = []
        for entry in item[2]:
            if not isinstance(entry, list) or len(entry) != 2:
                raise InputError("a path of a class is [weight, channels]")
            channel, inside = _channels(network, entry[1], "the channels of a path")
            if not inside:
                raise InputError(f"a path from node {i} to node {j} names wrong channels")
            paths.append((parse_fraction(entry[0], what="a weight") / scale, [int(c) for c in channel]))
        found.append(ClassPaths(i, j, paths))
    within = None if allowed is None else path_set(allowed, network)
    return PathClassRouting(network, data["spec"], found, symmetry, within=within)


def _listed(data: Mapping[str, Any], key: str, what: str) -> list[Any]:
    items = data.get(key)
    if not isinstance(items, list):
        raise InputError(f"{what} need '{key}' (a list)")
    return items


def _scale(data: Mapping[str, Any], of: str) -> int:
    scale = parse_fraction(data.get("scale"), what=f"the scale of the {of}")
    if scale.denominator != 1 or scale < 1:
        raise InputError(f"the scale of the {of} must be a whole number, at least 1")
    return int(scale)


def _channels(network: Network, value: object, what: str) -> tuple[npt.NDArray[np.int64], bool]:
    """The packed channels, and whether all of them are channels of the network."""
    channel = unpack_ints(value, what=what, max_items=network.num_channels)
    return channel, bool(((channel >= 0) & (channel < network.num_channels)).all())


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


def _node(network: Network, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < network.num_nodes:
        raise InputError(f"node {str(value)[:40]!r} of a class is outside 0 to {network.num_nodes - 1}")
    return value


_MOST_ENTRIES = 100_000_000


class InvariantRouting(RoutingByChannel):
    """Every pair of nodes is the image of one of ``classes`` under translations, the symmetries that fix node 0 and, if
    the symmetry has it, reversing paths.  Rows and columns are nodes.

    Raises InputError for a class that is given twice, and a displacement that no class reaches.
    """

    def __init__(
        self,
        network: Network,
        name: str,
        classes: Sequence[ClassLoads],
        symmetry: ClassSymmetry,
        translations: Translations,
    ) -> None:
        super().__init__(network, name)
        self.classes, self.symmetry, self.translations = list(classes), symmetry, translations
        self._fill(opposite_of(network, name, symmetry))

    def _fill(self, opposite: Int32 | None) -> None:
        network, shift = self.network, self.translations
        n = network.num_nodes
        at_class = np.full(n, -1, dtype=np.int32)
        channel: list[Int32] = [np.zeros(0, dtype=np.int32)] * n
        room = 0
        for number, one in enumerate(self.classes):
            back = int(shift.minus[one.destination])
            x = int(shift.sum[back, one.source])
            if at_class[x] >= 0:
                raise InputError(
                    f"routing {self.name}: the pair of nodes {one.source} and {one.destination} is given twice"
                )
            at_class[x], channel[x] = number, shift.channels(back)[one.channel]
            queue = [x]
            for y in queue:
                ways = [(int(g.node[y]), g.channel) for g in shift.fixing]
                if opposite is not None:
                    ways.append((int(shift.minus[y]), shift.channels(int(shift.minus[y]))[opposite]))
                for to, image in ways:
                    if at_class[to] < 0:
                        at_class[to], channel[to] = number, image[channel[y]]
                        queue.append(to)
            room += len(queue) * len(one.channel)
            if room > _MOST_ENTRIES:
                raise InputError(
                    f"routing {self.name} on {network.name} has more than {_MOST_ENTRIES:,} loads towards one node "
                    f"(about {_MOST_ENTRIES * 24 / 1e9:.1f} GB), too many for memory"
                )
        if (at_class[1:] < 0).any():
            missing = int(np.nonzero(at_class[1:] < 0)[0][0]) + 1
            raise InputError(f"routing {self.name} says nothing about the way from node {missing} to node 0")
        first = offsets_of([len(one.channel) for one in self.classes])
        length = np.array([len(c) for c in channel], dtype=np.int64)
        self._start = offsets_of(length)
        self._channel = np.concatenate(channel)
        self._place = ragged(np.where(at_class >= 0, first[at_class], 0), length)  # where in ``_load``
        num = as_int_array([x for one in self.classes for x in one.load])
        den = as_int_array([one.den for one in self.classes for _ in one.load])
        self._load = Rationals(num, den)
        slot = shift.slot[self._channel]
        order = np.argsort(slot, kind="stable")
        bounds = np.searchsorted(slot[order], np.arange(int(shift.slot.max()) + 2))
        self._of_slot = [order[a:b] for a, b in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)]
        self._source = np.repeat(np.arange(n, dtype=np.int32), length)

    def _loads_on(self, channel: int) -> ChannelLoads:
        shift, tail = self.translations, self.network.tail
        at = self._of_slot[int(shift.slot[channel])]
        j = shift.sum[int(tail[channel])][shift.minus[tail[self._channel[at]]]]
        return shift.sum[j, self._source[at]], j, self._load[self._place[at]]

    def pair_loads(self, rows: npt.ArrayLike, columns: npt.ArrayLike) -> PairBlock:
        shift = self.translations
        i = np.asarray(rows, dtype=np.int64).reshape(-1)
        j = np.asarray(columns, dtype=np.int64).reshape(-1)
        x = shift.sum[shift.minus[j], i].astype(np.int64)
        length = self._start[x + 1] - self._start[x]
        at = ragged(self._start[x], length)
        pair = np.repeat(np.arange(len(i)), length)
        here = self._channel[at]
        channel = shift.channel_at[shift.sum[j[pair], self.network.tail[here]], shift.slot[here]]
        order = np.lexsort((channel, pair))
        offset = offsets_of(length)
        return PairBlock(offset, channel[order].astype(np.int32), self._load[self._place[at[order]]])

    def channel_representatives(self) -> Int32:
        """By translation, the channel in the same slot that leaves node 0."""
        shift = self.translations
        return np.asarray(shift.channel_at[0][shift.slot], dtype=np.int32)

    def respects(self, g: Automorphism) -> bool:
        """Exact, by the loads towards node 0: what moves all nodes alike changes nothing, by construction."""
        check_automorphism(self.network, g)
        shift = self.translations
        back = int(shift.minus[g.node[0]])
        node, channel = shift.sum[back][g.node], shift.channels(back)[g.channel]
        n = self.network.num_nodes
        if any(not np.array_equal(node[shift.sum[v]], shift.sum[node[v]][node]) for v in range(n)):
            return super().respects(g)
        return all(self._alike(x, channel[self._of(x)], int(node[x])) for x in range(1, n))

    def respects_reversal(self) -> bool:
        opposite, shift = self.network.reverse, self.translations
        if opposite is None:
            return False
        for x in range(1, self.network.num_nodes):
            back = int(shift.minus[x])
            if not self._alike(x, shift.channels(back)[opposite[self._of(x)]], back):
                return False
        return True

    def _of(self, x: int) -> Int32:
        """The channels that carry something from node x to node 0."""
        return self._channel[self._start[x] : self._start[x + 1]]

    def _alike(self, x: int, image: Int32, to: int) -> bool:
        """Are the loads from x, moved to the channels ``image``, those from ``to``?"""
        mine = self._place[self._start[x] : self._start[x + 1]][np.argsort(image)]
        theirs = self._place[self._start[to] : self._start[to + 1]][np.argsort(self._of(to))]
        if not np.array_equal(np.sort(image), np.sort(self._of(to))):
            return False
        return np.array_equal(mine, theirs) or equal(self._load[mine], self._load[theirs])

    def check(self) -> None:
        """As in ``Routing.check``; the pairs of ``classes`` stand for their images."""
        start = np.array([one.source for one in self.classes], dtype=np.int32)
        end = np.array([one.destination for one in self.classes], dtype=np.int32)
        offset = offsets_of([len(one.channel) for one in self.classes])
        channel = stacked([one.channel for one in self.classes], np.int32)
        check_delivery(self.network, self.name, start, end, PairBlock(offset, channel, self._load))

    def document(self) -> dict[str, Any]:
        """By classes of pairs: there are too many paths for a table (``files.documents`` reads it)."""
        classes = self.written_in_full()
        return {"format": "routeproof/routing", "network": network_entry(self.network), "classes": classes}

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # loads are all there is
        """The classes and the symmetry, as ``SymmetricRouting`` writes them."""
        return describe_classes(self.classes, self.symmetry)


RoutingOfClasses = SymmetricRouting | InvariantRouting
