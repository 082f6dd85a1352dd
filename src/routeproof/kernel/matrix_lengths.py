"""What no routing can beat over given matrices: whole lengths of channels, evaluated by shortest paths.

Let matrix k ask for D_k(i, j) from node i to node j, and take lengths l_k(c) >= 0 of the channels for every matrix.  An
oblivious routing that loads no channel c with more than bandwidth(c) * w under any of the matrices has

    sum_k l_k(c) * sum_ij D_k(i, j) * flow of c from i to j  <=  sum_k l_k(c) * bandwidth(c) * w.

Summed over all channels, the left side is what the pairs' flows cost, where channel c is Y_c(i, j) = sum_k l_k(c)
D_k(i, j) long to the pair (i, j): at least the shortest distances.  So

    (sum_c bandwidth(c) sum_k l_k(c)) * w  >=  sum_ij distance from i to j under Y(i, j).

With ``hops`` added to every length, the average path length H comes in, as in ``adversary``:

    hops * T^2 * H + (sum_c bandwidth(c) sum_k l_k(c)) * w  >=  sum_ij distance under hops * s_i d_j + Y(i, j).

With one matrix and no ``hops`` the distance is D(i, j) times that under l: the dual of maximum concurrent flow
(Shahrokhi & Matula 1990, J. ACM 37).  Then the bound holds for every flow, and so for routings that know the demand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.errors import VerificationError
from ..core.network import Network
from ..core.rational import lcm_within
from .shortest_paths import distances, weighted_distances
from .supporting_line import AdversaryPair, Distance, SupportingLine

_MOST_UNIT = 1 << 4096
_AT_ONCE = 1 << 20  # lengths held together

Rates = Mapping[tuple[int, int], Fraction]
Lengths = npt.NDArray[Any]


def matrix_line(
    network: Network,
    matrices: Sequence[Rates],
    lengths: Sequence[Lengths],
    *,
    hops: int = 0,
    distance: Distance | None = None,
) -> SupportingLine:
    """The line that lengths prove over the matrices; nothing is believed but whole numbers.

    ``matrices``: rates >= 0 by (source terminal, destination terminal); ``lengths``: for each matrix (C,) whole numbers
    >= 0, int64 or Python's integers; ``distance`` as for ``adversary.supporting_line``.  Raises VerificationError for
    malformed lengths and rates, and where there is no path for a rate.
    """
    if len(matrices) != len(lengths):
        raise VerificationError(f"{len(lengths)} lists of lengths for {len(matrices)} matrices; one each was expected")
    if hops < 0:
        raise VerificationError("the weight of hops is negative")
    for k, length in enumerate(lengths):
        if len(length) != network.num_channels or int(length.min(initial=0)) < 0:
            raise VerificationError(f"the lengths for matrix {k} are not one whole number >= 0 for each channel")
    used = [k for k, length in enumerate(lengths) if length.any()]
    rates, whole = [_between_nodes(network, matrices[k]) for k in used], [lengths[k].tolist() for k in used]
    load = sum(
        (sum(int(length[c]) for length in whole) * b for c, b in enumerate(network.bandwidth)), Fraction(0)
    )  # fmt: skip
    if len(used) == 1 and not hops and distance is None:
        total = _under_one(network, rates[0], whole[0])
    else:
        total = _pair_by_pair(network, rates, [lengths[k] for k in used], hops, distance)
    return SupportingLine(Fraction(hops * network.num_terminals**2), load, total)


def _between_nodes(network: Network, rates: Rates) -> dict[tuple[int, int], Fraction]:
    """The rates of all terminals of a node together, without those that stay at their node."""
    found: dict[tuple[int, int], Fraction] = {}
    source, sink = network.source.tolist(), network.sink.tolist()
    for (i, j), x in rates.items():
        if x < 0:
            raise VerificationError(f"terminal {i} sends {x} to {j}; a rate cannot be negative")
        if x and source[i] != sink[j]:
            ends = source[i], sink[j]
            found[ends] = found.get(ends, Fraction(0)) + x
    return found


def _under_one(network: Network, rates: Rates, length: Sequence[int]) -> Fraction:
    """The sum of rates times distances."""
    by_source: dict[int, list[tuple[int, Fraction]]] = {}
    for (i, j), x in rates.items():
        by_source.setdefault(i, []).append((j, x))
    unit = lcm_within({x.denominator for x in rates.values()}, _MOST_UNIT)
    if unit is None:
        raise VerificationError("the rates have too large a common denominator")
    from_node = distances(network, length)
    total = 0
    for i, others in by_source.items():
        far = from_node(i)
        for j, x in others:
            one = far[j]
            if one is None:
                raise VerificationError(f"no path leads from node {network.label(i)} to node {network.label(j)}")
            total += one * x.numerator * (unit // x.denominator)
    return Fraction(total, unit)


def _pair_by_pair(
    network: Network, rates: Sequence[Rates], lengths: Sequence[Lengths], hops: int, distance: Distance | None
) -> Fraction:
    """The sum of the distances, each pair under its own lengths."""
    unit = lcm_within({x.denominator for found in rates for x in found.values()}, _MOST_UNIT)
    if unit is None:
        raise VerificationError("the rates have too large a common denominator")
    every = set[tuple[int, int]]().union(*rates)
    if hops:
        senders, receivers = (np.flatnonzero(side).tolist() for side in (network.supply, network.demand))
        every |= {(i, j) for i in senders for j in receivers if i != j}
    todo = sorted(every)
    whole = [length.astype(object) for length in lengths]
    none = np.zeros(network.num_channels, dtype=object)
    total = 0
    step = max(1, _AT_ONCE // max(1, network.num_channels))
    for at in range(0, len(todo), step):
        pairs = []
        for i, j in todo[at : at + step]:
            parts = (
                length * int(x * unit) for found, length in zip(rates, whole, strict=True) if (x := found.get((i, j)))
            )
            pairs.append(AdversaryPair(i, j, _small(sum(parts, none))))
        if distance is None:
            total += weighted_distances(network, pairs, [1] * len(pairs), hops=hops * unit)
            continue
        for pair in pairs:
            each = hops * unit * int(network.supply[pair.source]) * int(network.demand[pair.destination])
            total += distance(pair.source, pair.destination, [each + int(x) for x in pair.traffic.tolist()])
    return Fraction(total, unit)


def _small(values: Lengths) -> Lengths:
    return values.astype(np.int64) if int(values.max(initial=0)) < 1 << 62 else values
