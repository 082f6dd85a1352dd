"""The routing ``tables``: forwarding tables, or groups of adaptive routing, in a fabric's folder beside its topology.

Groups are split evenly over their ports.  What switches really do depends on their queues.  The even split is one
routing over the groups' paths; all routings over them, with rates that may depend on the whole demand, are judged by
``adaptive --paths``.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ...core.arrays import Int32, Int64
from ...core.errors import InputError, warn
from ...core.network import Network
from ...formats.infiniband.adaptive_groups import AdaptiveGroups, read_adaptive_groups
from ...formats.infiniband.fabric import Archive, FabricNetwork
from ...formats.infiniband.forwarding_tables import NO_PORT, ForwardingTables, read_forwarding_tables
from ...formats.text_files import shown
from ..base.entry import RoutingEntry
from ..base.routing import Routing
from ..tables.group_table import Group, GroupTable, GroupTableRouting
from .forwarding_tables import over_lids, routing_of_tables


def routing_of_groups(network: FabricNetwork, found: AdaptiveGroups, *, name: str, what: str) -> Routing:
    """The routing between host ports, called ``name``; a mixture where there are several lids a port.  ``what``: the
    file, in messages.

    Raises InputError, with switch, lid and port, for packets that do not arrive.
    """
    if found.adaptive:
        total = int((found.choice >= 0).sum())
        warn(
            f"{what}: {found.adaptive} of {total} entries name several ports; packets are split evenly over "
            f"them (adaptive --paths tables judges ideal adaptive routing over these groups)"
        )
    return over_lids(network, name, lambda lids, own: _part(network, found, lids, own, what))


def _part(network: FabricNetwork, found: AdaptiveGroups, lids: Int64, name: str, what: str) -> GroupTableRouting:
    columns = np.searchsorted(found.lids, lids)
    kinds: dict[tuple[int, bytes], int] = {}
    column_of = np.zeros(network.num_terminals, dtype=np.int32)
    groups: dict[tuple[int, int], Group] = {}
    for t, host in enumerate(network.hosts):
        choice = found.choice[:, columns[t]]
        _check_end(network, found, t, int(lids[t]), choice, what)
        others = choice.copy()
        others[host.switch] = -1
        number = column_of[t] = kinds.setdefault((host.switch, others.tobytes()), len(kinds))
        if number == len(kinds) - 1 and (host.switch, int(number)) not in groups:
            groups.update(_groups(network, found, t, int(lids[t]), others, int(number), what))
            groups.setdefault((host.switch, int(number)), ())
    groups = {key: group for key, group in groups.items() if group}
    table = GroupTable.of((network.num_nodes, len(kinds)), groups)
    try:
        return GroupTableRouting(network, name, table, column_of)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def _groups(
    network: FabricNetwork, found: AdaptiveGroups, t: int, lid: int, choice: Int32, number: int, what: str
) -> dict[tuple[int, int], Group]:
    groups: dict[tuple[int, int], Group] = {}
    for v in np.flatnonzero(choice >= 0).tolist():
        ports = found.ports[choice[v]]
        channels = network.channel_at[v, list(ports)]
        if (channels < 0).any():
            p = ports[int(np.argmax(channels < 0))]
            host = network.host_at.get((v, p))
            where = f"to host {network.hosts[host].name}" if host is not None else "where no cable to a switch is"
            raise InputError(
                f"{what}: lid 0x{lid:04x} ({network.hosts[t].name}) may leave {network.label(v)} (line "
                f"{int(found.line[v])}) by port {p}, {where}; are these files of one day?"
            )
        groups[v, number] = tuple((int(c), 1) for c in np.sort(channels))
    return groups


def _check_end(network: FabricNetwork, found: AdaptiveGroups, t: int, lid: int, choice: Int32, what: str) -> None:
    """A host's own switch must forward its lid to the host's port."""
    host = network.hosts[t]
    ports = found.ports[choice[host.switch]] if choice[host.switch] >= 0 else ()
    if ports != (host.port,):
        to = f"sends it to port {', '.join(map(str, ports[:6]))}" if ports else "has no entry for it"
        raise InputError(
            f"{what}: lid 0x{lid:04x} ({host.name}) does not reach its host: its own switch "
            f"{network.label(host.switch)} (line {int(found.line[host.switch])}) {to}; port {host.port} was expected"
        )


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
