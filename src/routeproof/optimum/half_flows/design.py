"""The design problem solved by half flows: a certified interval, mostly closed to a hundred-millionth."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.errors import InputError
from ...core.network import Network
from ...core.spread import Stage
from ...demand_sets.transport import TransportSet
from ...formats.documents.packed_ints import pack_ints
from ...kernel.potentials import line_of_potentials
from ...machine.deadlines import Deadline, shown_gap
from ...machine.memory import check_memory
from ...machine.one_thread import num_threads, one_blas_thread
from ...routing.base.routing import Routing
from ...symmetry.pair_classes import Reduction
from ..design import Bound, Method
from ..program.flows import routing_of_flows
from ..program.rounding import rounded_flows
from .method import HalfFlows

_ENOUGH = 1e-8
_MOST_ROUNDS, _STUCK = 100, 6  # so many iterations without a narrower interval are the end of this arithmetic
_UNIT = 1 << 40  # the largest of a bound's potentials
_PER_PAIR_AND_CHANNEL = 45  # a routing with a flow for every pair, its table, and what judges it, as measured
_BESIDES = 200_000_000


def suits(network: Network) -> bool:
    """Has every channel an equal one back, and every node as many terminals that send as that receive?"""
    return network.reverse is not None and np.array_equal(network.supply, network.demand)


def half_flow_bytes(network: Network) -> int:
    """About how much memory the method takes, the judgement of its routing included."""
    nodes, size, count = int((network.supply > 0).sum()), network.num_nodes, network.num_channels
    dense = 8 * (nodes * (size * size + 12 * count) + 3 * (count // 2 + size) ** 2)
    return _BESIDES + dense + nodes * nodes * count * _PER_PAIR_AND_CHANNEL


class PotentialBound(Bound):
    """``potential``: int64 (K, N), see ``kernel.potentials``."""

    def __init__(self, network: Network, potential: Int64) -> None:
        self.potential = potential
        self.line = line_of_potentials(network, potential)

    def data(self) -> dict[str, Any]:
        """As evidence: {"potentials"}, row after row."""
        return {"potentials": pack_ints(self.potential.ravel())}


class HalfFlowMethod(Method):
    """Over all permutations, on networks that it ``suits``."""

    def __init__(self, reduction: Reduction, demands: TransportSet | None, stage: Stage, deadline: Deadline) -> None:
        del stage
        network = reduction.network
        if (demands is not None and not demands.is_permutations) or not suits(network):
            raise InputError(
                "the half-flows solver takes permutations, on networks where every channel has an equal one in the "
                "other direction and every node as many terminals that send as that receive; interior or simplex was "
                "expected"
            )
        check_memory(half_flow_bytes(network), f"designing for {network.name}")
        super().__init__(reduction, demands)
        self.deadline = deadline
        self.own = HalfFlows(network)

    def solve(self, show: object) -> None:
        tell = shown_gap(show, "worst case: {:,} iterations, gap about {:.1e}")
        own, since, best = self.own, 0, float("inf")
        try:
            with one_blas_thread(), ThreadPoolExecutor(num_threads()) as pool:
                while own.rounds < _MOST_ROUNDS and own.gap > _ENOUGH and own.rounds - since < _STUCK:
                    if self.deadline.over:
                        self.complete = False
                        return
                    if not own.step(pool):
                        return
                    if own.gap < 0.9 * best:
                        best, since = own.gap, own.rounds
                    if tell is not None:
                        tell(own.rounds, own.gap)
        except KeyboardInterrupt:
            self.complete = False

    def shorten(self, least: Fraction, show: object) -> bool:
        del least, show
        return False

    def bound(self) -> PotentialBound:
        potential = self.own.best_potential
        top = float(np.abs(potential).max(initial=0.0))
        whole = np.rint(potential * (_UNIT / top if top else 0.0)).astype(np.int64)
        return PotentialBound(self.reduction.network, whole)

    def routings(self) -> list[Routing]:
        return [routing_of_flows(self.reduction, rounded_flows(self.reduction, self._flows()))]

    def _flows(self) -> Iterator[tuple[int, Int64, Float64]]:
        """Of every class of pairs: what is left of both halves where opposite flows cancel."""
        own, network = self.own, self.reduction.network
        place = {int(v): k for k, v in enumerate(own.nodes.tolist())}
        back = network.reverse[own.links]  # type: ignore[index]
        for k, pair in enumerate(self.reduction.pairs):
            net = own.best_flow[place[pair.source]] - own.best_flow[place[pair.destination]]
            flow = np.zeros(network.num_channels)
            flow[own.links], flow[back] = np.maximum(net, 0.0), np.maximum(-net, 0.0)
            _, variable = np.unique(pair.channel, return_inverse=True)
            yield k, variable, np.bincount(variable, weights=flow) / np.bincount(variable)
