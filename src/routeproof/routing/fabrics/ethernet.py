"""What the devices of an Ethernet fabric do with packets for an address: the longest prefix, and its next hops; and the
routing that these routes are, ``routes``, which a directory of dumps brings with it.

Next-hop groups are split ideally, in proportion to their weights, whatever hashes pick for single flows.  Addresses
that the same prefixes of the fabric hold are forwarded alike at every device: they are one *class*.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...core.errors import InputError
from ...core.graph import numbering_or_cycle
from ...core.network import Network
from ...formats.ethernet.directory import ethernet_dumps, read_ethernet
from ...formats.ethernet.fabric import EthernetHost, EthernetNetwork
from ...formats.ethernet.routes import Hop, Prefix, Route, prefix_of
from ...formats.format import File, Format
from ..base.entry import HASH_OPTION, RoutingEntry
from ..base.routing import Routing
from ..hashing.same_hash import same_hash_of
from ..tables.group_table import GroupTable, GroupTableRouting, UnevenWeightsError
from ..tables.groups import GroupRouting

Group = tuple[tuple[int, int], ...]
"""(channel, weight) in ascending order."""


@dataclass(frozen=True)
class Step:
    """What a device does with a class: it sends it to ``group``, or delivers it at ``ports``, or neither, and why."""

    group: Group = ()
    ports: tuple[str, ...] = ()
    lost: str = ""
    route: Prefix | None = None


_NO_ROUTE = Step(lost="which has no route to it")


class Forwarding:
    """The steps of all devices of ``network``."""

    def __init__(self, network: EthernetNetwork) -> None:
        self.network = network
        self._steps: dict[tuple[int, Prefix], Step] = {}
        self._groups: dict[tuple[int, int], Group] = {}
        self._head: list[int] = network.head.tolist()

    @cached_property
    def chains(self) -> tuple[list[tuple[Prefix, ...]], list[int]]:
        """The classes, each by the prefixes that hold its addresses, the longest first; the class of every terminal."""
        known: set[Prefix] = set()
        for table in self.network.tables:
            known.update(table.routes)
        number: dict[tuple[Prefix, ...], int] = {}
        lengths = {v: sorted({x.length for x in known if x.version == v}, reverse=True) for v in (4, 6)}
        of = []
        for host in self.network.hosts:
            to = host.over or host.address
            chain = [to.shortened(k) for k in lengths[to.version] if k <= to.length]
            chain = chain if host.over is None else [host.address, *chain]  # inside the tunnel its own route alone
            of.append(number.setdefault(tuple(x for x in chain if x in known), len(number)))
        return list(number), of

    def step(self, node: int, chain: tuple[Prefix, ...]) -> Step:
        """What ``node`` does with packets of a class."""
        routes = self.network.tables[node].routes
        for prefix in chain:
            if prefix in routes:
                break
        else:
            return _NO_ROUTE
        found = self._steps.get((node, prefix))
        if found is None:
            route = routes[prefix]
            key = (node, id(route.hops))  # the same ones of many routes, held by them
            group = None if route.connected or route.dropped else self._groups.get(key)
            found = self._steps[node, prefix] = Step(group, route=prefix) if group else self._made(node, route)
            if found.group and not route.connected:
                self._groups[key] = found.group
        return found

    def _made(self, node: int, route: Route) -> Step:
        if route.dropped:
            return Step(lost=f"whose route {route.prefix} cannot be followed: {route.dropped}", route=route.prefix)
        network, parts, ports = self.network, list[tuple[int, list[int]]](), []
        for hop in route.hops:
            channels, own, lost = ways(network, node, hop)
            if lost:
                return Step(lost=f"whose route {route.prefix} leads to {lost}", route=route.prefix)
            if route.connected or own:
                ports.append(hop.interface)
            else:
                parts.append((hop.weight, channels))
        common = math.lcm(*(len(channels) for _, channels in parts))  # each member of a port channel has an equal part
        group = Counter[int]()
        for weight, channels in parts:
            for c in channels:
                group[c] += weight * common // len(channels)
        if group and ports:
            both = f"{network.port[min(group)]} and to {ports[0]}"
            return Step(
                lost=f"whose route {route.prefix} leads to devices by {both}, where none is", route=route.prefix
            )
        return Step(tuple(sorted(group.items())), tuple(ports), route=route.prefix)

    def groups_to(self, host: EthernetHost, chain: tuple[Prefix, ...], what: str) -> dict[int, Group]:
        """The group of every node but the host's own that packets from other nodes with terminals come to.

        Raises InputError, naming devices and prefix, where a packet is not delivered at the host's device.
        """
        network, head, found = self.network, self._head, dict[int, Group]()
        self.check_end(host, chain, what)
        todo = [int(v) for v in network.supply.nonzero()[0] if int(v) != host.device]
        todo.reverse()
        came = dict.fromkeys(todo, -1)
        while todo:
            v = todo.pop()
            step = self.step(v, chain)
            if step.lost or step.ports or not step.group:
                start = v
                while came[start] >= 0:
                    start = came[start]
                where = network.label(v) + ("" if start == v else f" (on the way from {network.label(start)})")
                there = (
                    f"which delivers them at its own port {step.ports[0]} ({step.route})" if step.ports else step.lost
                )
                raise InputError(f"{what}: packets for {_named(host)} are lost at {where}, {there}")
            found[v] = step.group
            for c, _ in step.group:
                u = head[c]
                if u != host.device and u not in came:
                    came[u] = v
                    todo.append(u)
        return found

    def check_end(self, host: EthernetHost, chain: tuple[Prefix, ...], what: str) -> None:
        """The host's own device must deliver."""
        network, step = self.network, self.step(host.device, chain)
        label = network.label(host.device)
        if not step.ports:
            far = network.label(int(network.head[step.group[0][0]])) if step.group else ""
            why = step.lost or f"which sends them on to {far} ({step.route})"
            raise InputError(f"{what}: packets for {_named(host)} are lost at its own device {label}, {why}")
        at = [(host.device, port) in network.others for port in step.ports]
        if host.port and all(at) and host.port not in step.ports:
            raise InputError(
                f"{what}: packets for {_named(host)} leave {label} by {step.ports[0]} ({step.route}), and the host is "
                f"at {host.port}; are these files of one day?"
            )


def _named(host: EthernetHost) -> str:
    address = str(host.address)
    return host.name if address in host.name else f"{host.name} ({address})"


def ways(network: EthernetNetwork, node: int, hop: Hop) -> tuple[list[int], bool, str]:
    """The channels that a next hop is, whatever hash picks one of them; or whether packets leave the fabric there; or
    where they would go, and what is not known."""
    made_of = _made_of(network, node, hop.interface)
    channels = [c for port in made_of if (c := network.channel_at.get((node, port))) is not None]
    own = [port for port in made_of if (node, port) in network.others]
    to = f"{hop.gateway} by {hop.interface}" if hop.gateway else hop.interface
    if channels and len(channels) == len(made_of):
        return channels, False, ""
    if own and not channels:
        return [], True, ""
    if channels:
        silent = next(x for x in made_of if (node, x) not in network.channel_at)
        return [], False, f"{to}, of whose member {silent} no cable to a device is known"
    if not made_of:
        return [], False, f"{to}, which has no member that is up"
    if not hop.gateway:
        return [], True, ""
    return _by_address(network, node, hop, to)


def _made_of(network: EthernetNetwork, node: int, interface: str) -> tuple[str, ...]:
    """The ports of an interface; of a subinterface (``swp1.10``) whose parent nobody states, the port of that name."""
    parent = interface.rpartition(".")[0]
    is_cabled = (node, interface) in network.channel_at or (node, interface) in network.others
    known = (interface,) if is_cabled or (node, parent) not in network.channel_at else (parent,)
    return network.ports.get((node, interface), known)


_OF_SEVERAL_PORTS = re.compile(
    r"(vlan|vl|svi|irb|bvi|bdi|br|bridge|ve|bond|team|lag|port-?channel|po|ae|bundle)([-_.]?(ether)?[-_.]?\d[\w.-]*|[-_]\w+)?",
    re.I,
)
"""How systems call interfaces that are at no port of their own: of VLANs, bridges and port channels."""


def _by_address(network: EthernetNetwork, node: int, hop: Hop, to: str) -> tuple[list[int], bool, str]:
    """Of an interface that is at no cable of its own, such as a VLAN's: the one cable to the device that has the
    address, if no route of the device leaves by it alone."""
    made_of = _made_of(network, node, hop.interface)
    port = next((x for x in made_of if not _OF_SEVERAL_PORTS.fullmatch(x) and (node, x) not in network.bridges), None)
    owners = [u for u in network.owners.get(prefix_of(hop.gateway, what=f"next hop {to}"), ()) if u != node]
    found = [c for u in owners for c in network.channels_between(node, u)]
    if port is not None or not owners:
        at = f"port {port} of {network.label(node)} is in no list of cables or LLDP; " if port is not None else ""
        known = f"{at}of port channels and VLANs: ip -j -d link and ip -j addr, or SONiC's APPL_DB, are read"
        return [], False, f"{to}, where no cable is known ({known})"
    names = ", ".join(network.label(u) for u in owners[:4])
    if len(owners) > 1:
        return [], False, f"{to}, an address of {names}; of one device was expected (a pair of an MLAG?)"
    if len(found) != 1:
        cables = "to which no cable is known" if not found else f"to which {len(found)} cables lead; one was expected"
        return [], False, f"{to}, an address of {names}, {cables}"
    if (node, network.port[found[0]]) in network.routed_ports:
        own = f"to which the one cable, at {network.port[found[0]]}, has routes of its own"
        return [], False, f"{to}, an address of {names}, {own}"
    return found, False, ""


def check_gateways(network: EthernetNetwork, what: str) -> None:
    """Raise InputError where a next hop is an address that the device at the other end of the cable cannot have: it has
    no connected prefix that holds it.  (Addresses of one cable, fe80::, say nothing.)"""
    own = [{x.prefix for x in table.connected} for table in network.tables]
    lengths = [sorted({x.length for x in some}) for some in own]
    known: set[tuple[int, str]] = set()
    for v, table in enumerate(network.tables):
        seen: set[int] = set()
        for route in table.routes.values():
            if id(route.hops) in seen:
                continue
            seen.add(id(route.hops))
            for hop in route.hops:
                found = ways(network, v, hop)[0] if hop.gateway else []
                if not found:
                    continue
                u = int(network.head[found[0]])
                if (u, hop.gateway) in known or not own[u]:
                    continue
                address = prefix_of(hop.gateway, what=f"{table.what}: {route.prefix}: a next hop")
                known_there = u in network.owners.get(address, ()) or any(
                    address.shortened(k) in own[u] for k in lengths[u] if k <= address.length
                )
                if not address.is_local and not known_there:
                    raise InputError(
                        f"{what}: at {network.label(v)} {route.prefix} goes to {hop.gateway} by {hop.interface}, and "
                        f"{network.label(u)} at that cable has no such address; are these files of one day?"
                    )
                known.add((u, hop.gateway))


def routing_of_routes(
    network: EthernetNetwork, *, on: EthernetNetwork | None = None
) -> GroupTableRouting | GroupRouting:
    """The routing of the fabric's own routes; ``on``: the same fabric with other routes, where the routing is to be on
    that one.  Columns are nodes, or, where a device's hosts are not all reached alike,
    those of them that are.

    Raises InputError, in a line that names devices and prefix, for packets that are lost or go round.
    """
    what, name = f"routes of {network.name}", f"installed routes of {network.name}"
    check_gateways(network, what)
    forwarding = Forwarding(network)
    chains, of = forwarding.chains
    classes: dict[tuple[int, int], int] = {}  # by (device, chain): the number of what is done with it everywhere
    known: dict[tuple[int, frozenset[tuple[int, Group]]], int] = {}
    done: list[tuple[int, dict[int, Group]]] = []
    column_of = np.zeros(network.num_terminals, dtype=np.int32)
    for t, host in enumerate(network.hosts):
        key = (host.device, of[t])
        forwarding.check_end(host, chains[of[t]], what)
        if key not in classes:
            groups = forwarding.groups_to(host, chains[of[t]], what)
            alike = known.setdefault((host.device, frozenset(groups.items())), len(known))
            if alike == len(done):
                done.append((t, groups))
            classes[key] = alike
        column_of[t] = classes[key]
    by_node = len({device for device, _ in known}) == len(known)
    column = {d: network.hosts[t].device if by_node else d for d, (t, _) in enumerate(done)}
    found = {(v, column[d]): group for d, (_, groups) in enumerate(done) for v, group in groups.items()}
    shape = (network.num_nodes, network.num_nodes if by_node else len(done))
    try:
        return GroupTableRouting(on or network, name, GroupTable.of(shape, found), None if by_node else column_of)
    except UnevenWeightsError:  # any size of number, and so not for large fabrics
        if by_node:
            return GroupRouting(on or network, name, dict(found))
        each = {(v, t): group for t, d in enumerate(column_of.tolist()) for v, group in done[d][1].items()}
        return GroupRouting(on or network, name, dict(each), columns="terminal")
    except InputError:
        for t, groups in done:
            _check_no_loop(network, forwarding, t, groups, what)
        raise


def _check_no_loop(
    network: EthernetNetwork, forwarding: Forwarding, t: int, groups: dict[int, Group], what: str
) -> None:
    channel = np.array([c for group in groups.values() for c, _ in group], dtype=np.int64)
    tail, head = network.tail[channel].astype(np.int64), network.head[channel].astype(np.int64)
    level, cycle = numbering_or_cycle(network.num_nodes, tail, head)
    if level is None:
        chains, of = forwarding.chains
        around = [*(network.label(v) for v in cycle[:8]), *(["..."] if len(cycle) > 8 else []), network.label(cycle[0])]
        prefix = forwarding.step(int(cycle[0]), chains[of[t]]).route
        raise InputError(
            f"{what}: packets for {network.hosts[t].name} ({network.hosts[t].address}) go round in the loop "
            f"{' -> '.join(around)} (at {around[0]} by the route {prefix})"
        )


def _build(network: Network, options: dict[str, Any]) -> Routing:
    if not isinstance(network, EthernetNetwork):
        raise InputError(
            f"routing routes: {network.name} has no routes; a directory with the routes and neighbours of Ethernet "
            f"devices was expected as the topology"
        )
    routing = routing_of_routes(network)
    return same_hash_of(routing, options["hash"]) if "hash" in options else routing


ENTRY = RoutingEntry(
    name="routes",
    help="what the devices of an Ethernet fabric do: its own routes",
    build=_build,
    options=HASH_OPTION,
    of_fabric=True,
)


def _document(file: File) -> tuple[str, str]:
    file.network = network = read_ethernet(file)
    return "routing", json.dumps(routing_of_routes(network).document())


ETHERNET_ROUTES: Format[Routing, Network] = Format(
    "ethernet-routes", "a directory with routes of Ethernet devices", directory=ethernet_dumps, document=_document
)
