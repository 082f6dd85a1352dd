"""The design problem solved by half flows: a certified interval, mostly closed to a hundred-millionth.

Half flows in floating point are made whole numbers that are conserved exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from ...claims.routings.capacity import lengths_of
from ...core.arrays import Float64, Int64
from ...core.errors import InputError
from ...core.graph import hops_from
from ...core.network import Network
from ...core.symmetry import Automorphism, orbit_labels
from ...demand_sets.transport import TransportSet
from ...formats.documents.packed_ints import pack_ints
from ...graphs.shortest import Joined
from ...kernel.potentials import line_of_potentials
from ...machine.deadlines import Deadline, shown_gap
from ...machine.memory import check_memory, free_memory
from ...machine.one_thread import num_threads, one_blas_thread
from ...routing.base.routing import Routing
from ...routing.tables.half_flows import HalfFlowRouting, goes_both_ways
from ...symmetry.automorphisms import generators_of
from ...symmetry.pair_classes import Reduction, reduce
from ...worst.capacity import capacity
from ..design import Bound, Method
from ..program.flows import NAME, routing_of_flows
from ..program.rounding import rounded_flows
from .interior import InteriorHalfFlows
from .program import HalfFlows
from .splitting import SplitHalfFlows

UNIT = 1 << 40


def whole_half_flows(network: Network, nodes: Int64, links: Int64, flow: Float64) -> Int64:
    """int64 (K, E), over ``UNIT``, near ``flow``: row k leaves ``nodes[k]``, and all rows end exactly alike.

    Flows and ends are rounded, but for the links of a spanning tree, which carry what is missing at the nodes beyond.
    """
    tail, head = network.tail[links].astype(np.int64), network.head[links].astype(np.int64)
    order, parent, via = _tree(network.num_nodes, tail, head, int(nodes[0]))
    whole = np.rint(flow * UNIT).astype(np.int64)
    inside = np.isin(tail, order)
    whole[:, ~inside] = 0
    tree = via[order[1:]]
    floating = np.zeros((network.num_nodes, len(nodes)))
    np.add.at(floating, tail[inside], flow[:, inside].T)
    np.subtract.at(floating, head[inside], flow[:, inside].T)
    floating[nodes, np.arange(len(nodes))] -= 1.0
    ends = np.rint(-floating.mean(axis=1) * UNIT).astype(np.int64)
    ends[order[0]] += UNIT - ends.sum()
    whole[:, tree] = 0
    wanted = np.repeat(-ends[:, None], len(nodes), axis=1)  # what is to leave every node, less what arrives
    wanted[nodes, np.arange(len(nodes))] += UNIT
    np.subtract.at(wanted, tail, whole.T)
    np.add.at(wanted, head, whole.T)
    for v in order[:0:-1].tolist():
        e = int(via[v])
        whole[:, e] = wanted[v] if tail[e] == v else -wanted[v]
        wanted[parent[v]] += wanted[v]
    return whole


def _tree(size: int, tail: Int64, head: Int64, root: int) -> tuple[Int64, Int64, Int64]:
    """(nodes within reach of ``root``, in order of distance; by node the one before, and the link from there)."""
    parent, via = np.full(size, -1, dtype=np.int64), np.full(size, -1, dtype=np.int64)
    beside: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for e, (u, v) in enumerate(zip(tail.tolist(), head.tolist(), strict=True)):
        beside[u].append((v, e))
        beside[v].append((u, e))
    order, parent[root] = [root], root
    for v in order:  # grows while it is walked through
        for u, e in beside[v]:
            if parent[u] < 0:
                parent[u], via[u] = v, e
                order.append(u)
    return np.array(order, dtype=np.int64), parent, via


_ENOUGH, _ENOUGH_SPLIT = 1e-8, 1e-4  # of the gap; by splitting, where no time is given to go on
_ENOUGH_SOON = 1e-3  # where another method may go on
_MOST_ROUNDS, _STUCK = 100, 6  # so many iterations without a narrower interval are the end of this arithmetic
_LONG = 600.0  # seconds that the interior point may take where no time is given
_UNIT = 1 << 40  # the largest of a bound's potentials
_SHORTEST = 1e-9  # beside whole lengths, while distances are looked for
_PER_FLOW, _DENSE = 40, 6  # arrays of a number for each node and link, and matrices between links, at once
_PER_SPLIT_FLOW, _DENSE_SPLIT = 12, 8  # the same by splitting; its matrices are between nodes
_BESIDES = 300_000_000
_SECONDS = 3.5e-6  # that the interior point takes, for each node with terminals and two nodes


def suits(network: Network) -> bool:
    """Is it a network of the theorem, and every node within reach, so that there are potentials?"""
    if not goes_both_ways(network):
        return False
    hops = hops_from(network.num_nodes, network.tail, network.head, int(network.source[0]))
    return bool((hops >= 0).all())


def half_flow_bytes(network: Network) -> int:
    """About how much memory the method takes at least, the judgement of its routing included."""
    nodes, links = int((network.supply > 0).sum()), network.num_channels // 2
    return _BESIDES + 8 * (_PER_SPLIT_FLOW * nodes * links + _DENSE_SPLIT * network.num_nodes**2)


def half_flow_seconds(network: Network) -> float:
    """About how long the interior point takes on one core."""
    return _SECONDS * int((network.supply > 0).sum()) * network.num_nodes**2


def _interior_bytes(network: Network) -> int:
    nodes, size, links = int((network.supply > 0).sum()), network.num_nodes, network.num_channels // 2
    return _BESIDES + 8 * (nodes * (size * size + _PER_FLOW * links) + _DENSE * (links + size) ** 2)


def _ends_nearer(network: Network, deadline: Deadline) -> bool:
    """Is there time and memory for the interior point, which ends nearer to the optimum than splitting?"""
    there, left = free_memory(), deadline.left()
    fits = there is None or _interior_bytes(network) <= there
    return fits and half_flow_seconds(network) <= (_LONG if left is None else left)


class PotentialBound(Bound):
    """``potential``: int64 (K, N), see ``kernel.potentials``."""

    def __init__(self, network: Network, potential: Int64) -> None:
        self.potential = potential
        self.line = line_of_potentials(network, potential)

    def data(self) -> dict[str, Any]:
        """As evidence: {"potentials"}, row after row."""
        return {"potentials": pack_ints(self.potential.ravel())}


def half_of_capacity(network: Network) -> PotentialBound | None:
    """The distances under lengths that bound uniform traffic best, where automorphisms that are declared take every
    node with terminals to every other; None elsewhere, and where such lengths are not known.

    No oblivious routing guarantees more than half of the capacity there (docs/decisions/0014-half-flows.md)."""
    if network.symmetry is None or not suits(network):
        return None
    generators = generators_of(network)[0]
    label = orbit_labels(network.num_nodes, [g.node for g in generators])
    known = None if (label[network.source] != label[network.source[0]]).any() else capacity(network)
    if known is None:
        return None
    check_memory(32 * network.num_nodes**2, f"distances on {network.name}")
    length = lengths_of(network, known.evidence.data["lengths"])
    orbit = orbit_labels(network.num_channels, [g.channel for g in generators])
    total, many = (np.bincount(orbit, x).astype(np.int64) for x in (length, np.ones_like(length)))
    alike = total[orbit] * (lcm(*many[orbit].tolist()) // many[orbit])  # no worse: distances are concave in lengths
    return PotentialBound(network, _distances(network, alike // np.gcd.reduce(alike), generators))


def _distances(network: Network, length: Int64, generators: Sequence[Automorphism]) -> Int64:
    """From every node with terminals, which are one orbit: those from one, moved by automorphisms, which keep
    ``length``."""
    queue = [int(network.source[0])]
    one = Joined(network).distances(length.astype(np.float64) + _SHORTEST, np.array(queue))
    far = np.full((network.num_nodes, network.num_nodes), -1, dtype=np.int64)
    far[queue[0]] = np.rint(one[0])
    for v in queue:
        for g in generators:
            u = int(g.node[v])
            if far[u, u] < 0:
                far[u, g.node] = far[v]
                queue.append(u)
    return far[np.flatnonzero(network.supply)]


class HalfFlowMethod(Method):
    """Over all permutations, on networks that it ``suits``; ``soon``: for an interval at once, whatever its end."""

    def __init__(
        self, network: Network, demands: TransportSet | None, deadline: Deadline, *, soon: bool = False
    ) -> None:
        if (demands is not None and not demands.is_permutations) or not suits(network):
            raise InputError(
                "the half-flows solver takes permutations, on networks where every channel has an equal one in the "
                "other direction, every node is within reach and has as many terminals that send as that receive; "
                "interior or simplex was expected"
            )
        check_memory(half_flow_bytes(network), f"designing for {network.name}")
        super().__init__(network, demands)
        self.network, self.deadline = network, deadline
        self._best, self._since = float("inf"), 0
        self._enough = _ENOUGH_SOON if soon else _ENOUGH_SPLIT if deadline.left() is None else _ENOUGH
        nearer = not soon and _ends_nearer(network, deadline)
        self.own: HalfFlows = InteriorHalfFlows(network) if nearer else SplitHalfFlows(network)

    def resumed(self, deadline: Deadline) -> HalfFlowMethod:
        """The method, to be solved on until then; from the start, where that ends nearer to the optimum."""
        if _ends_nearer(self.network, deadline):
            self.own = InteriorHalfFlows(self.network)
        self.deadline, self.complete = deadline, True
        self._enough = _ENOUGH_SPLIT if deadline.left() is None else _ENOUGH
        return self

    def solve(self, show: object) -> None:
        tell = shown_gap(show, "worst case: {:,} iterations, gap about {:.1e}")
        own = self.own
        try:
            with one_blas_thread(), ThreadPoolExecutor(num_threads()) as pool:
                while self._goes_on():
                    if self.deadline.over:
                        own.judge()
                        self.complete = False
                        return
                    if not own.step(pool):
                        return
                    if tell is not None:
                        tell(own.rounds, own.gap)
        except KeyboardInterrupt:
            self.complete = False

    def _goes_on(self) -> bool:
        """Is there more to gain: for the interior point, where some iterations ago the interval was wider?"""
        own = self.own
        if isinstance(own, SplitHalfFlows):
            return own.gap > self._enough
        if own.gap < 0.9 * self._best:
            self._best, self._since = own.gap, own.rounds
        return own.gap > _ENOUGH and own.rounds < _MOST_ROUNDS and own.rounds - self._since < _STUCK

    def shorten(self, least: Fraction, show: object) -> bool:
        del least, show
        return False

    def bound(self) -> PotentialBound:
        potential = self.own.best_potential
        top = float(np.abs(potential).max(initial=0.0))
        whole = np.rint(potential * (_UNIT / top if top else 0.0)).astype(np.int64)
        return PotentialBound(self.network, whole)

    def routings(self) -> list[Routing]:
        own = self.own
        try:
            whole = whole_half_flows(self.network, own.nodes, own.links, own.best_flow)
            compact = HalfFlowRouting(self.network, NAME, whole, UNIT)
            compact.check()
        except InputError:  # a cycle out of reach: it is taken out of the flow of every pair that has it
            reduction = reduce(self.network, symmetry="none")
            return [routing_of_flows(reduction, rounded_flows(reduction, self._flows(reduction)))]
        return [compact]

    def _flows(self, reduction: Reduction) -> Iterator[tuple[int, Int64, Float64]]:
        """Of every pair: what is left of both halves where opposite flows cancel."""
        own, variable = self.own, np.arange(self.network.num_channels)
        place = {int(v): k for k, v in enumerate(own.nodes.tolist())}
        back = self.network.reverse[own.links]  # type: ignore[index]
        for k, pair in enumerate(reduction.pairs):
            net = own.best_flow[place[pair.source]] - own.best_flow[place[pair.destination]]
            flow = np.zeros(self.network.num_channels)
            flow[own.links], flow[back] = np.maximum(net, 0.0), np.maximum(-net, 0.0)
            yield k, variable, flow
