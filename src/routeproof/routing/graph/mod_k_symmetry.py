"""Which failures of links D-mod-K treats alike when it is made anew: maps of nodes and terminals that keep its choices.

At a node of level l with n channels to choose from, ascending, a packet for terminal t takes number floor(t / W_l)
mod n.  An automorphism of the network takes the channels to choose from at v for destinations at d to those at the
images of v and d, also after a failure and after its image.  So it takes one routing to the other if it permutes the
numbers as it does the channels: on the whole network by one permutation for every level, and by none where a failure
has left fewer channels.  Terminals at one node are renamed for that, as their numbers mod n ask for.

Known of trees whose nodes of one level have equally many up channels, all of which lead to every destination that is
not below, and one channel down to each one that is: XGFTs whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from itertools import permutations

import numpy as np

from ...core.arrays import Bools, Int32, Int64
from ...core.errors import InputError
from ...core.network import Network
from ...core.symmetry import Automorphism, check_automorphism, from_node_image, orbit_labels

Choices = frozenset[tuple[int, int]]
"""(level, how many channels are left to choose from), where it is more than one and fewer than there were."""


ChoicesLeft = Callable[[Bools], tuple[Int64, Int64] | None]


class TreeMaps:
    """``level``: int64 (N,); ``period``: W of each node's level, int64 (N,); ``ups``: by level, the up channels of its
    nodes, int32 (V, n), ascending; ``choices_left``: as of ``DModK``."""

    def __init__(
        self, network: Network, level: Int64, period: Int64, ups: list[Int32], choices_left: ChoicesLeft
    ) -> None:
        self.network, self.level, self.ups, self._choices_left = network, level, ups, choices_left
        terminal = np.arange(network.num_terminals)
        self.turn = [terminal // int(period[network.tail[x[0, 0]]]) for x in ups]
        """By level, floor(t / W) of every terminal."""
        self.place = np.zeros(network.num_channels, dtype=np.int64)
        for channels in ups:
            self.place[channels] = np.arange(channels.shape[1])
        declared = () if network.symmetry is None else network.symmetry.generators
        for g in declared:
            check_automorphism(network, g)
        self.label = orbit_labels(network.num_channels, [g.channel for g in declared])

    @staticmethod
    def of(
        network: Network, level: Int64, period: Int64, ways: tuple[Bools, Bools, Bools], choices_left: ChoicesLeft
    ) -> TreeMaps | None:
        """``ways``: the up channels, bool (C,), what is below each node, and what it reaches, bool (N, N).  None where
        nothing is known of such maps."""
        up, below, reach = ways
        key = np.sort(network.tail.astype(np.int64) * network.num_nodes + network.head)
        if network.reverse is None or (np.diff(key) == 0).any() or not np.array_equal(network.source, network.sink):
            return None
        (offset, channel), ends = network.out_channels, np.unique(network.sink)
        ups: list[list[Int32]] = [[] for _ in range(int(level.max()))]
        for v in range(network.num_nodes):
            out = channel[offset[v] : offset[v + 1]]
            rise, fall = out[up[out]], out[~up[out]]
            under, led = below[v, ends], reach[network.head[rise]][:, ends]
            once = below[network.head[fall]][:, ends].sum(axis=0) == under
            if not once[ends != v].all() or (led != led[:1])[:, ~under].any():
                return None
            if level[v] < len(ups):
                ups[level[v]].append(rise)
        if any(len({len(x) for x in some}) > 1 or not len(some[0]) for some in ups):
            return None
        return TreeMaps(network, level, period, [np.stack(x) for x in ups], choices_left)

    def choices(self, links: Int64) -> list[Choices | None]:
        """What is left to choose from after each failure of one link, given by one of its channels; None where levels
        change, too.  An automorphism keeps it."""
        label = self.label[links].tolist()
        for c in set(label) - self._choices.keys():
            dead = np.zeros(self.network.num_channels, dtype=bool)
            dead[[c, self.network.opposite[c]]] = True
            left = self._choices_left(dead)
            self._choices[c] = None if left is None else frozenset(
                (int(self.level[v]), n) for v, n in zip(*(x.tolist() for x in left), strict=True) if n > 1
            )  # fmt: skip
        return [self._choices[c] for c in label]

    @cached_property
    def _choices(self) -> dict[int, Choices | None]:
        return {}

    def respects(self, g: Automorphism) -> bool:
        """Is the routing on the whole network what ``g`` makes of it, terminals renamed?  Raises InputError where ``g``
        is no automorphism."""
        check_automorphism(self.network, g)
        return self._terminals(g) is not None

    def keeps(self, g: Automorphism, links: Int64) -> Bools:
        """Is D-mod-K after the failure of each link what it is after that of the image of the link under ``g``, all
        names exchanged?  Raises InputError where ``g`` is no automorphism."""
        check_automorphism(self.network, g)
        every = self.choices(links)
        image = self._terminals(g)
        if image is None:
            return np.zeros(len(links), dtype=bool)
        terminal, still = image
        same: dict[Choices | None, bool] = {None: False}
        for some in {*every} - {None}:
            turns = [(self.turn[lv] % n, self.turn[lv][terminal] % n) for lv, n in some or ()]
            same[some] = all(still[lv] for lv, _ in some or ()) and all(np.array_equal(*x) for x in turns)
        return np.array([same[some] for some in every])

    def _terminals(self, g: Automorphism) -> tuple[Int64, list[bool]] | None:
        """Where terminals go, int64 (T,), so that ``g`` takes the routing on the whole network to itself, and by level
        whether it keeps the order of up channels; None where they cannot."""
        sink = self.network.sink
        here, there, still = [g.node[sink].astype(np.int64)], [sink.astype(np.int64)], []
        for channels, turn in zip(self.ups, self.turn, strict=True):
            numbers = self.place[g.channel[channels]]
            if (numbers != numbers[0]).any():
                return None
            count = len(numbers[0])
            here.append(numbers[0][turn % count])
            there.append(turn % count)
            still.append(bool((numbers[0] == np.arange(count)).all()))
        before, after = np.lexsort(here[::-1]), np.lexsort(there[::-1])
        if any((x[before] != y[after]).any() for x, y in zip(here, there, strict=True)):
            return None
        image = np.empty(len(sink), dtype=np.int64)
        image[before] = after
        return image, still

    def found(self, anew: bool) -> tuple[Automorphism, ...]:
        """Maps that it respects, or that keep what is left to choose from after some failures (``anew``): of the
        network's own, one or two of them, and exchanges of two subtrees (pods) that hang from the same nodes."""
        links = np.flatnonzero(self.network.tail < self.network.head)
        links = links[np.unique(self.label[links], return_index=True)[1]]
        declared = () if self.network.symmetry is None else self.network.symmetry.generators
        holds = (lambda g: bool(self.keeps(g, links).any())) if anew else self.respects
        kinds = {some for some in self.choices(links) if some is not None} if anew else {frozenset()}
        own = {g: holds(g) for g in declared}
        both = [g.after(h) for g, h in permutations([g for g in own if not own[g]], 2)]
        swaps = self._exchanges(kinds, holds) if anew or not own else ()
        return (*(g for g in own if own[g]), *filter(holds, both), *swaps)

    def _exchanges(self, kinds: set[Choices], holds: Callable[[Automorphism], bool]) -> Iterator[Automorphism]:
        """Exchanges of each subtree with the next one whose terminals have the same numbers, for each of ``kinds``."""
        network = self.network
        moduli: dict[Choices | None, list[tuple[int, int]]] = {some: sorted(some) for some in kinds}
        moduli[None] = [(lv, x.shape[1]) for lv, x in enumerate(self.ups)]
        rest = {some: np.array([self.turn[lv] % n for lv, n in each]) for some, each in moduli.items() if each}
        for siblings in self._subtrees():
            for k, (nodes, one) in enumerate(siblings):
                todo = set(kinds)
                for others, other in siblings[k + 1 :]:
                    if not todo:
                        break
                    if len(one) != len(other) or len(nodes) != len(others):
                        continue
                    if (rest[None][:, one] != rest[None][:, other]).any():
                        continue
                    fits = {x for x in todo if not x or (rest[x][:, one] == rest[x][:, other]).all()}
                    image = np.arange(network.num_nodes)
                    image[nodes], image[others] = others, nodes
                    g = from_node_image(network, image, name="") if fits else None
                    with suppress(InputError):  # not an automorphism
                        if g is not None and holds(g):
                            todo -= fits
                            yield g

    def _subtrees(self) -> Iterator[list[tuple[Int64, Int64]]]:
        """Sets of subtrees (nodes and terminals, ascending) that hang from the same nodes, from the highest level
        down."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        network, level, size = self.network, self.level, self.network.num_nodes
        for top in range(len(self.ups), 0, -1):
            inside = np.maximum(level[network.tail], level[network.head]) < top
            ends = network.tail[inside], network.head[inside]
            part = connected_components(coo_array((np.ones(len(ends[0])), ends), shape=(size, size)))[1]
            rise = (level[network.tail] < top) & (level[network.head] == top)
            key = np.unique(part[network.tail[rise]].astype(np.int64) * size + network.head[rise])
            nodes = np.flatnonzero(level < top)
            lines = (key // size, key % size), (part[nodes], nodes), (part[network.sink], np.arange(len(network.sink)))
            orders = [np.argsort(x, kind="stable") for x, _ in lines]
            hang: dict[bytes, list[tuple[Int64, Int64]]] = {}
            for root in np.unique(part[nodes]).tolist():
                above, *own = (
                    y[order[slice(*np.searchsorted(x, (root, root + 1), sorter=order))]]
                    for (x, y), order in zip(lines, orders, strict=True)
                )
                hang.setdefault(above.tobytes(), []).append((own[0], own[1]))
            yield from hang.values()
