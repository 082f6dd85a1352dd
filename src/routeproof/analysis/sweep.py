"""All focus channels of a routing: the largest load per bandwidth, with a proof for every channel.

Most channels never need their exact worst case: their potentials fall below the best value found so far, and are
kept, rounded to a few bits, as the proof.  Channels are streamed; nothing of size channels x terminals is held.

A base part of the loads is taken as fully reached; the caller's witness decides whether that is so.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.loads import LoadBlock
from ..core.rational import Rationals
from ..routing.base import Routing
from .quantised import quantised
from .spread import Spread, spread_blocks
from .sweep_types import Rates
from .transport import Weights, choose_scale, solve_block, weights_of

__all__ = ["Bounds", "Progress", "Rates", "Sweep", "base_totals", "run_block", "sweep"]

Int64 = npt.NDArray[np.int64]
Int32 = npt.NDArray[np.int32]
Progress = Callable[[int, int], None]

_CHUNK_ENTRIES = 400_000
_SAMPLE = 48
_BYTES_PER_ENTRY = 120  # of a block's loads, their fractions and the kernels' copies


@dataclass(eq=False)
class Bounds:
    """Proofs by channel: column potentials v = quantum * 2**shift / scale (rows' potentials follow from them).

    ``quantum`` holds, channel after channel, one integer for every column that takes part (ascending).
    """

    channel: list[int] = field(default_factory=list)
    shift: list[int] = field(default_factory=list)
    quantum: list[npt.NDArray[np.integer]] = field(default_factory=list)


@dataclass(eq=False)
class Sweep:
    """What a sweep found.  Ratios are loads per bandwidth, in packets per cycle.

    - ``lower``: a ratio that some channel surely reaches; ``upper``: per focus channel, where it was solved to the end,
      a ratio that it surely does not pass (exact where ``weights.exact``);
    - ``values``: exact ratios of all channels, where they were asked for;
    - ``open``: channels without a proof that they stay at or below ``lower``: to be settled exactly.
    """

    weights: Weights
    lower: Fraction
    upper: dict[int, Fraction]
    values: dict[int, Fraction]
    bounds: Bounds
    open: list[int]


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


class _State:
    """What the workers share: the best ratio so far."""

    def __init__(self, lower: Fraction) -> None:
        self.lower = lower
        self.lock = threading.Lock()

    def raise_to(self, ratio: Fraction) -> None:
        with self.lock:
            if ratio > self.lower:
                self.lower = ratio


def sweep(
    routing: Routing,
    channels: npt.NDArray[np.int32],
    rates: Rates,
    *,
    lower: Fraction = Fraction(0),
    all_channels: bool = False,
    strict: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
    spread: Spread | None = None,
) -> Sweep:
    """Bound or solve every one of ``channels`` (ascending).  ``lower``: a ratio that is known to be reached.

    ``all_channels`` solves each to the end instead of leaving it at the best ratio so far.  ``strict``: proofs must
    stay below the ratio; channels that reach it are left open.  ``spread``: does blocks of channels elsewhere.
    """
    total = int(rates.supply.sum() + rates.demand.sum())
    denominators = getattr(routing, "denominators", None)
    weights = choose_scale(denominators, total)
    state = _State(lower)
    result = Sweep(weights, lower, {}, {}, Bounds(), [])
    count = len(channels)
    if not count:
        return result
    rng = np.random.default_rng(0)
    sample = np.sort(rng.choice(count, size=min(_SAMPLE, count), replace=False))
    levels = _levels(routing)
    first = _Chunk(routing, channels[sample], rates, weights, state, all_channels, levels, strict)
    start = time.perf_counter()
    first.run()
    start = time.perf_counter() - start
    parts: list[_Chunk] = []
    if count <= _SAMPLE:
        parts = [first]
    else:
        per_channel = max(1.0, first.entries / len(sample))
        step = int(min(max(1.0, _CHUNK_ENTRIES / per_channel), 4096, max(16, count // 8)))
        pieces = [channels[at : at + step] for at in range(0, count, step)]
        workers = workers or os.cpu_count() or 1
        done = 0
        chunks = [_Chunk(routing, piece, rates, weights, state, all_channels, levels, strict) for piece in pieces]
        if spread is not None:
            results = spread_blocks(
                spread, routing, pieces, rates, weights=[weights.scale, weights.exact, weights.slack],
                lower=state.lower, all_channels=all_channels, strict=strict, seconds=start * count / len(sample),
                memory=int(step * per_channel) * _BYTES_PER_ENTRY, progress=progress,
            )  # fmt: skip
            for part, found in zip(chunks, results, strict=True):
                part.take(found)
                parts.append(part)
            progress, chunks = None, []
        for part in _in_order(chunks, workers):
            parts.append(part)
            done += len(part.channels)
            if progress is not None:
                progress(done, count)
    result.lower = max([state.lower, *(x.lower for x in parts)])
    for part in parts:
        part.collect(result)
    return result


def _in_order(chunks: list[_Chunk], workers: int) -> Iterator[_Chunk]:
    """Run the chunks on ``workers`` threads (the kernels release the interpreter), yielding them in order."""
    if workers <= 1:
        for chunk in chunks:
            chunk.run()
            yield chunk
        return
    with ThreadPoolExecutor(workers) as pool:
        running: list[Future[None]] = [pool.submit(chunk.run) for chunk in chunks]
        try:
            for chunk, future in zip(chunks, running, strict=True):
                future.result()
                yield chunk
        finally:
            for future in running:
                future.cancel()


def _levels(routing: Routing) -> npt.NDArray[np.integer] | None:
    """Hop distances (N, N), by which kernels group rows and columns; None for large networks."""
    hops: npt.NDArray[np.integer] | None = getattr(routing, "hops", None)
    return hops


class _Chunk:
    """A few channels: their loads, bounds and solutions."""

    def __init__(
        self,
        routing: Routing,
        channels: Int32,
        rates: Rates,
        weights: Weights,
        state: _State,
        all_channels: bool,
        hops: npt.NDArray[np.integer] | None,
        strict: bool,
    ) -> None:
        self.routing, self.channels, self.rates, self.weights = routing, channels, rates, weights
        self.state, self.all_channels, self.hops = state, all_channels, hops
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
    chunk = _Chunk(routing, channels, rates, weights, _State(lower), all_channels, _levels(routing), strict)
    chunk.run()
    return chunk.plain()


def _whole(limit: Fraction, strict: bool) -> int:
    """The largest integer at or below (``strict``: below) ``limit``, kept within -1 .. 2**62."""
    return min(max(math.ceil(limit) - 1 if strict else math.floor(limit), -1), 2**62)
