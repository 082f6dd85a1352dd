"""The routing of adaptive groups, as an even split over the ports of every group.

What switches really do depends on their queues.  The even split is one routing over the groups' paths; all routings
over them, with rates that may depend on the whole demand, are judged by ``adaptive --paths``.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...core.arrays import Int32, Int64
from ...core.errors import InputError
from ...formats import warn
from ...formats.infiniband.adaptive_groups import AdaptiveGroups
from ...formats.infiniband.fabric import FabricNetwork
from ..base.mixture import Mixture
from ..base.routing import Routing
from ..tables.group_table import Group, GroupTable, GroupTableRouting


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
    base = np.array([host.lid for host in network.hosts])
    lmc = np.array([host.lmc for host in network.hosts])
    count = 1 << int(lmc.max())
    parts = []
    for k in range(count):
        lids = base + k % (1 << lmc)
        parts.append(_part(network, found, lids, name if count == 1 else f"{name}#{k}", what))
    if count == 1:
        return parts[0]
    return Mixture([(Fraction(1, count), part) for part in parts], name=name)


def _part(network: FabricNetwork, found: AdaptiveGroups, lids: Int64, name: str, what: str) -> GroupTableRouting:
    """One lid a host."""
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
