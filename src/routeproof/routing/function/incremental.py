"""The user's own routing function, one hop at a time: R(state, node, destination).

Source: incremental routing functions and routing-state node transition graphs, Towles & Dally 2002 (SPAA), sec. 3.5.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterator
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.exact_arrays import concatenate, over_scale
from ...core.network import Network
from ...core.rational import Rationals
from ...core.spread import Progress
from ...core.strangers import is_interrupt
from ...formats.python_functions import load_function
from ..base.pair_table import PairTable, check_room, stacked
from ..base.tabled import TabledRouting
from .transition_graph import crossings, explore
from .user_function import Caller, Channel, RoutingFunction

__all__ = ["Channel", "Incremental", "function_name", "load_function"]


class OfFunction:
    """What routings from a function share: the state in which packets start, and the way through all destinations."""

    def __init__(self, function: RoutingFunction, start: Hashable, name: str, progress: Progress | None) -> None:
        self.function, self.name, self.progress = function, name, progress
        self.start: Any = getattr(function, "start", None) if start is None else start

    def towards(self, network: Network) -> Iterator[tuple[int, list[int]]]:
        """Every destination with the nodes that send to it; ``progress(done, total)`` counts destinations."""
        senders = np.nonzero(network.supply > 0)[0].tolist()
        destinations = np.nonzero(network.demand > 0)[0].tolist()
        for done, d in enumerate(destinations):
            if self.progress is not None:
                self.progress(done, len(destinations))
            yield d, [s for s in senders if s != d]
        if self.progress is not None:
            self.progress(len(destinations), len(destinations))


class Incremental(OfFunction):
    """A routing from ``function(state, node, destination) -> [(probability, next_state, next_hop), ...]``.

    - Nodes are integers.  A next hop is a node, or ``Channel(number)`` where parallel channels leave a choice.
    - A probability is an int, a Fraction, a string such as "1/2", or a float, which counts as the exact binary
      fraction that it is; all are positive and sum to exactly 1.
    - States are hashable.  A packet starts in ``start``: by default the function's attribute ``start``, else None.
    - A packet is delivered when it reaches the destination's node, where the function is not called.  With the
      attribute ``passes_destination = True`` it is called there too, and returns [] when the packet is done.
    - Equal calls must give equal answers: each is made once.

    Paths that meet in one state at one node are combined, so the work is polynomial in nodes and states where
    the number of paths is not.  Loops that packets leave again are solved exactly; unlike the paper, which excludes
    them.  ``max_states`` bounds the pairs of state and node towards one destination.

    Raises InputError, naming state, node and destination, for anything that the function does wrong.
    """

    def __init__(
        self,
        function: RoutingFunction,
        start: Hashable = None,
        *,
        name: str | None = None,
        max_states: int = 200_000,
        progress: Progress | None = None,
    ) -> None:
        super().__init__(function, start, function_name(function) if name is None else name, progress)
        if max_states < 1:
            raise InputError(f"states is {max_states}; at least 1 was expected")
        self.max_states = max_states

    def on(self, network: Network) -> TabledRouting:
        """Calls the function for every destination."""
        caller = Caller(network, self.function, self.name)
        rows, columns, channels, loads = [], [], [], []
        entries = 0
        for d, sources in self.towards(network):
            if not sources:
                continue
            graph = explore(caller, self.start, sources, d, self.max_states)
            source, channel, load = crossings(graph, len(sources))
            entries += len(source)
            check_room(entries)
            rows.append(np.array(sources, dtype=np.int32)[source])
            columns.append(np.full(len(source), d, dtype=np.int32))
            channels.append(channel.astype(np.int32))
            loads.append(load)
        table = PairTable.of(
            stacked(channels, np.int32),
            stacked(rows, np.int32),
            stacked(columns, np.int32),
            concatenate(loads),
            shape=(network.num_channels, network.num_nodes, network.num_nodes),
        )
        return TabledRouting(network, self.name, table)


def function_name(function: object) -> str:
    """``module:function`` where the object knows it, else its type."""
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    return f"{module}:{name}" if module and name else type(function).__name__


_REMEMBERED = 200_000


class SampledRouting(TabledRouting):
    """The routing that the sampled packets took: loads are counts over the number of packets per pair.

    - ``table``: all ``samples`` packets of each pair;
    - ``training``, ``holdout``: the same for each half of them alone.  The halves are independent: a channel and
      permutation chosen on the first can be judged on the second without bias;
    - ``max_crossings``: int32, shape (C,): how often one packet crossed the channel, at most (observed, no bound).
    """

    is_sampled = True

    def __init__(
        self,
        network: Network,
        name: str,
        tables: tuple[PairTable, PairTable, PairTable],
        *,
        samples: int,
        seed: int,
        max_crossings: Int32,
    ) -> None:
        super().__init__(network, name, tables[0])
        self.training = tables[1]
        self.holdout = tables[2]
        self.samples = samples
        self.seed = seed
        self.max_crossings = max_crossings

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # nothing is proved of it
        """How the packets were drawn: no evidence of their loads."""
        return {"samples": self.samples, "seed": self.seed}


class Sampled(OfFunction):
    """``samples`` packets for every pair, routed independently by an incremental function (see ``Incremental``), for
    functions with too many states to follow them all: an estimate, never a proof (sec. 3.5, last paragraph).

    Half of them, independent of the others, is held out; so ``samples`` is even.  States need not be hashable.  The
    same seed gives the same packets; each destination has its own stream.  Draws are exact: no float is involved.

    Raises InputError for whatever the function does wrong on the packets' ways, and for a packet that has not arrived
    after ``max_hops`` hops.
    """

    def __init__(
        self,
        function: RoutingFunction,
        *,
        samples: int,
        seed: int,
        start: Hashable = None,
        name: str | None = None,
        max_hops: int = 100_000,
        progress: Progress | None = None,
    ) -> None:
        if isinstance(samples, bool) or not isinstance(samples, int) or samples < 2 or samples % 2:
            raise InputError(f"samples is {samples!r}; an even number of at least 2 was expected (half are held out)")
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise InputError(f"seed is {seed!r}; an integer of at least 0 was expected")
        name = f"{function_name(function)},samples={samples},seed={seed}" if name is None else name
        super().__init__(function, start, name, progress)
        self.samples, self.seed, self.max_hops = samples, seed, max_hops

    def on(self, network: Network) -> SampledRouting:
        """Sends the packets."""
        caller = Caller(network, self.function, self.name)
        most = np.zeros(network.num_channels, dtype=np.int32)
        places: list[tuple[int, int, int]] = []
        counts: list[tuple[int, int]] = []
        for d, sources in self.towards(network):
            walker = _Walker(caller, self.start, d, self.max_hops, np.random.default_rng([self.seed, d]))
            for s in sources:
                found: dict[int, list[int]] = {}
                for k in range(self.samples):
                    times: dict[int, int] = {}
                    for c in walker.path(s):
                        times[c] = times.get(c, 0) + 1
                    for c, x in times.items():
                        found.setdefault(c, [0, 0])[k % 2] += x
                        if x > most[c]:
                            most[c] = x
                places += [(c, s, d) for c in found]
                counts += [(a, b) for a, b in found.values()]
            check_room(len(places))
        place = np.array(places, dtype=np.int64).reshape(-1, 3)
        count = np.array(counts, dtype=np.int64).reshape(-1, 2)
        half = self.samples // 2
        tables = (
            _table(network, place, over_scale(count.sum(axis=1), self.samples)),
            _table(network, place, over_scale(count[:, 0], half)),
            _table(network, place, over_scale(count[:, 1], half)),
        )
        return SampledRouting(network, self.name, tables, samples=self.samples, seed=self.seed, max_crossings=most)


def _table(network: Network, place: npt.NDArray[np.int64], load: Rationals) -> PairTable:
    some = np.nonzero(load.num)[0]
    channel, row, column = place[some].T
    shape = (network.num_channels, network.num_nodes, network.num_nodes)
    return PairTable.of(channel, row, column, load[some], shape=shape)


class _Walker:
    """Sends packets to one destination; remembers the function's answers as long as there are not too many."""

    def __init__(self, caller: Caller, start: Any, destination: int, max_hops: int, rng: np.random.Generator) -> None:
        self.caller = caller
        self.start = start
        self.destination = destination
        self.max_hops = max_hops
        self.dice = _Dice(rng)
        self.head: list[int] = caller.network.head.tolist()
        self.known: dict[tuple[Any, int], tuple[int, list[int], list[tuple[int, Any, int]]]] = {}

    def path(self, source: int) -> list[int]:
        """The channels that one packet from ``source`` crosses."""
        state, node = self.start, source
        path: list[int] = []
        while node != self.destination or self.caller.passes_destination:
            scale, until, steps = self._choices(state, node)
            if not steps:
                break
            k = 0 if len(steps) == 1 else bisect_right(until, self.dice.below(scale))
            _, state, channel = steps[k]
            path.append(channel)
            if len(path) > self.max_hops:
                raise self.caller.fault(
                    state, node, self.destination,
                    f"a packet from node {source} has not arrived after {self.max_hops:,} hops",
                )  # fmt: skip
            node = self.head[channel]
        return path

    def _choices(self, state: Any, node: int) -> tuple[int, list[int], list[tuple[int, Any, int]]]:
        try:
            known = self.known.get((state, node))
        except BaseException as error:  # whatever the state's __hash__ raises: it is not remembered, that is all
            if is_interrupt(error):
                raise
            return self._ask(state, node)
        if known is None:
            known = self._ask(state, node)
            if len(self.known) < _REMEMBERED:
                self.known[state, node] = known
        return known

    def _ask(self, state: Any, node: int) -> tuple[int, list[int], list[tuple[int, Any, int]]]:
        scale, steps = self.caller(state, node, self.destination)
        return scale, list(accumulate(step[0] for step in steps)), steps


class _Dice:
    """Exact draws: uniform on 0 .. n-1, for n of any size."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.words: list[int] = []

    def _word(self) -> int:
        if not self.words:
            self.words = self.rng.integers(0, 2**64, size=1024, dtype=np.uint64).tolist()
        return self.words.pop()

    def below(self, n: int) -> int:
        bits = 64
        while n > 1 << bits:
            bits += 64
        fair = (1 << bits) // n * n
        while True:
            value = 0
            for _ in range(bits // 64):
                value = value << 64 | self._word()
            if value < fair:  # the rest would favour small numbers
                return value % n
