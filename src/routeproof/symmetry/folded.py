"""Problems folded by symmetry: the transportation problem of one focus channel, and a demand between nodes.

A symmetry that leaves the channel where it is and that the routing respects permutes sources and destinations without
changing loads.  An optimal dual is then constant on orbits, so sources and destinations collapse to orbits, with the
largest load between two orbits as weight.  A 16 x 16 x 16 torus has 4,096 nodes but 360 orbits of sources that matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt

from ..core.arrays import Float64, Int64
from ..core.loads import LoadBlock
from ..core.rational import Rationals
from ..core.symmetry import Automorphism, orbit_labels
from ..graphs.exact_transport import ExactSolution
from ..graphs.transport import solve_block, solve_exactly
from ..graphs.transport_arrays import Channels, Rates
from .channel_classes import Symmetric


def solve_folded(routing: Symmetric, channel: int, stabiliser: Sequence[Automorphism], rates: Rates) -> ExactSolution:
    """The exact optimum of ``channel`` on all rows and columns (supply and demand constant on orbits).

    The flow of the answer refers to the entries of ``routing.channel_loads([channel])``; it is found on those that are
    tight.
    """
    orbit = orbit_labels(routing.network.num_nodes, [g.node for g in stabiliser])
    names, class_of = np.unique(orbit, return_inverse=True)
    block = routing.channel_loads([channel], rows=orbit == np.arange(len(orbit)))
    class_supply, class_demand = (
        np.bincount(class_of, weights=x, minlength=len(names)).astype(np.int64) for x in (rates.supply, rates.demand)
    )
    row, column, load = _largest(class_of[block.row], class_of[block.column], block.load, len(names))
    small = solve_exactly(row, column, load, class_supply, class_demand)
    u_of = dict.fromkeys(range(len(names)), Fraction(0)) | dict(zip(small.row.tolist(), small.u, strict=True))
    v_of = dict.fromkeys(range(len(names)), Fraction(0)) | dict(zip(small.column.tolist(), small.v, strict=True))
    whole = routing.channel_loads([channel])
    flow = _unfold(whole, class_of, list(u_of.values()), list(v_of.values()), rates)
    rows, columns = np.unique(whole.row), np.unique(whole.column)
    u, v = [u_of[k] for k in class_of[rows].tolist()], [v_of[k] for k in class_of[columns].tolist()]
    return ExactSolution(small.value, rows, columns, u, v, flow)


def _largest(
    row: npt.NDArray[np.intp], column: npt.NDArray[np.intp], load: Rationals, count: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Rationals]:
    """The largest load of every (row, column) pair, sorted by row.

    Floats choose; where two loads of a pair lie within their rounding, exact fractions do.
    """
    key = row.astype(np.int64) * count + column
    size = load.num.astype(np.float64) / load.den.astype(np.float64)
    order = np.lexsort((size, key))
    key, size = key[order], size[order]
    last = np.ones(len(key), dtype=bool)
    last[:-1] = key[1:] != key[:-1]
    chosen = order[last]
    # Runner-up within rounding but not the same fraction: decide exactly.
    ends = np.nonzero(last)[0]
    before = ends - 1
    close = (before >= 0) & (key[before] == key[ends]) & (size[before] > size[ends] * (1 - 1e-12))
    for at in np.nonzero(close)[0].tolist():
        e = int(ends[at])
        best = load.fraction(int(order[e]))
        p = e - 1
        while p >= 0 and key[p] == key[e] and size[p] > size[e] * (1 - 1e-12):
            a, b = int(load.num[order[p]]), int(load.den[order[p]])
            if a * best.denominator > best.numerator * b:
                best = Fraction(a, b)
                chosen[at] = order[p]
            p -= 1
    unique = key[ends]
    return (unique // count).astype(np.int32), (unique % count).astype(np.int32), load[chosen]


def _unfold(
    block: LoadBlock, class_of: npt.NDArray[np.intp], u_of: list[Fraction], v_of: list[Fraction], rates: Rates
) -> Int64:
    """A flow on the channel's own entries that meets the folded optimum: a matching on the tight entries."""
    load, row_class, column_class = block.load, class_of[block.row], class_of[block.column]
    whole = _whole(load, u_of, v_of)
    if whole is not None:
        u_int, v_int, weight_int = whole
        tight = np.nonzero(u_int[row_class] + v_int[column_class] == weight_int)[0]
    else:
        u, v = (np.array([float(x) for x in potentials]) for potentials in (u_of, v_of))
        weight = load.num.astype(np.float64) / load.den.astype(np.float64)
        slack = u[row_class] + v[column_class] - weight
        tight = np.nonzero(slack <= 1e-10 * (1.0 + weight))[0]
        # The kernels need integers: 2**40 per unit, with tight entries made exactly tight.
        u_int, v_int = (np.rint(x * float(1 << 40)).astype(np.int64) for x in (u, v))
    made = u_int[row_class[tight]] + v_int[column_class[tight]]
    row, column = block.row[tight], block.column[tight]
    start_v = np.zeros(len(rates.demand), dtype=np.int64)
    start_v[column] = v_int[column_class[tight]]
    channels = Channels(np.array([0, len(tight)], dtype=np.int64), row, column, made, rates.supply, rates.demand)
    flow = np.zeros(len(block.row), dtype=np.int64)
    flow[tight] = solve_block(channels, stop=np.array([-1]), start_v=start_v, full=True).flow
    return flow


def _whole(load: Rationals, u_of: list[Fraction], v_of: list[Fraction]) -> tuple[Int64, Int64, Int64] | None:
    """Potentials and loads as whole numbers over one denominator; None where 64 bits do not hold them."""
    if load.num.dtype == object or load.den.dtype == object or not len(load.num):
        return None
    common = lcm(*np.unique(load.den).tolist(), *{x.denominator for x in (*u_of, *v_of)})
    top = max([*u_of, *v_of]) * common
    if max(int(top), int(load.num.max()) * (common // int(load.den.min()))) >= 1 << 60:
        return None
    u = np.array([int(x * common) for x in u_of], dtype=np.int64)
    v = np.array([int(x * common) for x in v_of], dtype=np.int64)
    return u, v, load.num * (common // load.den)


@dataclass(frozen=True, eq=False)
class Folded:
    """- ``source``, ``end``: int64 (P,), one pair of nodes of each class; ``amount``: what the whole class sends;
    - ``label``: int64 (C,), the class of every channel, from 0; ``wide``: float64 (K,), the bandwidth of each class.
    """

    source: Int64
    end: Int64
    amount: Float64
    label: Int64
    wide: Float64

    @staticmethod
    def of(bandwidth: Float64, between: Float64, symmetries: Sequence[Automorphism] = ()) -> Folded:
        """``bandwidth``: of the channels, (C,); ``between``: the demand, (N, N); of ``symmetries`` those are used that
        keep the demand."""
        source, end = np.nonzero(between)
        amount: Float64 = between[source, end]
        label = np.arange(len(bandwidth))
        kept = [g for g in symmetries if keeps(g, between)]
        if kept:
            label = np.unique(orbit_labels(len(label), [g.channel for g in kept]), return_inverse=True)[1]
            size = len(between)
            key = source * size + end
            images = [np.searchsorted(key, g.node[source].astype(np.int64) * size + g.node[end]) for g in kept]
            pair = orbit_labels(len(key), images)
            first = np.unique(pair)
            amount = np.bincount(pair, weights=amount, minlength=len(key))[first].astype(np.float64)
            source, end = source[first], end[first]
        wide = np.bincount(label, weights=bandwidth).astype(np.float64)
        return Folded(source, end, amount, label.astype(np.int64), wide)

    def start(self, length: Float64) -> Float64:
        """Lengths of the classes near those of the channels: their means, spending 1 in all."""
        each = np.bincount(self.label, weights=length) / np.bincount(self.label)
        spent: Float64 = each / (self.wide @ each)
        return spent

    def paid(self, far: Float64) -> float:
        """``far``: distances from every node that is a source here, by node."""
        return float((self.amount * far[self.source, self.end]).sum())


def keeps(symmetry: Automorphism, between: Float64) -> bool:
    """Does the demand between nodes look the same after the automorphism?"""
    node = symmetry.node
    return bool(np.array_equal(between[np.ix_(node, node)], between))
