"""All focus channels of a routing: the largest load per bandwidth, with a proof for every channel.

Most channels never need their exact worst case: their potentials fall below the best value found so far, and are
kept, rounded to a few bits, as the proof.  Channels are streamed; nothing of size channels x terminals is held.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.spread import Spread
from ...core.stage import Progress
from ...routing.base.routing import Routing
from .spread import run_elsewhere
from .sweep_block import BestSoFar, Chunk, Sweep, Task
from .transport import choose_scale
from .transport_arrays import Rates

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

    ``all_channels``, ``strict``: as in ``Task``.  ``spread``: does blocks of channels elsewhere.
    """
    weights = choose_scale(routing.denominators, int(rates.supply.sum() + rates.demand.sum()))
    task = Task(routing, rates, weights, all_channels, strict)
    state = BestSoFar(lower)
    result = Sweep(weights, lower)
    count = len(channels)
    if not count:
        return result
    rng = np.random.default_rng(0)
    most = max(1, _SAMPLED_ENTRIES // max(1, routing.expected_loads(int(channels[count // 2]))))
    sample = np.sort(rng.choice(count, size=min(_SAMPLE, count, most), replace=False))
    first = Chunk(task, channels[sample], state)
    start = time.perf_counter()
    first.run()
    seconds = (time.perf_counter() - start) * count / len(sample)
    parts: list[Chunk] = []
    if len(sample) == count:
        parts = [first]
    else:
        per_channel = max(1.0, first.entries / len(sample))
        step = int(min(max(1.0, _CHUNK_ENTRIES / per_channel), 4096, max(16, count // 8)))
        chunks = [Chunk(task, channels[at : at + step], state) for at in range(0, count, step)]
        done: Iterable[Chunk]
        if spread is None:
            done = _in_order(chunks, workers or os.cpu_count() or 1, progress)
        else:
            memory = int(step * per_channel) * _BYTES_PER_ENTRY
            done = run_elsewhere(spread, task, chunks, seconds=seconds, memory=memory, progress=progress)
        parts = list(done)
    result.lower = max([state.lower, *(x.lower for x in parts)])
    for part in parts:
        part.collect(result)
    return result


def _in_order(chunks: list[Chunk], workers: int, progress: Progress | None) -> Iterator[Chunk]:
    """Run the chunks on ``workers`` threads (the kernels release the interpreter), yielding them in order."""
    total = sum(len(x.channels) for x in chunks)
    done = 0
    with ThreadPoolExecutor(workers) if workers > 1 else nullcontext() as pool:
        running = [] if pool is None else [pool.submit(chunk.run) for chunk in chunks]
        try:
            for k, chunk in enumerate(chunks):
                if pool is None:
                    chunk.run()
                else:
                    running[k].result()
                done += len(chunk.channels)
                if progress is not None:
                    progress(done, total)
                yield chunk
        finally:
            for future in running:
                future.cancel()
