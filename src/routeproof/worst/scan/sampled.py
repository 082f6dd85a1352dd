"""How far a sampled worst case can be from the true one: confidence limits with a proof, for any number of samples.

Packets are drawn for pairs of *nodes*; all terminals of a pair of nodes share them.  So the independent terms are the
packets, and each counts as often as terminals use its pair.

Below: a channel and a permutation, chosen on other packets, are judged by a sum of independent terms; the limit is that
of Chernoff and Hoeffding (JASA 58, 1963, Theorem 1, terms that need not be alike).

Above: the sampled optimum, over all channels and all permutations, has an expectation of at least the true optimum
(Jensen), and it is *self-bounding*: a packet taken out lowers it by no more than the packet's part in the sum that
reaches it, and these parts add up to it.  Hence it falls below its expectation no more often than a Poisson variable
(Boucheron, Lugosi & Massart 2000, Random Structures & Algorithms 16; their book of 2013, Theorem 6.12).  No union over
permutations is needed, whose logarithm would grow as N log N.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ...core.claim import Interval
from ...core.traffic import Permutation

if TYPE_CHECKING:
    from ...routing.function.incremental import SampledRouting


@dataclass(frozen=True)
class SampledLimits:
    """``interval``: the worst-case load; ``crossings``: it is the worst case of packets that cross a channel no more
    often than so (further crossings count for nothing).  If the routing never crosses a channel more often, it is the
    routing's own; the lower end is so in any case."""

    interval: Interval
    crossings: int


def worst_case_limits(
    routing: SampledRouting,
    *,
    channel: int,
    permutation: Permutation,
    judged: Fraction,
    optimum: Fraction,
    confidence: float = 0.99,
) -> SampledLimits:
    """The worst-case load per bandwidth of the routing that ``routing`` samples.

    - ``channel`` and ``permutation`` were chosen on ``routing.training``; ``judged`` is the load per bandwidth that
      they have on ``routing.holdout``;
    - ``optimum``: the worst-case load per bandwidth of all packets, ``routing.tables.path_tables``.

    Each side fails with probability (1 - confidence) / 2 at most.  The bound B on crossings is the largest seen; as it
    is taken from the packets themselves, limits hold for all B = 1, 2, ... at once, B failing with 1 / (B (B + 1)) of
    the probability.
    """
    network = routing.network
    crossings = max(1, int(routing.max_crossings.max(initial=0)))
    error = (1 - confidence) / 2 / (crossings * (crossings + 1))
    width = network.bandwidth[channel]
    held_out = routing.samples // 2
    load = float(judged * width)
    ends = network.source, network.sink[permutation.image]
    _, shared = np.unique((ends[0] * np.int64(network.num_nodes) + ends[1])[ends[0] != ends[1]], return_counts=True)
    most = crossings * int(shared.max(initial=1))  # of one packet, for all terminals that share its pair
    low = expected_sum_at_least(load * held_out, terms=max(1, len(shared)) * held_out, most=most, error=error)
    part = float(crossings * _most_shared(routing) / min(network.bandwidth)) / routing.samples
    high = optimum_at_most(float(optimum), part=part, error=error)
    low = low / held_out / float(width)
    best = min(max(float(judged), low), high)
    return SampledLimits(
        Interval(low, best, max(high, low), routing.samples, routing.seed, confidence), crossings=crossings
    )


def _most_shared(routing: SampledRouting) -> int:
    """How many terminals of one pair of different nodes a permutation can pair, at most."""
    supply, demand = routing.network.supply, routing.network.demand
    first, last = (np.argsort(-x, kind="stable")[:2].tolist() for x in (supply, demand))
    return max((min(int(supply[s]), int(demand[d])) for s in first for d in last if s != d), default=1)


def expected_sum_at_least(total: float, *, terms: int, most: float, error: float) -> float:
    """A number that the expectation of a sum of independent ``terms`` in [0, most] reaches, if the sum was ``total``.

    It fails with probability ``error`` at most: the smallest p with terms * KL(total / (terms most) || p) at most
    log(1 / error), times terms * most.
    """
    mean = min(total / (terms * most), 1.0)
    if mean <= 0:
        return 0.0
    room = math.log(1 / error) / terms

    def distant(p: float) -> bool:
        return _divergence(mean, p) > room

    return terms * most * _boundary(0.0, mean, distant)[0]


def optimum_at_most(optimum: float, *, part: float, error: float) -> float:
    """A number that the expectation of a sampled optimum does not pass, if the optimum was ``optimum``.

    The optimum is the largest of sums of non-negative parts, one for each of some independent packets, each part at
    most ``part``.  With w = optimum / part, the largest m with m - w + w log(w / m) at most log(1 / error), times part.
    It fails with probability ``error`` at most.
    """
    w = optimum / part
    room = math.log(1 / error)

    def near(m: float) -> bool:
        return m - w + (w * math.log(w / m) if w > 0 else 0.0) <= room

    return part * _boundary(w, 2 * w + 4 * room + 4, near)[1]


def _divergence(x: float, p: float) -> float:
    """KL(x || p) of two coins, 0 < p <= x <= 1."""
    if p <= 0:
        return math.inf
    rest = 0.0 if x >= 1 else (1 - x) * (math.log1p(-x) - math.log1p(-p))
    return x * math.log(x / p) + rest


def _boundary(low: float, high: float, holds: Callable[[float], bool]) -> tuple[float, float]:
    """The two sides of where ``holds`` changes from True (at ``low``) to False (at ``high``)."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high
