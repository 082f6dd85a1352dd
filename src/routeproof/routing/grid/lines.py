"""One dimension of a grid routing: where the intermediate node lies, and which channels are crossed.

The grid of a network, and which channel leaves where, is ``Grid.channel_at`` turned round, checked by the network.

Every routing here is two-phase in each dimension by itself: from s through w to t, where w is t (dimension order),
any node of the minimal segment (ROMM) or any node of the line (Valiant).  The choices in different dimensions are
independent, so the load of a channel is a sum of products of the two probabilities that this module gives.

Source: Towles & Dally 2002 (SPAA), sec. 5 (DOR, ROMM); Valiant & Brebner 1981; ROMM: Nesson & Johnsson 1995.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64
from ...core.errors import InputError, did_you_mean
from ...core.network import Grid, GridKind, Network


def grid_of(network: Network, routing: str) -> Grid:
    """The grid of a network; raises InputError where there is none."""
    if network.grid is None:
        bundles = ",cables=" in network.name
        hint = "; without cables= each bundle is one channel, as good as cables that share its packets alike"
        raise InputError(
            f"{routing} needs a torus, mesh or HyperX; {network.name} has no grid layout"
            f"{hint if bundles else ''}; minimal works on any graph"
        )
    return network.grid


@dataclass(frozen=True)
class ChannelPlace:
    """A channel leaves the node at ``position`` in ``dimension``, in ``direction`` (as in ``Grid.channel_at``)."""

    position: tuple[int, ...]
    dimension: int
    direction: int


@dataclass(frozen=True, eq=False)
class ChannelPlaces:
    """int32 arrays of shape (C,): the node that a channel leaves, its dimension, its direction."""

    grid: Grid
    node: Int32
    dimension: Int32
    direction: Int32

    def place(self, channel: int) -> ChannelPlace:
        if not 0 <= channel < len(self.node):
            raise InputError(f"channel {channel} does not exist; channels are 0 to {len(self.node) - 1}")
        position = tuple(int(x) for x in self.grid.coordinates[self.node[channel]])
        return ChannelPlace(position, int(self.dimension[channel]), int(self.direction[channel]))


def channel_places(network: Network, grid: Grid) -> ChannelPlaces:
    """Raises InputError unless exactly the grid's channels are there, each between the nodes that it should join."""
    n, count = grid.num_dimensions, network.num_nodes
    if n < 1 or min(grid.radix) < 2 or math.prod(grid.radix) != count:
        raise InputError(f"the grid of {network.name} has radices {grid.radix}; it has {count} nodes")
    if grid.channel_at.ndim != 3 or grid.channel_at.shape[:2] != (count, n):
        raise InputError(
            f"channel_at of {network.name} has shape {grid.channel_at.shape}; ({count}, {n}, D) was expected"
        )
    dimension = np.full(network.num_channels, -1, dtype=np.int32)
    direction, node = dimension.copy(), dimension.copy()
    coordinates = grid.coordinates
    for m, k in enumerate(grid.radix):
        x = coordinates[:, m].astype(np.int64)
        stride = math.prod(grid.radix[m + 1 :])
        if grid.kind == "hyperx":
            steps = list(range(1, k))
        else:
            steps = [1] if grid.kind == "torus" and (grid.oneway or k == 2) else [1, -1]
        for d, step in enumerate(steps):
            to = x + step
            there = np.ones(count, dtype=bool) if grid.kind != "mesh" else (to >= 0) & (to < k)
            tail = np.nonzero(there)[0]
            head = tail + (to[tail] % k - x[tail]) * stride
            channel = grid.channel_at[tail, m, d]
            fits = (channel >= 0) & (channel < network.num_channels)
            fits[fits] = (network.tail[channel[fits]] == tail[fits]) & (network.head[channel[fits]] == head[fits])
            if not fits.all():
                v, u = int(tail[~fits][0]), int(head[~fits][0])
                raise InputError(
                    f"the grid of {network.name} says that channel {int(grid.channel_at[v, m, d])} goes from node {v} "
                    f"to node {u}; the network does not have it"
                )
            dimension[channel], direction[channel], node[channel] = m, d, tail
    stray = np.nonzero(node < 0)[0]
    if stray.size:
        c = int(stray[0])
        raise InputError(
            f"channel {c} of {network.name}, {network.channel_label(c)}, is not part of its grid; grid routings need "
            f"every channel to be"
        )
    return ChannelPlaces(grid, node, dimension, direction)


Via = Literal["destination", "quadrant", "anywhere"]
Tie = Literal["split", "plus", "union"]


@dataclass(frozen=True)
class Line:
    """The rule in one dimension of radix k.

    - ``via``: the intermediate is the destination, uniform in the closed minimal segment, or uniform in the line.
    - ``tie``: at distance k/2 of a two-way torus ``split`` takes both directions with probability 1/2, ``plus`` the
      + direction; ``union`` (with ``via="quadrant"``) takes w from all k nodes and splits the ties of each phase.

    Arguments s, t, p are int64 arrays of coordinates 0 .. k-1 that broadcast; a direction d is 0 for + and 1 for -,
    in HyperX it adds d + 1 modulo k (as in ``Grid.channel_at``).
    """

    kind: GridKind
    radix: int
    oneway: bool
    via: Via
    tie: Tie

    @property
    def directions(self) -> range:
        """The directions in which channels leave; a torus of radix 2 has one channel for both."""
        if self.kind == "hyperx":
            return range(self.radix - 1)
        return range(1 if self.kind == "torus" and (self.oneway or self.radix == 2) else 2)

    @property
    def has_ties(self) -> bool:
        return self.kind == "torus" and len(self.directions) == 2 and self.radix % 2 == 0

    def tied(self, s: Int64, t: Int64) -> npt.NDArray[np.bool_]:
        """Do both directions have probability 1/2 between s and t?"""
        if not self.has_ties or self.tie == "plus":
            return np.zeros(np.broadcast_shapes(s.shape, t.shape), dtype=bool)
        return np.asarray(2 * ((t - s) % self.radix) == self.radix)

    def segment(self, s: Int64, t: Int64, p: Int64, d: int) -> tuple[Int64, Int64, Int64]:
        """(length, offset, weight) of the minimal segment from s to t in direction d.

        ``weight`` is twice the probability of this direction (a segment of length 0 is one of direction 0);
        p lies on the segment where 0 <= offset <= length, and the channel leaving p in direction d where
        0 <= offset < length.
        """
        k = self.radix
        if self.kind == "hyperx":
            length = ((t - s) % k != 0).astype(np.int64)
            taken = ((t - s) % k == d + 1) | ((d == 0) & (s == t))
            offset = np.where(p == s, 0, np.where(p == t, 1, 2))
            return length, offset, 2 * taken
        if self.kind == "mesh":
            length, offset = (t - s, p - s) if d == 0 else (s - t, s - p)
            return length, offset, 2 * (length >= d)
        length, offset = ((t - s) % k, (p - s) % k) if d == 0 else ((s - t) % k, (s - p) % k)
        if len(self.directions) == 1:
            return length, offset, np.full_like(length, 2)
        tie = (2, 0)[d] if self.tie == "plus" else 1
        return length, offset, 2 * ((2 * length < k) & (length >= d)) + tie * (2 * length == k)

    def distance(self, s: Int64, t: Int64) -> Int64:
        """Hops of the minimal segment(s)."""
        if self.kind == "hyperx":
            return np.asarray(s != t, dtype=np.int64)
        if self.kind == "mesh":
            return np.asarray(np.abs(t - s))
        forward = (t - s) % self.radix
        return forward if len(self.directions) == 1 else np.minimum(forward, self.radix - forward)

    def stays(self, s: Int64, t: Int64, p: Int64) -> tuple[Int64, Int64]:
        """The probability that the intermediate is p, as (numerator, denominator); the latter depends on s, t only."""
        shape = np.broadcast_shapes(s.shape, t.shape, p.shape)
        if self.via == "destination":
            return np.broadcast_to(p == t, shape).astype(np.int64), np.ones(shape, dtype=np.int64)
        if self.via == "anywhere":
            return np.ones(shape, dtype=np.int64), np.full(shape, self.radix)
        nodes = self.distance(s, t) + 1
        if self.kind == "hyperx":
            num, den = (p == s) | (p == t), nodes
        else:
            twice = np.zeros(shape, dtype=np.int64)
            for d in self.directions:
                length, offset, weight = self.segment(s, t, p, d)
                twice += weight * ((offset >= 0) & (offset <= length))
            tied = self.tied(s, t)
            num, den = np.where(tied, twice, twice // 2), np.where(tied, 2 * nodes, nodes)
            if self.tie == "union":
                num, den = np.where(tied, 1, num), np.where(tied, self.radix, den)
        return np.broadcast_to(num, shape).astype(np.int64), np.broadcast_to(den, shape).astype(np.int64)

    def crosses(self, s: Int64, t: Int64, p: Int64, d: int) -> tuple[Int64, Int64, Int64]:
        """The probabilities of crossing the channel leaving p in direction d in the first and in the second phase.

        As (numerator of the first, numerator of the second, denominator), int64, of the broadcast shape.
        """
        shape = np.broadcast_shapes(s.shape, t.shape, p.shape)
        if self.via == "anywhere":
            halves = 2 if self.has_ties and self.tie != "plus" else 1
            first, second = self._from(s, p, d) * halves // 2, self._to(t, p, d) * halves // 2
            return (
                np.broadcast_to(first, shape).astype(np.int64),
                np.broadcast_to(second, shape).astype(np.int64),
                np.full(shape, self.radix * halves),
            )
        length, offset, weight = self.segment(s, t, p, d)
        weight = weight * ((offset >= 0) & (offset < length))
        tied = self.tied(s, t)
        weight = np.where(tied, weight, weight // 2)
        den = np.where(tied, 2, 1)
        if self.via == "destination":
            first, second = weight, np.zeros(shape, dtype=np.int64)
        else:
            first, second = weight * (length - offset), weight * (offset + 1)
            den = den * (self.distance(s, t) + 1)
            if self.tie == "union":
                # w strictly inside keeps the direction; w at distance k/2 (t in phase one, s in phase two) splits.
                on = tied & (weight > 0)
                first = np.where(on, 2 * (length - offset) - 1, first)
                second = np.where(on, 2 * offset + 1, second)
                den = np.where(tied, 2 * self.radix, den)
        return (
            np.broadcast_to(first, shape).astype(np.int64),
            np.broadcast_to(second, shape).astype(np.int64),
            np.broadcast_to(den, shape).astype(np.int64),
        )

    def _reach(self, gone: Int64, d: int) -> Int64:
        """Twice the expected number of ends, of all k, more than ``gone`` hops away in direction d (torus)."""
        k = self.radix
        if len(self.directions) == 1:
            return 2 * (k - 1 - gone)
        twice = 2 * np.maximum(0, (k - 1) // 2 - gone)
        if k % 2 == 0:
            tie = (2, 0)[d] if self.tie == "plus" else 1
            twice = twice + tie * (2 * gone < k)
        return np.asarray(twice)

    def _from(self, s: Int64, p: Int64, d: int) -> Int64:
        """Twice the sum over all w of the probability that s -> w crosses the channel leaving p in direction d."""
        k = self.radix
        if self.kind == "hyperx":
            return np.asarray(2 * (s == p))
        if self.kind == "mesh":
            return np.asarray(2 * (s <= p) * (k - 1 - p) if d == 0 else 2 * (s >= p) * p)
        return self._reach((p - s) % k if d == 0 else (s - p) % k, d)

    def _to(self, t: Int64, p: Int64, d: int) -> Int64:
        """Twice the sum over all w of the probability that w -> t crosses the channel leaving p in direction d."""
        k = self.radix
        if self.kind == "hyperx":
            return np.asarray(2 * (t == (p + d + 1) % k))
        if self.kind == "mesh":
            return np.asarray(2 * (t > p) * (p + 1) if d == 0 else 2 * (t < p) * (k - p))
        return self._reach((t - p - 1) % k if d == 0 else (p - 1 - t) % k, d)

    def legs(self, s: int, t: int) -> list[tuple[Fraction, tuple[int, ...]]]:
        """The minimal ways from s to t: (probability, directions hop by hop)."""
        one = (np.array([s]), np.array([t]), np.array([s]))
        if s == t:
            return [(Fraction(1), ())]
        if self.kind == "hyperx":
            return [(Fraction(1), ((t - s) % self.radix - 1,))]
        found = []
        for d in self.directions:
            length, _, weight = self.segment(*one, d)
            if weight[0] > 0:
                found.append((Fraction(int(weight[0]), 2), (d,) * int(length[0])))
        return found

    @lru_cache(maxsize=1 << 10)  # noqa: B019 - lines are few, small and alike: paths ask for the same walks again
    def walks(self, s: int, t: int) -> tuple[tuple[Fraction, tuple[int, ...], tuple[int, ...]], ...]:
        """All two-phase ways from s to t: (probability, directions of phase one, directions of phase two)."""
        direct = self.legs(s, t)
        if self.via == "destination":
            return tuple((x, way, ()) for x, way in direct)
        if self.via == "quadrant" and not (self.tie == "union" and len(direct) == 2):
            return tuple((x / (len(way) + 1), way[:cut], way[cut:]) for x, way in direct for cut in range(len(way) + 1))
        return tuple(
            (x * y / self.radix, first, second)
            for w in range(self.radix)
            for x, first in self.legs(s, w)
            for y, second in self.legs(w, t)
        )


def lines_of(grid: Grid, via: Via, tie: Tie = "split") -> tuple[Line, ...]:
    """One rule for all dimensions."""
    return tuple(Line(grid.kind, k, grid.oneway, via, tie) for k in grid.radix)


TIE_HELP = "split (either way with probability 1/2) or plus, at distance k/2 of an even torus dimension"

_LETTERS = "xyzw"

Order = tuple[int, ...] | None
"""The dimensions in the order in which they are routed; None is a uniformly random order."""


def parse_order(routing: str, text: object, example: str = "xy", *, or_random: bool = True) -> tuple[int, ...]:
    """The order that ``text`` spells: letters x, y, z, w or digits from 0, each dimension once.

    Raises InputError for anything else; ``example`` is what the message proposes, and ``random`` where that is one.
    """
    if not isinstance(text, str) or not text or any(c not in _LETTERS and c not in "0123456789" for c in text):
        hint = did_you_mean(text, ("random",)) if isinstance(text, str) and or_random else ""
        other = "'random' or " if or_random else ""
        wanted = f"{other}an order such as '{example}' was expected"
        proposal = hint if hint.startswith("did") else wanted
        raise InputError(f"{routing}: order is {text!r}; {proposal}")
    order = tuple(_LETTERS.index(c) if c in _LETTERS else int(c) for c in text)
    if sorted(order) != list(range(len(order))):
        raise InputError(
            f"{routing}: order is {text!r}; each dimension from {'x' if text[0] in _LETTERS else '0'} on must appear "
            f"once, as in '{example}'"
        )
    return order


def order_text(order: tuple[int, ...]) -> str:
    """The shortest spelling: letters up to four dimensions, else digits."""
    return "".join(_LETTERS[r] if len(order) <= len(_LETTERS) else str(r) for r in order)


def phase_orders(routing: str, text: object, *, both: bool = False) -> tuple[Order, Order]:
    """The orders of two phases: ``random``, one order such as ``xy`` for both (unless ``both`` are expected), or both
    such as ``xy-yx``.

    Raises InputError for anything else.
    """
    if text == "random":
        return None, None
    phases = text.split("-") if isinstance(text, str) else [text]
    orders = [parse_order(routing, phase, "xy-yx" if both else "xy") for phase in phases]
    if len(orders) > 2 or (both and len(orders) < 2) or len(orders[0]) != len(orders[-1]):
        wanted = "an order for both phases, as in 'xy', the orders of both, as in 'xy-yx', or 'random' was expected"
        if both:
            wanted = "the orders of both phases were expected, as in 'xy-yx', or 'random'"
        raise InputError(f"{routing}: order is {text!r}; {wanted}")
    return orders[0], orders[-1]


def phase_orders_text(orders: tuple[Order, Order]) -> str:
    """The shortest text that ``phase_orders`` reads as these orders."""
    one, two = orders
    if one is None or two is None:
        return "random"
    return order_text(one) if one == two else f"{order_text(one)}-{order_text(two)}"


def check_order_fits(routing: str, order: tuple[int, ...], num_dimensions: int, network: str) -> None:
    """Raise InputError unless ``order`` names every dimension of the network."""
    if len(order) != num_dimensions:
        wanted = order_text(tuple(range(num_dimensions))) if num_dimensions <= 10 else f"{num_dimensions} dimensions"
        raise InputError(
            f"{routing}: order '{order_text(order)}' names {len(order)} dimensions, {network} has {num_dimensions}; "
            f"an order of {wanted} was expected"
        )


def rank_weights(order: Order, num_dimensions: int, scale: int) -> list[int]:
    """``scale`` times the probability that a given set of dimensions is exactly what is routed before a given one.

    By the set's size: k! (n-1-k)! / n! = 1 / (n C(n-1, k)) for a random order of n dimensions.  For a fixed order the
    set is known beforehand, so everything is counted under size 0.  The list has n + 1 entries, the last 0.
    ``scale`` must be a multiple of lcm(1 .. n), which n C(n-1, k) divides, where the order is random.
    """
    n = num_dimensions
    if order is not None:
        return [scale] + [0] * n
    return [scale // (n * math.comb(n - 1, k)) for k in range(n)] + [0]
