"""What every phase of a collective loads the network with, on the routing that packets follow; the worst shift; and
jobs with a collective each on one network: how long each takes alone, and beside the others at most.

A phase is traffic: every message goes from its rank's terminal to the other's.  Its load is the largest load per
bandwidth of a channel, in units of one message.  Loads of many phases are formed at once, from pair loads (of
deterministic tables these are the paths); conventions §7, §10.

Phase p of job j takes t(j, p, c) cycles of channel c: load per bandwidth, times the units of a message.  Jobs run at
their own pace, so any phases of theirs can meet.  With M(j, c) = max over p of t(j, p, c), the most that one phase of
every job takes of a channel is max over c of sum over j of M(j, c), which some combination of phases reaches.

Beside the others phase p of job j has T = max over the channels c that it uses of t(j, p, c) + sum over i != j of
M(i, c) cycles: if every job sends each phase evenly over its T, a channel carries in any alignment at most

    sum over j of t(j, p_j, c) / (t(j, p_j, c) + sum over i != j of M(i, c))  <=  sum over j of M(j, c) / sum M  =  1

times its bandwidth, since each term grows with t.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import lcm

import numpy as np

from ..claims.collectives.shifts import WORST_SHIFT
from ..core.arrays import Int64
from ..core.claim import Claim
from ..core.errors import InputError
from ..core.exact_arrays import top
from ..core.network import Network
from ..core.rational import INT64_MAX, IntArray, Rationals
from ..core.schedules.phases import Phase, phases_of
from ..core.segment_sums import Partial, add_up
from ..core.spread import Progress
from ..routing.base.routing import Routing
from .load_sums import pair_sums, piece_of
from .loads import busiest_of

_MESSAGES, _CELLS = 1 << 17, 1 << 22  # of the phases that are looked at together: messages, and channels times phases


@dataclass(frozen=True)
class PhaseLoad:
    """Of a phase: the largest load per bandwidth of a channel if a message is one unit, the first channel that has it
    (-1 where no message enters the network), the units of a message, and how often the phase is repeated."""

    load: Fraction
    channel: int
    amount: Fraction
    times: int

    @property
    def time(self) -> Fraction:
        """Cycles that it takes, once, without latency."""
        return self.load * self.amount


def total_time(loads: Iterable[PhaseLoad], alpha: Fraction | int = 0) -> Fraction:
    """Cycles of all phases, one after the other, with a latency of ``alpha`` each."""
    return sum((x.times * (alpha + x.time) for x in loads), Fraction(0))


def phase_loads(
    routing: Routing,
    phases: Iterable[Phase],
    ranks: Sequence[int],
    *,
    cables: Sequence[Fraction] | None = None,
    progress: Progress | None = None,
    total: int = 0,
) -> list[PhaseLoad]:
    """The loads of ``phases``, whose rank k is terminal ``ranks[k]``.  ``progress(done, total)``: in phases.

    ``cables``: what every terminal's own cable carries, None where these do not count; as channels they have the
    numbers of ``topologies.attach.with_host_cables``.
    """
    terminals = np.asarray(ranks, dtype=np.int64)
    found: list[PhaseLoad] = []
    own = None if cables is None else _Cables(routing.network.num_channels, cables)
    for some in _together(phases, routing.network.num_channels):
        loads = _loads_of(routing, some, terminals)
        found += loads if own is None else [own.counted(x, y, terminals) for x, y in zip(loads, some, strict=True)]
        if progress is not None:
            progress(len(found), max(total, len(found)))
    return found


class _Cables:
    """The terminals' own cables: ``first`` is the number of the channel from terminal 0."""

    def __init__(self, first: int, cables: Sequence[Fraction]) -> None:
        self.first = first
        self.widths = sorted(set(cables))
        place = {x: k for k, x in enumerate(self.widths)}
        self.width = np.array([place[x] for x in cables])

    def counted(self, found: PhaseLoad, phase: Phase, terminals: Int64) -> PhaseLoad:
        """``found``, or what a phase does to the cable that it loads most, where that is more."""
        size = len(self.width)
        ends = np.concatenate([terminals[phase.source] * 2, terminals[phase.destination] * 2 + 1])
        crossed = np.bincount(ends, minlength=2 * size).reshape(size, 2)
        load, channel = found.load, found.channel
        for k, width in enumerate(self.widths):
            own = np.where((self.width == k)[:, None], crossed, 0).ravel()
            c = int(own.argmax())
            here = int(own[c]) / width
            if here > load or (here == load > 0 and channel >= self.first + c):
                load, channel = here, self.first + c
        return replace(found, load=load, channel=channel)


def _together(phases: Iterable[Phase], num_channels: int) -> Iterator[list[Phase]]:
    some: list[Phase] = []
    messages = 0
    for phase in phases:
        some.append(phase)
        messages += len(phase.source)
        if messages >= _MESSAGES or len(some) * num_channels >= _CELLS:
            yield some
            some, messages = [], 0
    if some:
        yield some


def _loads_of(routing: Routing, phases: Sequence[Phase], terminals: Int64) -> list[PhaseLoad]:
    network = routing.network
    source, destination = (
        terminals[np.concatenate([getattr(x, side) for x in phases])] for side in ("source", "destination")
    )
    group = np.repeat(np.arange(len(phases)), [len(x.source) for x in phases])
    one = np.ones(len(source), dtype=np.int64)
    part = pair_sums(routing, source, destination, one, group=group, num_groups=len(phases))
    tops = _quick_tops(network, part, len(phases)) or [_top(network, part, g) for g in range(len(phases))]
    return [PhaseLoad(load, c, x.amount, x.times) for x, (load, c) in zip(phases, tops, strict=True)]


def _quick_tops(network: Network, part: Partial, num_groups: int) -> list[tuple[Fraction, int]]:
    """Of every group the greatest load per bandwidth and its first channel, in 64-bit integers; none where they are not
    known to fit."""
    if not network.num_channels or part.num.dtype == object or part.den.dtype == object:
        return []
    scale = lcm(*np.unique(part.den).tolist())
    wide = lcm(*(x.numerator for x in network.widths))
    each = [x.denominator * wide // x.numerator for x in network.widths]  # wide / width
    if max(each) * scale > INT64_MAX or top(part.num) * scale * max(each) * max(1, len(part.num)) > INT64_MAX:
        return []
    flat = np.zeros(part.count, dtype=np.int64)
    np.add.at(flat, part.segment, part.num * (scale // part.den))
    load = flat.reshape(num_groups, network.num_channels)
    load *= np.array(each, dtype=np.int64)[network.bandwidth_rank]
    most = load.argmax(axis=1)
    tops = load[np.arange(num_groups), most].tolist()
    return [(Fraction(x, scale * wide), c if x else -1) for x, c in zip(tops, most.tolist(), strict=True)]


def _top(network: Network, part: Partial, group: int) -> tuple[Fraction, int]:
    """The same of one group, whatever its fractions are like."""
    here = part.segment // network.num_channels == group
    own = Partial(network.num_channels, part.segment[here] % network.num_channels, part.num[here], part.den[here])
    piece = piece_of(own, partial(add_up, own))
    load, channels = busiest_of(network, piece.bounds, piece.exact)
    return load, int(channels[0]) if len(channels) else -1


def worst_shift_claim(routing: Routing, *, progress: Progress | None = None) -> Claim | None:
    """``worst_shift_throughput``, in the numbering of the terminals: what a phase of an all-to-all gets at least.

    None where no shift loads a channel.
    """
    size = routing.network.num_terminals
    phases = phases_of("linear-shift", "all-to-all", size)
    loads = phase_loads(routing, phases, range(size), progress=progress, total=size - 1)
    if not any(x.load for x in loads):
        return None
    first = max(range(len(loads)), key=lambda k: loads[k].load)
    return WORST_SHIFT.claim(1 / loads[first].load, {"by": first + 1, "channel": loads[first].channel})


_MOST_CELLS = 1 << 25  # channels that phases load, of all jobs
_TOGETHER = 1 << 22  # channels times phases


@dataclass(frozen=True, eq=False)
class Cells:
    """The cycles of one job: ``cycles[k] / unit`` of channel ``channel[k]`` in phase ``phase[k]``, where above 0.

    ``times``: how often each phase is repeated.
    """

    times: Sequence[int]
    phase: Int64
    channel: Int64
    cycles: IntArray
    unit: int


@dataclass(frozen=True)
class JobTime:
    """Of one job: cycles of every phase alone and beside the others, with the first channel that makes it so (-1: no
    channel is used); the most that the others take of a channel that it uses, and the first such channel.

    ``theirs``: for that channel, the first phase of every job that takes most of it; -1 of the job itself.
    """

    times: Sequence[int]
    alone: Sequence[Fraction]
    alone_channel: Sequence[int]
    beside: Sequence[Fraction]
    beside_channel: Sequence[int]
    others: Fraction
    others_channel: int
    theirs: Sequence[int]

    def total(self, cycles: Sequence[Fraction], alpha: Fraction) -> Fraction:
        """All phases, with a latency of ``alpha`` each."""
        return sum((n * (alpha + x) for n, x in zip(self.times, cycles, strict=True)), Fraction(0))


@dataclass(frozen=True)
class TogetherTimes:
    """``most``: cycles of the channel that a phase of every job takes most of; ``phases``: the first such of each."""

    jobs: Sequence[JobTime]
    most: Fraction
    channel: int
    phases: Sequence[int]


def cells_of(
    routing: Routing, phases: Iterable[Phase], ranks: Sequence[int], cables: Sequence[Fraction] | None = None
) -> Cells:
    """What every phase takes of every channel, rank k at the terminal ``ranks[k]``.

    ``cables``: what every terminal's own cable carries, None where these do not count; as channels they have the
    numbers of ``topologies.attach.with_host_cables``.
    """
    network, terminals = routing.network, np.asarray(ranks, dtype=np.int64)
    every = list(phases)
    step = max(1, _TOGETHER // max(1, network.num_channels))
    parts: list[tuple[int, Int64, Int64, Rationals]] = []
    for at in range(0, len(every), step):
        parts += [(at, *x) for x in _loads(routing, every[at : at + step], terminals)]
        if sum(len(x[1]) for x in parts) > _MOST_CELLS:
            raise InputError(
                f"{len(ranks)} ranks in {len(every):,} phases on {network.name} load too many channels to compare"
            )
    if cables is not None:
        parts += [(k, *_of_cables(network, x, terminals, cables)) for k, x in enumerate(every)]
    return _whole(every, parts)


def _loads(routing: Routing, some: Sequence[Phase], terminals: Int64) -> list[tuple[Int64, Int64, Rationals]]:
    """(phase, channel, messages per bandwidth) of some phases, where above 0."""
    network = routing.network
    source, destination = (terminals[np.concatenate([getattr(x, y) for x in some])] for y in ("source", "destination"))
    group = np.repeat(np.arange(len(some)), [len(x.source) for x in some])
    one = np.ones(len(source), dtype=np.int64)
    part = pair_sums(routing, source, destination, one, group=group, num_groups=len(some))
    used = np.unique(part.segment)
    load = add_up(part, used)
    return [
        (used[here] // network.num_channels, used[here] % network.num_channels, _over(load[here], width))
        for k, width in enumerate(network.widths)
        if len(here := np.flatnonzero(network.bandwidth_rank[used % network.num_channels] == k))
    ]


def _of_cables(
    network: Network, phase: Phase, terminals: Int64, cables: Sequence[Fraction]
) -> tuple[Int64, Int64, Rationals]:
    ends = np.concatenate([terminals[phase.source] * 2, terminals[phase.destination] * 2 + 1])
    cable, count = np.unique(ends, return_counts=True)
    load = Rationals.of(n / cables[c // 2] for c, n in zip(cable.tolist(), count.tolist(), strict=True))
    return np.zeros(len(cable), dtype=np.int64), cable + network.num_channels, load


def _over(load: Rationals, width: Fraction) -> Rationals:
    """The loads over a bandwidth."""
    fits = load.num.dtype != object and load.den.dtype != object
    most = max(int(load.num.max(initial=0)) * width.denominator, int(load.den.max(initial=1)) * width.numerator)
    num, den = (
        (load.num, load.den) if fits and most <= INT64_MAX else (load.num.astype(object), load.den.astype(object))
    )
    return Rationals(num * width.denominator, den * width.numerator)


def _whole(phases: Sequence[Phase], parts: Sequence[tuple[int, Int64, Int64, Rationals]]) -> Cells:
    """All of them in whole numbers."""
    unit = lcm(*(int(x) for _, _, _, load in parts for x in set(load.den.tolist())), 1)
    scale = lcm(*(x.amount.denominator for x in phases), 1)
    factor = [int(x.amount * scale) for x in phases]
    most = max((int(x.num.max(initial=0)) for *_, x in parts), default=0) * unit * max(factor, default=0)
    kind = np.dtype(np.int64) if most <= INT64_MAX else np.dtype(object)
    factors = np.array(factor, dtype=kind)
    phase = np.concatenate([np.zeros(0, dtype=np.int64), *(at + p for at, p, _, _ in parts)])
    channel = np.concatenate([np.zeros(0, dtype=np.int64), *(c for _, _, c, _ in parts)])
    each = [x.num.astype(kind) * (unit // x.den.astype(object)).astype(kind) for *_, x in parts]
    load = np.concatenate([np.zeros(0, dtype=kind), *each])
    return Cells([x.times for x in phases], phase, channel, load * factors[phase], unit * scale)


def together(jobs: Sequence[Cells], num_channels: int, progress: Progress | None = None) -> TogetherTimes:
    """All jobs at once; ``num_channels``: with the terminals' own cables, where these count."""
    unit = lcm(*(x.unit for x in jobs))
    top = sum(int(x.cycles.max(initial=0)) * (unit // x.unit) for x in jobs)
    kind = np.dtype(np.int64) if top <= INT64_MAX else np.dtype(object)
    cycles = [x.cycles.astype(kind) * (unit // x.unit) for x in jobs]
    most = []
    for job, own in zip(jobs, cycles, strict=True):
        here = np.zeros(num_channels, dtype=kind)
        np.maximum.at(here, job.channel, own)
        most.append(here)
    every = sum(most, np.zeros(num_channels, dtype=kind))
    worst = int(every.argmax())
    found = []
    for k, (job, own) in enumerate(zip(jobs, cycles, strict=True)):
        others = every - most[k]
        alone, alone_channel = _tops(job, own)
        beside, beside_channel = _tops(job, own + others[job.channel])
        used = np.unique(job.channel)
        at = int(used[others[used].argmax()]) if len(used) else -1
        theirs = [
            -1 if i == k or at < 0 else _first(x, y, at) for i, (x, y) in enumerate(zip(jobs, cycles, strict=True))
        ]
        found.append(
            JobTime(
                job.times, [Fraction(x, unit) for x in alone], alone_channel, [Fraction(x, unit) for x in beside],
                beside_channel, Fraction(int(others[at]) if at >= 0 else 0, unit), at, theirs,
            )
        )  # fmt: skip
        if progress is not None:
            progress(k + 1, len(jobs))
    phases = [_first(x, y, worst) for x, y in zip(jobs, cycles, strict=True)]
    return TogetherTimes(found, Fraction(int(every[worst]), unit), worst, phases)


def _tops(job: Cells, cycles: IntArray) -> tuple[list[int], list[int]]:
    """Of every phase the most cycles, and the first channel that has them; 0 and -1 where no channel is used."""
    most = np.zeros(len(job.times), dtype=cycles.dtype)
    np.maximum.at(most, job.phase, cycles)
    first = np.full(len(job.times), -1, dtype=np.int64)
    at = np.flatnonzero(cycles == most[job.phase])
    at = at[np.lexsort((-job.channel[at], job.phase[at]))]
    first[job.phase[at]] = job.channel[at]  # of several, the last one written: the least channel
    return [int(x) for x in most.tolist()], first.tolist()


def _first(job: Cells, cycles: IntArray, channel: int) -> int:
    """The first phase that takes most of a channel; -1 where none uses it."""
    at = np.flatnonzero(job.channel == channel)
    if not len(at):
        return -1
    most = cycles[at].max()
    return int(job.phase[at][cycles[at] == most].min())
