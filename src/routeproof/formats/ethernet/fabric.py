"""Ethernet fabrics: the network of the devices that have routes, with the routes, ports and addresses of hosts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from ...core.arrays import Numbers
from ...core.network import Network
from .routes import Prefix, RouteTable


@dataclass(frozen=True)
class EthernetHost:
    """A terminal: its name, its address (or a whole prefix, of hosts that are not named), the device (number of the
    node) and the port that it is at ("" where that is not known); ``over``: where packets come to it through VXLAN, the
    address to which other devices send them."""

    name: str
    address: Prefix
    device: int
    port: str
    over: Prefix | None = None


@dataclass(frozen=True, eq=False)
class EthernetNetwork(Network):
    """A network whose nodes have ``tables``, in the same order, and whose terminals are ``hosts``.

    Every cable between two nodes is two channels, one each way; ``port[c]`` and ``far_port[c]`` are the names of the
    interfaces by which channel c leaves its tail and enters its head.  ``others``: what hangs at a port (node, name)
    and is no node: a host, or a device without routes.  A host's own cable is no channel.  ``ports``: at (node,
    interface) the ports that a port channel or a subinterface is made of; ``owners``: the nodes that have an address;
    ``bridges``: the (node, interface) that are bridges.
    ``gbps``: what bandwidth 1 is in Gb/s; ``host_widths``: the bandwidths of the hosts' cables; None where they are not
    known.
    """

    tables: tuple[RouteTable, ...] = field(default=(), repr=False)
    hosts: tuple[EthernetHost, ...] = field(default=(), repr=False)
    port: tuple[str, ...] = field(default=(), repr=False)
    far_port: tuple[str, ...] = field(default=(), repr=False)
    others: Mapping[tuple[int, str], str] = field(default_factory=dict, repr=False)
    ports: Mapping[tuple[int, str], tuple[str, ...]] = field(default_factory=dict, repr=False)
    owners: Mapping[Prefix, tuple[int, ...]] = field(default_factory=dict, repr=False)
    bridges: frozenset[tuple[int, str]] = frozenset()
    gbps: Fraction | None = None
    host_widths: tuple[Fraction, ...] | None = None

    @property
    def own_routing(self) -> str:
        return "routes"

    @property
    def usual_routings(self) -> tuple[str, ...]:
        return ("ecmp:choice=per-hop",)

    @property
    def hashes_flows(self) -> bool:
        return True

    def part(self, node: Numbers, channel: Numbers, terminal: Numbers, *, name: str) -> Network:
        """As ``Network.part``; routes that lead to what goes lead nowhere."""
        number = {int(v): k for k, v in enumerate(node.tolist())}
        smaller = super().part(node, channel, terminal, name=name)
        hosts = [self.hosts[t] for t in terminal.tolist()]
        return replace(
            self,
            **{x: getattr(smaller, x) for x in Network.__dataclass_fields__},
            tables=tuple(self.tables[v] for v in node.tolist()),
            hosts=tuple(replace(x, device=number[x.device]) for x in hosts),
            port=tuple(self.port[c] for c in channel.tolist()),
            far_port=tuple(self.far_port[c] for c in channel.tolist()),
            others={(number[v], port): x for (v, port), x in self.others.items() if v in number},
            ports={(number[v], port): x for (v, port), x in self.ports.items() if v in number},
            owners={x: tuple(number[v] for v in at if v in number) for x, at in self.owners.items()},
            bridges=frozenset((number[v], x) for v, x in self.bridges if v in number),
            host_widths=self.host_widths and tuple(self.host_widths[t] for t in terminal.tolist()),
        )

    @cached_property
    def channel_at(self) -> Mapping[tuple[int, str], int]:
        """The channel that leaves a node by a port."""
        return {(v, port): c for c, (v, port) in enumerate(zip(self.tail.tolist(), self.port, strict=True))}

    @cached_property
    def routed_ports(self) -> frozenset[tuple[int, str]]:
        """The interfaces by which routes of a node leave it."""
        each = ((v, x.hops) for v, table in enumerate(self.tables) for x in table.routes.values())
        return frozenset(
            (v, hop.interface) for v, hops in {(v, id(x)): (v, x) for v, x in each}.values() for hop in hops
        )

    @cached_property
    def _channels_between(self) -> Mapping[tuple[int, int], list[int]]:
        found: dict[tuple[int, int], list[int]] = {}
        for c, ends in enumerate(zip(self.tail.tolist(), self.head.tolist(), strict=True)):
            found.setdefault(ends, []).append(c)
        return found

    def channels_between(self, tail: int, head: int) -> list[int]:
        return self._channels_between.get((tail, head), [])

    def port_names(self, channel: int, /) -> tuple[str, str]:
        return self.port[channel], self.far_port[channel]

    @property
    def host_ports(self) -> Sequence[str]:
        return [x.port for x in self.hosts]

    @property
    def host_addresses(self) -> Sequence[str]:
        return [str(x.address) for x in self.hosts]

    def channel_label(self, channel: int) -> str:
        """``leaf1[swp1] -> spine1[swp3]``: devices and interfaces at both ends of the cable."""
        u, v = self.label(int(self.tail[channel])), self.label(int(self.head[channel]))
        return f"{u}[{self.port[channel]}] -> {v}[{self.far_port[channel]}]"
