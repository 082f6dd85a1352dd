"""Some channels of a scan: their loads, potentials that bound them, and the proofs that these give.

A base part of the loads is taken as fully reached; the caller's witness decides whether that is so.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64
from ...core.loads import LoadBlock
from ...core.rational import Rationals
from ...graphs.transport import Weights, channels_of, exact_values, quantised, solve_block, weights_of
from ...graphs.transport_arrays import Optimum, Rates
from ...routing.base.routing import Routing
from ...routing.base.views import largest_loads


@dataclass(eq=False)
class Bounds:
    """Proofs by channel: column potentials v = quantum * 2**shift / scale (rows' potentials follow from them).

    ``quantum`` holds, channel after channel, one integer for every column that takes part (ascending).
    """

    channel: list[int] = field(default_factory=list)
    shift: list[int] = field(default_factory=list)
    quantum: list[npt.NDArray[np.integer]] = field(default_factory=list)

    def chosen(self, places: Iterable[int]) -> Bounds:
        """Those at ``places``, in this order."""
        kept = list(places)
        return Bounds([self.channel[k] for k in kept], [self.shift[k] for k in kept], [self.quantum[k] for k in kept])

    def merged(self, other: Bounds) -> Bounds:
        """Both, in ascending order of channel."""
        every = Bounds(self.channel + other.channel, self.shift + other.shift, self.quantum + other.quantum)
        return every.chosen(sorted(range(len(every.channel)), key=every.channel.__getitem__))


@dataclass(eq=False)
class Scan:
    """What a scan found.  Ratios are loads per bandwidth, in packets per cycle.

    - ``lower``: a ratio that some channel surely reaches; ``upper``: per focus channel, where it was solved to the end,
      a ratio that it surely does not pass (exact where ``weights.exact``);
    - ``values``: exact ratios of all channels, where they were asked for; ``optima``: what reaches and proves them,
      where it was found and is to be kept;
    - ``open``: channels without a proof that they stay at or below ``lower``: to be settled exactly.
    """

    weights: Weights
    lower: Fraction
    upper: dict[int, Fraction] = field(default_factory=dict)
    values: dict[int, Fraction] = field(default_factory=dict)
    optima: dict[int, Optimum] = field(default_factory=dict)
    bounds: Bounds = field(default_factory=Bounds)
    open: list[int] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Task:
    """What all blocks of a scan have in common.

    ``all_channels`` solves each to the end instead of leaving it at the best ratio so far; ``keeps_optima``: and what
    reaches and proves it is kept.  ``strict``: proofs must
    stay below the ratio; channels that reach it are left open.
    """

    routing: Routing
    rates: Rates
    weights: Weights
    all_channels: bool = False
    strict: bool = False
    keeps_optima: bool = False


def base_totals(block: LoadBlock, rates: Rates) -> list[Fraction]:
    """For every channel of the block, the load of its base part if every terminal sends and receives at full rate; less
    what idle packets count for, which load nothing."""
    base = block.base
    if rates.idle:
        return [-x * rates.idle / rates.unit for x in largest_loads(block).fractions()]
    if base is None:
        return [Fraction(0)] * block.num_channels
    totals = []
    for k in range(block.num_channels):
        total = Fraction(0)
        for part, amounts in ((base.row[k], rates.supply), (base.column[k], rates.demand)):
            used = amounts > 0
            total += Rationals(part.num[used].astype(object) * amounts[used], part.den[used]).total()
        totals.append(total / rates.unit)
    return totals


class BestSoFar:
    """What the workers share: the best ratio so far, ``lower``."""

    def __init__(self, lower: Fraction) -> None:
        self.lower = lower
        self.lock = threading.Lock()

    def raise_to(self, ratio: Fraction) -> None:
        with self.lock:
            if ratio > self.lower:
                self.lower = ratio


class Chunk:
    """A few channels: their loads, bounds and solutions."""

    def __init__(self, task: Task, channels: Int32, state: BestSoFar) -> None:
        self.task, self.channels, self.state = task, channels, state
        self.entries = 0
        self.failed = False
        self.values: list[Fraction] = []
        self.optima: list[Optimum | None] = []
        self.lower = Fraction(0)

    def run(self) -> None:
        task, network = self.task, self.task.routing.network
        rates, weights = task.rates, task.weights
        block = task.routing.channel_loads(self.channels)
        self.entries = len(block.row)
        self.base = base_totals(block, rates)
        self.width = [network.bandwidth[c] for c in self.channels.tolist()]
        rank = network.bandwidth_rank[self.channels]
        self.alike = bool((rank == rank[0]).all()) and not any(self.base)
        try:
            channels = channels_of(block, weights_of(block.load, weights), rates)
            limit = self._limits(self.state.lower)
            # Aim a little below the threshold: the proofs then have room to be rounded, and ties are found.
            stop = np.full(len(limit), -1, dtype=np.int64) if task.all_channels else limit - np.maximum(limit >> 6, 1)
            solved = solve_block(
                channels, stop=stop, running=self.alike and not task.all_channels, slack=weights.slack,
                levels=self._levels(), full=task.all_channels,
            )  # fmt: skip
        except OverflowError:
            self.failed = True
            return
        value = solved.value
        if task.all_channels:
            self.values, optima = exact_values(block.load, channels, solved, rates.unit, weights)
            self.optima = optima if task.keeps_optima else []
        solved_to_end = np.nonzero(solved.optimal)[0]
        if self.alike and len(solved_to_end):  # the best of them says it all
            solved_to_end = solved_to_end[[int(np.argmax(value[solved_to_end]))]]
        for k in solved_to_end.tolist():
            sure = Fraction(max(int(value[k]) - weights.slack, 0), weights.scale * rates.unit)
            self.state.raise_to((sure + self.base[k]) / self.width[k])
        self.value, self.optimal = value, solved.optimal
        # Round the proofs against the best ratio known now; what does not fit is kept whole, to be rounded at the end.
        self.shift, self.quantum = quantised(channels, solved, self._limits(self.state.lower, strict=task.strict))

    def plain(self) -> dict[str, Any]:
        """What a run found, as plain data for ``take``."""
        if self.failed:
            return {"failed": True}
        names = ("base", "width", "alike", "value", "optimal", "shift", "quantum", "values", "optima")
        return {"lower": self.state.lower, **{x: getattr(self, x) for x in names}}

    def take(self, result: dict[str, Any]) -> None:
        """What ``run`` found elsewhere."""
        for name, value in result.items():
            setattr(self, name, value)

    def _levels(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]] | None:
        """Hop distances from every row and to every column, by which the kernels group them; None if not at hand."""
        routing, network = self.task.routing, self.task.routing.network
        if routing.hops is None:
            return None
        back = routing.hops if network.reverse is not None else routing.hops.T  # as far there as back: lines at hand
        levels = (back, network.tail, routing.row_node), (routing.hops, network.head, routing.column_node)
        row_level, column_level = (  # one kind of array: the kernels are compiled once
            x[end[self.channels]].clip(0, 255).astype(np.uint8).take(node, axis=1) for x, end, node in levels
        )
        return row_level, column_level

    def _limits(self, ratio: Fraction, *, strict: bool = False) -> Int64:
        """Per channel, the largest integer value that keeps it at or below (``strict``: below) ``ratio``."""
        scale = self.task.weights.scale * self.task.rates.unit
        if self.alike and self.width:
            return np.full(len(self.width), _whole(ratio * self.width[0] * scale, strict))
        pairs = list(zip(self.width, self.base, strict=True))
        limit = {pair: _whole((ratio * pair[0] - pair[1]) * scale, strict) for pair in set(pairs)}
        return np.array([limit[pair] for pair in pairs], dtype=np.int64)

    def collect(self, result: Scan) -> None:
        if self.failed:
            result.open.extend(self.channels.tolist())
            return
        scale = self.task.weights.scale * self.task.rates.unit
        limit = self._limits(result.lower, strict=self.task.strict)
        for c, x, base, width in zip(self.channels.tolist(), self.values, self.base, self.width, strict=False):
            result.values[c] = x if self.alike and width == 1 else (x + base) / width
        optima = zip(self.channels.tolist(), self.optima, strict=False)
        result.optima.update({c: Optimum(*x) for c, x in optima if x is not None})
        known: dict[int, Fraction] = {}
        solved = [False] * len(self.optimal) if self.values else self.optimal.tolist()
        numbers = zip(self.value.tolist(), limit.tolist(), self.shift.tolist(), strict=True)
        for k, (c, (value, most, shift)) in enumerate(zip(self.channels.tolist(), numbers, strict=True)):
            if solved[k]:
                if not self.alike or value not in known:
                    known[value] = (Fraction(value, scale) + self.base[k]) / self.width[k]
                result.upper[c] = known[value]
            if shift < 0 or value > most:
                result.open.append(c)
            else:
                result.bounds.channel.append(c)
                result.bounds.shift.append(shift)
                result.bounds.quantum.append(self.quantum[k])


def _whole(limit: Fraction, strict: bool) -> int:
    """The largest integer at or below (``strict``: below) ``limit``, kept within -1 .. 2**62."""
    return min(max(math.ceil(limit) - 1 if strict else math.floor(limit), -1), 2**62)
