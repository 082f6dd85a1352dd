"""The grid of a network, and which channel leaves where: ``Grid.channel_at`` turned round, checked by the network."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Int32
from ...core.errors import InputError
from ...core.network import Grid, Network


def grid_of(network: Network, routing: str) -> Grid:
    """The grid of a network; raises InputError where there is none."""
    if network.grid is None:
        bundles = ",cables=" in network.name
        hint = "; without cables= each bundle is one channel, as good as cables that share its packets alike"
        raise InputError(
            f"{routing} needs a torus, mesh or HyperX; {network.name} has no grid layout"
            f"{hint if bundles else ''}; minimal works on any graph"
        )
    return network.grid


@dataclass(frozen=True)
class ChannelPlace:
    """A channel leaves the node at ``position`` in ``dimension``, in ``direction`` (as in ``Grid.channel_at``)."""

    position: tuple[int, ...]
    dimension: int
    direction: int


@dataclass(frozen=True, eq=False)
class ChannelPlaces:
    """int32 arrays of shape (C,): the node that a channel leaves, its dimension, its direction."""

    grid: Grid
    node: Int32
    dimension: Int32
    direction: Int32

    def place(self, channel: int) -> ChannelPlace:
        if not 0 <= channel < len(self.node):
            raise InputError(f"channel {channel} does not exist; channels are 0 to {len(self.node) - 1}")
        position = tuple(int(x) for x in self.grid.coordinates[self.node[channel]])
        return ChannelPlace(position, int(self.dimension[channel]), int(self.direction[channel]))


def channel_places(network: Network, grid: Grid) -> ChannelPlaces:
    """Raises InputError unless exactly the grid's channels are there, each between the nodes that it should join."""
    n, count = grid.num_dimensions, network.num_nodes
    if n < 1 or min(grid.radix) < 2 or math.prod(grid.radix) != count:
        raise InputError(f"the grid of {network.name} has radices {grid.radix}; it has {count} nodes")
    if grid.channel_at.ndim != 3 or grid.channel_at.shape[:2] != (count, n):
        raise InputError(
            f"channel_at of {network.name} has shape {grid.channel_at.shape}; ({count}, {n}, D) was expected"
        )
    dimension = np.full(network.num_channels, -1, dtype=np.int32)
    direction, node = dimension.copy(), dimension.copy()
    coordinates = grid.coordinates
    for m, k in enumerate(grid.radix):
        x = coordinates[:, m].astype(np.int64)
        stride = math.prod(grid.radix[m + 1 :])
        if grid.kind == "hyperx":
            steps = list(range(1, k))
        else:
            steps = [1] if grid.kind == "torus" and (grid.oneway or k == 2) else [1, -1]
        for d, step in enumerate(steps):
            to = x + step
            there = np.ones(count, dtype=bool) if grid.kind != "mesh" else (to >= 0) & (to < k)
            tail = np.nonzero(there)[0]
            head = tail + (to[tail] % k - x[tail]) * stride
            channel = grid.channel_at[tail, m, d]
            fits = (channel >= 0) & (channel < network.num_channels)
            fits[fits] = (network.tail[channel[fits]] == tail[fits]) & (network.head[channel[fits]] == head[fits])
            if not fits.all():
                v, u = int(tail[~fits][0]), int(head[~fits][0])
                raise InputError(
                    f"the grid of {network.name} says that channel {int(grid.channel_at[v, m, d])} goes from node {v} "
                    f"to node {u}; the network does not have it"
                )
            dimension[channel], direction[channel], node[channel] = m, d, tail
    stray = np.nonzero(node < 0)[0]
    if stray.size:
        c = int(stray[0])
        raise InputError(
            f"channel {c} of {network.name}, {network.channel_label(c)}, is not part of its grid; grid routings need "
            f"every channel to be"
        )
    return ChannelPlaces(grid, node, dimension, direction)
