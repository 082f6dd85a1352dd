"""The worst-case program on any network, reduced by symmetry.

Source: Towles, Dally & Boyd 2003 (SPAA), eq. (8) and (10), in the potentials of conventions.md: for every channel class
one focus channel c, potentials a, b >= 0 with

    flow of c from i to j <= a(i, c) + b(j, c)   and   sum_i s_i a(i, c) + sum_j d_j b(j, c) <= bandwidth(c) * w,

where s_i, d_j count the terminals at a node.  The program has one flow variable for every class of (source,
destination, channel), one potential for every class of (node, channel), and w.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ...core.network import Network
from ...routing.turns.two_turn_paths import PathSet
from .linear import Program, Triplets
from .orbits import PairClass, Reduction
from .path_variables import PathVariables

__all__ = ["WorstCaseProgram", "bandwidth_unit", "flow_columns", "hop_cost", "with_most_hops", "worst_case_program"]

Int64 = npt.NDArray[np.int64]
MOST_COLUMNS = 3_000_000


@dataclass(frozen=True, eq=False)
class WorstCaseProgram:
    """The program and what its rows and columns mean.

    - column 0 is w; ``flow[p]``: int64 (C,): the column of every channel's flow for pair class p, -1 where none may be;
    - row ``match[p][c]`` compares that flow with its potentials (-1 where there is no flow);
    - ``load_row``: {focus channel: its row}; ``hops``: int64 (n,): the cost that makes the objective T^2 times the
      average path length.
    """

    reduction: Reduction
    program: Program
    flow: list[Int64]
    match: list[Int64]
    load_row: dict[int, int]
    hops: Int64
    paths: PathVariables | None = None

    @property
    def allowed(self) -> PathSet | None:
        """The paths that routings may use; None: all."""
        return None if self.paths is None else self.paths.allowed


def flow_columns(reduction: Reduction, first: int) -> tuple[list[Int64], int]:
    """The column of every flow variable, numbered from ``first`` on, and how many columns there are then.

    No flow enters the source or leaves the destination.
    """
    network = reduction.network
    result = []
    for pair in reduction.pairs:
        barred = (network.head == pair.source) | (network.tail == pair.destination)
        names, index = np.unique(pair.channel, return_inverse=True)
        shut = np.zeros(len(names), dtype=bool)
        shut[index[barred]] = True
        number = np.full(len(names), -1, dtype=np.int64)
        number[~shut] = np.arange(first, first + int(np.count_nonzero(~shut)))
        first += int(np.count_nonzero(~shut))
        result.append(number[index])
    return result, first


def hop_cost(reduction: Reduction, flow: list[Int64], num_columns: int) -> Int64:
    """int64 (n,): hops, summed over all pairs of terminals, per unit of every flow variable."""
    cost = np.zeros(num_columns, dtype=np.int64)
    for pair, columns in zip(reduction.pairs, flow, strict=True):
        np.add.at(cost, columns[columns >= 0], pair.weight)
    return cost


def conservation(reduction: Reduction, flow: list[Int64], into: Triplets) -> list[int]:
    """Rows that make every pair's flow one unit from source to destination; returns their right-hand sides."""
    bound: list[int] = []
    for pair, columns in zip(reduction.pairs, flow, strict=True):
        for v, sign in _balances(pair):
            row = len(bound)
            for ends, one in ((reduction.network.tail, sign), (reduction.network.head, -sign)):
                at = columns[ends == v]
                into.add(row, at[at >= 0], one)
            bound.append(1 if v in (pair.source, pair.destination) else 0)
    return bound


def _balances(pair: PairClass) -> list[tuple[int, int]]:
    """One (node, sign) for every class of nodes; the destination's balance follows from the others.

    The sign makes the right-hand side 1 where source and destination are alike by reversal.
    """
    label = pair.node
    ends = {int(label[pair.source]), int(label[pair.destination])}
    inner = [int(v) for v in np.unique(label).tolist() if v not in ends]
    return [(pair.source, 1), *((v, 1) for v in inner)]


def worst_case_program(reduction: Reduction, allowed: PathSet | None = None) -> WorstCaseProgram:
    """Minimise w, over the routings with ``allowed`` paths if given.  Raises InputError where the program would not fit
    in memory."""
    network = reduction.network
    _check_size(reduction)
    flow, first_potential = flow_columns(reduction, 1)
    used = np.full(reduction.num_potentials, -1, dtype=np.int64)
    sides = [(reduction.row_potential(p.source), reduction.column_potential(p.destination)) for p in reduction.pairs]
    for (row, column), columns in zip(sides, flow, strict=True):
        used[row[columns >= 0]] = 0
        used[column[columns >= 0]] = 0
    live = np.nonzero(used == 0)[0]
    used[live] = first_potential + np.arange(len(live))
    num_columns = first_potential + len(live)
    entries = Triplets()
    paths = None
    if allowed is None:
        bound = conservation(reduction, flow, entries)
    else:
        paths = PathVariables(reduction, allowed, num_columns)
        num_columns = paths.end
        bound = paths.flows(flow, entries)
    num_equal = len(bound)
    next_row = num_equal
    match = []
    for (row, column), columns in zip(sides, flow, strict=True):
        here = np.full(network.num_channels, -1, dtype=np.int64)
        names, first = np.unique(columns, return_index=True)
        first = first[names >= 0]
        rows = next_row + np.arange(len(first))
        next_row += len(first)
        entries.add(rows, columns[first], -1)
        entries.add(rows, used[row[first]], 1)
        entries.add(rows, used[column[first]], 1)
        by_column = np.full(num_columns, -1, dtype=np.int64)
        by_column[columns[first]] = rows
        here[columns >= 0] = by_column[columns[columns >= 0]]
        match.append(here)
    load_row: dict[int, int] = {}
    unit = bandwidth_unit(network)
    if unit is None:
        raise InputError(
            f"the bandwidths of {network.name} are too large, too small or too far apart for the exact program "
            f"(62 bits over one denominator): state them in another unit, or use --solver interior"
        )
    focus = np.unique(reduction.focus)
    for c in focus.tolist():
        load_row[c] = next_row
        entries.add(next_row, 0, int(network.bandwidth[c] * unit))
        next_row += 1
    row_ids, column_ids = reduction.potentials_on(focus)
    for k, c in enumerate(focus.tolist()):
        for ids, count in ((row_ids[:, k], network.supply), (column_ids[:, k], network.demand)):
            at = used[ids]
            take = (at >= 0) & (count > 0)
            entries.add(load_row[c], at[take], -count[take] * unit)
    start, column_of, value = entries.summed(next_row, num_columns)
    right = np.zeros(next_row, dtype=np.int64)
    right[:num_equal] = bound
    cost = np.zeros(num_columns, dtype=np.int64)
    cost[0] = 1
    program = Program(num_columns, num_equal, start, column_of, value, right, cost, {})
    return WorstCaseProgram(reduction, program, flow, match, load_row, hop_cost(reduction, flow, num_columns), paths)


def bandwidth_unit(network: Network) -> int | None:
    """What makes all bandwidths whole; None where these numbers are too long for the program."""
    unit = lcm(*(x.denominator for x in set(network.bandwidth)))
    widest = Fraction(max(network.bandwidth, default=1)) * unit
    return unit if max(widest, Fraction(unit)) * network.num_terminals < 1 << 62 else None


def _check_size(reduction: Reduction) -> None:
    columns = sum(len(np.unique(pair.channel)) for pair in reduction.pairs)
    if columns > MOST_COLUMNS:
        gigabytes = Fraction(columns * 600, 10**9)
        raise InputError(
            f"the program for {reduction.network.name} has {columns:,} flow variables "
            f"(about {float(gigabytes):.1f} GB); at most {MOST_COLUMNS:,} are tried"
        )


class _Counted(Protocol):
    @property
    def program(self) -> Program: ...
    @property
    def hops(self) -> Int64: ...


def with_most_hops(program: _Counted, total: Fraction) -> tuple[Program, Fraction]:
    """The program with one more row: hops summed over all pairs of terminals are at most ``total``.

    The row is ``-scale * hops . x >= -scale * total``; returns the scale, too.
    """
    own = program.program
    at = np.nonzero(program.hops)[0]
    scale = total.denominator
    extended = replace(
        own,
        start=np.append(own.start, own.start[-1] + len(at)),
        column=np.append(own.column, at),
        value=np.append(own.value, -scale * program.hops[at]),
        bound=np.append(own.bound, -int(total * scale)),
    )
    return extended, Fraction(scale)
