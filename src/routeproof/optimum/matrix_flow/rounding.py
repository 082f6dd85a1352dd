"""From a program's solution to shares of paths, and from these to a routing; whole lengths as the lower side of a
design over matrices.

The vertex that a search ends at is made exact: shares of all paths, and lengths of channels, as fractions.  The
program's coefficients are whole numbers once every path's amount is counted in units of what divides all rates of its
pair: for one matrix they are 0, 1 and -1, and bandwidths.  Where that is not possible, shares are near.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from ...core.network import Network
from ...core.paths import Paths
from ...core.rational import as_int_array
from ...demand_sets.demand_set import GivenDemands
from ...demand_sets.hull import Hull
from ...formats.documents.packed_ints import pack_ints
from ...kernel.shortest_paths import Lengths
from ...lp.exact import NotExactError, Program, Triplets, basic_multipliers, basic_solution, without_common_factor
from ...routing.path_sets.path_set import PathSet
from ...routing.tables.path_tables import TableRouting
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
    problem = master.problem
    network = problem.network
    pair, offset, channel = master.pool()
    left = [Fraction(1)] * problem.num_pairs
    taken: dict[tuple[int, int], list[tuple[Fraction, list[int]]]] = {}
    ends = list(zip(*problem.pair.tolist(), strict=True))
    for q, part in share.items():
        p = int(pair[q])
        left[p] -= part
        taken.setdefault(ends[p], []).append((part, channel[offset[q] : offset[q + 1]].tolist()))
    for p, (rest, at) in enumerate(zip(left, ends, strict=True)):
        if rest:
            path = master.channel[master.offset[p] : master.offset[p + 1]].tolist()
            taken.setdefault(at, []).insert(0, (rest, path))
    taken.update(_other_pairs(network, taken))
    items = [
        (i, j, weight, path)
        for i, a in enumerate(network.source.tolist())
        for j, b in enumerate(network.sink.tolist())
        if a != b
        for weight, path in taken[a, b]
    ]
    return BestFlow(network, NAME, Paths.of(items))


def _other_pairs(
    network: Network, known: Mapping[tuple[int, int], Any]
) -> dict[tuple[int, int], list[tuple[Fraction, list[int]]]]:
    """One shortest path for every pair of nodes with terminals that is not ``known``."""
    senders, receivers = np.flatnonzero(network.supply).tolist(), np.flatnonzero(network.demand).tolist()
    todo = [(i, j) for i in senders for j in receivers if i != j and (i, j) not in known]
    if not todo:
        return {}
    pairs, cut_off = np.array(todo, dtype=np.int64).T.copy(), f" on {network.name}: no routing serves all pairs"
    problem = Problem(network, pairs, [[1] * len(todo)], 1, cut_off)
    found = problem.look(np.ones((1, network.num_channels)), wanted=np.arange(len(todo)))
    paths = np.split(found.path, np.cumsum(found.hops)[:-1])
    return {at: [(Fraction(1), path.tolist())] for at, path in zip(todo, paths, strict=True)}


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
        share[q] = part = point.fraction(1 + q) / master.problem.common[p]
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
    width = [x // gcd(*width) for x in width]  # theta is only a scale
    common, base = problem.common, master.whole_base_loads()
    factor = [[rate // one for rate, one in zip(rates, common, strict=True)] for rates in problem.whole]
    if max(max(width), *map(max, factor)) > _LARGEST:
        raise NotExactError("the rates or bandwidths are too long")
    bound = [0] * master.num_rows
    for k, c in np.argwhere(master.row >= 0).tolist():
        row = int(master.row[k, c])
        entries.add(row, 0, width[c])
        bound[row] = base[k][c]
    for p in np.flatnonzero(master.pair_row >= 0).tolist():
        bound[int(master.pair_row[p])] = -common[p]
    pair, offset, channel = master.pool()
    entries.add(master.pair_row[pair], 1 + np.arange(len(pair)), -1)
    delta = master.difference(pair, offset, channel).tocoo()
    path, crossed, sign = delta.row.astype(np.int64), delta.col, delta.data.astype(np.int64)
    for rows, times in zip(master.row, np.array(factor, dtype=np.int64), strict=True):
        known = rows[crossed] >= 0
        entries.add(rows[crossed][known], 1 + path[known], -(sign * times[pair[path]])[known])
    num_columns = 1 + len(pair)
    cost = np.zeros(num_columns, dtype=np.int64)
    cost[0] = 1
    return Program(num_columns, 0, *entries.summed(len(bound), num_columns), as_int_array(bound), cost, {})
