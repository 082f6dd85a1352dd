"""What one channel carries, pair by pair, as the adversary of its oblivious ratio sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.graph import hops_from
from ...core.network import Network
from ...core.rational import Rationals
from ...graphs.shortest import Joined
from ...kernel.gauges import spent
from ...routing.base.routing import Routing

_FIRST = 4  # sources whose distances are looked at before those of all
_NEAR = 1e-12


@dataclass(frozen=True, eq=False)
class PairLoads:
    """The pairs of nodes of ``network`` that load a channel: from ``source[k]`` to ``destination[k]`` with ``load[k]``
    > 0, ``about`` as floats; sorted by source, then destination; no pair twice.

    ``row[k]`` sends it and ``column[k]`` receives it, in terms of the routing.
    """

    network: Network
    source: Int64
    destination: Int64
    load: Rationals
    about: Float64
    row: Int64
    column: Int64

    def __len__(self) -> int:
        return len(self.source)

    def ends(self) -> list[tuple[int, int]]:
        return list(zip(self.source.tolist(), self.destination.tolist(), strict=True))

    def bound(self, length: Int64, *, enough: Fraction | None = None) -> Fraction | None:
        """The most load that routable demand puts on the channel, as far as whole lengths (C,) prove; exact.

        None where they prove nothing, or less than that ``enough`` is the most.
        """
        most = spent(self.network, length)
        sources = np.unique(self.source)
        if enough is not None and len(sources) > 4 * _FIRST:
            top = np.unique(self.source[np.argsort(-self.about, kind="stable")[: 4 * _FIRST]])[:_FIRST]
            stretch = self._stretch(length, top, np.flatnonzero(np.isin(self.source, top)))
            if stretch is None or stretch * most > enough:
                return None
        stretch = self._stretch(length, sources, np.arange(len(self.source)))
        if stretch is None or (enough is not None and stretch * most > enough):
            return None
        return stretch * most

    def _stretch(self, length: Int64, sources: Int64, pairs: Int64) -> Fraction | None:
        far = Joined(self.network).distances(length.astype(np.float64), sources)
        distance = far[np.searchsorted(sources, self.source[pairs]), self.destination[pairs]]
        if not np.isfinite(distance).all() or (distance <= 0).any():
            return None
        about = self.about[pairs] / distance
        near = np.flatnonzero(about >= about.max() * (1 - _NEAR))
        cases = {
            (int(self.load.num[k]), int(self.load.den[k]), int(x))
            for k, x in zip(pairs[near].tolist(), distance[near].tolist(), strict=True)
        }
        return max(Fraction(num, den * far) for num, den, far in cases)

    def chosen(self, some: Int64) -> PairLoads:
        """Those pairs alone."""
        ends = self.source[some], self.destination[some]
        return PairLoads(self.network, *ends, self.load[some], self.about[some], self.row[some], self.column[some])

    def merged(self, network: Network, node: Int64) -> PairLoads:
        """The loads on ``network``, whose node ``node[v]`` stands for node v: of equal pairs the largest load."""
        ends = node[self.source], node[self.destination]
        return _largest(PairLoads(network, *ends, self.load, self.about, self.row, self.column))


def pair_loads(routing: Routing, channel: int) -> PairLoads:
    """The channel's loads by pair of nodes that have terminals: of several terminals at a node the adversary takes
    the one that loads the channel most.  Its base part must be written out (``dense``)."""
    block = routing.channel_loads([channel])
    sends = np.bincount(routing.row_of, minlength=len(routing.row_node)) > 0
    receives = np.bincount(routing.column_of, minlength=len(routing.column_node)) > 0
    live = sends[block.row] & receives[block.column] & (block.load.num > 0)
    row, column = block.row[live].astype(np.int64), block.column[live].astype(np.int64)
    source, destination = routing.row_node[row].astype(np.int64), routing.column_node[column].astype(np.int64)
    load = block.load[live]
    about = np.array(load.num / load.den, dtype=np.float64)
    return _largest(PairLoads(routing.network, source, destination, load, about, row, column))


def _largest(every: PairLoads) -> PairLoads:
    """Sorted; of equal pairs the one with the largest load."""
    key = every.source * every.network.num_nodes + every.destination
    about, load = every.about, every.load
    order = np.lexsort((about, key))
    last = np.append(np.diff(key[order]) != 0, np.ones(min(1, len(key)), dtype=np.bool_))
    kept = order[last]
    if len(kept) < len(order):  # floats that are nearly equal are compared as fractions
        top = about[kept][np.cumsum(np.append(0, last[:-1]))]
        for k in order[(about[order] >= top * (1 - _NEAR)) & ~last].tolist():
            at = int(np.searchsorted(key[kept], key[k]))
            if load.fraction(k) > load.fraction(int(kept[at])):
                kept[at] = k
    return every.chosen(kept)


_WORTH = 2  # how many times smaller the surroundings must be
_WORTHLESS = 1e-6

Path = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Contraction:
    """``loads`` are on the small network, whose node ``node[v]`` stands for node v of the network, and ``channel[c]``
    for channel c; -1: none does."""

    loads: PairLoads
    node: Int64
    channel: Int64

    def expanded(self, length: Int64) -> Int64:
        """Lengths of the small network's channels as lengths of the network's."""
        return np.where(self.channel < 0, 0, length[self.channel])

    def carrying(self, loads: PairLoads, flow: Sequence[tuple[int, int, Path, float | Fraction]]) -> PairLoads:
        """Of all ``loads`` those that the flow on the small network stands for."""
        size = self.loads.network.num_nodes
        key = self.node[loads.source] * size + self.node[loads.destination]
        at = np.searchsorted(self.loads.source * size + self.loads.destination, key)
        used = np.unique([i * size + j for i, j, _, _ in flow])
        worth = loads.about >= self.loads.about[at] * (1 - _WORTHLESS)
        return loads.chosen(np.flatnonzero(np.isin(key, used) & worth))


def contraction_around(loads: PairLoads, channel: int) -> Contraction | None:
    """None where they are not much smaller than the network.

    As few nodes as can be are kept: one end at least of every pair.
    """
    network = loads.network
    near = hops_near(network, channel)
    radius = int(np.minimum(near[loads.source], near[loads.destination]).max())
    kept = near <= radius
    size = int(kept.sum())
    if size * _WORTH > network.num_nodes:
        return None
    node = np.full(network.num_nodes, size, dtype=np.int64)
    node[kept] = np.arange(size)
    tail, head = node[network.tail], node[network.head]
    between = tail != head
    ends, number = np.unique(tail[between] * (size + 1) + head[between], return_inverse=True)
    stands = np.full(network.num_channels, -1, dtype=np.int64)
    stands[between] = number
    if network.uniform_bandwidth:
        bandwidth = [network.bandwidth[0] * x for x in np.bincount(number).tolist()]
    else:
        bandwidth = [Fraction(0)] * len(ends)
        for e, k in zip(np.flatnonzero(between).tolist(), number.tolist(), strict=True):
            bandwidth[k] += network.bandwidth[e]
    pairs = np.stack([ends // (size + 1), ends % (size + 1)], axis=1)
    small = Network.of("surroundings", size + 1, pairs, bandwidth=bandwidth)
    return Contraction(loads.merged(small, node), node, stands)


def hops_near(network: Network, channel: int) -> Int64:
    """(N,): hops from every node to the channel's tail, or from its head, whichever are fewer; N for none."""
    size, tail, head = network.num_nodes, network.tail, network.head
    hops = [hops_from(size, head, tail, int(tail[channel])), hops_from(size, tail, head, int(head[channel]))]
    return np.minimum(*(np.where(x < 0, size, x) for x in hops))
