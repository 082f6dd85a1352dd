"""Packets under ideal flow control: every channel has an output queue without limit, and nothing else delays a packet.

The model of Dally & Towles 2004 ("Principles and Practices of Interconnection Networks", ch. 19 and 24) and of the
measurements of Towles, Dally & Boyd 2003, sec. 5.5: throughput is limited by channel loads alone.  In every cycle

1. each terminal makes a packet with probability ``rate`` (times the sum of its row of the traffic), which queues for
   its first channel;
2. each channel of bandwidth b carries b packets of its queue as it stands (a fraction of a packet is saved up, but not
   by an idle channel), the one that waited longest first (``fifo``), or among those with most shortest-path hops left
   (``farthest-first``);
3. what was carried arrives at the end of the cycle, and is out of the network or queues for its next channel.

A packet to its own node is accepted at once and is in no queue.  The delay is the number of cycles from the start of
the one in which it was made to the end of the one in which it arrives: at least its hops.

Chance is ``core.sampling.seeded`` of (seed, packet): the run is the same everywhere.

A packet of an oblivious routing walks along the flow of its pair.  At node u a packet of pair (i, j) takes channel c
with probability load_c / (sum of the pair's loads out of u).  The expected crossings of every channel are then exactly
the pair's loads (a walk that is bound to arrive satisfies the flow's own equations), so that the simulation meets the
loads which the analysis predicts; how hops depend on one another is the walk's, not the routing's.  Probabilities are
double-precision quotients, correctly rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, members
from ...core.errors import InputError
from ...core.network import Network
from ...core.sampling.seeded import FULL, threshold
from ...core.sampling.trial_intervals import BATCHES
from ...core.spread import Progress
from ...core.traffic import Traffic
from ...graphs.shortest import hops_to_all
from ...routing.base.routing import Routing

_MOST_ENTRIES = 120_000_000
_TRIED = 64


@dataclass(frozen=True, eq=False)
class Walks:
    """Per pair and node, entries one after the other: a draw takes the first whose threshold is above it.

    start: int64 (P,), the first entry of a pair's source node; entries: int64 (nnz, 2): the threshold, cumulative, 2^62
    at the end of a node's; channel + 2^32 times the first entry of its head, -1 for none.
    pair_at: int32 (rows, columns), the pair of a row and a column, -1 for none; shape (0, 0) for a permutation, whose
    pairs are numbered by source terminal; row_of, column_of: int32 (T,), the routing's.
    """

    start: Int64
    entries: Int64
    pair_at: Int32
    row_of: Int32
    column_of: Int32


def walks_of(routing: Routing, traffic: Traffic) -> Walks:
    """The walks of all pairs that ``traffic`` uses.

    Raises InputError where their tables would take more than about 2 GB; the size is estimated before they are made.
    """
    from .queueing_kernels import linked

    pair_at, rows, columns = _pairs(routing, traffic)
    step = max(1, 200_000 // max(1, _size(routing, traffic, rows, columns)))
    start, blocks = np.empty(len(rows), dtype=np.int64), [np.zeros((0, 2), dtype=np.int64)]
    place = np.full(routing.network.num_nodes, -1, dtype=np.int64)
    done = 0
    for at in range(0, len(rows), step):
        block = routing.pair_loads(rows[at : at + step], columns[at : at + step])
        walks = _sorted(routing, block.offset, block.channel, block.load.num, block.load.den)
        entries = np.empty((len(block.channel), 2), dtype=np.int64)
        source = routing.row_node[rows[at : at + step]]
        linked(block.offset, *walks, routing.network.head, source, place, done, entries, start[at : at + step])
        blocks.append(entries)
        done += len(entries)
    return Walks(start, np.concatenate(blocks), pair_at, routing.row_of, routing.column_of)


def _pairs(routing: Routing, traffic: Traffic) -> tuple[Int32, Int32, Int32]:
    if traffic.permutation is not None:
        return np.zeros((0, 0), dtype=np.int32), routing.row_of, routing.column_of[traffic.permutation.image]
    used = np.zeros((len(routing.row_node), len(routing.column_node)), dtype=np.bool_)
    if traffic.numerator is None:
        used[np.ix_(np.unique(routing.row_of), np.unique(routing.column_of))] = True
    else:
        i, j = np.nonzero(traffic.numerator)
        used[routing.row_of[i], routing.column_of[j]] = True
    used &= routing.row_node[:, None] != routing.column_node[None, :]
    rows, columns = np.nonzero(used)
    pair_at = np.full(used.shape, -1, dtype=np.int32)
    pair_at[rows, columns] = np.arange(len(rows))
    return pair_at, rows.astype(np.int32), columns.astype(np.int32)


def _size(routing: Routing, traffic: Traffic, rows: Int32, columns: Int32) -> int:
    """Entries per pair, from a few pairs spread over all; raises InputError if all of them are too many."""
    if not len(rows):
        return 1
    some = np.unique(np.linspace(0, len(rows) - 1, _TRIED).astype(np.int64))
    each = -(-int(routing.pair_loads(rows[some], columns[some]).offset[-1]) // len(some))
    if each * len(rows) > _MOST_ENTRIES:
        raise InputError(
            f"{len(rows)} pairs of {routing.name} under {traffic.name} traffic use about {each} channels each, "
            f"{each * len(rows) * 16 / 1e9:.0f} GB of tables; simulate a permutation, or a smaller network"
        )
    return each


def _sorted(routing: Routing, offset: Int64, channel: Int32, num: Any, den: Any) -> tuple[Int32, Int32, Int64]:
    """(tail, channel, threshold) of a block of pairs, sorted by pair, tail and channel."""
    tail = routing.network.tail[channel]
    pair = members(offset)
    order = np.lexsort((channel, tail, pair))
    tail, channel, pair = tail[order], channel[order], pair[order]
    weight = _quotients(num, den)[order]
    fresh = np.ones(len(tail), dtype=np.bool_)
    fresh[1:] = (tail[1:] != tail[:-1]) | (pair[1:] != pair[:-1])
    start = np.nonzero(fresh)[0]
    size = np.diff(np.append(start, len(tail)))
    place = np.arange(len(tail)) - np.repeat(start, size)
    within = weight.copy()
    for k in range(1, int(size.max(initial=0))):  # sums from left to right, whatever is around them
        at = np.nonzero(place == k)[0]
        within[at] += within[at - 1]
    total = np.repeat(within[start + size - 1], size)
    threshold = (within / total * 2.0**62).astype(np.int64)
    threshold[start + size - 1] = FULL
    return tail, channel, threshold


def _quotients(num: npt.NDArray[Any], den: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """num / den, each correctly rounded."""
    if num.dtype != object and den.dtype != object:
        result: npt.NDArray[np.float64] = num / den
        large = np.nonzero(np.maximum(num, den) >= 1 << 53)[0]
        if len(large):
            result[large] = [int(num[k]) / int(den[k]) for k in large]
        return result
    return np.array([int(a) / int(b) for a, b in zip(num, den, strict=True)], dtype=np.float64)


__all__ = ["ADAPTIVE", "BATCHES", "COUNTS", "ORDERS", "LoadRun", "check_adaptive", "simulate_load"]

Order = Literal["fifo", "farthest-first"]
ORDERS = ("fifo", "farthest-first")
ADAPTIVE = ("minimal-adaptive", "goal")

COUNTS = ("generated", "accepted", "arrived", "delay", "hops", "backlog")
_CHUNK = 256
_MOST_WAITING = 40_000_000
_UNLIMITED = 1 << 31


@dataclass(frozen=True, eq=False)
class LoadRun:
    """What happened at one rate.  ``counts``: int64, shape (21, 6), after the warm-up and after each of 20 batches of
    cycles: packets generated, accepted, arrived over channels; their cycles of delay and hops; packets in the network.

    All but the last count up from cycle 0.
    """

    rate: Fraction
    warm_up: int
    cycles: int
    counts: Int64

    @property
    def batch_ends(self) -> list[int]:
        return batch_ends(self.warm_up, self.cycles)


def batch_ends(warm_up: int, cycles: int) -> list[int]:
    return [warm_up + cycles * b // BATCHES for b in range(BATCHES + 1)]


def check_adaptive(name: str, network: Network) -> None:
    """Raise InputError unless ``name``, an adaptive routing, can run on ``network``."""
    grid = network.grid
    if grid is None or grid.kind not in ("torus", "mesh") or grid.oneway:
        raise InputError(f"{name} needs a torus or a mesh with channels both ways; {network.name} is not one")
    if name == "goal" and grid.kind != "torus":
        raise InputError(f"goal goes around rings; on {network.name}, a mesh, use minimal-adaptive")
    if len(grid.radix) > 16:
        raise InputError(f"{network.name} has {len(grid.radix)} dimensions; {name} is simulated in at most 16")


def simulate_load(
    network: Network,
    how: Walks | str,
    traffic: Traffic,
    rate: Fraction,
    *,
    order: Order = "fifo",
    warm_up: int = 2000,
    cycles: int = 8000,
    seed: int = 0,
    progress: Progress | None = None,
) -> LoadRun:
    """Run ``warm_up`` + ``cycles`` cycles at injection rate ``rate`` (packets per cycle and terminal, 0 < rate <= 1).

    ``how``: the walks of an oblivious routing for this traffic, or the name of an adaptive one:

    - ``minimal-adaptive``: at every node the productive channel with the shortest queue;
    - ``goal``: Singh, Dally, Gupta & Towles 2003 (ISCA): in each dimension of a torus a direction of h hops is chosen
      once with probability (k - h) / k, and then the shortest queue of those that lead there.

    Ties of queue lengths are broken by chance.  ``progress(done, total)`` is called now and then, in cycles.
    Raises InputError for numbers out of range, and when more than 4e7 packets wait.
    """
    from .queueing_kernels import run_cycles

    _check(network, traffic, rate, order, warm_up, cycles, seed)
    if isinstance(how, str):
        check_adaptive(how, network)
    state = _State(network, how, traffic, rate, order)
    counts = np.zeros(len(COUNTS), dtype=np.int64)
    marks = []
    cycle = 0
    for end in batch_ends(warm_up, cycles):
        while cycle < end:
            reached = run_cycles(cycle, min(end, cycle + _CHUNK), seed, *state.fixed, state.queues, counts)
            if reached < 0:
                raise InputError(f"the routing leads nowhere at cycle {-1 - reached}: a pair's loads do not arrive")
            if reached < min(end, cycle + _CHUNK):
                state.make_room()
            cycle = reached
            if progress is not None:
                progress(cycle, warm_up + cycles)
        marks.append(counts.copy())
    return LoadRun(rate, warm_up, cycles, np.array(marks))


def _check(
    network: Network, traffic: Traffic, rate: Fraction, order: str, warm_up: int, cycles: int, seed: int
) -> None:
    if traffic.size != network.num_terminals:
        raise InputError(
            f"traffic {traffic.name} is for {traffic.size} terminals; {network.name} has {network.num_terminals}"
        )
    if not 0 < rate <= 1:
        raise InputError(f"the injection rate is {rate}; more than 0 and at most 1 packet per cycle was expected")
    if order not in ORDERS:
        raise InputError(f"the order of queues is '{order}'; {' or '.join(ORDERS)} was expected")
    if warm_up < 0 or cycles < BATCHES or warm_up + cycles > 1 << 30:
        raise InputError(
            f"the cycles are {cycles}, after {warm_up} to warm up; at least {BATCHES}, after 0 or more, were expected"
        )
    if not 0 <= seed < 1 << 62:
        raise InputError(f"the seed is {seed}; 0 to 2^62 - 1 was expected")


class Field(NamedTuple):
    """What stays as it is while packets move, for the kernel.

    rate: the threshold of a packet; traffic: (kind, image, cumulative thresholds) as ``_destinations`` says; width,
    unit: numerators and denominators of bandwidths; goal: is this goal routing?  row_of, column_of, pair_at: of
    ``Walks``; distance: [v, d], hops, where queues are in their order.
    """

    rate: int
    source: Int32
    sink: Int32
    traffic: tuple[int, Int32, Int64]
    head: Int32
    width: Int64
    unit: Int64
    goal: bool
    row_of: Int32
    column_of: Int32
    pair_at: Int32
    distance: npt.NDArray[np.int16]


class Queues(NamedTuple):
    """Packets in the network.

    first, last: int64 (levels, C), of a channel's queues; length, credit: int64 (C,); packets: int64 (room, 8): behind,
    key of its chances, entry of its walk, destination node, ways, born, hops, node (a line of the cache each); free:
    int64 (room + 1,): free[0] places are free, listed from free[1] on.
    """

    first: Int64
    last: Int64
    length: Int64
    credit: Int64
    packets: Int64
    free: Int64


class _State:
    """The arrays of a run."""

    def __init__(self, network: Network, how: Walks | str, traffic: Traffic, rate: Fraction, order: str) -> None:
        self.room = max(1024, 4 * network.num_terminals)
        distance = np.zeros((1, 1), dtype=np.int16)
        if order == "farthest-first":  # [v, d]: hops from v to d, 0 where no path leads there
            distance = np.ascontiguousarray(np.maximum(hops_to_all(network).T, 0))
        levels = int(distance.max()) + 1
        rows = network.source, network.sink, np.zeros((0, 0), dtype=np.int32)
        walk = grid = None
        if isinstance(how, str):
            grid = _grid(network)
        else:
            rows = how.row_of, how.column_of, how.pair_at
            walk = how.start, how.entries
        field = Field(
            threshold(rate.numerator, rate.denominator),
            network.source,
            network.sink,
            _destinations(traffic),
            network.head,
            *_widths(network),
            how == "goal",
            *rows,
            distance,
        )
        self.fixed = field, walk, grid
        free = np.arange(-1, self.room, dtype=np.int64)
        free[0] = self.room
        first, last = (np.full((levels, network.num_channels), -1, dtype=np.int64) for _ in range(2))
        length, credit = (np.zeros(network.num_channels, dtype=np.int64) for _ in range(2))
        self.queues = Queues(first, last, length, credit, np.zeros((self.room, 8), dtype=np.int64), free)

    def make_room(self) -> None:
        """Twice as many places for packets."""
        if 2 * self.room > _MOST_WAITING:
            raise InputError(
                f"more than {self.room // 2} packets wait in the network; simulate fewer cycles or a lower rate"
            )
        packets = np.concatenate((self.queues.packets, np.zeros_like(self.queues.packets)))
        free = np.zeros(2 * self.room + 1, dtype=np.int64)
        free[: self.room + 1] = self.queues.free
        free[free[0] + 1 : free[0] + 1 + self.room] = np.arange(self.room, 2 * self.room)
        free[0] += self.room
        self.queues, self.room = self.queues._replace(packets=packets, free=free), 2 * self.room


def _destinations(traffic: Traffic) -> tuple[int, npt.NDArray[np.int32], Int64]:
    """(kind, image, cumulative thresholds); image has an entry per terminal whatever the kind."""
    nobody = np.zeros((0, 0), dtype=np.int64)
    if traffic.permutation is not None:
        return 1, traffic.permutation.image, nobody
    image = np.zeros(traffic.size, dtype=np.int32)
    if traffic.numerator is None:
        return 0, image, nobody
    sums = (accumulate(map(int, row)) for row in traffic.numerator.tolist())
    return 2, image, np.array([[threshold(x, traffic.scale) for x in row] for row in sums], dtype=np.int64)


def _widths(network: Network) -> tuple[Int64, Int64]:
    """Numerators and denominators of the bandwidths."""
    if any(max(b.numerator, b.denominator) > _UNLIMITED for b in network.widths):
        raise InputError(
            f"bandwidths of {network.name} have more than 31 bits, {network.longest_bandwidth}; simpler fractions were "
            f"expected"
        )
    width, unit = (
        np.array(x, dtype=np.int64) for x in zip(*(b.as_integer_ratio() for b in network.widths), strict=True)
    )
    return width[network.bandwidth_rank], unit[network.bandwidth_rank]


def _grid(network: Network) -> tuple[Any, ...]:
    """(coordinates, radices, channels, wraps), for adaptive routing."""
    grid = network.grid
    assert grid is not None  # check_adaptive has judged it
    return grid.coordinates, np.array(grid.radix, dtype=np.int64), grid.channel_at, grid.kind == "torus"
