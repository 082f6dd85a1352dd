"""The worst case of loads that are differences, without a transportation problem: medians bound every channel, and the
permutation that sends from the largest numbers to the least ones reaches the bound (``kernel.differences``)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ...core.arrays import Int64
from ...core.loads import DifferenceLoads
from ...core.network import Network
from ...core.traffic import Permutation

_CELLS = 1 << 22  # numbers looked at together


class ByMedians(NamedTuple):
    """``load``: the worst one, per bandwidth, on ``channels``, ascending; ``permutation``: it loads the first of them
    so; ``middle``: a median of every link, int64 (E,), over the unit of the loads."""

    load: Fraction
    channels: list[int]
    permutation: Permutation
    middle: Int64


def worst_by_medians(network: Network, loads: DifferenceLoads) -> ByMedians:
    """Over all permutations, where every node sends for as many terminals as it receives for."""
    size = network.num_terminals
    where, half = np.searchsorted(loads.node, network.source), size // 2
    middle, apart = np.zeros(len(loads.link), dtype=np.int64), np.zeros(len(loads.link), dtype=object)
    step = max(1, _CELLS // max(1, size))
    for first in range(0, len(loads.link), step):
        some = slice(first, first + step)
        number = np.sort(loads.flow[where, some], axis=0)
        middle[some] = number[half]
        upper, lower = number[size - half :], number[:half]
        wide = 2 * size * int(max(-int(number.min()), int(number.max()), 1)) >= 1 << 62
        apart[some] = (upper - lower).astype(object if wide else np.int64).sum(axis=0)
    width = [network.bandwidth[c] * loads.unit for c in loads.link.tolist()]
    ratio = [int(x) / b for x, b in zip(apart.tolist(), width, strict=True)]
    top = max(ratio)
    worst = [e for e, x in enumerate(ratio) if x == top]
    channels = sorted([*loads.link[worst].tolist(), *loads.back[worst].tolist()])
    return ByMedians(top, channels, _reaching(network, loads, channels[0]), middle)


def _reaching(network: Network, loads: DifferenceLoads, channel: int) -> Permutation:
    """The terminal of the k-th largest number sends to that of the k-th least."""
    there = np.flatnonzero(loads.link == channel)
    number = loads.flow[:, there[0]] if len(there) else -loads.flow[:, np.flatnonzero(loads.back == channel)[0]]
    source, sink = (number[np.searchsorted(loads.node, x)] for x in (network.source, network.sink))
    image = np.zeros(network.num_terminals, dtype=np.int64)
    image[np.argsort(-source, kind="stable")] = np.argsort(sink, kind="stable")
    return Permutation(image)
