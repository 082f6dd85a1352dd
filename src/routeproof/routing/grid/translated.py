"""Paths of routings that depend on the displacement alone: those of one source, moved to all."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ...core.network import Grid
from ..base.bundle import Bundle
from ..base.routing import Routing

__all__ = ["translated_bundles"]


def translated_bundles(
    routing: Routing, grid: Grid, progress: Callable[[int, int], None] | None = None
) -> Iterator[Bundle]:
    """The paths of node 0 on a torus or HyperX, each moved to all sources; raises InputError as ``routing.paths``."""
    nodes = np.arange(routing.network.num_nodes)
    at = grid.coordinates.astype(np.int64)
    radix = np.array(grid.radix)
    place = np.full((routing.network.num_channels, 2), -1, dtype=np.int64)  # dimension, direction
    for m in range(grid.num_dimensions):
        for d in reversed(range(grid.channel_at.shape[2])):  # a channel of both directions counts as +
            there = grid.channel_at[:, m, d]
            place[there[there >= 0]] = m, d
    tail = routing.network.tail
    for j in nodes[1:].tolist():
        column = np.ravel_multi_index(tuple(((at + at[j]) % radix).T), grid.radix).astype(np.int32)
        for _, path in routing.paths(0, j):
            node = np.ravel_multi_index(tuple(np.moveaxis((at[:, None] + at[tail[path]]) % radix, -1, 0)), grid.radix)
            channel = grid.channel_at[node, place[path, 0], place[path, 1]]
            yield Bundle(nodes.astype(np.int32), column, channel)
        if progress is not None:
            progress(j, len(nodes) - 1)
