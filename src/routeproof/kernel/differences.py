"""Worst cases and sums of loads that are differences: from node i to node j, channel c carries max(0, d_i - d_j).

Theorem.  Let node u have s_u terminals that send and as many that receive.  For any number m, no permutation loads the
channel with more than sum_u s_u |d_u - m|; a median m of the terminals' numbers d is reached.

Proof.  max(0, d_i - d_j) <= max(0, d_i - m) + max(0, m - d_j).  In the sum over the packets of a permutation every
terminal sends once and receives once: its node's d adds max(0, d - m) and max(0, m - d), which is |d - m|.  If the
terminal with the k-th largest number sends to the one with the k-th smallest, for all k, the upper half sends
downwards, and both inequalities are equations if m lies between the halves.  []

On the channel back all d are negated, and so is m: the bound is the same.

Under uniform traffic (one unit from every terminal to every terminal) each of the two channels carries the sum of
|d_i - d_j| over unordered pairs of terminals: in ascending order every number counts once for each terminal below it,
and minus once for each above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int64
from ..core.loads import DifferenceLoads
from ..core.network import Network

_CELLS = 1 << 22  # numbers looked at together


def most_of_medians(network: Network, loads: DifferenceLoads, middle: Int64) -> Fraction:
    """What no permutation passes on any channel, per bandwidth, by one number m for every link: ``middle`` / unit,
    int64 (E,).  The network's nodes send for as many terminals as they receive for."""
    weight, top = network.supply[loads.node].astype(np.int64), Fraction(0)
    rank = network.bandwidth_rank[loads.link]
    for some, flow in _blocks(loads, network.num_terminals, middle):
        spread = weight @ abs(flow - middle[some])
        for k in np.unique(rank[some]).tolist():
            top = max(top, int(spread[rank[some] == k].max()) / network.widths[k])
    return top / loads.unit


def sums_between_all(network: Network, loads: DifferenceLoads) -> list[Fraction]:
    """The load of every channel, in order, when every terminal sends one unit to every terminal."""
    weight = network.supply[loads.node].astype(np.int64)
    found = [Fraction(0)] * network.num_channels
    for some, flow in _blocks(loads, network.num_terminals, loads.flow[:1].ravel()):
        order = np.argsort(flow, axis=0, kind="stable")
        each = weight[order]
        upto = np.cumsum(each, axis=0)
        signed = each * (2 * upto - each - network.num_terminals)  # terminals below, less those above
        sums = (np.take_along_axis(flow, order, axis=0) * signed).sum(axis=0)
        for c, back, x in zip(loads.link[some].tolist(), loads.back[some].tolist(), sums.tolist(), strict=True):
            found[c] = found[back] = Fraction(int(x), loads.unit)
    return found


def _blocks(loads: DifferenceLoads, terminals: int, others: Int64) -> Iterator[tuple[slice, npt.NDArray[Any]]]:
    """(some links, their numbers): int64 where sums over all pairs of terminals fit, else Python's integers."""
    step = max(1, _CELLS // max(1, len(loads.node)))
    top = max(int(abs(x.astype(object)).max()) if x.size else 0 for x in _ends(loads.flow, others))
    wide = 4 * top * max(1, terminals) ** 2 >= 1 << 62
    for first in range(0, len(loads.link), step):
        some = slice(first, first + step)
        flow = loads.flow[:, some]
        yield some, flow.astype(object) if wide else flow


def _ends(*arrays: Int64) -> Iterator[Int64]:
    """The least and the greatest of each."""
    for x in arrays:
        if x.size:
            yield np.array([x.min(), x.max()])
        else:
            yield x
