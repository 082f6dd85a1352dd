"""Sampled loads, for routing functions with too many states to follow them all.

Source: the last paragraph of sec. 3.5 of Towles & Dally 2002 (SPAA).  What comes out is an estimate, never a proof.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import Rationals
from ...core.spread import Progress
from ...core.strangers import is_interrupt
from ..base.exact_arrays import over_scale
from ..base.pair_table import PairTable, check_room
from ..base.tabled import TabledRouting
from .incremental import OfFunction, function_name
from .user_function import Caller, RoutingFunction

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
    """``samples`` packets for every pair, routed independently by an incremental function (see ``Incremental``).

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
