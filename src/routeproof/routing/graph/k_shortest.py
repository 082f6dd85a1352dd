"""k shortest paths: packets take one of the first few simple paths, alike."""

from __future__ import annotations

import numpy as np

from ...core.arrays import offsets_of
from ...core.errors import InputError
from ...core.exact_arrays import ragged
from ...core.network import Network
from ...core.rational import Rationals
from ...graphs.shortest import YenSearch
from ..base.entry import RoutingEntry
from ..base.pair_table import check_room
from ..tables.path_tables import ListedRouting, PathList
from .shortest_paths import nodes_as_states

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
