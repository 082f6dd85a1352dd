"""Tables that translations of the network take to themselves: what one node does for a destination, all others do.

On tori, hypercubes and other networks with a commutative group of symmetries, one translation for every node, such
tables are searched first: one change is made at all nodes alike, and the channels of one class have one worst case.
"""

from __future__ import annotations

import numpy as np

from ...core.arrays import Int32
from ...core.network import Network
from ...core.symmetry import orbit_labels, translations_of
from ...symmetry.automorphisms import generators_of
from .tables import Images, Tables

_MOST_NUMBERS = 100_000_000


def no_images(network: Network, num_columns: int) -> Images:
    """The identity alone: every channel has a worst case of its own."""
    node, channel, column = (
        np.arange(x, dtype=np.int32)[None, :] for x in (network.num_nodes, network.num_channels, num_columns)
    )
    return Images(node, channel, column, channel[0])


def images_of(tables: Tables) -> Images | None:
    """The declared translations of the tables' network; None where it has none, or where its nodes do not have equally
    many terminals, each of which both sends and receives."""
    network = tables.network
    if network.symmetry is None or network.num_nodes < 2 or not np.array_equal(network.source, network.sink):
        return None
    count = network.num_terminals // network.num_nodes
    if (network.supply != count).any():
        return None
    shift = translations_of(network, generators_of(network, symmetry="translations")[0])
    size = network.num_nodes + network.num_channels + tables.num_columns
    if shift is None or network.num_nodes * size > _MOST_NUMBERS:
        return None
    order = np.argsort(network.source, kind="stable")  # the terminals of node v: order[count v:count (v + 1)]
    place = np.argsort(order)
    terminal = order[count * shift.sum[:, network.source] + place % count]
    part = tables.first[None, :]
    if tables.by_source:
        part = terminal[:, tables.first]
    column = tables.use[part, terminal[:, tables.destination]].astype(np.int32)
    channel = np.stack([shift.channels(v) for v in range(network.num_nodes)])
    return Images(shift.sum, channel, column, orbit_labels(network.num_channels, list(channel)))


def symmetrised(columns: Int32, images: Images) -> Int32:
    """The tables that the first column of every class gives: what translations make of it."""
    result = np.full_like(columns, -1)
    for j in np.unique(images.column.min(axis=0)).tolist():
        column = columns[:, j]
        moved = np.where(column >= 0, images.channel[:, column], -1)
        for node, own, k in zip(images.node, moved, images.column[:, j].tolist(), strict=True):
            result[node, k] = own
    return result
