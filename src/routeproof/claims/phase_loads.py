"""The load of every phase of a collective, added up from the pair loads of a routing, for whoever checks claims about
phases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..core.arrays import Int64
from ..core.network import Network
from ..core.schedules.phases import Phase
from ..core.segment_sums import exact_sums
from ..routing.base.routing import Routing
from .work import spend

_MESSAGES = 1 << 15  # that are looked at together


@dataclass(frozen=True)
class Judged:
    """Of one phase: the largest load per bandwidth, the first channel that has it, the units of a message, and how
    often the phase is repeated."""

    load: Fraction
    channel: int
    amount: Fraction
    times: int


def judged_phases(routing: Routing, phases: Iterator[Phase], order: Int64) -> Iterator[Judged]:
    """Every phase, rank k at the terminal ``order[k]``."""
    for some in together(phases):
        yield from loads_of_phases(routing, some, order)


def together(phases: Iterator[Phase]) -> Iterator[list[Phase]]:
    some: list[Phase] = []
    for x in phases:
        some.append(x)
        if sum(len(y.source) for y in some) >= _MESSAGES:
            yield some
            some = []
    if some:
        yield some


def loads_of_phases(routing: Routing, phases: list[Phase], order: Int64) -> Iterator[Judged]:
    """The busiest channel of every one of some phases."""
    network = routing.network
    whole, rest = _added(routing, phases, order)
    for k, phase in enumerate(phases):
        yield Judged(*_busiest(network, whole, rest, k * network.num_channels), phase.amount, phase.times)


def channels_of_phases(routing: Routing, phases: list[Phase], order: Int64) -> Iterator[dict[int, Fraction]]:
    """Of every one of some phases the cycles that it takes of each channel that it loads."""
    network, size = routing.network, routing.network.num_channels
    whole, rest = _added(routing, phases, order)
    for k, phase in enumerate(phases):
        here = whole[k * size : (k + 1) * size]
        load = {c: Fraction(int(here[c])) for c in np.flatnonzero(here).tolist()}
        for at, x in rest.items():
            if at // size == k:
                load[at % size] = load.get(at % size, Fraction(0)) + x
        yield {c: x * phase.amount / network.bandwidth[c] for c, x in load.items() if x}


def _added(routing: Routing, phases: list[Phase], order: Int64) -> tuple[Int64, dict[int, Fraction]]:
    """Pair loads of all messages, added up: those of channel c in phase k are whole[k C + c] + rest[k C + c]."""
    network = routing.network
    source, destination = (np.concatenate([getattr(x, y) for x in phases]) for y in ("source", "destination"))
    group = np.repeat(np.arange(len(phases)), [len(x.source) for x in phases])
    rows, columns = routing.row_of[order[source]], routing.column_of[order[destination]]
    apart = np.flatnonzero(routing.row_node[rows] != routing.column_node[columns])
    size = len(phases) * network.num_channels
    whole, rest = np.zeros(size, dtype=np.int64), dict[int, Fraction]()
    at, step = 0, 64
    while at < len(apart):
        some = apart[at : at + step]
        block = routing.pair_loads(rows[some], columns[some])
        spend(len(block.channel), "loads of phases")
        segment = np.repeat(group[some], np.diff(block.offset)) * network.num_channels + block.channel
        if block.load.num.dtype != object and (block.load.num == block.load.den).all():
            whole += np.bincount(segment, minlength=size)
        else:
            here, place = np.unique(segment, return_inverse=True)
            for k, x in exact_sums(place, block.load, len(here)).items():
                c = int(here[k])
                rest[c] = rest.get(c, Fraction(0)) + x
        at += len(some)
        step = int(min(4 * step, max(1.0, 2_000_000 * len(some) / max(1, len(block.channel)))))
    return whole, rest


def _busiest(network: Network, whole: Int64, rest: Mapping[int, Fraction], start: int) -> tuple[Fraction, int]:
    """The largest load per bandwidth, and its first channel; the loads are whole[start + c] + rest[start + c]."""
    best = Fraction(0), 0
    loads = whole[start : start + network.num_channels]
    for width, channels in _of_widths(network):
        if not rest and len(channels):
            c = int(channels[loads[channels].argmax()])
            best = max(best, (int(loads[c]) / width, -c))
    for c in range(network.num_channels) if rest else ():
        load = int(loads[c]) + rest.get(start + c, Fraction(0))
        best = max(best, (load / network.bandwidth[c], -c))
    return best[0], -best[1] if best[0] else -1


def _of_widths(network: Network) -> list[tuple[Fraction, Int64]]:
    """The channels of every bandwidth, ascending."""
    return [(x, np.flatnonzero(network.bandwidth_rank == k)) for k, x in enumerate(network.widths)]
