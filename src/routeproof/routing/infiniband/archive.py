"""The routing ``tables``: the forwarding tables that stand in a fabric's folder, beside its topology."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...formats.infiniband.adaptive_groups import read_adaptive_groups
from ...formats.infiniband.fabric import Archive, FabricNetwork
from ...formats.infiniband.forwarding_tables import NO_PORT, ForwardingTables, read_forwarding_tables
from ...formats.text_files import shown
from ..base.entry import RoutingEntry
from ..base.routing import Routing
from .adaptive_groups import routing_of_groups
from .forwarding_tables import routing_of_tables


def tables_in_folder(network: FabricNetwork) -> tuple[str, ForwardingTables]:
    """The tables in a fabric's folder, and the file that they are from: the one that tells most; all must agree.

    Raises InputError, with switch and lid, where two files forward a host's packets by different ports.
    """
    archive = network.archive
    if archive is None or not archive.tables:
        folder = "" if archive is None else f"directory {shown(archive.folder)} "
        raise InputError(
            f"routing tables: {folder or network.name + ' '}has no forwarding tables; a directory with the output of "
            f"ibnetdiscover and of dump_fts was expected as the topology"
        )
    found = [(path, read_forwarding_tables(path, network)) for path in archive.tables]
    lids = np.array([lid for host in network.hosts for lid in host.lids], dtype=np.int64)
    path, best = max(found, key=lambda x: int((x[1].port[:, lids] != NO_PORT).sum()))
    for other, tables in found:
        one, two = best.port[:, lids], tables.port[:, lids]
        wrong = np.argwhere((one != two) & (one != NO_PORT) & (two != NO_PORT))
        if len(wrong):
            v, k = wrong[0].tolist()
            raise InputError(
                f"directory {shown(archive.folder)}: switch {network.label(v)} sends lid 0x{int(lids[k]):04x} to port "
                f"{int(one[v, k])} in {shown(path)} and to port {int(two[v, k])} in {shown(other)}; are these files of "
                f"one day?"
            )
    return path, best


def _adaptive(network: FabricNetwork, archive: Archive) -> Routing:
    """The routing of the groups of adaptive routing; forwarding tables beside them must name a port of the group.

    Raises InputError, with switch and lid, where they do not, and for two files of groups."""
    if len(archive.groups) > 1:
        raise InputError(
            f"{archive.groups[0]} and {archive.groups[1]} both hold groups of adaptive routing; keep one of them"
        )
    found = read_adaptive_groups(archive.groups[0], network)
    for other in archive.tables:
        port = read_forwarding_tables(other, network).port[:, found.lids]
        allowed = np.zeros((len(found.ports) + 1, 256), dtype=bool)
        for k, ports in enumerate(found.ports):
            allowed[k, list(ports)] = True
        wrong = np.argwhere((port != NO_PORT) & (found.choice >= 0) & ~allowed[found.choice, port])
        if len(wrong):
            v, k = wrong[0].tolist()
            raise InputError(
                f"directory {shown(archive.folder)}: switch {network.label(v)} sends lid 0x{int(found.lids[k]):04x} to "
                f"port {int(port[v, k])} in {shown(other)}, which is not among its ports in {shown(archive.groups[0])} "
                f"({', '.join(map(str, found.ports[found.choice[v, k]][:6]))}); are these files of one day?"
            )
    path = archive.groups[0]
    return routing_of_groups(network, found, name=os.path.basename(path), what=f"file {shown(path)}")


def _build(network: Network, options: dict[str, Any]) -> Routing:  # noqa: ARG001  # there are none
    if not isinstance(network, FabricNetwork):
        raise InputError(
            f"routing tables: {network.name} has none; a directory with the output of ibnetdiscover and of dump_fts "
            f"was expected as the topology"
        )
    archive = network.archive
    if archive is not None and archive.groups:
        return _adaptive(network, archive)
    path, tables = tables_in_folder(network)
    return routing_of_tables(network, tables, name=os.path.basename(path), what=f"file {shown(path)}")


ENTRY = RoutingEntry(
    name="tables", help="the forwarding tables in an InfiniBand fabric's directory", build=_build, of_fabric=True
)
