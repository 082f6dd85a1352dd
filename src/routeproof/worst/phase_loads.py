"""What every phase of a collective loads the network with, on the routing that packets follow; and the worst shift.

A phase is traffic: every message goes from its rank's terminal to the other's.  Its load is the largest load per
bandwidth of a channel, in units of one message.  Loads of many phases are formed at once, from pair loads (of
deterministic tables these are the paths); conventions §7, §10.
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
from ..core.exact_arrays import top
from ..core.network import Network
from ..core.rational import INT64_MAX
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
