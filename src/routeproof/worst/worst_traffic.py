"""What the worst traffic does: who crosses the worst channel, with how much, along which paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..core.network import Network
from ..routing.base.routing import Routing
from .scan.exact import WorstCase

Pairs = Sequence[tuple[int, int, Fraction]]  # source terminal, destination terminal, rate


@dataclass(frozen=True)
class Crossing:
    """Terminal ``source`` sends to ``destination`` at ``rate``; ``load`` = rate times the pair load is what it adds."""

    source: int
    destination: int
    rate: Fraction
    load: Fraction


def crossings(routing: Routing, channel: int, traffic: Pairs) -> list[Crossing]:
    """The pairs of ``traffic`` that load ``channel``, heaviest first, then by source; their loads sum to its load."""
    sources = np.array([i for i, _, _ in traffic], dtype=np.int64)
    destinations = np.array([j for _, j, _ in traffic], dtype=np.int64)
    rates = [rate for _, _, rate in traffic]
    network = routing.network
    row = routing.row_of[sources].astype(np.int64)
    column = routing.column_of[destinations].astype(np.int64)
    apart = network.source[sources] != network.sink[destinations]
    block = routing.channel_loads([channel])
    width = int(max(column.max(initial=0), block.column.max(initial=0))) + 1
    keys = block.row.astype(np.int64) * width + block.column
    at = np.searchsorted(keys, row * width + column)
    hit = apart & (at < len(keys))
    hit[hit] = keys[at[hit]] == (row * width + column)[hit]
    loads = [Fraction(0)] * len(sources)
    for k in np.nonzero(hit)[0].tolist():
        loads[k] = block.load.fraction(int(at[k]))
    if block.base is not None:
        by_row, by_column = block.base.row[0].fractions(), block.base.column[0].fractions()
        for k in np.nonzero(apart)[0].tolist():
            loads[k] += by_row[int(row[k])] + by_column[int(column[k])]
    found = [
        Crossing(int(sources[k]), int(destinations[k]), rates[k], rates[k] * load)
        for k, load in enumerate(loads)
        if load > 0
    ]
    return sorted(found, key=lambda x: (-x.load, x.source, x.destination))


def flow_over(routing: Routing, channel: int, pairs: list[Crossing]) -> dict[int, Fraction]:
    """What the paths of ``pairs`` that cross ``channel`` put on every channel of the network.

    Where a routing gives loads and not paths, its pair loads are decomposed first (``Routing.decomposition``).
    """
    flow: dict[int, Fraction] = {}
    for pair in pairs:
        row, column = int(routing.row_of[pair.source]), int(routing.column_of[pair.destination])
        for weight, path in routing.decomposition(row, column):
            if channel in path:
                for c in path:
                    flow[c] = flow.get(c, Fraction(0)) + pair.rate * weight
    return flow


def ends(network: Network, pair: Crossing) -> tuple[int, int]:
    """The nodes that a pair's packets leave from and go to."""
    return int(network.source[pair.source]), int(network.sink[pair.destination])


def loads_of(routing: Routing, traffic: Pairs) -> list[Fraction]:
    """The load of every channel under ``traffic``."""
    network = routing.network
    total = [Fraction(0)] * network.num_channels
    apart = [(i, j, rate) for i, j, rate in traffic if network.source[i] != network.sink[j]]
    for at in range(0, len(apart), 256):
        some = apart[at : at + 256]
        rows = [int(routing.row_of[i]) for i, _, _ in some]
        columns = [int(routing.column_of[j]) for _, j, _ in some]
        block = routing.pair_loads(rows, columns)
        for k, (_, _, rate) in enumerate(some):
            for c, load in block.as_dict(k).items():
                total[c] += rate * load
    return total


def worst_traffic(worst_case: WorstCase) -> list[tuple[int, int, Fraction]]:
    """(source, destination, rate) of the worst permutation, or in the other models of the worst traffic."""
    if worst_case.permutation is not None:
        return [(i, j, Fraction(1)) for i, j in enumerate(worst_case.permutation.image.tolist())]
    return list(worst_case.traffic or [])
