"""Shortest paths in a graph of states: states are nodes, or nodes with what a packet may still do.

A state graph has ``size`` states; arc k leads from state ``tail[k]`` to state ``head[k]`` over channel ``channel[k]``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.arrays import Int32, Int64, offsets_of
from ...core.errors import InputError
from ...core.network import Network
from ...core.rational import Rationals
from ..base.pair_table import MAX_ENTRIES
from ..tables.listed_paths import PathList

_MOST_WAYS = 1 << 61  # numbers of paths are cut off there


@dataclass(frozen=True, eq=False)
class StateGraph:
    """``start[v]``: the state of a packet that enters at node v; ``goals[v]``: the states that end there, int32 (N,
    G)."""

    size: int
    tail: Int32
    head: Int32
    channel: Int32
    start: Int32
    goals: Int32

    @cached_property
    def leaving(self) -> tuple[Int64, Int32, Int32]:
        """(offset, head, channel) by state; the arcs of a state in ascending order of channel."""
        order = np.lexsort((self.channel, self.tail))
        offset = offsets_of(np.bincount(self.tail, minlength=self.size))
        return offset, self.head[order], self.channel[order]

    @cached_property
    def arriving(self) -> tuple[Int64, Int32]:
        order = np.argsort(self.head, kind="stable")
        offset = offsets_of(np.bincount(self.head, minlength=self.size))
        return offset, self.tail[order]


def nodes_as_states(network: Network) -> StateGraph:
    """Every node is a state: plain shortest paths."""
    everyone = np.arange(network.num_nodes, dtype=np.int32)
    return StateGraph(
        network.num_nodes,
        network.tail,
        network.head,
        np.arange(network.num_channels, dtype=np.int32),
        everyone,
        everyone[:, None],
    )


def shortest_paths(
    network: Network, graph: StateGraph, *, choose: str = "all", rng: np.random.Generator | None = None, name: str
) -> PathList:
    """Shortest paths of states between all nodes with terminals.

    ``choose``: "all" (alike), "first" (in order of channel numbers) or "random" (one a pair, from ``rng``, pairs in
    order of destination, then source).  Raises InputError where a pair has none, or there are too many.
    """
    from ...graphs.search_kernels import reach, walk_ranks

    sources = np.nonzero(network.supply > 0)[0].astype(np.int32)
    sinks = np.nonzero(network.demand > 0)[0].astype(np.int32)
    hops, ways = np.empty(graph.size, dtype=np.int32), np.empty(graph.size, dtype=np.int64)
    queue = np.empty(graph.size, dtype=np.int32)
    parts: list[PathList] = []
    total = 0
    for d in sinks.tolist():
        hops[:] = -1
        reach.for_steps(3 * len(graph.arriving[1]))(*graph.arriving, graph.goals[d], _MOST_WAYS, hops, ways, queue)
        rows = sources[sources != d]
        start = graph.start[rows]
        lost = np.nonzero(hops[start] < 0)[0]
        if lost.size:
            raise InputError(
                f"network {network.name}: {name} has no path from node {network.label(int(rows[lost[0]]))} "
                f"to node {network.label(d)}"
            )
        count = ways[start]
        if choose == "all":
            total += int(np.minimum(count, MAX_ENTRIES + 1).astype(object) @ hops[start].astype(object))
            if total > MAX_ENTRIES:
                raise InputError(
                    f"{name} has more than {MAX_ENTRIES:,} hops of shortest paths on {network.name}, too many to list"
                )
            rank = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
            weight = Rationals(np.ones(len(rank), dtype=np.int64), np.repeat(count, count))
            rows = np.repeat(rows, count)
        else:
            rank = np.zeros(len(rows), dtype=np.int64) if rng is None else rng.integers(0, count)
            weight = Rationals.ones(len(rows))
        begin = graph.start[rows]
        offset = offsets_of(hops[begin])
        channel = np.empty(int(offset[-1]), dtype=np.int32)
        walk = walk_ranks.for_steps(4 * len(channel))
        walk(*graph.leaving, begin, rank.astype(np.int64), hops, ways, offset, channel)
        column = np.full(len(rows), d, dtype=np.int32)
        parts.append(PathList(rows, column, offset, channel, weight))
    return PathList.joined(parts)
