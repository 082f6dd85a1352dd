"""Weighted directions on tori: RLB and RLBth (randomized local balance), WRD (weighted random directions on rings)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ..base.entry import RoutingEntry, with_options
from .closed_form import GridRouting
from .lines import Line, grid_of, phase_orders, phase_orders_text
from .relative import RelativeRouting, Steps


@dataclass(frozen=True)
class BalancedLine(Line):
    """The rule of a torus dimension of radix k: a way of L hops is taken with probability (k - L) / k.

    The other way round has k - L hops, so the short way, of Delta hops, has probability (k - Delta) / k and both ways
    load the ring alike.  The intermediate is uniform over the L + 1 nodes of the way taken, both ends included.

    ``threshold``: with fewer than k/4 hops to go the short way is always taken.
    """

    threshold: bool = False

    def _ways(self, s: Int64, t: Int64, p: Int64) -> list[tuple[Int64, Int64, Int64]]:
        """(length, offset of p, k times the probability) of each direction's way from s to t."""
        k = self.radix
        forward = (t - s) % k
        if len(self.directions) == 1:  # radix 2: both ways are the one channel
            return [(forward, (p - s) % k, np.full_like(forward, k))]
        backward = (s - t) % k
        chance = k - forward
        if self.threshold:
            chance = np.where(4 * forward < k, k, np.where(4 * (k - forward) < k, 0, chance))
        return [(forward, (p - s) % k, chance), (backward, (s - p) % k, k - chance)]

    def stays(self, s: Int64, t: Int64, p: Int64) -> tuple[Int64, Int64]:
        shape = np.broadcast_shapes(s.shape, t.shape, p.shape)
        ways = self._ways(s, t, p)
        den: Int64 = np.full(shape, self.radix, dtype=np.int64)
        num: Int64 = np.zeros(shape, dtype=np.int64)
        for length, _, _ in ways:
            den = den * (length + 1)
        for length, offset, chance in ways:
            num = num + np.asarray(chance * (offset <= length) * (den // (self.radix * (length + 1))), dtype=np.int64)
        return num, den

    def crosses(self, s: Int64, t: Int64, p: Int64, d: int) -> tuple[Int64, Int64, Int64]:
        shape = np.broadcast_shapes(s.shape, t.shape, p.shape)
        length, offset, chance = self._ways(s, t, p)[d]
        on = chance * (offset < length)
        den = np.broadcast_to(self.radix * (length + 1), shape)
        first, second = on * (length - offset), on * (offset + 1)
        return np.broadcast_to(first, shape), np.broadcast_to(second, shape), np.asarray(den)

    def legs(self, s: int, t: int) -> list[tuple[Fraction, tuple[int, ...]]]:
        """Both ways round that have a probability, the long one too."""
        here = np.array([s])
        ways = enumerate(self._ways(here, np.array([t]), here))
        return [(Fraction(int(x[0]), self.radix), (d,) * int(hops[0])) for d, (hops, _, x) in ways if x[0]]


@dataclass(frozen=True, kw_only=True)
class RLB:
    """In every dimension the way of L hops with probability (k - L) / k; two phases through a node in between.

    The ways of all dimensions span a quadrant, minimal or not; the intermediate is uniform over its nodes, source and
    destination included, and both phases are dimension-order routed within the quadrant.

    - ``threshold=True`` is RLBth: a dimension with fewer than k/4 hops to go takes the short way.
    - ``order``: ``random``, uniform and independent in each phase (as Singh et al. describe it); ``xy`` or any other
      order for both phases; or the orders of the two phases such as ``xy-yx``.  Towles, Dally & Boyd say "DOR is used
      for both phases", which leaves it open: on the 8-ary 2-cube the worst load is about 3.20 or 3.22.

    At distance k/2 both ways have probability 1/2: there are no ties to settle.  On rings RLB is the optimal worst case
    with no intermediate needed.

    Source: Singh, Dally, Towles & Gupta 2002 (SPAA), sec. 3; Towles, Dally & Boyd 2003 (SPAA), Table 1.
    Raises InputError for unknown options and, in ``on``, unless the network is a two-way torus (or ring).
    """

    threshold: bool = False
    order: str = "random"

    def __post_init__(self) -> None:
        if not isinstance(self.threshold, bool):
            raise InputError(f"rlb: threshold is {self.threshold!r}; True or False was expected")
        phase_orders(self._name, self.order)

    @property
    def _name(self) -> str:
        return "rlbth" if self.threshold else "rlb"

    def on(self, network: Network) -> GridRouting:
        grid = grid_of(network, self._name)
        if grid.kind != "torus" or grid.oneway:
            kind = "one-way torus" if grid.oneway else grid.kind
            raise InputError(f"{self._name} needs a torus with channels both ways; {network.name} is a {kind}")
        orders = phase_orders(self._name, self.order)
        name = with_options(self._name, order=None if orders[0] is None else phase_orders_text(orders))
        lines = [BalancedLine("torus", k, False, "quadrant", "split", threshold=self.threshold) for k in grid.radix]
        return GridRouting(network, name, lines, orders)


_ORDER_HELP = "random in each phase, or an order such as xy for both, or both such as xy-yx"

RLB_ENTRY = RoutingEntry(
    name="rlb",
    help="randomized local balance: on tori, each dimension's way of L hops with probability (k - L)/k",
    build=lambda network, options: RLB(**options).on(network),
    options={"order": _ORDER_HELP},
)

RLBTH_ENTRY = RoutingEntry(
    name="rlbth",
    help="RLB, but always the short way where fewer than k/4 hops are needed",
    build=lambda network, options: RLB(threshold=True, **options).on(network),
    options={"order": _ORDER_HELP},
)


@dataclass(frozen=True, kw_only=True)
class WRD:
    """On a ring of k nodes a packet with L hops to go clockwise takes that way with a probability that falls with L.

    For odd k it is (k - L) / k, as RLB has it.  For even k it is (k - 1 - L) / (k - 2): neighbours always take the
    channel between them.  The worst-case load is k/4 for even and (k^2 - 1)/(4k) for odd k, which no routing beats, and
    the average path (k - 1)/3 or (k^2 - 1)/(3k) hops, the least that this load allows.

    Source: Ramanujam & Lin 2008 (IEEE Computer Architecture Letters), 2013 (IEEE Trans. Computers 62(3)), of which the
    abstracts are all that was at hand: "the optimal distribution of traffic along the minimal and nonminimal directions
    in a ring".  The weights here were read off exact optima for k = 3 to 13, and the tests compare with them again.

    Raises InputError, in ``on``, unless the network is a ring with channels both ways.
    """

    def on(self, network: Network) -> RelativeRouting:
        grid = grid_of(network, "wrd")
        if grid.kind != "torus" or grid.num_dimensions != 1 or grid.oneway:
            raise InputError(f"wrd needs a ring with channels both ways; {network.name} is not one")
        k = grid.radix[0]
        steps: dict[tuple[int, ...], Steps] = {}
        for length in range(1, k):
            share = _clockwise(k, length)
            ways = {((x,), 0, 0): share for x in range(length)}
            if share < 1:
                ways |= {((-x % k,), 0, 1): 1 - share for x in range(k - length)}
            steps[(length,)] = {key: load for key, load in ways.items() if load}
        return RelativeRouting(network, "wrd", steps)


def _clockwise(k: int, length: int) -> Fraction:
    if k == 2:
        return Fraction(1)
    return Fraction(k - length, k) if k % 2 else Fraction(k - 1 - length, k - 2)


WRD_ENTRY = RoutingEntry(
    name="wrd",
    help="weighted random directions on rings: the shortest paths among the best worst cases",
    build=lambda network, options: WRD(**options).on(network),
)
