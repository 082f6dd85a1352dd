"""A routing with the virtual channel of every hop written to its paths, for simulators and routers' tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...core.arrays import Int32, Int64
from ...routing.base.routing import Routing
from ...routing.dependencies.virtual_dependencies import bundles_of, by_descents, by_turns
from ...routing.grid.layout import channel_places
from ...routing.tables.path_tables import TableRouting
from .channels import VirtualChannels, virtual_channels


def with_virtual_channels(routing: Routing) -> TableRouting:
    """The paths of ``routing`` as a table, with the virtual channels that it states, or else those that
    ``virtual_channels`` finds for these paths.

    Of a routing without explicit paths these are few paths with the same loads (``Routing.decomposition``).  Raises
    InputError where there are too many paths to write out.
    """
    paths = routing.every_path()
    table = TableRouting(routing.network, routing.name, paths)
    if table.path_virtual is not None:
        return table
    found = virtual_channels(table)
    virtual: Int32 = np.zeros(len(paths.channel), dtype=np.int32)
    length = np.diff(paths.offset)
    for hops in np.unique(length[length > 0]).tolist():
        at = paths.offset[:-1][length == hops][:, None] + np.arange(hops)
        virtual[at] = _assigned(table, found, paths.channel[at])
    return TableRouting(routing.network, routing.name, replace(paths, virtual=virtual))


def _assigned(routing: Routing, found: VirtualChannels, channel: Int32) -> Int64:
    """The virtual channels of paths of one length; int64, shaped like ``channel``."""
    if found.assignment == "descents":
        return by_descents(found.data["channels"], channel)
    if found.assignment == "turns":
        grid = routing.network.grid
        assert grid is not None
        return by_turns(channel_places(routing.network, grid), channel, tuple(found.data["order"].tolist()))
    paths = (tuple(path) for bundle in bundles_of(routing) for path in bundle.channel.tolist())
    layer = dict(zip(paths, found.data["layer"].tolist(), strict=True))  # equal paths have equal layers
    return np.repeat(np.array([layer[tuple(x)] for x in channel.tolist()])[:, None], channel.shape[1], axis=1)
