"""Which rank is next to whom: all orders of a few ranks, or a search for a better one, by exact times in whole numbers.

A collective's time depends on the order in which its ranks stand (which terminal is rank k).  What every pair of
terminals does to every channel is tabulated once; then the time of an order is sums and maxima of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import factorial, lcm

import numpy as np

from ..core.arrays import Int64
from ..core.rational import INT64_MAX
from ..core.schedules.phases import Phase
from ..core.spread import Progress
from ..machine.deadlines import certified_before_interrupt
from ..routing.base.routing import Routing

ALL = 5040  # orders that are all tried
_CELLS = 1 << 24  # of the table of pairs and channels
_WORK, _MOST_TRIES = 300_000_000, 20_000  # of a search: sums of loads, and orders


@dataclass(frozen=True)
class FoundOrder:
    """``ranks``: terminals in the best order of ``tried``; ``all``: these were all orders there are; ``best``: it takes
    as long as the bound on every order says; ``interrupted``: by Ctrl-C, which keeps the best order so far."""

    ranks: list[int]
    tried: int
    all: bool
    best: bool
    interrupted: bool = False


class OrderTimes:
    """Times of orders of ``ranks`` (terminals), in units of 1 / ``scale``, without latency."""

    def __init__(self, table: Int64, scale: int, phases: Sequence[Phase]) -> None:
        self.table, self.scale = table, scale
        unit = lcm(*(x.amount.denominator for x in phases))
        self.scale = scale * unit
        self.phases = [(x.source, x.destination, int(x.amount * unit) * x.times) for x in phases]

    def of(self, order: Int64) -> int:
        """The time when rank k is place ``order[k]`` of the ranks."""
        return sum(
            int(self.table[order[source], order[destination]].sum(axis=0).max()) * weight
            for source, destination, weight in self.phases
        )


def order_times(
    routing: Routing, given: Iterable[Phase], ranks: Sequence[int], cables: Sequence[Fraction] | None
) -> OrderTimes | None:
    """None where the table would be too large, or its numbers too long for 64 bits."""
    network, n = routing.network, len(ranks)
    size = network.num_channels + (0 if cables is None else 2 * n)
    if n * n * size > _CELLS:
        return None
    phases = list(given)
    terminal = np.asarray(ranks)
    rows, columns = np.repeat(routing.row_of[terminal], n), np.tile(routing.column_of[terminal], n)
    apart = np.flatnonzero(routing.row_node[rows] != routing.column_node[columns])
    block = routing.pair_loads(rows[apart], columns[apart])
    inverse = [1 / x for x in network.widths]
    dens = np.unique(block.load.den).tolist()
    own = [] if cables is None else [1 / cables[t] for t in ranks]
    scale = lcm(*dens) * lcm(*(x.denominator for x in (*inverse, *own)))
    most = max((*inverse, *own), default=Fraction(1)) * scale
    longest = max((len(x.source) for x in phases), default=1)
    if most * longest * sum(x.times for x in phases) > INT64_MAX or scale > INT64_MAX:
        return None
    table = np.zeros((n * n, size), dtype=np.int64)
    pair = np.repeat(apart, np.diff(block.offset))
    share = np.array([int(x * (scale // lcm(*dens))) for x in inverse], dtype=np.int64)
    load = np.asarray(block.load.num * (lcm(*dens) // block.load.den), dtype=np.int64)
    np.add.at(table, (pair, block.channel), load * share[network.bandwidth_rank[block.channel]])
    for k, x in enumerate(own):
        first = network.num_channels + 2 * k
        table[k * n : (k + 1) * n, first] = int(x * scale)
        table[k::n, first + 1] = int(x * scale)
    return OrderTimes(table.reshape(n, n, size), scale, phases)


def best_order(
    times: OrderTimes,
    ranks: Sequence[int],
    *,
    fixed: int,
    rng: np.random.Generator,
    least: Fraction,
    progress: Progress | None = None,
) -> FoundOrder:
    """All orders where they are few, else a local search: swaps and reversals, kept where they do no harm.

    ``fixed``: so many of the first ranks stay; ``least``: with this time the search ends.
    """
    n, done, interrupted = len(ranks), 0, False
    start = np.arange(n)
    tries = min(_MOST_TRIES, _WORK // max(1, sum(len(x[0]) for x in times.phases) * times.table.shape[2]) + 1)
    best, time = start, times.of(start)
    every = factorial(n - fixed) if factorial(n - fixed) <= ALL else None
    try:
        if every is not None:
            for rest in permutations(range(fixed, n)):
                order = np.array([*range(fixed), *rest])
                here = times.of(order)
                if here < time:
                    best, time = order, here
                done += 1
                if progress is not None and done % 100 == 0:
                    progress(done, every)
            return FoundOrder([ranks[k] for k in best.tolist()], every, True, True)
        order, now, idle = best, time, 0
        while done < tries and time > least * times.scale:
            if idle > 40 * n:  # begin anew
                order = np.concatenate([start[:fixed], fixed + rng.permutation(n - fixed)])
                now, idle = times.of(order), 0
            else:
                trial = _moved(order, fixed, rng)
                here = times.of(trial)
                idle = 0 if here < now else idle + 1
                if here <= now:
                    order, now = trial, here
            if now < time:
                best, time = order, now
            done += 1
            if progress is not None and done % 50 == 0:
                progress(done, tries)
    except KeyboardInterrupt:
        certified_before_interrupt()
        interrupted = True
    tried, least_reached = max(done, 1) if every else done + 1, time <= least * times.scale
    return FoundOrder([ranks[k] for k in best.tolist()], tried, False, least_reached, interrupted)


def _moved(order: Int64, fixed: int, rng: np.random.Generator) -> Int64:
    """Two ranks swapped, or all between them turned round."""
    i, j = sorted((fixed + rng.choice(len(order) - fixed, 2, replace=False)).tolist())
    found = order.copy()
    if rng.integers(2):
        found[i], found[j] = order[j], order[i]
    else:
        found[i : j + 1] = order[i : j + 1][::-1]
    return found
