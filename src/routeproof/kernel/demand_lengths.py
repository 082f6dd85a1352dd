"""One demand and lengths of channels: no flow of the demand, however it is chosen, congests the network less.

A flow that carries D with at most w per bandwidth on every channel c uses at most w * sum of b(c) l(c) of length, and
every unit from i to j uses at least their distance; so

    w  >=  sum of D(i, j) dist_l(i, j) / sum of b(c) l(c).

Source: the dual of the maximum concurrent flow, Shahrokhi & Matula 1990 (J. ACM 37); lengths of 1 are the bound of
Namyar et al. 2021 (SIGCOMM).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from ..core.arrays import Int64
from ..core.errors import VerificationError
from ..core.network import Network
from ..core.rational import lcm_within
from .shortest_paths import all_distances
from .supporting_line import Distance

_MOST_UNIT = 1 << 4096


def proved_load(
    network: Network, demand: Mapping[tuple[int, int], Fraction], length: Int64, distance: Distance | None = None
) -> Fraction:
    """What whole ``length`` >= 0 of channels, int64 (C,), prove of a demand between terminals, by pair.

    ``distance(u, v, lengths)``: the shortest distance by those paths that flows may use, where not all are meant.

    Raises VerificationError for malformed lengths, and where a pair that sends has no path.
    """
    if len(length) != network.num_channels or int(length.min(initial=0)) < 0:
        raise VerificationError(f"{network.num_channels} whole lengths >= 0 were expected, one for each channel")
    spent = sum((int(x) * b for x, b in zip(length.tolist(), network.bandwidth, strict=True) if x), Fraction(0))
    if not spent:
        raise VerificationError("the lengths are 0 everywhere, which bounds nothing")
    far = _distances(network, length, distance)
    unit = lcm_within({x.denominator for x in demand.values()}, _MOST_UNIT)
    if unit is None:
        raise VerificationError("the rates of the demand have too large a common denominator")
    paid = 0
    for (i, j), x in demand.items():
        apart = far(int(network.source[i]), int(network.sink[j]))
        if apart < 0:
            raise VerificationError(f"no path leads from terminal {i} to terminal {j}")
        paid += x.numerator * (unit // x.denominator) * apart
    return Fraction(paid, unit) / spent


def _distances(network: Network, length: Int64, distance: Distance | None) -> Callable[[int, int], int]:
    """From node to node; -1 where there is no path."""
    if distance is not None:
        each = length.tolist()
        return lambda u, v: 0 if u == v else distance(u, v, each)
    found = all_distances(network, length)
    return lambda u, v: int(found.between[found.node[u], found.node[v]])
