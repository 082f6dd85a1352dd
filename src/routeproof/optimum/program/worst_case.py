"""The worst-case program on any network and over any transport set of demands, reduced by symmetry.

Source: Towles, Dally & Boyd 2003 (SPAA), eq. (8) and (10), in the potentials of conventions.md: for every channel class
one focus channel c, potentials a, b >= 0 with

    flow of c from i to j <= a(i, c) + b(j, c)   and   sum_i s_i a(i, c) + sum_j d_j b(j, c) <= bandwidth(c) * w,

where s_i, d_j count the terminals at a node.  Over a set of demands i and j are its ports, s_i and d_j what they may
send and receive, and there are also a potential x(c) of the total and, where pairs have limits, an excess p:

    flow <= a(i, c) + b(j, c) + x(c) + p(i, j, c)   and   sum s a + sum d b + total x + sum room p + sum low flow
                                                                                                 <= bandwidth(c) * w.

The program has one flow variable for every class of (source, destination, channel), one potential for every class of
(node, channel), and w.  Only pairs that may send have flows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ...lp.exact import Triplets
from ...machine.memory import check_memory
from ...routing.path_sets.path_set import PathSet
from ...symmetry.pair_classes import Reduction
from .flow_program import Ends, FlowProgram, flow_columns, flow_rows, hop_cost, needed_unit, whole_unit

MOST_COLUMNS = 3_000_000
_FLOW_BYTES = 600


@dataclass(frozen=True, eq=False)
class Potentials:
    """For every sender and receiver a class of each channel, int64 (C,), and what it costs there; one of the total for
    each channel class besides, where that is limited.

    Permutations: one row and one column for each node, of as many packets as it has terminals.  A transport set of
    demands: its ports (``kernel.ports``)."""

    reduction: Reduction

    @cached_property
    def _by_port(self) -> bool:
        ports = self.reduction.ports
        return ports is not None and not ports.by_node

    @cached_property
    def _of_sides(self) -> int:
        own = self.reduction
        return (
            own.network.num_channels * sum(own.ports.may.shape) if own.ports and self._by_port else own.num_potentials
        )

    @cached_property
    def total(self) -> Int64 | None:
        """The potential of the total on every channel."""
        own = self.reduction
        if own.ports is None or own.ports.total is None:
            return None
        return np.unique(own.focus, return_inverse=True)[1].astype(np.int64) + self._of_sides

    @property
    def count(self) -> int:
        return self._of_sides if self.total is None else int(self.total.max()) + 1

    def ends(self) -> Iterator[Ends]:
        """Who sends to whom, for one pair of nodes of every class."""
        ports = self.reduction.ports
        if ports is None:
            yield from (Ends(k, x.source, x.destination) for k, x in enumerate(self.reduction.pairs))
            return
        rows, columns = ({v: np.flatnonzero(x == v) for v in np.unique(x).tolist()} for x in (
            ports.row_node, ports.column_node
        ))  # fmt: skip
        nobody = np.zeros(0, dtype=np.int64)
        for k, pair in enumerate(self.reduction.pairs):
            some = rows.get(pair.source, nobody), columns.get(pair.destination, nobody)
            at = np.argwhere(ports.may[np.ix_(*some)])
            yield from (Ends(k, int(some[0][a]), int(some[1][b])) for a, b in at.tolist())

    def above(self, ends: Ends) -> list[Int64]:
        """The potentials above the flow from a sender to a receiver."""
        ports, found = self.reduction.ports, list[Int64]()
        if ports is None or ports.sends is not None:
            found.append(self._row(ends.source))
        if ports is None or ports.receives is not None:
            found.append(self._column(ends.destination))
        return found if self.total is None else [*found, self.total]

    def _row(self, source: int) -> Int64:
        own = self.reduction
        if own.ports is None or not self._by_port:
            return own.row_potential(source if own.ports is None else int(own.ports.row_node[source]))
        return source * own.network.num_channels + np.arange(own.network.num_channels)

    def _column(self, destination: int) -> Int64:
        own = self.reduction
        if own.ports is None or not self._by_port:
            return own.column_potential(destination if own.ports is None else int(own.ports.column_node[destination]))
        count, opposite = own.network.num_channels, own.network.reverse
        if own.reversal and opposite is not None:
            return destination * count + opposite.astype(np.int64)
        return (len(own.ports.row_node) + destination) * count + np.arange(count)

    def costs(self, focus: Int64) -> list[tuple[Int64, list[Fraction]]]:
        """For every side, and the total: (classes, (its members, F), of the focus channels; what each member may send,
        or receive)."""
        own, ports = self.reduction, self.reduction.ports
        if ports is None:
            sides = zip(own.potentials_on(focus), (own.network.supply, own.network.demand), strict=True)
            return [(ids, [Fraction(x) for x in count.tolist()]) for ids, count in sides]
        found = [
            (np.stack([potential(k)[focus] for k in range(len(rates))]), list(rates))
            for rates, potential in ((ports.sends, self._row), (ports.receives, self._column))
            if rates
        ]
        if self.total is not None:
            found.append((self.total[None, focus], [Fraction(ports.total or 0)]))
        return found


def worst_case_program(reduction: Reduction, allowed: PathSet | None = None) -> FlowProgram:
    """Minimise w, over the routings with ``allowed`` paths if given.  Raises InputError where the program would not fit
    in memory."""
    network, ports = reduction.network, reduction.ports
    if allowed is None:
        check_flows(network, reduction.num_flows)
    flow, first_potential = flow_columns(reduction, 1, allowed)
    check_flows(network, first_potential - 1)
    potentials = Potentials(reduction)
    ends = [x for x in potentials.ends() if ports is None or ports.room is None or ports.room[x.source, x.destination]]
    sides = [potentials.above(e) for e in ends]
    used = np.full(potentials.count, -1, dtype=np.int64)
    if potentials.total is not None and ends:
        used[potentials.total] = 0
    for one, e in zip(sides, ends, strict=True):
        for ids in one:
            used[ids[flow[e.pair] >= 0]] = 0
    num_live = int(np.count_nonzero(used == 0))
    used[used == 0] = first_potential + np.arange(num_live)
    next_column = first_potential + num_live
    focus = np.unique(reduction.focus)
    place = np.searchsorted(focus, reduction.focus)
    excess: list[tuple[int, Int64]] = []
    entries = Triplets()
    matches: list[tuple[Int64, Int64]] = []
    for e in ends:
        names, first = np.unique(flow[e.pair], return_index=True)
        matches.append((names[names >= 0], first[names >= 0]))
        if ports is not None and ports.room is not None:
            excess.append((next_column, first[names >= 0]))
            next_column += int(np.count_nonzero(names >= 0))
    bound, paths, num_columns = flow_rows(reduction, flow, allowed, next_column, entries)
    num_equal = next_row = len(bound)
    match = []
    for k, (e, one) in enumerate(zip(ends, sides, strict=True)):
        columns, (names, first) = flow[e.pair], matches[k]
        rows = next_row + np.arange(len(names))
        match.append(np.where(columns >= 0, next_row + np.searchsorted(names, columns), -1))
        next_row += len(names)
        entries.add(rows, columns[first], -1)
        for ids in one:
            entries.add(rows, used[ids[first]], 1)
        if excess:
            entries.add(rows, excess[k][0] + np.arange(len(names)), 1)
    costs = potentials.costs(focus.astype(np.int64))
    unit = _needed_unit_over(reduction)
    load_row = {c: next_row + k for k, c in enumerate(focus.tolist())}
    amounts = [np.array([int(x * unit) for x in rates], dtype=np.int64) for _, rates in costs]
    for k, c in enumerate(focus.tolist()):
        row = next_row + k
        entries.add(row, 0, int(network.bandwidth[c] * unit))
        for (ids, _), amount in zip(costs, amounts, strict=True):
            at = used[ids[:, k]]
            take = (at >= 0) & (amount > 0)
            entries.add(row, at[take], -amount[take])
    if ports is not None:
        weights = _Weights(reduction, next_row + place)
        for k, (start, first) in enumerate(excess):
            e = ends[k]
            assert ports.room is not None
            weights.add(
                entries, e.pair, start + np.arange(len(first)), first, ports.room[e.source, e.destination] * unit
            )
        for e in potentials.ends() if ports.low else ():
            low = ports.low.get((e.source, e.destination))
            if low:
                names, first = np.unique(flow[e.pair], return_index=True)
                live = names >= 0
                weights.add(entries, e.pair, names[live], first[live], low * unit)
    next_row += len(focus)
    program = entries.program(num_columns, num_equal, bound + [0] * (next_row - num_equal))
    hops = hop_cost(reduction, flow, num_columns)
    return FlowProgram(
        reduction, program, flow, hops, paths, allowed, match=match, load_row=load_row, ends=ends, unit=unit
    )


def check_flows(network: Network, flows: int) -> None:
    """Raises InputError for more flow variables than are tried, or have room."""
    if flows > MOST_COLUMNS:
        gigabytes = flows * _FLOW_BYTES / 10**9
        raise InputError(
            f"the program for {network.name} has {flows:,} flow variables (about {gigabytes:.1f} GB); "
            f"at most {MOST_COLUMNS:,} are tried"
        )
    check_memory(flows * _FLOW_BYTES, f"the program for {network.name}, of {flows:,} flow variables,")


class _Weights:
    """What a variable of a class of (pair, channel) is in the load of its focus channel: so many of its members are on
    that channel.  ``row``: int64 (C,), the load's row of every channel."""

    def __init__(self, reduction: Reduction, row: Int64) -> None:
        self.reduction, self.row = reduction, row
        self.spread = np.bincount(reduction.focus, minlength=len(reduction.focus))

    def add(self, entries: Triplets, pair: int, columns: Int64, first: Int64, amount: Fraction) -> None:
        """``first``: a channel of each of the columns' classes."""
        own = self.reduction.pairs[pair]
        members = np.bincount(own.channel, minlength=len(own.channel))[own.channel[first]]
        count = own.size * members // self.spread[self.reduction.focus[first]]
        entries.add(self.row[first], columns, -count * int(amount))


def unit_over(reduction: Reduction) -> int | None:
    """What makes bandwidths, and all limits of a set of demands, whole; None where they are too long for a program."""
    ports, limits = reduction.ports, list[Fraction]()
    if ports is not None:
        sides = [*(ports.sends or ()), *(ports.receives or ())]
        limits = [*sides, *ports.low.values(), *(ports.room or {}).values(), ports.total or Fraction(0)]
    return whole_unit(reduction.network, limits, times=reduction.network.num_terminals)


def _needed_unit_over(reduction: Reduction) -> int:
    network, unit = reduction.network, unit_over(reduction)
    if reduction.ports is None:
        return needed_unit(network, times=network.num_terminals, instead=" (design: or --solver interior)")
    if unit is None:
        raise InputError(
            f"the limits of the demands are too long for the exact program on {network.name} (62 bits over one "
            f"denominator); state them with fewer digits"
        )
    return unit
