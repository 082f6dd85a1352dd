"""A routing on an Ethernet fabric as static routes of its devices, and what the devices do once these are installed.

Every device that packets for a host come to gets a route to the longest prefix of the fabric that holds the host's
address, or to the address alone where the hosts of that prefix are not all forwarded alike.  Next hops have the
addresses that today's routes use by the same ports, else those that the neighbours have there.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ...core.errors import InputError
from ...core.network import Network
from ...formats.ethernet.fabric import EthernetNetwork
from ...formats.ethernet.frr_static import FRR_STATIC
from ...formats.ethernet.ip_commands import IP_COMMANDS
from ...formats.ethernet.routes import Hop, Prefix, Route, RouteTable
from ...formats.ethernet.sonic_static import SONIC_STATIC
from ...formats.ethernet.static_routes import Spelling, read_folder, static_route, write_folder
from ...formats.format import File, Format
from ...formats.text_files import FilePath
from ..base.routing import Routing
from .ethernet import Forwarding, Step, routing_of_routes, ways

Shares = dict[int, dict[int, Fraction]]
"""By node: what each of its channels gets of the packets that come there for one column."""
Planned = Mapping[int, list[Route]]
"""By node, in the order of the hosts."""


def shares_to(routing: Routing, column: int) -> Shares:
    """How the nodes that packets for a column come to split them.

    Raises InputError, naming device and host, where that depends on where packets are from.
    """
    network, end = routing.network, int(routing.column_node[column])
    rows = np.unique(routing.row_of)
    rows = rows[routing.row_node[rows] != end]
    known = _of_groups(routing, column, routing.row_node[rows].tolist())
    if known is not None:
        return known
    block = routing.pair_loads(rows, np.full(len(rows), column))
    found: Shares = {}
    first: dict[int, int] = {}
    for k, row in enumerate(rows.tolist()):
        here = range(int(block.offset[k]), int(block.offset[k + 1]))
        loads = {int(block.channel[x]): block.load.fraction(x) for x in here}
        came: dict[int, Fraction] = defaultdict(Fraction, {int(routing.row_node[row]): Fraction(1)})
        for c, load in loads.items():
            came[int(network.head[c])] += load
        split: Shares = defaultdict(dict)
        for c, load in sorted(loads.items()):
            split[int(network.tail[c])][c] = load / came[int(network.tail[c])]
        for v, group in split.items():
            if v == end or found.setdefault(v, group) != group:
                raise InputError(_by_source(routing, v, column, {first.get(v, row), row}))
            first.setdefault(v, row)
    return found


def _of_groups(routing: Routing, column: int, todo: list[int]) -> Shares | None:
    """Those of the groups that packets from some nodes come to; None where the routing is not made of groups."""
    head, end = routing.network.head, int(routing.column_node[column])
    found: Shares = {}
    while todo:
        v = todo.pop()
        if v in found or v == end:
            continue
        group = routing.group(v, column)
        if not group:
            return None
        total = sum(w for _, w in group)
        found[v] = {c: Fraction(w, total) for c, w in sorted(group)}
        todo += [int(head[c]) for c, _ in group]
    return found


def _by_source(routing: Routing, v: int, column: int, rows: set[int]) -> str:
    network = routing.network
    senders = " and ".join(
        network.terminal_label(int(np.flatnonzero(routing.row_of == row)[0])) for row in sorted(rows)
    )
    host = network.terminal_label(int(np.flatnonzero(routing.column_of == column)[0]))
    return (
        f"{routing.name} cannot be written as routes of devices: at {network.label(v)} what packets to {host} do "
        f"depends on where they are from (those of {senders}); one that forwards by destination alone was "
        f"expected, as ecmp, wcmp or sssp"
    )


def planned_routes(routing: Routing, spelling: Spelling) -> Planned:
    """The routes that make the fabric's devices forward like ``routing``.

    Raises InputError, in a line that names devices and hosts, where no routes do, or none that ``spelling`` can tell.
    """
    network = _fabric(routing.network)
    if routing.is_sampled or routing.whole_flows_of is not None or routing.path_virtual is not None:
        raise InputError(
            f"{routing.name} cannot be written as routes of devices: exact shares, without virtual channels, were "
            f"expected"
        )
    forwarding = Forwarding(network)
    chains, of = forwarding.chains
    for t, host in enumerate(network.hosts):
        forwarding.check_end(host, chains[of[t]], f"routes of {network.name}")
    shares = {d: shares_to(routing, d) for d in np.unique(routing.column_of).tolist()}
    together: dict[int, list[int]] = defaultdict(list)
    for t, k in enumerate(of):
        together[k].append(t)
    todo: list[tuple[Prefix, int]] = []
    for k, hosts in together.items():
        owners = {
            v for v, x in enumerate(network.tables) if chains[k][0] in x.routes and x.routes[chains[k][0]].connected
        }
        devices = {network.hosts[t].device for t in hosts}
        first, *others = (shares[d] for d in {int(routing.column_of[t]): t for t in hosts})
        if len(devices) == 1 and owners <= devices and all(x == first for x in others):
            todo.append((chains[k][0], hosts[0]))
        else:
            todo += [(network.hosts[t].address, t) for t in hosts]
    outlets = _Outlets(network, spelling)
    found: dict[int, list[Route]] = defaultdict(list)
    for prefix, t in todo:
        for v, group in sorted(shares[int(routing.column_of[t])].items()):
            if not _stays(network, v, forwarding.step(v, chains[of[t]]), group):
                found[v].append(outlets.route(v, prefix, group))
    _check_same(routing, installed(network, found), shares)
    return found


def _stays(network: EthernetNetwork, v: int, step: Step, group: Mapping[int, Fraction]) -> bool:
    """Is it what ``v`` does today by ports alone, without gateways: to a host at several ports, or as such a host?"""
    if step.route is None or any(x.gateway for x in network.tables[v].routes[step.route].hops):
        return False
    total = sum(w for _, w in step.group)
    return group == {c: Fraction(w, total) for c, w in step.group}


def _fabric(network: Network) -> EthernetNetwork:
    if not isinstance(network, EthernetNetwork):
        raise InputError(
            f"routes of devices need ports and addresses, which {network.name} does not say: a directory with the "
            f"routes and cables of Ethernet devices was expected"
        )
    behind = next((x.name for x in network.hosts if x.over is not None), None)
    if behind is not None:
        raise InputError(f"routes of devices are not written where hosts are behind VXLAN, as {behind} is")
    return network


def _check_same(routing: Routing, again: Routing, shares: Mapping[int, Shares]) -> None:
    columns = np.stack([again.column_of, routing.column_of])
    for t in np.unique(columns, axis=1, return_index=True)[1].tolist():
        if shares_to(again, int(again.column_of[t])) != shares[int(routing.column_of[t])]:
            raise InputError(
                f"{routing.name} cannot be written as routes of devices: with them, packets to "
                f"{routing.network.terminal_label(t)} would go other ways, by today's routes"
            )


def installed(network: EthernetNetwork, planned: Planned) -> Routing:
    """What the devices do when the planned routes have taken the places of today's to the same prefixes."""
    tables = list(network.tables)
    for v, routes in planned.items():
        tables[v] = RouteTable((), what=tables[v].what)
        tables[v].routes = {**network.tables[v].routes, **{x.prefix: x for x in routes}}
    routing = routing_of_routes(replace(network, tables=tuple(tables)), on=network)
    routing.unmended = "its routes are static, and no protocol mends them"
    return routing


class _Outlets:
    """By which interface, and to which address, packets leave a node over some channels."""

    def __init__(self, network: EthernetNetwork, spelling: Spelling) -> None:
        self.network, self.spelling = network, spelling
        self._known: dict[int, dict[tuple[int, ...], list[Hop]]] = {}

    def route(self, v: int, prefix: Prefix, group: Mapping[int, Fraction]) -> Route:
        network, left = self.network, dict(group)
        shares: list[tuple[Hop, Fraction]] = []
        while left:
            c = min(left)
            channels, hop = self._outlet(v, c, prefix)
            if any(left.get(x) != left[c] for x in channels):
                names = ", ".join(network.port[x] for x in channels)
                raise InputError(
                    f"at {network.label(v)} {hop.interface} spreads packets evenly over {names}; the routing wants "
                    f"other shares of {prefix}"
                )
            shares.append((hop, sum((left.pop(x) for x in channels), Fraction(0))))
        common = math.lcm(*(x.denominator for _, x in shares))
        divisor = math.gcd(*(int(x * common) for _, x in shares))
        hops = sorted(hop._replace(weight=int(x * common) // divisor) for hop, x in shares)
        self._check_weights(v, prefix, hops)
        self._check_added(v, prefix, hops)
        return static_route(prefix, hops)

    def _check_weights(self, v: int, prefix: Prefix, hops: list[Hop]) -> None:
        most, found = self.spelling.most_weight, [x.weight for x in hops]
        if max(found) <= most:
            return
        shown = ":".join(map(str, found[:8])) + (":..." if len(found) > 8 else "")
        if most == 1:
            right = f"{self.spelling.what} have no weights: ip route commands (.iproute) do"
        else:
            right = f"weights of at most {most} were expected, as design --entries {most} makes them"
        raise InputError(f"at {self.network.label(v)} the next hops to {prefix} have the weights {shown}; {right}")

    def _check_added(self, v: int, prefix: Prefix, hops: list[Hop]) -> None:
        before = self.network.tables[v].routes.get(prefix)
        if not self.spelling.adds or before is None or not before.static:
            return
        more = [x for x in before.hops if x._replace(weight=1) not in hops]
        if more:
            raise InputError(
                f"{self.network.label(v)} has a static route to {prefix} already, and would keep its next hop "
                f"{more[0].gateway} {more[0].interface}: take that route out, and dump the routes again"
            )

    def _outlet(self, v: int, c: int, prefix: Prefix) -> tuple[tuple[int, ...], Hop]:
        network, known = self.network, self._of(v)
        able = [
            (channels, x) for channels, hops in known.items() if c in channels for x in hops if self._fits(x, prefix)
        ]
        if able:
            own = prefix.version
            return min(able, key=lambda x: (len(x[0]), (6 if ":" in x[1].gateway else 4) != own, x[1]))
        far = network.label(int(network.head[c]))
        kind = f"IPv{prefix.version} address" if self.spelling.needs_own_version else "address"
        raise InputError(
            f"at {network.label(v)} no {kind} of {far} by {network.port[c]} is known that {self.spelling.what} to "
            f"{prefix} can use: no route of today leads there by one; add ip -j addr of all devices"
        )

    def _fits(self, hop: Hop, prefix: Prefix) -> bool:
        version = 6 if ":" in hop.gateway else 4
        return version == prefix.version or (version == 6 and not self.spelling.needs_own_version)

    def _of(self, v: int) -> dict[tuple[int, ...], list[Hop]]:
        """The hops of node ``v`` by the channels that they are."""
        if v in self._known:
            return self._known[v]
        network, found = self.network, dict[tuple[int, ...], list[Hop]]()
        seen: set[Hop] = set()
        for route in network.tables[v].routes.values():
            for hop in () if route.dropped else route.hops:
                plain = hop._replace(weight=1)
                if plain in seen or not hop.gateway or route.connected:
                    continue
                seen.add(plain)
                channels = tuple(ways(network, v, hop)[0])
                if channels:
                    found.setdefault(channels, []).append(plain)
        for route in network.tables[v].connected:
            for hop in route.hops:
                port = hop.interface
                c = network.channel_at.get((v, port))
                if c is not None and (c,) not in found:
                    far = int(network.head[c])
                    own = [x for x, at in network.owners.items() if far in at and route.prefix.holds(x)]
                    found.update({(c,): [Hop(port, str(x)) for x in own]} if own else {})
        self._known[v] = found
        return found


def _format(name: str, text: str, extension: str, spelling: Spelling) -> Format[Routing, Network]:
    """Folders of static routes, written from a routing on a fabric, and read as what its devices do with them."""

    def write(routing: Routing, path: FilePath) -> str:
        network = _fabric(routing.network)
        about = f"{routing.name} on {network.name}"
        planned = planned_routes(routing, spelling)
        if not planned:
            raise InputError(f"{routing.name} needs no routes on {network.name}: all its hosts are at one device")
        texts = {network.label(v): spelling.write(network.label(v), x, about) for v, x in sorted(planned.items())}
        write_folder(path, texts, spelling.ending)
        return f"{spelling.what} of {len(texts)} devices"

    def read(file: File, network: Network) -> Routing:
        fabric = _fabric(network)
        number = {fabric.label(v): v for v in range(fabric.num_nodes)}
        found = read_folder(file.path, spelling)
        for device in found:
            if device not in number:
                raise InputError(
                    f"directory {file.path} has routes of {device}, which is not a device of {fabric.name}"
                )
        routing = installed(fabric, {number[device]: routes for device, routes in found.items()})
        routing.name = str(file.path)
        return routing

    return Format(
        name, text, extensions=(extension,), directory=lambda file: text if file.ends_with(extension) else "",
        read=read, write=write, check_network=_fabric,
        instead="they are judged on their fabric: routeproof worst-case FABRIC --routing FOLDER",
    )  # fmt: skip


IP_ROUTES = _format("ip-route-commands", "a folder of ip route commands, one script a device", ".iproute", IP_COMMANDS)
FRR_ROUTES = _format("frr-static-routes", "a folder of FRR configuration, one file a router", ".frr", FRR_STATIC)
SONIC_ROUTES = _format(
    "sonic-static-routes", "a folder of SONiC's STATIC_ROUTE, one file a switch", ".sonic", SONIC_STATIC
)
