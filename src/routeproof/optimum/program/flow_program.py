"""Programs over flows on any network, reduced by symmetry: their variables, conservation, and a bound on hops.

One flow variable stands for every class of (source, destination, channel).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64
from ...core.errors import InputError
from ...core.graph import hops_from
from ...core.network import Network
from ...core.rational import lcm_within, shown
from ...lp.exact import ExactPoint, Program, Triplets
from ...routing.base.routing import Routing
from ...routing.path_sets.path_set import PathSet
from ...symmetry.pair_classes import PairClass, Reduction
from ...worst.locality import minimal_average
from .flows import routing_from_exact, routing_from_floats
from .path_variables import PathVariables, with_paths_of

_MOST_LENGTH = 1_000_000
_LONGEST = 1 << 62


@dataclass(frozen=True, eq=False)
class Ends:
    """A sender and a receiver for one pair class (``pair``: its number): nodes for permutations, else a row and a
    column of the set's ports."""

    pair: int
    source: int
    destination: int


@dataclass(frozen=True, eq=False)
class FlowProgram:
    """The program and what its rows and columns mean.

    - column 0 is the load w; ``flow[p]``: int64 (C,): the column of every channel's flow for pair class p, -1 where
      none may be; ``hops``: int64 (n,): the cost that makes the objective T^2 times the average path length;
    - ``allowed``: the paths that routings may use, None for all; ``paths``: their variables, where they are listed;
    - for the worst case, row ``match[k][c]`` compares channel c's flow of the pair class ``ends[k].pair`` with the
      potentials of its ends (-1 where there is no flow);
    - ``load_row``: {focus channel: its row}, for uniform traffic and for sets of demands; ``unit``: what bandwidths and
      limits are multiplied by in it.
    """

    reduction: Reduction
    program: Program
    flow: list[Int64]
    hops: Int64
    paths: PathVariables | None
    allowed: PathSet | None = None
    match: list[Int64] = field(default_factory=list)
    load_row: dict[int, int] = field(default_factory=dict)
    ends: Sequence[Ends] = ()
    unit: int = 1

    @property
    def network(self) -> Network:
        return self.reduction.network

    @property
    def focus(self) -> Int32:
        return self.reduction.focus

    @property
    def num_pairs(self) -> int:
        return len(self.reduction.pairs)

    def length_of(self, dual: ExactPoint) -> dict[int, Fraction]:
        """The lengths of focus channels that the multipliers of an exact solution make."""
        return {c: dual.fraction(row) * self.unit for c, row in self.load_row.items()}

    def goes_round(self, _: ExactPoint) -> bool:
        """Does a flow have cycles that ``routing`` would not take out?"""
        return False

    def within(self, most_length: Fraction | None) -> tuple[Program, Fraction]:
        """The program with one more row, average path length <= ``most_length``; and what its multiplier is worth for
        each hop.

        The row is ``-scale * hops . x >= -scale * total``; without a bound the program as it is, and 0.
        """
        if most_length is None:
            return self.program, Fraction(0)
        total = most_length * self.reduction.network.num_terminals**2 - idle_hops(self.reduction)
        return with_hops(self.program, self.hops, total)

    def routing(self, point: ExactPoint, name: str) -> Routing:
        """That of an exact solution; ``name``: where it uses the paths of a set."""
        if self.paths is not None:
            return self.paths.routing_from_exact(name, point)
        routing = routing_from_exact(self.reduction, self.flow, point)
        return routing if self.allowed is None else with_paths_of(routing, name, self.allowed)

    def routing_from_floats(self, x: npt.NDArray[np.float64], name: str) -> Routing:
        """One near an approximate solution."""
        if self.paths is not None:
            return self.paths.routing_from_floats(name, x)
        routing = routing_from_floats(self.reduction, self.flow, x)
        return routing if self.allowed is None else with_paths_of(routing, name, self.allowed)


def with_hops(own: Program, hops: Int64, total: Fraction) -> tuple[Program, Fraction]:
    """The program with one more row, ``hops . x`` <= ``total``; and what its multiplier is worth for each hop."""
    at, scale = np.nonzero(hops)[0], total.denominator
    extended = replace(
        own,
        start=np.append(own.start, own.start[-1] + len(at)),
        column=np.append(own.column, at),
        value=np.append(own.value, -scale * hops[at]),
        bound=np.append(own.bound, -int(total * scale)),
    )
    return extended, Fraction(scale)


def idle_hops(reduction: Reduction) -> int:
    """Hops, over all pairs of terminals that send nothing: they take shortest paths."""
    network, total = reduction.network, 0
    by_end: dict[int, list[PairClass]] = {}
    for pair in reduction.idle:
        by_end.setdefault(pair.destination, []).append(pair)
    for end, pairs in by_end.items():
        far = hops_from(network.num_nodes, network.head, network.tail, end)
        total += sum(pair.weight * int(far[pair.source]) for pair in pairs)
    return total


def length_bound(network: Network, path_length: Fraction | None) -> tuple[Fraction, Fraction | None]:
    """(the minimal average path length, ``path_length`` times it), in hops; None where nothing is asked for.

    Raises InputError for a multiple that no routing keeps within, or that bounds nothing.
    """
    minimal = minimal_average(network)
    if path_length is None:
        return minimal, None
    if path_length < 1:
        raise InputError(
            f"no routing has an average path length of {shown(path_length)} times the minimal one; "
            f"the smallest feasible is 1 ({minimal} hops)"
        )
    if path_length > _MOST_LENGTH:
        raise InputError(
            f"an average path length of {shown(path_length)} times the minimal one bounds nothing; "
            f"at most {_MOST_LENGTH:,} was expected"
        )
    return minimal, path_length * minimal


def whole_unit(network: Network, limits: Sequence[Fraction] = (), *, times: int = 1) -> int | None:
    """What makes all bandwidths and ``limits`` whole; None where these numbers, ``times`` as large, are too long for a
    program."""
    numbers = [*network.widths, *limits]
    unit = lcm_within((x.denominator for x in numbers), _LONGEST)
    return unit if unit and max([Fraction(1), *numbers]) * unit * times <= _LONGEST else None


def needed_unit(network: Network, *, times: int = 1, instead: str = "") -> int:
    """``whole_unit``; raises InputError, naming the channel with the longest bandwidth, where there is none.

    ``instead``: what else may be done."""
    unit = whole_unit(network, times=times)
    if unit is None:
        raise InputError(
            f"the bandwidths of {network.name} are too long for the exact program (62 bits over one denominator): "
            f"{network.longest_bandwidth}; state it with fewer digits, or all in another unit{instead}"
        )
    return unit


def open_classes(network: Network, pair: PairClass, allowed: PathSet | None = None) -> tuple[Int64, int]:
    """int64 (C,): the class of every channel that a pair's flow may use, numbered from 0, and -1 for the others; and
    how many there are.  No flow enters the source or leaves the destination, or a channel on no ``allowed`` path."""
    names, index = np.unique(pair.channel, return_inverse=True)
    if allowed is None:
        may = np.ones(len(names), dtype=bool)
        may[index[(network.head == pair.source) | (network.tail == pair.destination)]] = False
    else:
        may = np.zeros(len(names), dtype=bool)
        may[index[allowed.channels(pair.source, pair.destination)]] = True
    return np.where(may, np.cumsum(may) - 1, -1)[index], int(np.count_nonzero(may))


def flow_columns(reduction: Reduction, first: int, allowed: PathSet | None = None) -> tuple[list[Int64], int]:
    """The column of every flow variable, numbered from ``first`` on, and how many columns there are then; ``allowed``:
    of flows over these paths."""
    result = []
    for pair in reduction.pairs:
        number, count = open_classes(reduction.network, pair, allowed)
        result.append(np.where(number >= 0, number + first, -1))
        first += count
    return result, first


def flows_of_pairs(reduction: Reduction, flow: Sequence[Int64], channels: Int64) -> Int64:
    """(F, N, N): the column of every pair's flow on each of ``channels``, -1 where there is none."""
    network = reduction.network
    nodes, count = network.num_nodes, network.num_channels
    opposite = network.reverse if reduction.reversal else None
    moves = [(g.node, np.argsort(g.channel), False) for g in reduction.generators]
    if opposite is not None:
        moves.append((np.arange(nodes, dtype=np.int32), opposite.astype(np.int64), True))
    found = np.full((len(channels), nodes * nodes), -1, dtype=np.int64)
    image = np.zeros((nodes * nodes, count), dtype=np.int32)  # of channels, where the pair goes to that of its class
    seen = np.zeros(nodes * nodes, dtype=np.bool_)
    for pair, columns in zip(reduction.pairs, flow, strict=True):
        at = np.array([pair.source * nodes + pair.destination])
        image[at], seen[at] = np.arange(count), True
        while len(at):
            found[:, at] = columns[image[at][:, channels]].T
            new = [at[:0]]
            for node, back, turned in moves:
                i, j = node[at // nodes].astype(np.int64), node[at % nodes].astype(np.int64)
                to = j * nodes + i if turned else i * nodes + j
                fresh = ~seen[to]
                image[to[fresh]], seen[to[fresh]] = image[at[fresh]][:, back], True
                new.append(to[fresh])
            at = np.concatenate(new)
    return found.reshape(-1, nodes, nodes)


def hop_cost(reduction: Reduction, flow: list[Int64], num_columns: int) -> Int64:
    """int64 (n,): hops, summed over all pairs of terminals, per unit of every flow variable."""
    cost = np.zeros(num_columns, dtype=np.int64)
    for pair, columns in zip(reduction.pairs, flow, strict=True):
        np.add.at(cost, columns[columns >= 0], pair.weight)
    return cost


def flow_rows(
    reduction: Reduction, flow: list[Int64], allowed: PathSet | None, first: int, into: Triplets
) -> tuple[list[int], PathVariables | None, int]:
    """Rows that make every pair's flow one unit from source to destination; where the ``allowed`` paths are listed, a
    sum of these, whose variables begin at column ``first``: (right-hand sides, variables of paths, how many columns
    there are then).  ``flow`` as from ``flow_columns``, for the same paths."""
    if allowed is not None and allowed.listed:
        paths = PathVariables(reduction, allowed, first)
        return paths.flows(flow, into), paths, paths.end
    bound: list[int] = []
    for pair, columns in zip(reduction.pairs, flow, strict=True):
        used = np.concatenate([x[columns >= 0] for x in (reduction.network.tail, reduction.network.head)])
        for v in balance_nodes(pair):
            if allowed is not None and v not in used:
                continue
            for ends, sign in ((reduction.network.tail, 1), (reduction.network.head, -1)):
                at = columns[ends == v]
                into.add(len(bound), at[at >= 0], sign)
            bound.append(1 if v == pair.source else 0)
    return bound, None, first


def balance_nodes(pair: PairClass) -> list[int]:
    """One node of every class, the source first; the destination's balance follows from the others."""
    label = pair.node
    ends = {int(label[pair.source]), int(label[pair.destination])}
    return [pair.source, *(v for v in np.unique(label).tolist() if v not in ends)]
