"""Shortest paths, written out: of nodes or of states, all, one for each pair, or the first k simple ones.

A state is a node, or a node with what a packet may still do.  A graph of states has ``size`` states; arc k leads from
state ``tail[k]`` to state ``head[k]`` over channel ``channel[k]``.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.arrays import Int32, Int64, offsets_of, read_only
from ...core.errors import InputError
from ...core.exact_arrays import ragged
from ...core.network import Network
from ...core.rational import Rationals
from ...graphs.search_kernels import grow_tree
from ...graphs.shortest import YenSearch
from ...machine.compiled import njit
from ...machine.memory import check_table
from ..base.entry import RoutingEntry
from ..base.pair_table import MAX_ENTRIES, TooManyLoadsError, check_room
from ..base.routing import average_hops
from ..tables.next_hop import NamedNextHops
from ..tables.path_tables import ListedRouting, PathList, listed_next_hops

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


class FirstPath:
    """The first of the shortest paths in order of channel numbers, one for each pair of nodes.

    What LASH sorts into layers that are free of deadlock (Skeie, Lysne & Theiss 2002, IPDPS); which of the shortest
    paths it takes is left to the implementation.  The layers are found by ``virtual_channels``.
    """

    def on(self, network: Network) -> ListedRouting:
        listed = shortest_paths(network, nodes_as_states(network), choose="first", name="lash")
        return ListedRouting(network, "lash", listed)


class RandomPath:
    """One random shortest path for each pair of nodes, fixed: drawn uniformly by ``seed``.

    On fat trees: static random routing.  (Random paths drawn anew for each packet are ``minimal:choice=per-path``.)
    """

    def __init__(self, *, seed: int | None = None) -> None:
        if seed is None:
            raise InputError("random-path needs a seed, as in random-path:seed=7")
        self.seed = seed

    def on(self, network: Network) -> ListedRouting:
        rng = np.random.default_rng(self.seed)
        name = f"random-path:seed={self.seed}"
        listed = shortest_paths(network, nodes_as_states(network), choose="random", rng=rng, name=name)
        return ListedRouting(network, name, listed)


class ShortestTrees:
    """SSSP: for each terminal in turn a lightest tree towards it, whose channels then weigh more.

    A channel starts with weight T^2, so that paths stay shortest by hops, and gains one for each terminal whose
    packets to this destination cross it.  Ties go to the lower channel number.  DFSSSP is the same with layers that
    are free of deadlock, which ``virtual_channels`` finds.

    Source: Hoefler, Schneider & Lumsdaine 2009 (HotI), Optimized routing for large-scale InfiniBand networks; Domke,
    Hoefler & Nagel 2011 (IPDPS), Deadlock-free oblivious routing for arbitrary topologies.
    """

    def __init__(self, *, name: str = "sssp") -> None:
        self.name = name

    def on(self, network: Network) -> ListedRouting | NamedNextHops:
        """Its paths, written out, or where their loads are too many for that, its forwarding tables."""
        weight = np.full(network.num_channels, network.num_terminals**2, dtype=np.int64)
        check_table(network.num_nodes, network.num_terminals, 4, f"{self.name} on {network.name}")
        table = np.full((network.num_nodes, network.num_terminals), -1, dtype=np.int32)
        fill = balanced_trees.for_steps(6 * network.num_terminals * network.num_channels)
        fill(*network.in_channels, network.tail, network.head, network.sink, network.supply, weight, table)
        pairs = np.count_nonzero(network.supply) * network.num_terminals
        if pairs * average_hops(network) <= MAX_ENTRIES:  # about: what is close to it may still be refused
            with suppress(TooManyLoadsError):
                return listed_next_hops(network, self.name, table)
        return NamedNextHops(network, self.name, read_only(table), "terminal")


RANDOM_PATH_ENTRY = RoutingEntry(
    name="random-path",
    help="one random shortest path for each pair of nodes, fixed; on fat trees, static random routing",
    build=lambda network, options: RandomPath(**options).on(network),
    options={"seed": "the random seed, needed"},
    whole_numbers=frozenset({"seed"}),
)

SSSP_ENTRY = RoutingEntry(
    name="sssp",
    help="for each terminal a tree of shortest paths that avoids loaded channels",
    build=lambda network, _: ShortestTrees().on(network),
)

DFSSSP_ENTRY = RoutingEntry(
    name="dfsssp",
    help="another name of sssp, whose layers --virtual-channels finds",
    build=lambda network, _: ShortestTrees().on(network),
)

LASH_ENTRY = RoutingEntry(
    name="lash",
    help="the first shortest path of each pair, whose layers --virtual-channels finds",
    build=lambda network, _: FirstPath().on(network),
)


@njit(cache=True, nogil=True, error_model="numpy")
def balanced_trees(in_offset, in_channel, tail, head, ends, supply, weight, table):  # type: ignore[no-untyped-def]
    """Fill ``table`` (int32 (N, D)): the next channel of every node in a lightest tree to each of ``ends``.

    ``weight`` (int64, by channel, positive) grows by the terminals whose packets cross it, destination after
    destination.  Ties go to the lower channel.
    """
    cost = np.empty(len(table), dtype=np.int64)
    order = np.empty(len(table), dtype=np.int32)
    crossing = np.empty(len(table), dtype=np.int64)
    heap = np.empty((2, len(tail) + 2), dtype=np.int64)
    for d in range(len(ends)):
        cost[:] = np.int64(1) << 62
        settled = grow_tree(in_offset, in_channel, tail, weight, ends[d], -1, True, cost, table[:, d], heap, order)
        crossing[:] = supply
        for k in range(settled - 1, 0, -1):
            s = order[k]
            c = table[s, d]
            weight[c] += crossing[s]
            crossing[head[c]] += crossing[s]


_EFFORT = 200_000  # steps of the fast search; then Yen's algorithm, whose steps are few and slow
_MOST = 1024


class KShortestPaths:
    """The first ``k`` paths without a node twice, by length, then by channel numbers; all with weight 1/k.

    A pair that has fewer uses those that there are.  What Yen's algorithm finds with these ties.
    Source: Yen 1971 (Management Science); as a routing, Singla et al. 2012 (NSDI), Jellyfish, sec. 5 (k = 8).
    """

    def __init__(self, *, k: int = 8) -> None:
        if not 1 <= k <= _MOST:
            raise InputError(f"ksp: k is {k}; 1 to {_MOST} was expected")
        self.k = k

    def on(self, network: Network) -> ListedRouting:
        """Raises InputError for a pair that is not connected."""
        from ...graphs.search_kernels import reach, simple_paths

        graph = nodes_as_states(network)
        size = network.num_nodes
        sources = np.nonzero(network.supply > 0)[0].tolist()
        sinks = np.nonzero(network.demand > 0)[0].tolist()
        hops, not_counted = np.empty(size, dtype=np.int32), np.empty(0, dtype=np.int64)
        queue = np.empty(size, dtype=np.int32)
        length = np.empty(self.k, dtype=np.int32)
        found = np.empty((self.k + 1, size), dtype=np.int32)
        none = np.zeros(0, dtype=np.int32)  # where all terminals are at one node
        rows, columns, counts, lengths, parts = [], [], [], [none], [none]
        total = 0
        slow: YenSearch | None = None
        for d in sinks:
            hops[:] = -1
            reach.for_steps(len(graph.arriving[1]))(*graph.arriving, graph.goals[d], 0, hops, not_counted, queue)
            for s in sources:
                if s == d:
                    continue
                count = simple_paths(
                    network.out_channels, network.head, hops, s, d, self.k, size - 1, _EFFORT, length, found
                )
                if count < 0:  # many ways end before the destination
                    slow = slow or YenSearch(network, [1] * network.num_channels)
                    some = slow.first(s, d, self.k)
                    count = len(some)
                    for n, path in enumerate(some):
                        length[n], found[n, : len(path)] = len(path), path
                if not count:
                    ends = f"from node {network.label(s)} to node {network.label(d)}"
                    raise InputError(f"network {network.name}: ksp finds no path {ends}")
                at = ragged(np.arange(count) * size, length[:count])
                parts.append(found.ravel()[at])
                total += len(parts[-1])
                check_room(total)
                lengths.append(length[:count].copy())
                rows.append(s)
                columns.append(d)
                counts.append(count)
        each = np.array(counts, dtype=np.int64)
        offset = offsets_of(np.concatenate(lengths))
        listed = PathList(
            np.repeat(np.array(rows, dtype=np.int32), each),
            np.repeat(np.array(columns, dtype=np.int32), each),
            offset,
            np.concatenate(parts),
            Rationals(np.ones(int(each.sum()), dtype=np.int64), np.repeat(each, each)),
        )
        return ListedRouting(network, f"ksp:k={self.k}", listed)


ENTRY = RoutingEntry(
    name="ksp",
    help="the k shortest simple paths of each pair, with equal weights (Yen)",
    build=lambda network, options: KShortestPaths(**options).on(network),
    options={"k": "how many paths (8)"},
    whole_numbers=frozenset({"k"}),
    aliases={"k-shortest-paths": "ksp", "yen": "ksp"},
)
