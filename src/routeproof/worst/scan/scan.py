"""All focus channels of a routing: the largest load per bandwidth, with a proof for every channel.

Most channels never need their exact worst case: their potentials fall below the best value found so far, and are
kept, rounded to a few bits, as the proof.  Channels are streamed; nothing of size channels x terminals is held.

Blocks of channels are independent pieces of work, for whoever can do them elsewhere.  A piece takes the routing as a
report describes it, some channels, and a ratio that is known to be reached before any piece begins; so its result
depends on nothing else, wherever and in whichever order the pieces are done.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int64
from ...core.loads import Spans
from ...core.network import Network
from ...core.spread import Progress, Spread
from ...graphs.exact_transport import ExactSolution
from ...graphs.transport import Weights, choose_scale, solve_one
from ...graphs.transport_arrays import Rates
from ...machine.one_thread import num_threads
from ...routing.base.routing import Routing
from ...routing.base.views import seen_through, seen_without
from .scan_block import BestSoFar, Chunk, Scan, Task, base_totals


def network_described(network: Network) -> dict[str, Any]:
    """A network as plain data: its spec, or in full."""
    from ...formats.documents.network import network_to_document

    return {"spec": network.spec} if network.spec is not None else network_to_document(network)


def described(routing: Routing) -> dict[str, Any]:
    """Network and routing as plain data, with the set of demands through which it is seen."""
    from ...formats.demands.description import describe_demands
    from ...routing.named.described import describe_routing

    routing, demands = seen_without(routing)
    seen = {} if demands is None else {"demands": describe_demands(demands)}
    return {"network": network_described(routing.network), "routing": describe_routing(routing), **seen}


def made_again(subject: Mapping[str, Any]) -> Routing:
    """What ``described`` described."""
    from ...formats.demands.description import demands_from_description
    from ...routing.named.described import routing_from_description

    network = network_made_again(subject["network"])
    routing = routing_from_description(subject["routing"], network)
    if "demands" not in subject:
        return routing
    demands = demands_from_description(subject["demands"], network.num_terminals)
    return seen_through(routing, demands.transport)[0]


def network_made_again(where: Mapping[str, Any]) -> Network:
    """What ``network_described`` described."""
    from ...formats.documents.network import network_from_document
    from ...topologies.family import network_from_spec

    if set(where) == {"spec"}:
        return network_from_spec(where["spec"])
    return network_from_document(dict(where), what="the network")


def prepare_blocks(
    subject: Mapping[str, Any], rates: list[Any], weights: list[Any], lower: Fraction, **options: bool
) -> tuple[Task, Fraction]:
    """What all blocks of one scan have in common; called once where pieces are done."""
    supply, demand, *more = rates
    plain = Rates(np.array(supply), np.array(demand), *more)
    return Task(made_again(subject), plain, Weights(*weights), **options), lower


def bound_block(ready: tuple[Task, Fraction], channels: Any) -> dict[str, Any]:
    """Bound or solve some channels; nothing that another block found makes a difference to them."""
    task, lower = ready
    chunk = Chunk(task, np.array(channels, dtype=np.int32), BestSoFar(lower))
    chunk.run()
    return chunk.plain()


def run_elsewhere(
    spread: Spread, task: Task, chunks: list[Chunk], *, seconds: float, memory: int, progress: Progress | None
) -> Iterator[Chunk]:
    """The chunks in order, each with what ``bound_block`` found."""
    results = spread(
        "channels",
        f"{__name__}:bound_block",
        {f"channels {int(x.channels[0])} to {int(x.channels[-1])}": {"channels": x.channels} for x in chunks},
        shared={
            "subject": described(task.routing),
            "rates": list(task.rates),
            "weights": list(task.weights),
            "lower": chunks[0].state.lower,
            "all_channels": task.all_channels,
            "strict": task.strict,
            "keeps_optima": task.keeps_optima,
        },
        prepare=f"{__name__}:prepare_blocks",
        seconds=seconds,
        memory=memory,
        progress=progress,
    )
    for chunk, (_, result) in zip(chunks, results, strict=True):
        chunk.take(result)
        yield chunk


_CHUNK_ENTRIES = 400_000
_SAMPLE = 48
_SAMPLED_ENTRIES = 20_000_000
_KEPT = 8_000_000  # rows times channels, up to which optima are kept
_BYTES_PER_ENTRY = 120  # of a block's loads, their fractions and the kernels' copies


class SettledRatios:
    """``best``: the largest ratio so far; ``ratios``: exact, of every channel that may reach it; ``solved``: optima.

    ``strict``: as in ``Task``; ``workers``: threads.
    """

    def __init__(self, routing: Routing, rates: Rates, *, strict: bool = False, workers: int | None = 1) -> None:
        self.routing, self.rates, self.strict = routing, rates, strict
        self.workers = workers or num_threads()
        self.weights = choose_scale(routing.denominators, int(rates.supply.sum() + rates.demand.sum()))
        self.best = Fraction(0)
        self.ratios: dict[int, Fraction] = {}
        self.solved: dict[int, ExactSolution] = {}

    def solve(self, c: int) -> ExactSolution:
        """The exact optimum of channel c."""
        if c not in self.solved:
            block = self.routing.channel_loads([c])
            self.take(c, solve_one(block, self.rates), base_totals(block, self.rates)[0])
        return self.solved[c]

    def take(self, c: int, solution: ExactSolution, base: Fraction = Fraction(0)) -> None:
        """``solution`` is that of channel c, whose base part adds ``base``."""
        self.solved[c] = solution
        self.ratios[c] = (solution.value / self.rates.unit + base) / self.routing.network.bandwidth[c]
        self.best = max(self.best, self.ratios[c])

    def take_spans(self, channels: Int64, spans: Spans) -> list[int]:
        """Over permutations: settle the channels whose spans say what the worst case is; returns those of ``channels``
        that may reach the best of these, or more."""
        network, most = self.routing.network, np.minimum(spans.sources, spans.columns)
        known, rank = spans.pairs == spans.sources * spans.columns, network.bandwidth_rank
        top = np.zeros(len(network.widths), dtype=np.int64)
        np.maximum.at(top, rank[channels], np.where(known, most, 0)[channels])
        self.best = max(self.best, *(int(x) / width for x, width in zip(top, network.widths, strict=True)))
        least = np.array([math.ceil(self.best * x) for x in network.widths])
        reaching = channels[(most >= least[rank])[channels]]
        self.ratios.update(dict.fromkeys(reaching[known[reaching]].tolist(), self.best))
        return reaching[~known[reaching]].tolist()  # type: ignore[no-any-return]

    def scan(
        self,
        channels: npt.ArrayLike,
        *,
        all_channels: bool = False,
        progress: Progress | None = None,
        spread: Spread | None = None,
    ) -> Scan:
        """Bound or settle ``channels`` (ascending).

        ``all_channels``: as in ``Task``; ``spread``: does blocks of channels elsewhere.
        """
        found = self._bounded(channels, all_channels, progress, spread)
        best = max(self.best, found.lower)
        exact = found.weights.exact
        self.ratios.update(found.upper if exact and not all_channels else found.values)
        # Channels whose rounded-up optimum reaches the best ratio, or that have no bound yet, are settled exactly.
        unsure = set() if exact else {c for c, x in found.upper.items() if x >= best}
        for c in sorted(unsure.union(found.open).difference(self.ratios)):
            self.solve(c)
        self.best = max([best, *self.ratios.values()])
        return found

    def prove(self, channels: npt.ArrayLike) -> tuple[Scan, dict[int, ExactSolution]]:
        """Proofs that ``channels`` stay at or below the best ratio: rounded ones, and what rounding leaves open."""
        again = self._bounded(channels)
        return again, {c: self.solve(c) for c in again.open}

    def _bounded(
        self,
        channels: npt.ArrayLike,
        all_channels: bool = False,
        progress: Progress | None = None,
        spread: Spread | None = None,
    ) -> Scan:
        """Bound or solve every channel, from the best ratio so far on."""
        channels = np.array(channels, dtype=np.int32)
        count = len(channels)
        few = all_channels and count * len(self.rates.supply) <= _KEPT and not self.routing.has_base
        task = Task(self.routing, self.rates, self.weights, all_channels, self.strict, few)
        state = BestSoFar(self.best)
        result = Scan(self.weights, self.best)
        if not count:
            return result
        rng = np.random.default_rng(0)
        most = max(1, _SAMPLED_ENTRIES // max(1, self.routing.expected_loads(int(channels[count // 2]))))
        sample = np.sort(rng.choice(count, size=min(_SAMPLE, count, most), replace=False))
        first = Chunk(task, channels[sample], state)
        start = time.perf_counter()
        first.run()
        seconds = (time.perf_counter() - start) * count / len(sample)
        parts = [first]
        if len(sample) < count:
            done = parts if all_channels else []
            channels, count = (np.delete(channels, sample), count - len(sample)) if all_channels else (channels, count)
            per_channel = max(1.0, first.entries / len(sample))
            step = int(min(max(1.0, _CHUNK_ENTRIES / per_channel), 4096, max(16, count // 8)))
            chunks = [Chunk(task, channels[at : at + step], state) for at in range(0, count, step)]
            if spread is None:
                parts = [*done, *_in_order(chunks, self.workers, progress)]
            else:
                memory = int(step * per_channel) * _BYTES_PER_ENTRY
                elsewhere = run_elsewhere(spread, task, chunks, seconds=seconds, memory=memory, progress=progress)
                parts = [*done, *elsewhere]
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
