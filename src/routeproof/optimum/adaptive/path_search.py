"""Shortest paths in floats, all or those of a set only, and what flows along the paths that are found."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.arrays import Float64, Int64, offsets_of
from ...core.errors import InputError
from ...core.network import Network
from ...graphs.shortest import Ends, Joined, Searched
from ...routing.path_sets.path_set import MOST_HOPS, PathSet, ShortestPaths

_LEAST = 1e-12  # no channel is shorter


class PathSearch(Joined):
    """Distances, and what flows along shortest paths put on the channels.  ``bandwidth``: float64 (C,)."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self.bandwidth: Float64 = np.array([float(x) for x in network.bandwidth])

    def graph(self, length: Float64) -> tuple[Any, Int64]:
        return super().graph(np.maximum(length, _LEAST))

    def searched(self, length: Float64, sources: Ends) -> Searched:
        """Shortest paths from these nodes (ascending, each once), (N, N) as if from all; other rows hold nothing."""
        found = super().searched(length, sources)
        far = np.full((self.size, self.size), np.inf)
        before = np.full((self.size, self.size), -1, dtype=np.int64)
        far[sources], before[sources] = found.far, found.before
        return Searched(far, before, found.channel)

    def loads(self, found: Searched, source: Int64, end: Int64, amount: Float64) -> Float64:
        """What every channel carries, (C,), where each pair sends its amount along its shortest path."""
        loads = np.zeros(self.network.num_channels)
        at, sent = end.astype(np.int64), amount
        while len(at):
            last = found.before[source, at]
            live = last >= 0
            source, at, last, sent = source[live], at[live], last[live], sent[live]
            np.add.at(loads, self.channels(found, last, at), sent)
            at = last
        return loads


def node_demand(network: Network, demand: Mapping[tuple[int, int], Fraction]) -> Float64:
    """(N, N): between nodes; what stays at its node is left out."""
    found = np.zeros((network.num_nodes, network.num_nodes))
    for (i, j), x in demand.items():
        found[network.source[i], network.sink[j]] += float(x)
    np.fill_diagonal(found, 0.0)
    return found


def path_search_of(network: Network, paths: PathSet | None) -> PathSearch:
    """Raises InputError for sets with too many paths to hold."""
    if paths is None:
        return PathSearch(network)
    return _Shortest(network, paths) if isinstance(paths, ShortestPaths) else _Listed(network, paths)


class _Shortest(PathSearch):
    """All paths of least hops or weight: that comes first, and then the lengths."""

    def __init__(self, network: Network, paths: ShortestPaths) -> None:
        super().__init__(network)
        self.first: Float64 = paths.channel_length.astype(np.float64)
        base = PathSearch(network).distances(self.first)
        self.base: Float64 = np.where(np.isfinite(base), base, 0.0)  # what is out of reach stays so

    def _much(self, length: Float64) -> float:
        """More than any path is long."""
        return 4 * self.size * float(length.max(initial=0.0)) or 1.0

    def graph(self, length: Float64) -> tuple[Any, Int64]:
        return super().graph(self._much(length) * self.first + length)

    def distances(self, length: Float64, sources: Ends | None = None) -> Float64:
        base = self.base if sources is None else self.base[sources]
        found: Float64 = np.maximum(super().distances(length, sources) - self._much(length) * base, 0.0)
        return found

    def searched(self, length: Float64, sources: Ends) -> Searched:
        found = super().searched(length, sources)
        found.far[sources] = np.maximum(found.far[sources] - self._much(length) * self.base[sources], 0.0)
        return found


class _Listed(PathSearch):
    """Paths that are written down, all pairs of nodes one after the other."""

    def __init__(self, network: Network, paths: PathSet) -> None:
        super().__init__(network)
        ends = np.argwhere((network.supply > 0)[:, None] & (network.demand > 0)[None, :])
        ends = ends[ends[:, 0] != ends[:, 1]]
        channels, lengths, counts = list[int](), list[int](), list[int]()
        for i, j in ends.tolist():
            some = paths.paths(i, j)
            counts.append(len(some))
            for path in some:
                lengths.append(len(path))
                channels += path
            if len(channels) > MOST_HOPS:
                raise InputError(f"the paths {paths.name} of {network.name} have more than {MOST_HOPS:,} hops")
        self.ends = ends
        self.channel: Int64 = np.array(channels, dtype=np.int64)
        self.offset, self.first = offsets_of(np.array(lengths)), offsets_of(np.array(counts))

    def _best(self, length: Float64) -> tuple[Float64, Int64]:
        """For all pairs, the length of the shortest path, and which it is."""
        total = np.add.reduceat(length[self.channel], self.offset[:-1])
        best = np.minimum.reduceat(total, self.first[:-1])
        pair = np.repeat(np.arange(len(self.ends)), np.diff(self.first))
        place = np.full(len(self.ends), len(total), dtype=np.int64)
        np.minimum.at(place, pair, np.where(total <= best[pair], np.arange(len(total)), len(total)))
        return best, place

    def distances(self, length: Float64, sources: Ends | None = None) -> Float64:
        far = self.searched(length, np.arange(self.size)).far
        return far if sources is None else far[sources]

    def searched(self, length: Float64, sources: Ends) -> Searched:  # noqa: ARG002
        """In place of the node before, the number of the path."""
        best, place = self._best(length)
        far = np.full((self.size, self.size), np.inf)
        np.fill_diagonal(far, 0.0)
        which = np.full((self.size, self.size), -1, dtype=np.int64)
        far[tuple(self.ends.T)], which[tuple(self.ends.T)] = best, place
        return Searched(far, which, np.zeros(0, dtype=np.int64))

    def loads(self, found: Searched, source: Int64, end: Int64, amount: Float64) -> Float64:
        loads = np.zeros(self.network.num_channels)
        which = found.before[source, end]
        count = self.offset[which + 1] - self.offset[which]
        at = np.repeat(self.offset[which] - (np.cumsum(count) - count), count) + np.arange(int(count.sum()))
        np.add.at(loads, self.channel[at], np.repeat(amount, count))
        return loads

    def path(self, found: Searched, row: int, start: int, end: int) -> list[int]:  # noqa: ARG002
        which = int(found.before[row, end])
        path: list[int] = self.channel[self.offset[which] : self.offset[which + 1]].tolist()
        return path
