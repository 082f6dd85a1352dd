"""WRD: weighted random directions on rings, the shortest paths among the best worst cases."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ...core.errors import InputError
from ...core.network import Network
from ..base.entry import RoutingEntry
from .layout import grid_of
from .relative import RelativeRouting, Steps


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


ENTRY = RoutingEntry(
    name="wrd",
    help="weighted random directions on rings: the shortest paths among the best worst cases",
    build=lambda network, options: WRD(**options).on(network),
)
