"""The oblivious ratio of a routing: its worst case over every demand that some flow carries.

A demand is routable where a multicommodity flow carries it with no channel above its bandwidth.  For every channel the
most that routable demand puts on it is a packing of paths (``packing``), and lengths of channels prove that no demand
does more: what is ever sent crosses at most sum b(e) l(e) of length, and at least its distance.

Source: Applegate & Cohen 2003 (SIGCOMM), theorem 1; the ratio is also called performance ratio, or congestion ratio.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.loads import LoadBlock
from ...core.network import Network
from ...core.rational import Rationals
from ...core.stage import Progress
from ...routing.base.dense import dense
from ...routing.base.routing import Routing
from ..worst_case.channel_classes import ChannelClasses, channel_classes
from .packing import Packed, Packing, ShortestPaths, Weights

_DENOMINATORS = (1_000, 100_000, 10_000_000)
_BITS = (8, 14, 20, 28, 40)
_REMEMBERED = 8  # lengths of other channels that are tried first


@dataclass(frozen=True, eq=False)
class PathFlow:
    """``amount`` of demand from node ``source`` to node ``destination`` along ``path`` (channels)."""

    source: int
    destination: int
    path: tuple[int, ...]
    amount: Fraction


@dataclass(frozen=True, eq=False)
class ObliviousRatio:
    """Between ``low`` and ``high``, load per bandwidth; equal where the ratio is known exactly.

    - ``channel``: where ``flow``, which respects all bandwidths, makes the routing's load reach ``low``;
    - ``lengths``: whole lengths, int64 (C,) each; ``proof``: which of them bounds a focus channel by ``high``;
    - ``classes``: the focus channels, and the symmetry that made them.
    """

    routing: Routing
    low: Fraction
    high: Fraction
    channel: int
    flow: Sequence[PathFlow]
    lengths: Sequence[Int64]
    proof: Mapping[int, int]
    classes: ChannelClasses


def oblivious_ratio(routing: Routing, *, symmetry: str = "auto", progress: Progress | None = None) -> ObliviousRatio:
    """The ratio, exactly where the solver's vertices have short fractions, else between two certified numbers.

    ``symmetry``: "auto" or "none", as in ``worst_case``.  ``progress(done, total)``: in channels.  Raises InputError
    where the solver is missing, some pair has no path, or nothing is ever loaded.
    """
    network = routing.network
    if routing.channel_loads([0]).base is not None:
        routing = dense(routing)
    classes = channel_classes(routing, mode=symmetry)
    focus = sorted(classes.focus.tolist(), key=lambda c: -_total(routing, c))
    search = _Search(network)
    for done, c in enumerate(focus, 1):
        search.settle(c, _pair_weights(routing, c))
        if progress is not None:
            progress(done, len(focus))
    if not search.low:
        raise InputError(f"no channel of {network.name} is ever loaded by {routing.name}: there is no oblivious ratio")
    return ObliviousRatio(
        routing, search.low, max(search.low, *search.bounds), search.channel, search.flow, search.lengths,
        search.proof, classes,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Loads:
    """One channel's loads by pair of nodes (the most of its pairs of terminals), exact, and as floats."""

    source: Int64
    destination: Int64
    load: Rationals
    weights: Weights


class _Search:
    def __init__(self, network: Network) -> None:
        self.network = network
        self.packing = Packing(network)
        self.low, self.channel = Fraction(0), -1
        self.flow: Sequence[PathFlow] = ()
        self.lengths: list[Int64] = []
        self.proof: dict[int, int] = {}
        self.bounds: list[Fraction] = []

    def settle(self, c: int, loads: _Loads) -> None:
        """Raise ``low`` where the channel reaches more, and keep lengths that bound it."""
        if not len(loads.source):
            return
        bandwidth = self.network.bandwidth[c]
        for k in range(len(self.lengths) - 1, max(-1, len(self.lengths) - 1 - _REMEMBERED), -1):
            if self.bound(self.lengths[k], loads) <= self.low * bandwidth:
                self.proof[c] = k
                return
        packed = self.packing.most(loads.weights, enough=float(self.low * bandwidth) * (1 - 1e-9))
        if packed.settled:
            value, flow = _certified_flow(self.network, packed, loads)
            if value > self.low * bandwidth:
                self.low, self.channel, self.flow = value / bandwidth, c, flow
        bound, length = min(
            self._candidates(packed, loads, self.low * bandwidth), key=lambda x: x[0], default=(None, None)
        )
        if bound is None or length is None:
            raise InputError(f"no lengths bound channel {self.network.channel_label(c)}: the numbers are too far apart")
        self.proof[c] = len(self.lengths)
        self.lengths.append(length)
        self.bounds.append(bound / bandwidth)

    def _candidates(self, packed: Packed, loads: _Loads, target: Fraction) -> list[tuple[Fraction, Int64]]:
        """Whole lengths near the solver's, with what they prove; none after the first that proves ``target``."""
        found = []
        for length in _whole_lengths(packed.length):
            found.append((self.bound(length, loads), length))
            if found[-1][0] <= target:
                return found[-1:]
        return [x for x in found if x[0] != _INFINITE]

    def bound(self, length: Int64, loads: _Loads) -> Fraction:
        """The most load that routable demand puts on the channel, as far as ``length`` proves; exact."""
        sources, row = np.unique(loads.source, return_inverse=True)
        tree = ShortestPaths(self.network, length.astype(np.float64), sources)
        distance = tree.distance[row, loads.destination]
        if not np.isfinite(distance).all() or (distance <= 0).any():
            return _INFINITE
        about = loads.weights.weight / distance
        near = np.flatnonzero(about >= about.max() * (1 - 1e-12))
        stretch = max(loads.load.fraction(k) / int(distance[k]) for k in near.tolist())
        used = np.flatnonzero(length)
        total = sum((int(length[e]) * self.network.bandwidth[e] for e in used.tolist()), Fraction(0))
        return stretch * total


_INFINITE = Fraction(1 << 200)


def _whole_lengths(length: npt.NDArray[np.float64]) -> list[Int64]:
    """First such as have short fractions, as vertices do; then rounded up to ever more bits."""
    top = float(length.max(initial=0.0))
    if top <= 0:
        return []
    found = []
    for most in _DENOMINATORS[:2]:
        fractions = [Fraction(x).limit_denominator(most) for x in (length / top).tolist()]
        common = math.lcm(*(x.denominator for x in fractions))
        if common < 1 << 40:
            found.append(np.array([int(x * common) for x in fractions], dtype=np.int64))
    return found + [np.ceil(length / top * (1 << bits)).astype(np.int64) for bits in _BITS]


def _certified_flow(network: Network, packed: Packed, loads: _Loads) -> tuple[Fraction, list[PathFlow]]:
    """A flow near the solver's that respects every bandwidth exactly, and the load that it makes."""
    order = np.lexsort((loads.destination, loads.source))
    load = {(int(loads.source[k]), int(loads.destination[k])): int(k) for k in order}
    flow = [x for x in packed.flow if (x[0], x[1]) in load and x[3] > 1e-12]
    for most in (*_DENOMINATORS, None):
        amounts = [_rounded(x[3], most) for x in flow]
        used: dict[int, Fraction] = {}
        for (_, _, path, _), x in zip(flow, amounts, strict=True):
            for e in path:
                used[e] = used.get(e, Fraction(0)) + x
        share = min([Fraction(1), *(network.bandwidth[e] / x for e, x in used.items() if x)])
        if share == 1 or most is None:
            break
    found = [PathFlow(i, j, path, share * x) for (i, j, path, _), x in zip(flow, amounts, strict=True) if x]
    return sum((x.amount * loads.load.fraction(load[x.source, x.destination]) for x in found), Fraction(0)), found


def _rounded(amount: float, most: int | None) -> Fraction:
    """The nearest fraction with a denominator up to ``most``; without, not above it."""
    return Fraction(math.floor(amount * 2**40), 2**40) if most is None else Fraction(amount).limit_denominator(most)


def _pair_weights(routing: Routing, channel: int) -> _Loads:
    """The channel's loads by pair of nodes: of several terminals at a node the adversary takes the worst."""
    block: LoadBlock = routing.channel_loads([channel])
    sends = np.bincount(routing.row_of, minlength=len(routing.row_node)) > 0
    receives = np.bincount(routing.column_of, minlength=len(routing.column_node)) > 0
    live = sends[block.row] & receives[block.column] & (block.load.num > 0)
    source = routing.row_node[block.row[live]].astype(np.int64)
    destination = routing.column_node[block.column[live]].astype(np.int64)
    load = block.load[live]
    about = np.array(load.num / load.den, dtype=np.float64)
    if not routing.by_node and len(source):
        key = source * routing.network.num_nodes + destination
        best: dict[int, int] = {}
        for k, pair in enumerate(key.tolist()):
            if pair not in best or load.fraction(k) > load.fraction(best[pair]):
                best[pair] = k
        kept = np.array(sorted(best.values()), dtype=np.int64)
        source, destination, load, about = source[kept], destination[kept], load[kept], about[kept]
    return _Loads(source, destination, load, Weights(source, destination, about))


def _total(routing: Routing, channel: int) -> float:
    load = routing.channel_loads([channel]).load
    return float(np.sum(load.num / load.den)) / float(routing.network.bandwidth[channel])
