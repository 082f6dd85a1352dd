"""What the worst traffic does: who crosses the worst channel, with how much, along which paths."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..core.arrays import Int64
from ..core.errors import InputError
from ..core.network import Network
from ..core.rational import as_int_array
from ..core.segment_sums import add_up
from ..core.traffic import Permutation
from ..formats.documents.traffic import witness_of_report
from ..routing.base.routing import Routing
from .load_sums import pair_sums
from .scan.exact import WorstCase
from .scan.scan import made_again, network_made_again

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
    unit = math.lcm(*(rate.denominator for _, _, rate in traffic))
    source, destination = (np.array([x[k] for x in traffic], dtype=np.int64) for k in (0, 1))
    amounts = as_int_array([int(rate * unit) for _, _, rate in traffic])
    return [x / unit for x in add_up(pair_sums(routing, source, destination, amounts)).fractions()]


def worst_traffic(worst_case: WorstCase) -> list[tuple[int, int, Fraction]]:
    """(source, destination, rate) of the worst permutation, or in the other models of the worst traffic."""
    if worst_case.permutation is not None:
        return [(i, j, Fraction(1)) for i, j in enumerate(worst_case.permutation.image.tolist())]
    return list(worst_case.traffic or [])


def exported_permutation(
    document: Mapping[str, Any], *, what: str, fill: bool = False, column_major: bool = False
) -> tuple[Permutation, list[str]]:
    """The worst permutation of the report ``document``, called ``what``, and what there is to say of it.

    Raises InputError for reports without one, for ``fill`` where the report is not about one routing, and for
    ``column_major`` where the network has no grid.
    """
    channel, permutation = witness_of_report(document, what=what)
    subject, notes = document["subject"], []
    if fill:
        if "routing" not in subject:
            raise InputError(f"{what} is about several routings; a report of worst-case was expected, to fill")
        routing = made_again(subject)
        permutation, idle = filled(routing, channel, permutation)
        if idle:
            names = ", ".join(map(str, idle[:6])) + (", ..." if len(idle) > 6 else "")
            notes.append(f"idle all the same: {names}; whatever they send takes load off the worst channel")
    if column_major:
        permutation = renumbered(network_made_again(subject["network"]), permutation)
        notes.append("terminals are numbered with the first coordinate fastest")
    return permutation, notes


def filled(routing: Routing, channel: int, permutation: Permutation) -> tuple[Permutation, list[int]]:
    """(a permutation with the same load on ``channel``, the senders that stay idle in it)."""
    network, image = routing.network, permutation.image.tolist()
    before = _load(routing, channel, list(enumerate(image)))
    idle: list[int] = []
    for i in range(len(image)):
        if network.source[i] == network.sink[image[i]]:
            a = _partner(routing, channel, image, i)
            if a is None:
                idle.append(i)
            else:
                image[i], image[a] = image[a], image[i]
    if _load(routing, channel, list(enumerate(image))) != before:
        raise ArithmeticError("filling changed the load of the worst channel")  # a bug
    return Permutation(image), idle


def _partner(routing: Routing, channel: int, image: Sequence[int], i: int) -> int | None:
    """The first sender that can swap destinations with the idle sender i, first among those that do not cross."""
    network, to = routing.network, np.array(image)
    can = (network.source[i] != network.sink[to]) & (network.source != network.sink[image[i]])
    others = np.flatnonzero(can).tolist()
    now = _weights(routing, channel, [(a, image[a]) for a in others])
    there = _weights(routing, channel, [(i, image[a]) for a in others])
    back = _weights(routing, channel, [(a, image[i]) for a in others])
    fit = [a for a, x, y, z in zip(others, now, there, back, strict=True) if y + z >= x]
    crossing = {a for a, x in zip(others, now, strict=True) if x}
    return min(fit, key=lambda a: (a in crossing, a), default=None)


def _weights(routing: Routing, channel: int, pairs: Sequence[tuple[int, int]]) -> list[Fraction]:
    found = crossings(routing, channel, [(i, j, Fraction(1)) for i, j in pairs])
    load = {(x.source, x.destination): x.load for x in found}
    return [load.get(pair, Fraction(0)) for pair in pairs]


def _load(routing: Routing, channel: int, pairs: Sequence[tuple[int, int]]) -> Fraction:
    return sum(_weights(routing, channel, pairs), Fraction(0))


def renumbered(network: Network, permutation: Permutation) -> Permutation:
    """The same traffic, terminals numbered by node with the first coordinate fastest, those of one node in order."""
    number = column_major_terminals(network)
    image = np.empty(len(number), dtype=np.int64)
    image[number] = number[permutation.image]
    return Permutation(image)


def column_major_terminals(network: Network) -> Int64:
    """int64, shape (T,): the number of every terminal where nodes are numbered with the first coordinate fastest.

    Raises InputError for networks without a grid, and terminals that send and receive at different nodes.
    """
    grid = network.grid
    if grid is None or not np.array_equal(network.source, network.sink):
        raise InputError(
            f"column-major numbers are for grids with terminals at their nodes; {network.name} is another network"
        )
    weight = np.cumprod([1, *grid.radix[:-1]])
    node = (grid.coordinates * weight).sum(axis=1)
    order = np.lexsort((np.arange(network.num_terminals), node[network.source]))
    number = np.empty(network.num_terminals, dtype=np.int64)
    number[order] = np.arange(network.num_terminals)
    return number
