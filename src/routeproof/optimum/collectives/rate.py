"""The largest rate at which all broadcasts of a collective can go on at once: a cut, by flows in whole numbers.

Rate x is possible, where every node may copy, if and only if the channels that leave S carry at least x times what S
emits, for every set S of nodes that misses a node which must receive: Edmonds' condition for all roots at once.  The
least ratio is found by Dinkelbach's method: a flow at the rate of the best cut so far finds a better cut, or none.

Source: Edmonds 1973 (Edge-disjoint branchings); Dinkelbach 1967 (Management Science 13).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...core.arrays import Bools, Int64
from ...core.collective import Broadcasts
from ...core.errors import InputError
from ...core.spread import Progress
from ...core.symmetry import check_automorphism, orbit_labels
from ...graphs.max_flow import ENDLESS, FlowGraph


@dataclass(frozen=True, eq=False)
class Cut:
    """``inside``: bool (N,), the set of nodes; ``rate``: bandwidth of the channels that leave it over what it emits."""

    inside: Bools
    rate: Fraction


@dataclass(frozen=True, eq=False)
class Scaled:
    """Whole numbers at ``rate``: capacities of the channels, shape (C,), and what the nodes emit, shape (N,); both in
    units of 1 / ``scale``."""

    rate: Fraction
    scale: int
    capacity: Int64
    supply: Int64

    @property
    def total(self) -> int:
        """What every node that must receive has to receive."""
        return int(self.supply.sum())


def scaled(task: Broadcasts, rate: Fraction) -> Scaled:
    """The collective at this rate in whole numbers; raises InputError where these are too long for 64 bits."""
    network = task.network
    scale = math.lcm(rate.denominator, *(x.denominator for x in network.widths))
    unit = int(rate * scale)
    of_rank = [int(x * scale) for x in network.widths]
    counts = np.bincount(network.bandwidth_rank, minlength=len(of_rank)).tolist()
    if sum(n * x for n, x in zip(counts, of_rank, strict=True)) + unit * task.total >= ENDLESS:
        raise InputError(
            f"bandwidths of {network.name} are too fine for flows in 64 bits: {network.longest_bandwidth}; round them"
        )
    capacity = np.array(of_rank, dtype=np.int64)[network.bandwidth_rank]
    return Scaled(rate, scale, capacity, task.supply * unit)


def best_cut(task: Broadcasts, progress: Progress | None = None) -> Cut:
    """The cut with the least rate.

    Raises InputError where no path leads from a node that emits to one that must receive.
    """
    best = _cut(task, _simple_set(task))
    nodes = _one_of_each(task)
    at = 0
    while at < len(nodes) and best.rate:
        numbers = scaled(task, best.rate)
        graph = FlowGraph(task.tail, task.head, numbers.capacity, numbers.supply)
        found = False
        while at < len(nodes) and not found:
            some = nodes[at : at + 32]
            _, place = graph.least(some, most=numbers.total, stop=numbers.total - 1)
            found = place >= 0
            at += place if found else len(some)
            if progress is not None:
                progress(at, len(nodes))
        if found:
            best = _cut(task, graph.side)
    if not best.rate:
        _refuse(task, best.inside)
    return best


def _simple_set(task: Broadcasts) -> Bools:
    """The best of every node that emits alone, and of all nodes but one that must receive."""
    network = task.network
    unit = math.lcm(*(x.denominator for x in network.widths))
    width = np.array([int(x * unit) for x in network.widths], dtype=object)[network.bandwidth_rank]
    found: dict[Fraction, tuple[int, int]] = {}
    for rest, ends, emitted in ((0, task.tail, task.supply), (1, task.head, task.total - task.supply)):
        some = np.flatnonzero((emitted > 0) & (task.reached if rest else task.supply > 0))
        sums = np.zeros(network.num_nodes, dtype=object)
        np.add.at(sums, ends, width)
        of_node: dict[tuple[int, int], int] = {}
        for v, pair in zip(some.tolist(), zip(sums[some].tolist(), emitted[some].tolist(), strict=True), strict=True):
            of_node.setdefault(pair, v)
        for (b, x), v in of_node.items():
            found.setdefault(Fraction(b, x * unit), (rest, v))
    rest, v = found[min(found)]
    inside = np.full(network.num_nodes, rest == 1)
    inside[v] = rest == 0
    return inside


def _one_of_each(task: Broadcasts) -> list[int]:
    """Of the nodes that must receive, one of every class under the declared symmetry of the network: to nodes of one
    class the largest flows are the same."""
    declared = task.network.symmetry
    kept = [] if declared is None else [g for g in declared.generators if task.kept_by(g)]
    for g in kept:
        check_automorphism(task.network, g)
    found: list[int] = np.unique(orbit_labels(task.network.num_nodes, [g.node for g in kept])[task.reached]).tolist()
    return found


def _cut(task: Broadcasts, inside: Bools) -> Cut:
    leaving = inside[task.tail] & ~inside[task.head]
    network = task.network
    counts = np.bincount(network.bandwidth_rank[leaving], minlength=len(network.widths)).tolist()
    width = sum((n * x for n, x in zip(counts, network.widths, strict=True)), Fraction(0))
    return Cut(inside, width / int(task.supply[inside].sum()))


def _refuse(task: Broadcasts, inside: Bools) -> None:
    network = task.network
    a = int(np.flatnonzero(inside & (task.supply > 0))[0])
    b = int(np.flatnonzero(~inside & task.reached)[0])
    if task.reversed:
        a, b = b, a
    raise InputError(
        f"no path leads from node {network.label(a)} to node {network.label(b)} of {network.name}, and both hold ranks"
    )
