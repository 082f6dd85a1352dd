"""Reports of ``simulate load``: the proved throughput like any other claim, every run done again.

Runs are repeated packet by packet in plain Python, from the description and not from ``simulate``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np

from ...core.claim import Claim, Grade, Interval
from ...core.errors import VerificationError
from ...core.network import Network
from ...core.sampling.seeded import FULL, threshold, word
from ...core.sampling.trial_intervals import BATCHES, LOAD_QUANTITIES, load_intervals
from ...core.traffic import Traffic
from ...kernel.shortest_paths import all_distances
from ...routing.base.routing import Routing
from ..kind import EXACT, NAMED, NETWORK, Kind, States, SubjectKind
from ..reading import Report, as_fraction, as_permutation, as_whole, errors_at, name_of
from ..shapes import ANY, BOUND, NUMBERS, TEXT, WHOLE, Either, Keys, ListOf, Word
from ..subject import network_of, routing_of
from ..work import spend
from .routing_claims import verify_routing
from .traffic import WORST, meaning_of_traffic, traffic_of

_ADAPTIVE = {"minimal-adaptive": ("torus", "mesh"), "goal": ("torus",)}  # and the grids that they run on
_SETTINGS = ("order", "seed", "warm_up", "cycles")
_MOST_CYCLES = 10_000_000
_MOST = (1 << 62) - 1


def verify_load_simulation(report: Report) -> None:
    """Check the claims; raises VerificationError for the first that fails.  The runs are plain Python."""
    claims, described = report.claims, report.subject["routing"]
    proved = [claim for claim in claims if claim.evidence.kind != "load-run"]
    how: Routing | str
    if isinstance(described, Mapping) and "adaptive" in described:
        name = how = str(described["adaptive"])
        if set(described) != {"adaptive"} or name not in _ADAPTIVE or proved or report.routing is not None:
            raise VerificationError(f"subject: an adaptive routing {name[:40]!r}, of which nothing can be proved")
        network = network_of(report.subject)
        if network.grid is None or network.grid.oneway or network.grid.kind not in _ADAPTIVE[name]:
            raise VerificationError(f"subject: {name} does not run on {network.name}")
    else:
        how = routing_of(report.subject, report.routing)
        network = how.network
    if len(proved) == len(claims):
        raise VerificationError("the report makes no claims about a simulation: there is nothing to verify")
    if proved:
        verify_routing(replace(report, claims=proved))
    # All runs have the same settings, which are printed once; traffic and rate qualify every claim.
    runs = [x.evidence.data for x in claims if x.evidence.kind == "load-run" and "with" not in x.evidence.data]
    for key in _SETTINGS:
        if len({str(data[key]) for data in runs}) > 1:
            raise VerificationError(f"its runs do not all have the same {key.replace('_', '-')}")
    first: Claim | None = None
    own: dict[str, Interval] = {}
    for number, claim in enumerate(claims):
        if claim.evidence.kind != "load-run":
            continue
        with errors_at(name_of(number, claim)):
            if "with" not in claim.evidence.data:
                first = claim
                _check_worst(network, claim, proved)
                own = _again(network, how, claim.evidence.data)
            if first is None or claim.about != first.about:
                raise VerificationError("it refers to a run that does not come before it")
            run = first.evidence.data
            if dict(claim.about) != {"traffic": run["traffic"], "rate": run["rate"]}:
                raise VerificationError("it is about another traffic or rate than its evidence")
            if claim.value != own.get(claim.quantity):
                raise VerificationError(f"it is {claim.value}; the run gives {own.get(claim.quantity)}"[:300])


def _check_worst(network: Network, claim: Claim, proved: Sequence[Claim]) -> None:
    """What a run calls the worst permutation is that of the proved throughput, which the worst case proves."""
    data = claim.evidence.data
    if data["traffic"] != WORST:
        return
    size = network.num_terminals
    mine = as_permutation(data.get("permutation"), size)
    named = [x for x in proved if x.quantity == "throughput" and x.about["traffic"] == WORST]
    if not any(as_permutation(x.evidence.data.get("permutation"), size) == mine for x in named):
        raise VerificationError("its permutation is called the worst, and no proved claim of the report is about it")


def _again(network: Network, how: Routing | str, data: Mapping[str, Any]) -> dict[str, Interval]:
    """The intervals of the run that the evidence describes."""
    warm_up, cycles, seed = (as_whole(data[key], f"its {key}", 0, _MOST) for key in ("warm_up", "cycles", "seed"))
    if cycles < BATCHES or warm_up + cycles > _MOST_CYCLES:
        raise VerificationError(f"{warm_up} + {cycles} cycles cannot be run again here")
    rate = as_fraction(data["rate"], "rate")
    if not 0 < rate <= 1:
        raise VerificationError("its rate is outside its range")
    ends = [warm_up + cycles * b // BATCHES for b in range(BATCHES + 1)]
    counts = replay_load(network, how, traffic_of(network, data), rate=rate, order=data["order"], ends=ends, seed=seed)
    if data["counts"] != counts:
        raise VerificationError("its counts are not those of the run")
    trials = counts[-1][0] - counts[0][0]
    intervals = load_intervals(counts, ends, network.num_terminals)
    return {name: Interval(low, best, high, trials, seed) for name, (low, best, high) in intervals.items()}


LOAD_SIMULATION = SubjectKind(
    "load-simulation", verify_load_simulation, Keys({**NETWORK, "routing": ANY}, NAMED), one_routing=True
)


_Ways = dict[int, tuple[list[int], list[int]]]
_Packet = tuple[int, int, int, int, Any]  # number, source terminal, destination node, born, ways
_WAYS = "finding the ways of its packets"
_MOST_HELD = 1_000_000  # nodes at which the ways of some pair are kept for its next packet


def replay_load(
    network: Network,
    how: Routing | str,
    traffic: Traffic,
    *,
    rate: Fraction,
    order: str,
    ends: Sequence[int],
    seed: int,
) -> list[list[int]]:
    """The counts at the cycles ``ends``: made, accepted, arrived, delay, hops, in the network."""
    spend(2 * ends[-1] * (network.num_terminals + network.num_channels), f"a simulation of {ends[-1]:,} cycles")
    run = _Run(network, how, traffic, order, seed)
    limit = threshold(rate.numerator, rate.denominator)
    marks = []
    for cycle in range(ends[-1] + 1):
        if cycle in ends:
            marks.append([*run.counts])
        if cycle < ends[-1]:
            run.make(cycle, limit)
            run.carry(cycle)
    return marks


class _Run:
    """The network between two cycles: a queue per level of priority for every channel, and the counts so far."""

    def __init__(self, network: Network, how: Routing | str, traffic: Traffic, order: str, seed: int) -> None:
        self.network, self.how, self.seed = network, how, seed
        self.source, self.sink = network.source.tolist(), network.sink.tolist()
        self.head = network.head.tolist()
        self.image: list[int] | None = None if traffic.permutation is None else traffic.permutation.image.tolist()
        matrix = traffic.numerator
        self.rows = (
            None
            if matrix is None
            else [[threshold(x, traffic.scale) for x in accumulate(row)] for row in matrix.tolist()]
        )
        self.far = _hops(network) if order == "farthest-first" else None
        levels = 1 if self.far is None else 1 + max(max(row) for row in self.far)
        self.queues: list[list[deque[tuple[_Packet, int]]]] = [[deque() for _ in range(levels)] for _ in self.head]
        self.waiting = [0] * len(self.head)
        self.credit = [0] * len(self.head)
        self.ways: dict[tuple[int, int], _Ways] = {}
        self.held = 0  # nodes in ``ways``
        self.counts = [0] * 6

    def make(self, cycle: int, limit: int) -> None:
        made: list[tuple[int, int, int]] = []  # number, source and destination terminal
        for i, node in enumerate(self.source):
            number = cycle * len(self.source) + i
            if word(self.seed, number, 0) >= limit:
                continue
            j = self._destination(i, word(self.seed, number, 1))
            if j < 0:
                continue
            self.counts[0] += 1
            if self.sink[j] == node:
                self.counts[1] += 1
                continue
            self.counts[5] += 1
            made.append((number, i, j))
        for (number, i, j), ways in zip(made, self._ways(made), strict=True):
            self._queue((number, i, self.sink[j], cycle, ways), self.source[i], 0)

    def carry(self, cycle: int) -> None:
        moved: list[tuple[_Packet, int, int]] = []
        for c, bandwidth in enumerate(self.network.bandwidth):
            self.credit[c] += bandwidth.numerator
            while self.credit[c] >= bandwidth.denominator and self.waiting[c]:
                line = next(line for line in reversed(self.queues[c]) if line)
                packet, hops = line.popleft()
                moved.append((packet, hops, c))
                self.waiting[c] -= 1
                self.credit[c] -= bandwidth.denominator
            if not self.waiting[c]:
                self.credit[c] %= bandwidth.denominator
        for packet, hops, c in moved:
            node = self.head[c]
            if node != packet[2]:
                self._queue(packet, node, hops + 1)
                continue
            for place, more in enumerate((0, 1, 1, cycle + 1 - packet[3], hops + 1, -1)):
                self.counts[place] += more

    def _destination(self, i: int, draw: int) -> int:
        if self.image is not None:
            return self.image[i]
        if self.rows is None:
            return (draw >> 31) * len(self.source) >> 31
        j = bisect_right(self.rows[i], draw)
        return j if j < len(self.source) else -1

    def _queue(self, packet: _Packet, node: int, hops: int) -> None:
        draw = word(self.seed, packet[0], 64 + hops)
        if isinstance(self.how, str):
            c = self._shortest(node, packet, draw)
        else:
            if node not in packet[4]:
                raise VerificationError(f"a packet is lost at node {self.network.label(node)}")
            thresholds, channels = packet[4][node]
            c = channels[bisect_right(thresholds, draw)]
        level = 0 if self.far is None else self.far[self.head[c]][packet[2]]
        self.queues[c][level].append((packet, hops))
        self.waiting[c] += 1

    # -- where packets go -------------------------------------------------------------------------------

    def _ways(self, made: Sequence[tuple[int, int, int]]) -> Sequence[Any]:
        """For every packet, where it may go."""
        if isinstance(self.how, str):
            return [self._directions(self.source[i], self.sink[j], number) for number, i, j in made]
        pairs = [(int(self.how.row_of[i]), int(self.how.column_of[j])) for _, i, j in made]
        if self.held > _MOST_HELD:
            self.ways.clear()
            self.held = 0
        new = sorted(set(pairs) - self.ways.keys())
        if new:
            self.ways.update(zip(new, _walks(self.how, new), strict=True))
            self.held += sum(len(self.ways[x]) for x in new)
        return [self.ways[x] for x in pairs]

    def _directions(self, source: int, destination: int, number: int) -> list[tuple[int, ...]]:
        grid = self.network.grid
        assert grid is not None
        result: list[tuple[int, ...]] = []
        for m, k in enumerate(grid.radix):
            ahead = int(grid.coordinates[destination, m]) - int(grid.coordinates[source, m])
            if grid.kind == "mesh":
                result.append((0,) if ahead > 0 else (1,))
                continue
            ahead %= k
            if self.how == "goal":
                short = (word(self.seed, number, 8 + m) >> 31) * k >> 31 < k - ahead
                result.append((0,) if short else (1,))
            else:
                result.append((0, 1) if 2 * ahead == k else (0,) if 2 * ahead < k else (1,))
        return result

    def _shortest(self, node: int, packet: _Packet, draw: int) -> int:
        grid = self.network.grid
        assert grid is not None
        open_: list[int] = []
        for m, sides in enumerate(packet[4]):
            if grid.coordinates[node, m] != grid.coordinates[packet[2], m]:
                open_ += dict.fromkeys(int(grid.channel_at[node, m, side]) for side in sides)
        least = min(self.waiting[c] for c in open_)
        best = [c for c in open_ if self.waiting[c] == least]
        return best[(draw >> 31) * len(best) >> 31]


def _walks(routing: Routing, pairs: Sequence[tuple[int, int]]) -> Iterator[_Ways]:
    """Of every (row, column): at every node, cumulative thresholds and channels.  Packets follow their pair's flow."""
    spend(3000 + 200 * len(pairs), _WAYS)
    loads = routing.pair_loads(*(np.array(x) for x in zip(*pairs, strict=True)))
    spend(3 * int(loads.offset[-1]), _WAYS)
    for k in range(len(pairs)):
        leaving: dict[int, list[tuple[int, float]]] = {}
        for c, x in sorted(loads.as_dict(k).items()):
            leaving.setdefault(int(routing.network.tail[c]), []).append((c, x.numerator / x.denominator))
        result: _Ways = {}
        for node, channels in leaving.items():
            *sums, total = accumulate(weight for _, weight in channels)
            thresholds = [int(x / total * 2.0**62) for x in sums]
            result[node] = ([*thresholds, FULL], [c for c, _ in channels])
        yield result


def _hops(network: Network) -> list[list[int]]:
    """Shortest distances between nodes; 0 where there is no way."""
    n = network.num_nodes
    spend(n * (n + network.num_channels) / 2, "finding the distances of its nodes")
    ones = np.ones(network.num_channels, dtype=np.int64)
    found: list[list[int]] = np.maximum(all_distances(network, ones).between, 0).tolist()
    return found


_RUN = Keys(
    {
        "traffic": TEXT, "order": Word("fifo", "farthest-first"), "seed": WHOLE, "rate": BOUND, "warm_up": WHOLE,
        "cycles": WHOLE, "counts": ListOf(ListOf(WHOLE)),
    },
    {"permutation": NUMBERS, "matrix": ListOf(ListOf(ANY))},
)  # fmt: skip
LOAD_RUN = Kind(
    "load-run",
    "A packet simulation with a seed, run again by other code: its counts give the interval.",
    Either("with", Keys({"with": Word("offered_rate")}), _RUN),
    {name: States(EXACT, Grade.SAMPLED, Keys({"traffic": TEXT, "rate": TEXT})) for name in LOAD_QUANTITIES},
    frozenset({"Dally & Towles 2004, ch. 24 (ideal flow control); intervals by batch means"}),
    meaning=meaning_of_traffic,
    subjects=frozenset({"load-simulation"}),
)
