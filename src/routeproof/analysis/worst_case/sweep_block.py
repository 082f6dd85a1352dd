"""Some channels of a sweep: their loads, potentials that bound them, and the proofs that these give.

A base part of the loads is taken as fully reached; the caller's witness decides whether that is so.
"""

from __future__ import annotations

import math
import threading
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.loads import LoadBlock
from ...core.rational import Rationals
from ...routing.base.routing import Routing
from .quantised import quantised
from .sweep_types import Rates, Sweep
from .transport import Weights, solve_block, weights_of

__all__ = ["BestSoFar", "Chunk", "base_totals", "run_block"]

Int64 = npt.NDArray[np.int64]
Int32 = npt.NDArray[np.int32]


def base_totals(block: LoadBlock, rates: Rates) -> list[Fraction]:
    """For every channel of the block, the load of its base part if every terminal sends and receives at full rate."""
    base = block.base
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

    def __init__(
        self,
        routing: Routing,
        channels: Int32,
        rates: Rates,
        weights: Weights,
        state: BestSoFar,
        all_channels: bool,
        strict: bool,
    ) -> None:
        self.routing, self.channels, self.rates, self.weights = routing, channels, rates, weights
        self.state, self.all_channels = state, all_channels
        # Hop distances (N, N), by which kernels group rows and columns; None for large networks.
        self.hops = routing.hops
        self.entries = 0
        self.strict, self.failed = strict, False
        self.values: list[Fraction] = []
        self.lower = Fraction(0)

    def run(self) -> None:
        routing, rates, network = self.routing, self.rates, self.routing.network
        block = routing.channel_loads(self.channels)
        self.entries = len(block.row)
        weights = self.weights
        self.base = base_totals(block, rates)
        self.width = [network.bandwidth[c] for c in self.channels.tolist()]
        rank = network.bandwidth_rank[self.channels]
        self.alike = bool((rank == rank[0]).all()) and not any(self.base)
        try:
            weight = weights_of(block.load, weights)
            lower = self.state.lower
            limit = self._limits(lower)
            levels = None
            if self.hops is not None:
                tail, head = network.tail[self.channels], network.head[self.channels]
                levels = (
                    self.hops[np.ix_(routing.row_node, tail)].T.clip(0, 255).astype(np.uint8),
                    self.hops[np.ix_(head, routing.column_node)].clip(0, 255).astype(np.uint8),
                )
            # Aim a little below the threshold: the proofs then have room to be rounded, and ties are found.
            stop = np.full(len(limit), -1, dtype=np.int64) if self.all_channels else limit - np.maximum(limit >> 6, 1)
            solved = solve_block(
                block.offset, block.row, block.column, weight, rates.supply, rates.demand,
                stop=stop, running=self.alike and not self.all_channels, slack=weights.slack, levels=levels,
                full=self.all_channels,
            )  # fmt: skip
        except OverflowError:
            self.failed = True
            return
        value = solved.value
        if self.all_channels:
            from .settle import exact_values

            self.values = exact_values(block, weight, solved, rates, weights)
        solved_to_end = np.nonzero(solved.optimal)[0]
        if self.alike and len(solved_to_end):  # the best of them says it all
            solved_to_end = solved_to_end[[int(np.argmax(value[solved_to_end]))]]
        for k in solved_to_end.tolist():
            sure = Fraction(max(int(value[k]) - weights.slack, 0), weights.scale * rates.unit)
            self.state.raise_to((sure + self.base[k]) / self.width[k])
        self.value, self.optimal = value, solved.optimal
        # Round the proofs against the best ratio known now; what does not fit is kept whole, to be rounded at the end.
        limit = self._limits(self.state.lower, strict=self.strict)
        self.shift, self.quantum = quantised(block, weight, rates, solved, limit)

    def plain(self) -> dict[str, Any]:
        """What a run found, as plain data for ``take``."""
        if self.failed:
            return {"failed": True}
        lower = self.state.lower
        names = ("base", "width", "alike", "value", "optimal", "shift", "quantum", "values")
        return {"lower": lower, **{x: getattr(self, x) for x in names}}

    def take(self, result: dict[str, Any]) -> None:
        """What ``run`` found elsewhere."""
        for name, value in result.items():
            setattr(self, name, value)

    def _limits(self, ratio: Fraction, *, strict: bool = False) -> Int64:
        """Per channel, the largest integer value that keeps it at or below (``strict``: below) ``ratio``."""
        scale = self.weights.scale * self.rates.unit
        cache: dict[tuple[Fraction, Fraction], int] = {}
        if self.alike and self.width:
            return np.full(len(self.width), _whole(ratio * self.width[0] * scale, strict))
        out = np.empty(len(self.width), dtype=np.int64)
        for k, (width, base) in enumerate(zip(self.width, self.base, strict=True)):
            key = (width, base)
            if key not in cache:
                cache[key] = _whole((ratio * width - base) * scale, strict)
            out[k] = cache[key]
        return out

    def collect(self, result: Sweep) -> None:
        if self.failed:
            result.open.extend(self.channels.tolist())
            return
        scale = self.weights.scale * self.rates.unit
        limit = self._limits(result.lower, strict=self.strict)
        for c, x, base, width in zip(self.channels.tolist(), self.values, self.base, self.width, strict=False):
            result.values[c] = x if self.alike and width == 1 else (x + base) / width
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


def run_block(
    routing: Routing,
    channels: Int32,
    rates: Rates,
    weights: Weights,
    lower: Fraction,
    all_channels: bool,
    strict: bool,
) -> dict[str, Any]:
    """One block on its own: nothing that another found makes a difference to it."""
    chunk = Chunk(routing, channels, rates, weights, BestSoFar(lower), all_channels, strict)
    chunk.run()
    return chunk.plain()


def _whole(limit: Fraction, strict: bool) -> int:
    """The largest integer at or below (``strict``: below) ``limit``, kept within -1 .. 2**62."""
    return min(max(math.ceil(limit) - 1 if strict else math.floor(limit), -1), 2**62)
