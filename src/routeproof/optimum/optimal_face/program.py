"""What complementary slackness leaves of the second stage, where the least load and potentials that prove it are known.

Let G_i be potentials that prove the load w of the best oblivious routing over permutations (``kernel.potentials``,
docs/decisions/0014-half-flows.md), and D_i = G_i(head) - G_i(tail) of a channel, at most l, the same for all channels.
The channel's adversary sends max(0, D_i - D_j) from i to j.  So every routing with load w has, with potentials a and b
of its own worst case (``program.worst_case``),

- no flow from i to j where D_i < D_j, a flow of exactly a_i + b_j where D_i > D_j, and else of at most a_i + b_j;
- a_i = 0 unless D_i = l, and b_j = 0 unless D_j = -l: others' adversaries send less than they may.

And what has all this has load w, for its paths are shortest under the adversaries' lengths.  So w is gone, and of the
flows those with D_i = D_j = l, below a_i, or -l, below b_j, are left.  They join nodes where G_i - G_j is the same:
each pair's network falls into many small components.

Prices of nodes alone prove the optimum: they say how much longer than a hop a channel must be for a pair.  Where that
is less than 0, or too much, so large a multiple of the adversaries above is added that it is neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Float64, Int64
from ...core.rational import as_int_array
from ...kernel.port_gauge import AdversaryPair
from ...lp.exact import ExactPoint, NotExactError, Program, Triplets
from ...routing.classes.path_classes import ClassLoads
from ...symmetry.pair_classes import PairClass, Reduction
from ..adversary import Adversary
from ..half_flows.design import PotentialBound
from ..program.flows import whole_classes
from ..program.rounding import rounded_flows
from ..program.worst_case import Potentials

_FINE = 1 << 40  # units of a flow
_MOST_BITS = 120  # of an adversary's whole numbers
_MORE = 1.0001  # of the multiple of adversaries that floats say


@dataclass(frozen=True, eq=False)
class PairFace:
    """What is left of one class of pairs: ``index``: the class of every channel, with ``members``; ``column``: int64
    (C,), its flow below a potential, -1 where there is none; ``first`` and ``second``: int64 (C,), the potentials a and
    b of which the flow is the sum, -1 for 0; ``row``: int64 (N,), of the nodes whose balance is kept, else -1."""

    pair: PairClass
    index: Int64
    members: Int64
    column: Int64
    first: Int64
    second: Int64
    row: Int64


class OptimalFace:
    """Minimise ``hops . x + more . p`` over 0 <= x <= p[cover], p >= 0 with B x + H p = f.

    - ``balance``: B, ``given``: H, scipy CSR (R, V) and (R, Q); ``right``: f; ``hops`` (V,), ``more`` (Q,), int64: hops
      over all pairs of terminals; ``cover``: int64 (V,);
    - ``size``: int64 (R,), how many nodes each row stands for; ``part``: int64 (R,): the component of the row;
    - ``alive``: bool, which potentials there are.
    """

    def __init__(self, reduction: Reduction, known: PotentialBound) -> None:
        from scipy.sparse import coo_matrix

        self.reduction, self._known = reduction, known
        network = reduction.network
        self._place = np.cumsum(network.supply > 0) - 1
        self.length = int(self._rise(int(network.source[0])).max())
        self.pairs, entries = list[PairFace](), list[list[tuple[Int64, Int64, Int64]]]([[], []])
        hops, cover, size, part, right = ([np.zeros(0, dtype=np.int64)] for _ in range(5))
        self.more = np.zeros(reduction.num_potentials, dtype=np.int64)
        columns = rows = parts = 0
        for ends, pair in zip(Potentials(reduction).ends(), reduction.pairs, strict=True):
            one, beside = self._pair(pair, Potentials(reduction).above(ends), columns, rows)
            self.pairs.append(one)
            own = np.flatnonzero(one.row >= 0)
            own = own[np.argsort(one.row[own])]
            for end, sign in ((network.tail, 1), (network.head, -1)):
                at = one.row[end].astype(np.int64)
                for which, into in ((one.column, 0), (one.first, 1), (one.second, 1)):
                    some = np.flatnonzero((at >= 0) & (which >= 0) & ((one.column < 0) == bool(into)))
                    entries[into].append((at[some], which[some], np.full(len(some), sign)))
            used, at = np.unique(one.column, return_index=True)
            at = at[used >= 0]
            hops.append(one.members[one.index[at]] * pair.size)
            cover.append(np.maximum(one.first, one.second)[at])
            for which in (one.first, one.second):
                np.add.at(self.more, which[(one.column < 0) & (which >= 0)], pair.size)
            size.append(np.bincount(pair.node, minlength=network.num_nodes)[pair.node[own]])
            part.append(beside[own] + parts)
            right.append((own == pair.source).astype(np.int64) - (own == pair.destination))
            columns, rows, parts = columns + len(at), rows + len(own), parts + int(beside.max()) + 1
        self.hops, self.cover, self.size, part_, self.right = (
            np.concatenate(x) for x in (hops, cover, size, part, right)
        )
        self.part = np.unique(part_, return_inverse=True)[1].astype(np.int64)
        made = []
        for listed, width in zip(entries, (columns, len(self.more)), strict=True):
            row, column, value = (np.concatenate([x[k] for x in listed]) for k in range(3))
            made.append(coo_matrix((value, (row, column)), shape=(rows, width)).tocsr())
        self.balance, self.given = made
        for matrix in (self.balance, self.given):
            matrix.eliminate_zeros()
        self.alive = np.zeros(len(self.more), dtype=np.bool_)
        self.alive[self.cover] = True
        self.alive[self.given.indices] = True

    def _rise(self, i: int) -> Int64:
        """D_i of every channel."""
        network, own = self.reduction.network, self._known.potential[self._place[i]]
        return np.asarray(own[network.head] - own[network.tail])

    def _pair(self, pair: PairClass, above: list[Int64], columns: int, rows: int) -> tuple[PairFace, Int64]:
        """The class, and for every node its component."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import connected_components

        network = self.reduction.network
        index, members = np.unique(pair.channel, return_inverse=True, return_counts=True)[1:]
        di, dj = self._rise(pair.source), self._rise(pair.destination)
        side = (di == dj) & (np.abs(di) == self.length)
        flows = side | (di > dj)
        first = np.where(flows & (di == self.length), above[0], -1)
        second = np.where(flows & (dj == -self.length), above[1], -1)
        column = np.full(len(members), -1, dtype=np.int64)
        open_class = np.unique(index[side])
        column[open_class] = columns + np.arange(len(open_class))
        some = np.flatnonzero(side)
        joined = csr_matrix(
            (np.ones(len(some), dtype=np.int8), (network.tail[some], network.head[some])),
            shape=(network.num_nodes,) * 2,
        )
        beside = connected_components(joined, directed=False)[1].astype(np.int64)
        order = np.lexsort((np.arange(network.num_nodes), beside))  # of all images of a component the first is kept
        kept = order[np.unique(pair.node[order], return_index=True)[1]]
        row = np.full(network.num_nodes, -1, dtype=np.int64)
        row[np.sort(kept)] = rows + np.arange(len(kept))
        return PairFace(
            pair, index.astype(np.int64), members.astype(np.int64), column[index], first, second, row
        ), beside

    def half_flow(self) -> tuple[Float64, Int64]:
        """(potentials of Valiant's routing, which sends over all shortest paths; for every flow the potential of the
        other end that is over its channel, too)."""
        network, reduction = self.reduction.network, self.reduction
        i, share = int(network.source[0]), 1.0 / network.num_terminals
        flow, through = np.zeros(network.num_channels), network.supply * share
        onwards = np.flatnonzero(self._rise(i) == self.length)
        end = network.head[onwards]
        into = onwards[np.lexsort((end, -self._known.potential[self._place[i]][end]))]
        for some in np.split(into, np.flatnonzero(np.diff(network.head[into])) + 1):
            flow[some] = through[network.head[some[0]]] / len(some)
            through[network.tail[some]] += flow[some]
        p = np.zeros(len(self.more))
        p[reduction.row_potential(i)[onwards]] = np.maximum(flow[onwards], share * 1e-3)
        other = np.zeros(len(self.hops), dtype=np.int64)
        for one in self.pairs:
            for which, ids in (
                (one.first, reduction.row_potential(one.pair.destination)),
                (one.second, reduction.column_potential(one.pair.source)),
            ):
                there = (one.column >= 0) & (which >= 0)
                other[one.column[there]] = ids[there]
        return p, other

    @cached_property
    def program(self) -> Program:
        """For the simplex method: columns x, then p."""
        entries, width = Triplets(), len(self.hops)
        for matrix, beyond in ((self.balance, 0), (self.given, width)):
            some = matrix.tocoo()
            entries.add(some.row, some.col.astype(np.int64) + beyond, some.data)
        rows, below = len(self.right), np.arange(width)
        entries.add(rows + below, width + self.cover, 1)
        entries.add(rows + below, below, -1)
        made = entries.program(width + len(self.more), rows, [*self.right.tolist(), *[0] * width])
        return made.asking(np.concatenate([self.hops, self.more]), {})

    # -- what a solution stands for -----------------------------------------------------------------------------------

    def _flows(self, x: npt.NDArray[Any], p: npt.NDArray[Any]) -> Iterator[npt.NDArray[Any]]:
        """Of one pair of every class what each channel carries."""
        x, p = np.append(x, 0), np.append(p, 0)
        for one in self.pairs:
            yield np.where(one.column >= 0, x[one.column], p[one.first] + p[one.second])

    def exact_classes(self, point: ExactPoint) -> list[ClassLoads]:
        """The routing of an exact solution."""
        x, p = point.num[: len(self.hops)], point.num[len(self.hops) :]
        return whole_classes(self.reduction, self._flows(x, p), point.den)

    def classes(self, x: Float64, p: Float64) -> list[ClassLoads]:
        """Unit flows near a solution."""
        flows = (
            (k, one.index, np.maximum(flow[np.unique(one.index, return_index=True)[1]], 0.0))
            for k, (one, flow) in enumerate(zip(self.pairs, self._flows(x, p), strict=True))
        )
        return rounded_flows(self.reduction, flows, unit=_FINE)

    def adversary(self, price: npt.NDArray[Any], hop: int) -> Adversary:
        """What the prices of rows prove, whole numbers, where a hop of a pair of terminals costs ``hop``.

        Raises NotExactError, or OverflowError, where they are too long."""
        network, needed = self.reduction.network, list[npt.NDArray[Any]]()
        times = 0.0
        for one in self.pairs:
            total = np.zeros(len(one.members), dtype=price.dtype)
            for end, sign in ((network.tail, 1), (network.head, -1)):
                some = np.flatnonzero(one.row[end] >= 0)
                np.add.at(total, one.index[some], sign * price[one.row[end][some]])
            lacks = (-(-total // (one.members * one.pair.size).astype(price.dtype)) - hop)[one.index]
            gain = self._gain(one.pair)
            above = np.where(gain != 0, lacks, np.maximum(lacks, 0))
            needed.append(above)
            some = np.flatnonzero(gain)
            less = np.where(gain > 0, -lacks, lacks)[some].astype(np.float64) / np.abs(gain[some])
            times = max(times, float(less.max(initial=0.0)))
        times = max(times, self._times_for_sums(needed))
        most = int(times * _MORE) + 1
        largest = 2 * most * self.length + max(int(x.max(initial=0)) for x in needed)
        if max(largest, hop).bit_length() > (_MOST_BITS if price.dtype == object else 62):
            raise NotExactError("the prices are too long")
        pairs = []
        for one, more in zip(self.pairs, needed, strict=True):
            gain = self._gain(one.pair)
            traffic = np.where(gain >= 0, more + most * np.maximum(gain, 0).astype(price.dtype), 0)
            traffic = as_int_array(traffic.tolist()) if traffic.dtype == object else traffic
            pairs.append(AdversaryPair(one.pair.source, one.pair.destination, traffic))
        return Adversary(self.reduction, pairs, hop)

    def _gain(self, pair: PairClass) -> Int64:
        """D_i - D_j."""
        return self._rise(pair.source) - self._rise(pair.destination)

    def _times_for_sums(self, needed: list[npt.NDArray[Any]]) -> float:
        """The multiple from which on no sender's or receiver's sum is above those that are full."""
        count, ends = len(self.more), Potentials(self.reduction).ends()
        base, more, many = np.zeros(count), np.zeros(count), np.zeros(count)
        for one, above, end in zip(self.pairs, needed, ends, strict=True):
            gain = self._gain(one.pair)
            for at in Potentials(self.reduction).above(end):
                base += np.bincount(at, np.maximum(gain, 0) * float(one.pair.size), minlength=count)
                more += np.bincount(
                    at, np.where(gain >= 0, above, 0).astype(np.float64) * one.pair.size, minlength=count
                )
                many += np.bincount(at, np.full(len(at), float(one.pair.size)), minlength=count)
        share = 1.0 / np.maximum(many, 1.0)
        base, more = base * share, more * share
        full = base >= base.max() * (1 - 1e-9)
        slack = np.flatnonzero(~full & (more > more[full].max()))
        return float(((more[slack] - more[full].max()) / (base.max() - base[slack])).max(initial=0.0))


def hop_of(face: OptimalFace) -> int:
    """What makes exact prices whole for every channel."""
    return lcm(*(int(x) for one in face.pairs for x in np.unique(one.members * one.pair.size)))
