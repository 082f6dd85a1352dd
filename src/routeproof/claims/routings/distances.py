"""Sums of shortest distances over all pairs of terminals."""

from __future__ import annotations

import numpy as np

from ...core.arrays import Int64
from ...core.errors import VerificationError
from ...core.network import Network
from ...kernel.shortest_paths import FAR, distances_from
from ..work import spend

_AT_ONCE = 4_000_000


def hop_total(network: Network) -> int:
    """Hops of shortest paths, summed over all pairs of terminals: searches level by level, some sources at a time."""
    grid = network.grid
    if grid is not None:
        # Steps in different dimensions do not help each other: hops add up over the dimensions.
        total = 0
        for m in range(grid.num_dimensions):
            along = grid.coordinates[network.tail, m] != grid.coordinates[network.head, m]
            total += line_total(network, m, along.astype(np.int64))
        return total
    order = np.argsort(network.head, kind="stable")
    tail = network.tail[order]
    heads, start = np.unique(network.head[order], return_index=True)
    total = 0
    sources = np.nonzero(network.supply)[0]
    spend(len(sources) * network.num_channels / 20, "shortest paths between all nodes")
    step = max(1, _AT_ONCE // max(1, network.num_channels))
    for at in range(0, len(sources), step):
        some = sources[at : at + step]
        reached = np.zeros((len(some), network.num_nodes), dtype=bool)
        reached[np.arange(len(some)), some] = True
        while True:
            missing = int(((~reached) @ network.demand) @ network.supply[some])
            if not missing:
                break
            total += missing  # one more hop for every pair that is not reached yet
            before = reached.copy()
            if len(heads):
                reached[:, heads] |= np.logical_or.reduceat(before[:, tail], start, axis=1)
            if np.array_equal(before, reached):
                raise VerificationError("some terminals are not connected")
    return total


def distance_total(network: Network, lengths: Int64) -> int:
    """Shortest distances under integer channel lengths (at most 2**20), summed over all pairs of terminals."""
    sources = np.nonzero(network.supply)[0]
    receives = network.demand > 0
    total, step = 0, max(1, _AT_ONCE // max(1, network.num_channels))
    for at in range(0, len(sources), step):
        some = sources[at : at + step]
        table = distances_from(network.num_nodes, network.tail, network.head, lengths, some)
        if (table[:, receives] >= FAR).any():
            raise VerificationError("some terminals are not connected")
        total += int((np.where(receives, table, 0) @ network.demand) @ network.supply[some])
    return total


def line_total(network: Network, dimension: int, lengths: Int64) -> int:
    """As ``distance_total`` on a grid where only channels along one dimension have a length, alike on every line.

    A distance is then that of the two positions on one line.  That all lines are alike is checked.
    """
    grid = network.grid
    if grid is None:
        raise VerificationError(f"{network.name} is not a grid")
    where = grid.coordinates
    k = grid.radix[dimension]
    a, b = where[network.tail, dimension], where[network.head, dimension]
    if (lengths[a == b] != 0).any():
        raise VerificationError("a channel off the dimension has a length")
    along = np.nonzero(a != b)[0]
    stride = int(np.prod(grid.radix[dimension + 1 :]))
    line = network.tail[along] - a[along] * stride  # the first node of the line that the channel is on
    if not np.array_equal(line, network.head[along] - b[along] * stride):
        raise VerificationError("a channel leaves its line")
    lines, which = np.unique(line, return_inverse=True)
    each, rest = divmod(len(along), max(1, len(lines)))
    order = np.lexsort((lengths[along], b[along], a[along], which))
    shape = (len(lines), each)
    parts = [x[along][order].reshape(shape) for x in (a, b, lengths)] if not rest else []
    if len(lines) != network.num_nodes // k or rest or any((x != x[0]).any() for x in parts):
        raise VerificationError("the lines of the dimension are not alike")
    first = [x[0] for x in parts]
    table = distances_from(k, first[0], first[1], first[2], np.arange(k))
    if (table >= FAR).any():
        raise VerificationError("a line of the dimension is not connected")
    out = np.bincount(where[:, dimension], weights=network.supply, minlength=k).astype(np.int64)
    into = np.bincount(where[:, dimension], weights=network.demand, minlength=k).astype(np.int64)
    return int(out @ (table @ into))
