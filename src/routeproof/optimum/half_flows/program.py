"""The best oblivious routing over all permutations by half flows, where every channel has an equal one back.

Theorem.  Let every channel have another one of its bandwidth in the other direction, and let every node send and
receive for equally many terminals.  Then the best worst-case load over all oblivious routings is

    min x  such that  sum_i (a_i(c) + a_i(c')) <= x b_c  for every channel c (c' is the one back),

over flows a_i >= 0, one for each terminal i, that leave i and end as q says: at node v ends q_v, the same for all i;
sum_v q_v = 1, and q_v may be negative.

Proof.  Given such flows, send from i to j by a_i and then a_j backwards: what ends at v as q says starts there again,
so together they are one unit from i to j, whatever the signs of q.  Under every permutation channel c carries
sum_i a_i(c) + sum_j a_j(c') at most.  Conversely, the program's dual has a length y_c = y_c' for each channel and
potentials G_i on the nodes with |G_i(w) - G_i(v)| <= y_c along c, sum_i G_i = 0 and sum_c b_c y_c = 1, and its value is
-2 sum_i G_i(i).  By ``kernel.potentials`` no oblivious routing has less.

Where q is not negative this is routing in two phases, through an intermediate node; it is not always the best one
(docs/decisions/0014-half-flows.md).  The flow between i and j that is left when opposite flows cancel is
max(0, d_i - d_j), where d_i(c) = a_i(c) - a_i(c').
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Executor

import numpy as np

from ...core.arrays import Float64, Int64
from ...core.network import Network
from ...graphs.shortest import Joined


class HalfFlows(ABC):
    """What an iteration has found so far, and what that is worth.

    ``links``: the channels that stand for both directions of a cable, (E,); ``nodes``: those with terminals, (K,), and
    ``weight``: how many; ``low``, ``high``: floating-point ends of the interval so far, of loads per bandwidth;
    ``best_potential``: (K, N); ``best_flow``: (K, E), in the direction of the links' channels.  The first bound is that
    of distances in hops.
    """

    def __init__(self, network: Network) -> None:
        reverse = network.reverse
        assert reverse is not None
        self.network = network
        self.links = np.flatnonzero(np.arange(network.num_channels) < reverse)
        self.tail = network.tail[self.links].astype(np.int64)
        self.head = network.head[self.links].astype(np.int64)
        wide = np.array([float(x) for x in network.widths])[network.bandwidth_rank[self.links]]
        self.unit = float(wide.max())
        self.wide = wide / self.unit
        self.nodes = np.flatnonzero(network.supply)
        self.weight = network.supply[self.nodes].astype(np.float64)
        size, count, links = network.num_nodes, len(self.nodes), len(self.links)
        laplace = np.zeros((size, size))
        np.add.at(laplace, (np.r_[self.tail, self.head], np.r_[self.head, self.tail]), -1.0)
        laplace[np.arange(size), np.arange(size)] = -laplace.sum(axis=1)
        self.resistance = np.linalg.inv(laplace + 1 / size) - 1 / size  # its pseudo-inverse, as all nodes are joined
        self.rounds = 0
        self.low, self.high = 0.0, np.inf
        self.best_potential, self.best_flow = np.zeros((count, size)), np.zeros((count, links))
        self._keep_potential(Joined(network).distances(np.ones(network.num_channels), self.nodes))

    @abstractmethod
    def step(self, pool: Executor) -> bool:
        """One iteration, judged or not; False where arithmetic ends it."""

    @abstractmethod
    def judge(self) -> None:
        """Keep what the iterate proves where it is more than before, and its flows where they load the worst channel
        less."""

    @property
    def gap(self) -> float:
        return self.high / self.low - 1 if self.low > 0 else np.inf

    def left(self, flow: Float64) -> Float64:
        """(K, N): what leaves every node, less what arrives."""
        return spread(flow, self.tail, self.head, self.network.num_nodes)

    def _conserved(self, flow: Float64) -> Float64:
        """The flows, with what is missing at nodes sent as electric currents would go, so that all end alike."""
        left = self.left(flow)
        left[np.arange(len(self.nodes)), self.nodes] -= 1.0
        push = (left - left.mean(axis=0)) @ self.resistance
        found: Float64 = flow - (push[:, self.tail] - push[:, self.head])
        return found

    def _keep_flow(self, flow: Float64) -> None:
        """(K, E), conserved or nearly; kept where it loads the worst channel less than the best so far."""
        flow = self._conserved(flow)
        load = float((self.weight @ np.abs(flow - _middle(flow, self.weight)) / self.wide).max()) / self.unit
        if load < self.high:
            self.high, self.best_flow = load, flow

    def _keep_potential(self, potential: Float64) -> None:
        """(K, N), as ``kernel.potentials`` takes them; kept where they prove more than the best so far."""
        terminals = float(self.weight.sum())
        along = potential[:, self.head] - potential[:, self.tail]
        total = self.weight @ along
        each = np.maximum(terminals * along.max(axis=0) - total, total - terminals * along.min(axis=0))
        cost = 2.0 * float(self.wide @ each)
        own = potential[np.arange(len(self.nodes)), self.nodes]
        worth = 2.0 * float(self.weight @ (potential[:, self.nodes] @ self.weight - terminals * own))
        if cost > 0 and worth / cost / self.unit > self.low:
            self.low, self.best_potential = worth / cost / self.unit, potential


def spread(flow: Float64, tail: Int64, head: Int64, size: int) -> Float64:
    return np.stack([
        np.bincount(tail, weights=f, minlength=size) - np.bincount(head, weights=f, minlength=size) for f in flow
    ])  # fmt: skip


def _middle(flow: Float64, weight: Float64) -> Float64:
    """The weighted median of every column."""
    order = np.argsort(flow, axis=0)
    reached = np.cumsum(weight[order], axis=0) >= weight.sum() / 2
    middle = np.take_along_axis(order, reached.argmax(axis=0)[None], axis=0)
    result: Float64 = np.take_along_axis(flow, middle, axis=0)[0]
    return result
