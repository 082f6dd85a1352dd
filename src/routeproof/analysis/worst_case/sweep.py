"""All focus channels of a routing: the largest load per bandwidth, with a proof for every channel.

Most channels never need their exact worst case: their potentials fall below the best value found so far, and are
kept, rounded to a few bits, as the proof.  Channels are streamed; nothing of size channels x terminals is held.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.stage import Progress
from ...routing.base.routing import Routing
from .spread import Spread, spread_blocks
from .sweep_block import BestSoFar, Chunk
from .sweep_types import Bounds, Rates, Sweep
from .transport import choose_scale

__all__ = ["sweep"]


_CHUNK_ENTRIES = 400_000
_SAMPLE = 48
_SAMPLED_ENTRIES = 20_000_000
_BYTES_PER_ENTRY = 120  # of a block's loads, their fractions and the kernels' copies


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
    weights = choose_scale(routing.denominators, total)
    state = BestSoFar(lower)
    result = Sweep(weights, lower, {}, {}, Bounds(), [])
    count = len(channels)
    if not count:
        return result
    rng = np.random.default_rng(0)
    most = max(1, _SAMPLED_ENTRIES // max(1, routing.expected_loads(int(channels[count // 2]))))
    sample = np.sort(rng.choice(count, size=min(_SAMPLE, count, most), replace=False))
    first = Chunk(routing, channels[sample], rates, weights, state, all_channels, strict)
    start = time.perf_counter()
    first.run()
    start = time.perf_counter() - start
    parts: list[Chunk] = []
    if len(sample) == count:
        parts = [first]
    else:
        per_channel = max(1.0, first.entries / len(sample))
        step = int(min(max(1.0, _CHUNK_ENTRIES / per_channel), 4096, max(16, count // 8)))
        pieces = [channels[at : at + step] for at in range(0, count, step)]
        workers = workers or os.cpu_count() or 1
        done = 0
        chunks = [Chunk(routing, piece, rates, weights, state, all_channels, strict) for piece in pieces]
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


def _in_order(chunks: list[Chunk], workers: int) -> Iterator[Chunk]:
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
