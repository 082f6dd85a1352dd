"""Switches that do not copy are replaced by paths through them, without loss of rate: edge splitting.

A switch that can pass on as much as it receives is taken out: pairs of a channel into it and a channel out of it become
ways of their own, each as wide as no cut forbids.  Where its channels in and out differ, as much of the wider side as
no cut needs is left out first.

A switch that does not copy sends no more than it receives, and what it receives and does not send is of no use: with
the capacities that no cut needs left out, every switch can pass on just what it receives.

Source: Bang-Jensen, Frank & Jackson 1995 (SIAM J. Discrete Math. 8, theorem 4.3); ForestColl (Zhao et al. 2024).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...core.arrays import Int64
from ...core.collective import Broadcasts
from ...core.spread import Progress
from ...graphs.max_flow import FlowGraph
from .links import Links, Pair
from .rate import Scaled

_MOST_ROUNDS = 10_000


def surplus(task: Broadcasts, capacity: Int64) -> Int64:
    """int64 (N,): what enters every switch beyond what leaves it; 0 at nodes that hold a rank."""
    size = task.network.num_nodes
    found = np.zeros(size, dtype=np.int64)
    np.add.at(found, task.head, capacity)
    np.subtract.at(found, task.tail, capacity)
    found[task.reached] = 0
    return found


def balanced(task: Broadcasts, numbers: Scaled) -> Int64 | None:
    """Capacities, int64 (C,), that are balanced at every switch and still carry ``numbers``; None where leaving out
    channel by channel what no cut needs does not lead there."""
    capacity, nodes = numbers.capacity.copy(), task.nodes
    for _ in range(_MOST_ROUNDS):
        more = surplus(task, capacity)
        switches = np.flatnonzero(more).tolist()
        if not switches:
            return capacity
        if not any(_trim(task, capacity, numbers, nodes, w, int(more[w])) for w in switches):
            return None
    return None


def _trim(task: Broadcasts, capacity: Int64, numbers: Scaled, nodes: list[int], w: int, more: int) -> bool:
    """Leave out as much at switch w, of what enters (``more`` > 0) or leaves it, as no cut needs; was there any?"""
    here, need, changed = task.head if more > 0 else task.tail, numbers.total, False
    most = abs(more)
    for c in np.flatnonzero((here == w) & (capacity > 0)).tolist():
        u, v = int(task.tail[c]), int(task.head[c])
        graph = FlowGraph(task.tail, task.head, capacity, numbers.supply)
        ends = [v] if task.reached[v] else [x for x in nodes if x != u]
        limit = need + min(most, int(capacity[c]))
        amount = graph.least(ends, most=limit, stop=need, fed=[u], also=[v])[0] - need
        capacity[c] -= amount
        most -= amount
        changed |= amount > 0
        if not most:
            break
    return changed


def forced(task: Broadcasts, capacity: Int64) -> Int64:
    """Balanced capacities whatever they carry: at every switch the widest channels of the wider side are narrowed."""
    capacity = capacity.copy()
    for _ in range(_MOST_ROUNDS):
        more = surplus(task, capacity)
        switches = np.flatnonzero(more).tolist()
        if not switches:
            return capacity
        for w in switches:
            here = task.head if more[w] > 0 else task.tail
            _narrow(capacity, np.flatnonzero(here == w).tolist(), abs(int(more[w])))
    capacity[~task.reached[task.tail] | ~task.reached[task.head]] = 0
    return capacity


def _narrow(capacity: Int64, channels: Iterable[int], most: int) -> None:
    for c in sorted(channels, key=lambda c: -int(capacity[c])):
        amount = min(most, int(capacity[c]))
        capacity[c] -= amount
        most -= amount


def without_switches(task: Broadcasts, capacity: Int64, supply: Int64, progress: Progress | None = None) -> Links:
    """Ways between the nodes of ``task.reached`` that carry the same broadcasts.

    ``capacity``: by channel, as wide out of every other node as into it; ``supply``: what the nodes emit.  Every cut
    must carry it.
    """
    links = Links(task, capacity.tolist())
    splitter = _Splitter(task, links, supply)
    degree = np.bincount(task.tail, minlength=len(supply)) + np.bincount(task.head, minlength=len(supply))
    switches = np.flatnonzero(~task.reached & (degree > 0)).tolist()
    for done, w in enumerate(sorted(switches, key=lambda v: int(degree[v]))):
        splitter.take_out(w)
        if progress is not None:
            progress(done + 1, len(switches))
    return links


class _Splitter:
    def __init__(self, task: Broadcasts, links: Links, supply: Int64) -> None:
        self.links, self.supply, self.need = links, supply, int(supply.sum())
        self.sinks: list[int] = list(task.nodes)
        self.reached = task.reached

    def take_out(self, w: int) -> None:
        into = [u for u, v in self.links.pairs() if v == w]
        out = [v for u, v in self.links.pairs() if u == w]
        if len({*into, *out}) == 2:
            self._in_series(w, into, out)
        else:
            for ways in (self._ways(into, out), [(u, u) for u in into]):  # there and back only where nothing else is
                for u, t in ways:
                    self._split(u, w, t)

    def _in_series(self, w: int, into: Sequence[int], out: Sequence[int]) -> None:
        """Between two neighbours every cut lets all of it pass."""
        for u in into:
            for t in out:
                if u != t:
                    amount = min(self.links.capacity((u, w)), self.links.capacity((w, t)))
                    if amount:
                        self.links.split_off(u, w, t, amount)
        for u in into:
            amount = min(self.links.capacity((u, w)), self.links.capacity((w, u)))
            if amount:
                self.links.split_off(u, w, u, amount)

    @staticmethod
    def _ways(into: Sequence[int], out: Sequence[int]) -> list[Pair]:
        """All pairs, so that the first ones use every neighbour once."""
        count = len(into)
        every = ((into[(k + j) % count], t) for j in range(count) for k, t in enumerate(out))
        return [(u, t) for u, t in every if u != t]

    def _split(self, u: int, w: int, t: int) -> None:
        links = self.links
        most = min(links.capacity((u, w)), links.capacity((w, t)))
        if most:
            amount = self._slack(u, w, t, most)
            if amount:
                links.split_off(u, w, t, amount)

    def _slack(self, u: int, w: int, t: int, most: int) -> int:
        """How much of the way from u over w to t can be split off: the least that a cut which it crosses twice, or is
        left by only at w, carries beyond its need; at most ``most``."""
        graph, need = self._graph(), self.need
        limit = need + most
        if not self.reached[t] and not self.reached[u]:
            ends = [v for v in self.sinks if v not in (u, t)]
        else:
            ends = [v for v in (u, t) if self.reached[v]][:1]
        limit, _ = self._least(graph, ends, limit, fed=[w], also=[u, t])
        if limit > need:
            limit, _ = self._least(graph, [v for v in self.sinks if v not in (u, t)], limit, fed=[u, t], also=[w])
        return limit - need

    def _least(
        self, graph: FlowGraph, ends: list[int], most: int, *, fed: list[int], also: list[int]
    ) -> tuple[int, int]:  # fmt: skip
        found, place = graph.least(ends, most=most, stop=self.need, fed=fed, also=also)
        if place >= 0:  # what was tight once is likely to be so again
            self.sinks.remove(ends[place])
            self.sinks.insert(0, ends[place])
        return found, place

    def _graph(self) -> FlowGraph:
        pairs = self.links.pairs()
        ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return FlowGraph(ends[:, 0], ends[:, 1], [self.links.capacity(x) for x in pairs], self.supply)
