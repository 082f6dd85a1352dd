"""The routing that InfiniBand forwarding tables are: every lid of a host is a table of its own.

A host port with LMC m has 2^m lids; a packet takes one of them with probability 2^-m, so the routing is a mixture of
deterministic tables.  Ports with fewer lids than the most use theirs again.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable
from fractions import Fraction
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, read_only
from ...core.errors import InputError
from ...core.network import Network
from ...formats.format import File, Format
from ...formats.infiniband.fabric import FabricNetwork, Host
from ...formats.infiniband.forwarding_tables import (
    NO_PORT,
    NUM_LIDS,
    ForwardingTables,
    is_forwarding_tables,
    read_forwarding_tables,
    write_forwarding_tables,
)
from ...formats.text_files import FilePath, shown
from ..base.mixture import Mixture
from ..base.routing import ForwardingTable, Routing
from ..tables.next_hop import NextHop, NextHopRouting, next_hops_of
from .path_records import write_records

_NAMED = 5
_OFFERED = 4
_MOST_LIDS = 128  # of a port: its LMC has three bits


def read_forwarding(path: str, network: FabricNetwork) -> Routing:
    """The routing in a file of forwarding tables (``dump_fts``); raises InputError as ``routing_of_tables`` does."""
    tables = read_forwarding_tables(path, network)
    return routing_of_tables(network, tables, name=path, what=f"file {shown(path)}")


def routing_of_tables(network: FabricNetwork, tables: ForwardingTables, *, name: str, what: str) -> Routing:
    """The routing between host ports; a mixture where there are several lids a port.

    Raises InputError, with the lid, the host and the switch, for a host without a lid, loops and dead ends.
    """
    for host in network.hosts:
        if not host.lid:
            raise InputError(f"{what}: host {host.name} of {network.name} has no lid; tables cannot lead to it")

    def part(lids: Int64, own: str) -> Routing:
        next_channel = _next_channels(network, tables, lids)
        _check_last_hop(network, tables, lids, what)
        try:
            if own == name:
                return NextHop(next_channel, columns="terminal", name=own).on(network)
            return NextHopRouting(network, own, next_channel, "terminal")
        except InputError:
            _refuse(network, tables, lids, next_channel, what)

    return over_lids(network, name, part)


def over_lids(network: FabricNetwork, name: str, part: Callable[[Int64, str], Routing]) -> Routing:
    """The routing ``part(lids, name)`` by one lid of every host; a mixture where ports have several."""
    base, lmc = np.array([(host.lid, host.lmc) for host in network.hosts], dtype=np.int64).T
    count = 1 << int(lmc.max())
    if count == 1:
        return part(base, name)
    return Mixture([(Fraction(1, count), part(base + k % (1 << lmc), f"{name}#{k}")) for k in range(count)], name=name)


def _next_channels(network: FabricNetwork, tables: ForwardingTables, lids: npt.NDArray[np.int64]) -> Int32:
    found = np.empty((network.num_nodes, len(lids)), dtype=np.int32)
    for v, ports in enumerate(tables.port):  # one switch at a time: tables of large fabrics are held once
        found[v] = network.channel_at[v, ports[lids]]
    return read_only(found)


def _check_last_hop(network: FabricNetwork, tables: ForwardingTables, lids: npt.NDArray[np.int64], what: str) -> None:
    """A host's own switch must forward its lid to the host's port."""
    at = network.sink
    port = tables.port[at, lids]
    wanted = np.array([host.port for host in network.hosts])
    wrong = np.flatnonzero(port != wanted)
    if len(wrong):
        t = int(wrong[0])
        more = f" ({len(wrong)} lids are led astray so)" if len(wrong) > 1 else ""
        raise InputError(
            f"{what}: lid 0x{int(lids[t]):04x} ({network.hosts[t].name}) does not reach its host: its own switch "
            f"{_step(network, tables, int(at[t]), int(lids[t]))}; port {int(wanted[t])} was expected{more}"
            f"{_remedy(network, tables, lids, wrong)}"
        )


def _remedy(
    network: FabricNetwork, tables: ForwardingTables, lids: npt.NDArray[np.int64], lost: npt.NDArray[np.integer]
) -> str:
    """What to do where the hosts ``lost`` are not reached: another dump, or the analysis of the others."""
    if len(lost) > min(_OFFERED, network.num_terminals // 2):
        return ""
    names = ";".join(re.sub(r"[,;]", "?", network.hosts[t].name) for t in lost.tolist())
    begin = "; "
    if tables.dropped.intersection(lids[lost].tolist()):
        begin = (
            "; dump_fts leaves out the highest lid where it is a multiple of 64: take opensm-lfts.dump or opensm.fdbs "
            "of OpenSM instead, or "
        )
    what = "this host" if len(lost) == 1 else "these hosts"
    return f"{begin}leave {what} out: --without {shlex.quote(names)}"


def _step(network: FabricNetwork, tables: ForwardingTables, v: int, lid: int) -> str:
    port = int(tables.port[v, lid])
    begin = network.label(v)
    if not tables.line[v]:
        return f"{begin} has no table in the file (a dead end)"
    begin = f"{begin} (table in line {int(tables.line[v])})"
    if port == NO_PORT:
        return f"{begin} has no entry for it (a dead end)"
    if port == 0:
        return f"{begin} keeps it (port 0)"
    host = network.host_at.get((v, port))
    if host is not None:
        return f"{begin} sends it to port {port}, to host {network.hosts[host].name}"
    c = int(network.channel_at[v, port])
    if c < 0:
        return f"{begin} sends it to port {port}, which has no cable (a dead end)"
    return f"{begin} sends it to port {port}, to {network.label(int(network.head[c]))}"


def _refuse(
    network: FabricNetwork, tables: ForwardingTables, lids: npt.NDArray[np.int64], next_channel: Int32, what: str
) -> NoReturn:
    """Name the lids that do not arrive, and what becomes of a packet for the first of them."""
    lost = _lost(network, next_channel)
    s, t = (int(x) for x in np.argwhere(lost)[0])
    start = int(np.flatnonzero(network.supply > 0)[s])
    v, seen = start, {start: 0}
    while True:
        c = int(next_channel[v, t])
        if c < 0:
            reason = _step(network, tables, v, int(lids[t]))
            break
        v = int(network.head[c])
        if v in seen:
            loop = [network.label(x) for x in list(seen)[seen[v] :]]
            reason = (
                f"packets run in the loop {' -> '.join([*loop[:10], *(['...'] if len(loop) > 10 else []), loop[0]])}"
            )
            break
        seen[v] = len(seen)
    columns = np.flatnonzero(lost.any(axis=0))
    more = [f"0x{int(lids[x]):04x} ({network.hosts[x].name})" for x in columns[columns != t][:_NAMED].tolist()]
    rest = len(columns) - 1 - len(more)
    others = f"; also not reached from everywhere: {', '.join(more)}" if more else ""
    if rest > 0:
        others += f" and {rest} more lids"
    raise InputError(
        f"{what}: lid 0x{int(lids[t]):04x} ({network.hosts[t].name}) is not reached from switch "
        f"{network.label(start)}: {reason}{others}{_remedy(network, tables, lids, columns)}"
    )


def _lost(network: FabricNetwork, next_channel: Int32) -> npt.NDArray[np.bool_]:
    """bool, shape (switches with hosts, T): which packets never arrive; by doubling the hops."""
    size = network.num_nodes
    sources = np.flatnonzero(network.supply > 0)
    lost = np.zeros((len(sources), network.num_terminals), dtype=bool)
    block = max(1, 20_000_000 // (size + 1))
    for low in range(0, network.num_terminals, block):
        part = np.arange(low, min(low + block, network.num_terminals))
        channel = next_channel[:, part]
        jump = np.full((size + 1, len(part)), size, dtype=np.int32)
        jump[:-1] = np.where(channel >= 0, network.head[channel], size)
        jump[network.sink[part], np.arange(len(part))] = network.sink[part]
        for _ in range(size.bit_length()):
            jump = np.take_along_axis(jump, jump, axis=0)
        lost[:, part] = jump[sources] != network.sink[part]
    return lost


def forwarding_ports(network: FabricNetwork, routing: Routing) -> npt.NDArray[np.uint8]:
    """The tables (uint8, shape (N, 49152)) that make switches route like ``routing``, also to the switches' own lids.

    ``routing``: any that forwards by destination alone, or a mixture of such with multiples of 2^-m as weights where
    host ports have 2^m lids.  Packets for switches (management) and for hosts that were left out take shortest paths,
    and so do packets at switches to which the routing sends none for that destination.  Raises InputError for any other
    routing, naming a switch and two ports, and for hosts or switches without lids.
    """
    parts = _parts(network, routing)
    port = np.full((network.num_nodes, NUM_LIDS), NO_PORT, dtype=np.uint8)
    for v, switch in enumerate(network.switches):
        if not switch.lid:
            raise InputError(f"switch {switch.name} of {network.name} has no lid; run a subnet manager first")
        port[:, switch.lids] = _ports_towards(network, v)[:, None]
    for away in network.absent:
        if isinstance(away, Host) and away.switch >= 0:
            ports = _ports_towards(network, away.switch)
            ports[away.switch] = away.port
            port[:, away.lids] = ports[:, None]
    nodes = np.arange(network.num_nodes)
    for t, host in enumerate(network.hosts):
        lids = 1 << host.lmc
        for k in range(lids):
            part = parts[k % len(parts)]
            for other in parts[k + lids :: lids]:  # of more tables than lids, some must be the same for this host
                _check_alike(network, part, other, t)
            column = part.next_channel[:, int(part.column_of[t])]
            ports = np.where(column >= 0, network.port[column], NO_PORT)
            ports[(column >= 0) & (network.tail[column] != nodes)] = NO_PORT
            idle = ports == NO_PORT  # no packet of a host comes there; OpenSM would choose for itself
            ports[idle] = _ports_towards(network, host.switch)[idle]
            ports[host.switch] = host.port
            port[:, host.lid + k] = ports
    return port


def _parts(network: FabricNetwork, routing: Routing) -> list[ForwardingTable]:
    """Tables of equal weights that are the routing, as many as lids are needed."""
    weighted = [
        x for weight, part in (routing.parts or [(Fraction(1), routing)]) for x in _tables(network, weight, part)
    ]
    lids = sorted({1 << host.lmc for host in network.hosts})
    if len(weighted) > 1:
        each = Fraction(1, math.lcm(*(weight.denominator for weight, _ in weighted)))
        count = int(1 / each)
        if count > _MOST_LIDS or not all(x % count == 0 or count % x == 0 for x in lids):
            some = " or ".join(map(str, lids))
            raise InputError(
                f"{routing.name} mixes {len(weighted)} tables, which take {count} lids of equal weight a port; the "
                f"host ports of {network.name} have {some} lids each (opensm -l), and mixtures of as many with equal "
                f"weights were expected"
            )
        return [table for weight, table in weighted for _ in range(int(weight / each))]
    return [table for _, table in weighted]


def _tables(network: FabricNetwork, weight: Fraction, routing: Routing) -> list[tuple[Fraction, ForwardingTable]]:
    """The tables of a routing that forwards by destination alone, whatever made it."""
    known = routing.forwarding_tables()
    if routing.pinned is not None:
        known = [(Fraction(1, len(routing.pinned[0])), table) for table in routing.pinned[0]]
    if known:
        return [(weight * share, table) for share, table in known]
    if routing.parts:
        return [x for share, part in routing.parts for x in _tables(network, weight * share, part)]
    found = next_hops_of(routing)
    if found is None:
        raise InputError(f"{routing.name} is not a forwarding table: {_two_ways(network, routing)}")
    return [(weight, found)]


def _two_ways(network: FabricNetwork, routing: Routing) -> str:
    """The first switch and destination for which packets leave by two ports, and what would be right."""
    rows = np.unique(routing.row_of)
    for column in np.unique(routing.column_of).tolist():
        taken: dict[int, tuple[int, int]] = {}  # by switch: the channel, and the row whose packets take it
        for row in rows[routing.row_node[rows] != routing.column_node[column]].tolist():
            loads = routing.pair_loads([row], [column]).as_dict()
            for c in sorted(loads):
                before, other = taken.setdefault(int(network.tail[c]), (c, row))
                if before != c:
                    host = network.terminal_label(int(np.flatnonzero(routing.column_of == column)[0]))
                    senders = (
                        network.terminal_label(int(np.flatnonzero(routing.row_of == x)[0])) for x in (other, row)
                    )
                    whose = " and ".join(f"those of {x}" for x in dict.fromkeys(senders))
                    ports = " and ".join(str(network.port[x]) for x in (before, c))
                    return (
                        f"at {network.label(int(network.tail[c]))} packets to {host} ({whose}) leave by the ports "
                        f"{ports}; one port for every switch and destination was expected, as of sssp, "
                        f"random-path:seed=1 or opensm:minhop, or tables of design --paths tables"
                    )
    return "one channel for every switch and destination was expected, as in dump_fts or a next-hop document"


def _check_alike(network: FabricNetwork, one: ForwardingTable, other: ForwardingTable, t: int) -> None:
    """Two tables must lead to terminal t alike, where its port has one lid for both."""
    host = network.hosts[t]
    channels = (part.next_channel[:, int(part.column_of[t])] for part in (one, other))
    first, second = channels
    here = np.arange(network.num_nodes) != host.switch
    if not np.array_equal(first[here], second[here]):
        raise InputError(
            f"the tables {one.name} and {other.name} lead to host {host.name} by different ways, and its port has "
            f"{1 << host.lmc} of the lids needed (opensm -l): as many as there are tables"
        )


def _ports_towards(network: FabricNetwork, target: int) -> npt.NDArray[np.integer]:
    """Per switch, the port of the first channel on a shortest path to ``target``; 0 at the target itself."""
    offset, order = network.in_channels
    port = np.full(network.num_nodes, NO_PORT)
    port[target] = 0
    front = [target]
    while front:
        following = []
        for v in front:
            for c in order[offset[v] : offset[v + 1]].tolist():
                u = int(network.tail[c])
                if port[u] == NO_PORT:
                    port[u] = network.port[c]
                    following.append(u)
        front = following
    return port


def _is_mine(file: File) -> bool:
    return is_forwarding_tables(file.start[:8192].encode())


def _read(file: File, network: Network) -> Routing:

    if not isinstance(network, FabricNetwork):
        raise InputError(
            f"{file.what} holds forwarding tables of InfiniBand switches; {network.name} does not say lids and "
            f"ports: give the output of ibnetdiscover as the topology"
        )
    return read_forwarding(str(file.path), network)


def _write(routing: Routing, path: FilePath) -> str:
    """As ``opensm -R file -U`` loads them; of fabrics read from ibnetdiscover only."""
    if routing.path_virtual is not None:
        raise InputError("forwarding tables hold no virtual channels; a .json, .sst.json or .csv file was expected")
    network = _fabric(routing.network)
    write_forwarding_tables(network, forwarding_ports(network, routing), path)
    if routing.pinned is None:
        return "forwarding tables"
    return f"forwarding tables, and in {write_records(routing, path)} which lid each source uses"


def _fabric(network: Network) -> FabricNetwork:
    if not isinstance(network, FabricNetwork):
        raise InputError(
            f"forwarding tables need lids and ports, which {network.name} does not say: give the output of "
            f"ibnetdiscover as the topology"
        )
    for what, ports in (("switch", network.switches), ("host", network.hosts)):
        for port in ports:
            if not port.lid:
                raise InputError(
                    f"forwarding tables need lids, and {what} {port.name} of {network.name} has none: run "
                    f"ibnetdiscover again after a subnet manager, or write a next-hop document (.json)"
                )
    return network


FORWARDING_TABLES: Format[Routing, Network] = Format(
    "forwarding-tables",
    "InfiniBand forwarding tables",
    extensions=(".lft",),
    sniff=_is_mine,
    read=_read,
    write=_write,
    check_network=_fabric,
    instead="their network is in another file: routeproof deadlock FABRIC --routing FILE judges both",
)
