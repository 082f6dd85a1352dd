"""Did equal-cost multipath over shortest paths make the routes of an Ethernet fabric?  Every route is looked at.

Whatever protocol is spoken, devices that split packets over all next hops of shortest paths do the same after a
failure, on what is left, as long as no pair's shortest path gets longer.  Longer paths are taken by a link-state
protocol, and by BGP where every device has an AS number of its own; BGP refuses a path with its own number.  The routes
say which: devices that all have a route to a prefix of every other one refuse none of each other's paths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ...core.errors import InputError
from ...core.graph import hops_from
from ...core.network import Network
from ...formats.ethernet.fabric import EthernetHost, EthernetNetwork
from ...formats.ethernet.routes import Prefix, Route
from ...topologies.two_nodes import loopbacks
from ..base.hop_by_hop import HopRule, entries_of
from ..base.routing import Routing
from .ethernet import Forwarding, ways

_NAMED = 4


class Recognised(NamedTuple):
    """``rule``: the rule that makes every entry, of which there are ``entries``; None where there is none, and why."""

    rule: HopRule | None
    entries: int = 0
    why: str = ""


def rule_of(routing: Routing) -> Recognised:
    """The rule that made today's entries of the fabric's own routes."""
    network = routing.network
    if not isinstance(network, EthernetNetwork):
        return Recognised(None, why="what would make its tables anew is not known")
    if routing.unmended:
        return Recognised(None, why=routing.unmended)
    if not routing.by_node:
        return Recognised(None, why="hosts of one device are not all reached in the same way")
    try:
        rule = _Routes(network).rule()
        return Recognised(rule, entries_of(routing, rule))
    except InputError as error:
        return Recognised(None, why=str(error))


class _Routes:
    def __init__(self, network: EthernetNetwork) -> None:
        self.network = network
        self.forwarding = Forwarding(network)
        self.bundle: dict[tuple[int, ...], int] = {}
        self.weight: dict[int, int] = {}
        self.owner: dict[Prefix, list[int]] = {}
        own = loopbacks(network)
        self.senders, self.own_hosts = ({*some[own].tolist()} for some in (network.tail, network.head))
        """The nodes of hosts with several ports: those that send, and those that receive."""
        self.right: set[tuple[int, int, tuple[int, ...]]] = set()  # (device, next hops, shortest paths' channels)
        for v, table in enumerate(network.tables):
            for route in table.connected:
                self.owner.setdefault(route.prefix, []).append(v)

    def rule(self) -> HopRule:
        """Raises InputError, naming a route, where one is not what the rule makes."""
        network = self.network
        chains, of = self.forwarding.chains
        hosts = {(host.device, of[t]): host for t, host in enumerate(network.hosts)}
        near = {device: _near(network, device) for device, _ in hosts}
        wrong: list[str] = []
        looked_at, everywhere = 0, True
        for (device, number), host in hosts.items():
            own = self.forwarding.step(device, chains[number]).route
            for v in range(network.num_nodes):
                if v == device or v in self.senders or v in self.own_hosts:
                    continue
                step = self.forwarding.step(v, chains[number])
                if step.route is None or step.lost:
                    everywhere = everywhere and not near[device][v]
                    continue
                looked_at += 1
                what = self._wrong(v, network.tables[v].routes[step.route], host, own, near[device][v])
                if what:
                    wrong.append(f"{network.label(v)}'s route {step.route} {what}")
        if wrong:
            more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
            raise InputError(
                f"equal-cost multipath over shortest paths makes {looked_at - len(wrong):,} of {looked_at:,} routes to "
                f"hosts; not {wrong[0]}{more}"
            )
        bundle = np.full(network.num_channels, -1, dtype=np.int64)
        weight = np.ones(network.num_channels, dtype=np.int64)
        for channels, k in self.bundle.items():
            if (bundle[list(channels)] >= 0).any() or len(set(network.head[list(channels)].tolist())) > 1:
                name = network.channel_label(channels[0])
                raise InputError(f"the cable {name} is in two next hops, or one next hop is at several devices")
            bundle[list(channels)], weight[list(channels)] = channels[0], self.weight.get(k, 1)
        alone = np.flatnonzero(bundle < 0)
        bundle[alone] = alone
        return HopRule(bundle.astype(np.int32), weight, everywhere and self._all_reach_all(), bool(self.senders))

    def _wrong(self, v: int, route: Route, host: EthernetHost, own: Prefix | None, near: list[int]) -> str:
        """Why a route of device ``v`` is not of the rule; the empty text where it is."""
        network, owners = self.network, self.owner.get(route.prefix, [])
        if route.connected:
            return f"is of a network of its own, and {host.name} is at {network.label(host.device)}"
        if route.static:
            return "is static, and no protocol mends it"
        at = [host.device]
        if host.device in self.own_hosts and owners != at:  # a prefix of its switches
            at = sorted({*network.tail[network.head == host.device].tolist()} - self.senders)
        is_its = sorted(owners) == at or (not owners and own is not None and route.prefix.length >= own.length)
        if not is_its:
            return f"is not a route to {host.name}'s own network alone"
        key = v, id(route.hops), tuple(near)
        if key in self.right:
            return ""
        hops = [(x.weight, tuple(ways(network, v, x)[0])) for x in route.hops]
        if sorted(c for _, channels in hops for c in channels) != near:
            there = sorted({network.label(int(network.head[c])) for _, channels in hops for c in channels})
            wanted = sorted({network.label(int(network.head[c])) for c in near})
            if there == wanted:
                return f"does not lead over all cables of the shortest paths to {host.name}"
            return f"leads to {_few(there)}, and the shortest paths to {host.name} lead to {_few(wanted) or 'nowhere'}"
        weights = Counter(w for w, _ in hops)
        for w, channels in hops:
            k = self.bundle.setdefault(channels, len(self.bundle))
            if len(weights) > 1 and self.weight.setdefault(k, w) != w:
                return f"gives {network.channel_label(channels[0])} another weight than other routes do"
        if len(weights) == 1 and len(hops) > 1:
            known = {self.weight.get(self.bundle[channels], 1) for _, channels in hops}
            if len(known) > 1:
                return "gives its next hops one weight, and other routes give them several"
        self.right.add(key)
        return ""

    def _all_reach_all(self) -> bool:
        """Has every device a route to a prefix of every other one's own?"""
        network = self.network
        devices = [v for v in range(network.num_nodes) if v not in self.senders and v not in self.own_hosts]
        own: Mapping[int, list[Prefix]] = {v: [x for x, at in self.owner.items() if at == [v]] for v in devices}
        for v, prefixes in own.items():
            for u in devices:
                table = network.tables[u]
                routes = [table.routes[x] for x in prefixes if x in table.routes]
                if u != v and not any(x.hops and not x.dropped for x in routes):
                    return False
        return True


def _few(names: list[str]) -> str:
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def _near(network: Network, end: int) -> list[list[int]]:
    """By node the channels that begin a shortest path to ``end``, ascending."""
    hops = hops_from(network.num_nodes, network.head, network.tail, end)
    found: list[list[int]] = [[] for _ in range(network.num_nodes)]
    for c in np.flatnonzero((hops[network.head] >= 0) & (hops[network.head] + 1 == hops[network.tail])).tolist():
        found[int(network.tail[c])].append(c)
    return found
