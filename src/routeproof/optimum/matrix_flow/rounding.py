"""From a program's solution to shares of paths, and from these to a routing; whole lengths as the lower side of a
design over matrices.

The vertex that a search ends at is made exact: shares of all paths, and lengths of channels, as fractions.  The
program's coefficients are whole numbers once every path's amount is counted in units of what divides all rates of its
pair: for one matrix they are 0, 1 and -1, and bandwidths.  Where that is not possible, shares are near.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from ...core.arrays import Int32, offsets_of
from ...core.exact_arrays import matches
from ...core.network import Network
from ...core.paths import Paths
from ...core.rational import Rationals, as_int_array
from ...demand_sets.demand_set import GivenDemands
from ...demand_sets.hull import Hull
from ...formats.documents.packed_ints import pack_ints
from ...kernel.shortest_paths import Lengths
from ...lp.exact import NotExactError, Program, Triplets, basic_multipliers, basic_solution, without_common_factor
from ...routing.path_sets.path_set import PathSet
from ...routing.tables.path_tables import PathList, TableRouting
from ..design import Bound
from .master import Master
from .problem import Problem

NAME = "designed"
_FINE = 1 << 30
MOST_BITS = 126  # evidence packs integers of 128 bits
_LARGEST = 1 << 40  # of a coefficient


class BestFlow(TableRouting):
    """A routing that was made for matrices: reports hold its paths."""

    def written_in_full(self, *, paths: bool = False) -> dict[str, Any]:  # noqa: ARG002  # they are what was designed
        return super().written_in_full(paths=True)


def shares_of(master: Master) -> dict[int, Fraction]:
    """By path that came in, the part of its pair that takes it: near the solution, and never more than all."""
    pair, _, _ = master.pool()
    whole = np.floor(np.minimum(master.amount / master.problem.largest[pair], 1.0) * _FINE).astype(np.int64)
    left = np.full(master.problem.num_pairs, _FINE, dtype=np.int64)
    share: dict[int, Fraction] = {}
    for q in np.flatnonzero(whole).tolist():
        part = min(int(whole[q]), int(left[pair[q]]))
        if part:
            left[pair[q]] -= part
            share[q] = Fraction(part, _FINE)
    return share


def shortened(lengths: Sequence[Any]) -> list[Any]:
    """The same lengths without common divisors; rounded down where they do not fit evidence."""
    whole = without_common_factor(np.concatenate(lengths)).reshape(len(lengths), -1)
    drop = max(0, int(whole.max()).bit_length() - MOST_BITS)
    return [as_int_array((row >> drop).tolist()) for row in whole]


def routing_of(master: Master, share: Mapping[int, Fraction]) -> BestFlow:
    """The paths with these shares; what is left of a pair takes its base path.  Pairs that no matrix asks for take a
    shortest path each."""
    network, ends = master.problem.network, master.problem.pair.astype(np.int32)
    pair, offset, channel = master.pool()
    left = dict[int, Fraction]()
    for p, part in zip(pair[[*share]].tolist(), share.values(), strict=True):
        left[p] = left.get(p, Fraction(1)) - part
    partly = [p for p, rest in left.items() if rest]
    base = PathList(ends[0], ends[1], master.offset, master.channel.astype(np.int32), Rationals.ones(ends.shape[1]))
    found = PathList(ends[0, pair], ends[1, pair], offset, channel.astype(np.int32), Rationals.ones(len(pair)))
    every = PathList.joined([
        base.taken(np.delete(np.arange(ends.shape[1]), [*left])),
        replace(base.taken(np.array(partly, dtype=np.int64)), weight=Rationals.of(left[p] for p in partly)),
        replace(found.taken(np.array([*share], dtype=np.int64)), weight=Rationals.of(share.values())),
        _other_pairs(network, ends),
    ])  # fmt: skip
    source, sink = np.nonzero(network.source[:, None] != network.sink)
    nodes = np.int64(network.num_nodes)
    key = every.row * nodes + every.column
    order = np.argsort(key, kind="stable")
    at, length = matches(key[order], network.source[source] * nodes + network.sink[sink])
    of_all = every.taken(order[at])
    weighted = Paths(np.repeat(source, length), np.repeat(sink, length), of_all.offset, of_all.channel, of_all.weight)
    return BestFlow(network, NAME, weighted)


def _other_pairs(network: Network, known: Int32) -> PathList:
    """One shortest path for every pair of nodes with terminals that is not ``known``, (2, P)."""
    nodes = np.int64(network.num_nodes)
    asked = np.flatnonzero(network.supply)[:, None] * nodes + np.flatnonzero(network.demand)
    key = np.setdiff1d(asked, known[0] * nodes + known[1])
    todo = np.array(np.divmod(key[key // nodes != key % nodes], nodes))
    count = todo.shape[1]
    cut_off = f" on {network.name}: no routing serves all pairs"
    found = Problem(network, todo, [[1] * count], 1, cut_off).look(
        np.ones((1, network.num_channels)), wanted=np.arange(count)
    )
    source, sink = todo.astype(np.int32)
    return PathList(source, sink, offsets_of(found.hops), found.path.astype(np.int32), Rationals.ones(count))


class MatrixBound(Bound):
    """``lengths``: whole numbers (C,) for every matrix; ``hops``: what a hop costs beside them."""

    def __init__(
        self,
        network: Network,
        demands: Hull,
        lengths: Sequence[Lengths],
        *,
        hops: int = 0,
        paths: PathSet | None = None,
    ) -> None:
        self.lengths = list(lengths)
        together = max(int(network.supply.max()), int(network.demand.max())) > 1
        self.terminals_alike = together and len(demands.matrices) > 1
        self.prove(network, demands.gauge(network, GivenDemands(self.lengths)), hops, paths)

    def data(self) -> dict[str, Any]:
        """{"hops", "lengths": one packed list for every matrix, in the order of the set}."""
        return {**self.meant(), "lengths": [pack_ints(x, wide=True) for x in self.lengths]}


def exact_vertex(master: Master) -> tuple[dict[int, Fraction], list[Any]]:
    """(by number of a path that came in, what part of its pair takes it, where positive; whole lengths (K, C)).

    Raises NotExactError where the basis is none of an exact solution, or its numbers are too long."""
    program, proposal = exact_program(master), master.proposal()
    point, price = basic_solution(program, proposal), basic_multipliers(program, proposal)
    pair, _, _ = master.pool()
    share: dict[int, Fraction] = {}
    taken: dict[int, Fraction] = {}
    for q in np.flatnonzero(point.num[1:]).tolist():
        p = int(pair[q])
        share[q] = part = point.fraction(1 + q) / int(master.problem.common[p])
        taken[p] = taken.get(p, Fraction(0)) + part
        if part < 0 or taken[p] > 1:
            raise NotExactError("the basis violates a constraint")
    lengths = [np.where(row >= 0, price.num[row], 0) for row in master.row]
    if min(x.min() for x in lengths) < 0:
        raise NotExactError("a length is negative")
    return share, lengths


def exact_program(master: Master) -> Program:
    """The master's program in whole numbers: column 0 is theta, column q + 1 the amount of path q."""
    problem, entries = master.problem, Triplets()
    width_unit = lcm(*(x.denominator for x in problem.network.bandwidth))
    width = [int(x * width_unit) for x in problem.network.bandwidth]
    together = gcd(*width)  # theta is only a scale
    width = [x // together for x in width]
    common, factor = problem.common, problem.rates // problem.common
    if max(*width, int(factor.max())) > _LARGEST:
        raise NotExactError("the rates or bandwidths are too long")
    bound = np.zeros(master.num_rows, dtype=object)
    known, fresh = master.row >= 0, np.flatnonzero(master.pair_row >= 0)
    entries.add(master.row[known], 0, np.broadcast_to(width, known.shape)[known])
    bound[master.row[known]] = master.whole_base_loads()[known]
    bound[master.pair_row[fresh]] = -common[fresh]
    pair, offset, channel = master.pool()
    entries.add(master.pair_row[pair], 1 + np.arange(len(pair)), -1)
    delta = master.difference(pair, offset, channel).tocoo()
    path, crossed, sign = delta.row.astype(np.int64), delta.col, delta.data.astype(np.int64)
    for rows, times in zip(master.row, factor.astype(np.int64), strict=True):
        known = rows[crossed] >= 0
        entries.add(rows[crossed][known], 1 + path[known], -(sign * times[pair[path]])[known])
    num_columns = 1 + len(pair)
    cost = np.zeros(num_columns, dtype=np.int64)
    cost[0] = 1
    return Program(num_columns, 0, *entries.summed(len(bound), num_columns), as_int_array(bound), cost, {})
