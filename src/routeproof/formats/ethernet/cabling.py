"""Who is at which port: what neighbours see of each other (LLDP), and lists of cables, put together; and the hosts.

A cable that one end sees is a cable where the other end was not asked; where it was asked it must see the same.  Hosts,
where they are and their addresses are from a list, else from LLDP, else every prefix that a device has beside those of
its cables stands for one host there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ...core.errors import InputError, warn
from ..text_files import first_of
from .device_dumps import DeviceDumps, End, HostLine, Neighbour
from .fabric import EthernetHost
from .routes import BITS, Prefix, RouteTable, prefix_of

_MOST_LAYERS = 8


@dataclass
class Cabling:
    """``far``: at the ends of cables between devices, the other end; ``others``: at other ports of devices, the names
    and addresses of who is there; ``gbps`` by end, where it is stated; ``media``: neighbours that tell the kind of
    their cable; ``ports``: at (device, interface) the interfaces that it is made of."""

    far: dict[End, End] = field(default_factory=dict)
    others: dict[End, list[tuple[str, tuple[str, ...]]]] = field(default_factory=dict)
    gbps: dict[End, Fraction] = field(default_factory=dict)
    media: dict[End, Neighbour] = field(default_factory=dict)
    ports: Mapping[End, tuple[str, ...]] = field(default_factory=dict)

    def made_of(self, device: str, interface: str, depth: int = 0) -> tuple[str, ...]:
        """The ports of an interface: itself where a cable is known there, or nothing of what it is made of."""
        parts = self.ports.get((device, interface))
        if (device, interface) in self.far or (device, interface) in self.others or parts is None:
            return (interface,)
        if depth > _MOST_LAYERS:
            raise InputError(
                f"interface {interface} of {device} is made of itself; is this the output of ip -j -d link?"
            )
        found = (x for part in parts for x in self.made_of(device, part, depth + 1))
        return tuple(dict.fromkeys(found))

    def is_between_devices(self, device: str, interface: str) -> bool:
        return any((device, x) in self.far for x in self.made_of(device, interface))

    def join(self, a: End, b: End, what: str) -> None:
        """A cable between two devices; raises InputError where another one is at one of these ports."""
        for end, other in ((a, b), (b, a)):
            before = self.far.setdefault(end, other)
            if before != other:
                raise InputError(
                    f"{what}: port {end[1]} of {end[0]} leads to {shown(other)}, and elsewhere to {shown(before)}; "
                    f"are these files of one day?"
                )


def shown(end: End) -> str:
    return f"{end[0]} {end[1]}"


def cabling_of(devices: Collection[str], found: DeviceDumps) -> Cabling:
    """The cables of ``devices``, those that have routes; says in a line which of them one end alone shows."""
    result = Cabling(ports=found.ports)
    for cable in found.cables:
        a, b = cable.ends
        for end in cable.ends:
            before = None if cable.gbps is None else result.gbps.setdefault(end, cable.gbps)
            if before != cable.gbps:
                raise InputError(
                    f"{cable.what}: the cable at {shown(end)} has bandwidth {cable.gbps}, and elsewhere {before}; "
                    f"one was expected"
                )
        if a[0] in devices and b[0] in devices:
            result.join(a, b, cable.what)
        for end, other in ((a, b), (b, a)):
            if end[0] in devices and other[0] not in devices:
                result.others.setdefault(end, []).append((other[0], ()))
    _add_neighbours(result, devices, found)
    for end, speed in found.gbps.items():
        for one in {end, result.far.get(end, end)}:  # both ends of a cable have the one speed
            before = result.gbps.setdefault(one, speed)
            if before != speed:
                raise InputError(
                    f"port {shown(end)} has speed {speed} Gb/s, and its cable {before} Gb/s elsewhere; one was expected"
                )
    return result


def _add_neighbours(result: Cabling, devices: Collection[str], found: DeviceDumps) -> None:
    at: dict[End, list[Neighbour]] = {}
    seen, aliases = found.seen, found.aliases
    for device, (_, neighbours) in seen.items():
        for x in neighbours:
            at.setdefault((device, x.port), []).append(x)
            if x.gbps is not None and device in devices:
                result.media[device, x.port] = x
    one_sided = []
    listed = set(result.far)
    for (device, port), neighbours in at.items():
        what = seen[device][0]
        known = [x for x in neighbours if device_named(x.name, devices) is not None]
        if device not in devices:
            continue
        if len(known) > 1 or (known and len(neighbours) > 1):
            names = ", ".join(x.name for x in neighbours[:4])
            raise InputError(f"{what}: port {port} has {len(neighbours)} neighbours ({names}); one was expected")
        if not known:
            own = result.others.setdefault((device, port), [])
            own += [(x.name, x.addresses) for x in neighbours]
            continue
        x = known[0]
        there = device_named(x.name, devices)
        assert there is not None
        if (device, port) in listed and result.far[device, port][0] == there:
            continue  # a list of cables says which port it is
        far_ports = tuple(aliases.get((there, q), q) for q in x.far_ports)
        back = next((q for q in far_ports if (there, q) in at), None)
        if back is None and there in seen:
            raise InputError(
                f"{what}: port {port} of {device} sees {shown((there, far_ports[0]))}, but {seen[there][0]} has no "
                f"neighbour there: a cable seen from one end only; ask both again, or list it in a file of cables"
            )
        if back is None:
            one_sided.append(f"{shown((device, port))} to {there}")
        else:
            other = at[there, back][0]
            seen_there = [aliases.get((device, q), q) for q in other.far_ports]
            if device_named(other.name, devices) != device or port not in seen_there:
                raise InputError(
                    f"{what}: port {port} of {device} sees {shown((there, back))}, which in {seen[there][0]} sees "
                    f"{shown((other.name, other.far_ports[0]))}; are these files of one day?"
                )
        result.join((device, port), (there, back or far_ports[0]), what)
    if one_sided:
        warn(f"{len(one_sided)} cables are seen from one end, the other was not asked: {', '.join(one_sided[:5])}")


def device_named(name: str, devices: Collection[str]) -> str | None:
    """The device of that name, which may have a domain behind it (``leaf1.example.net``)."""
    short = name.partition(".")[0]
    return name if name in devices else short if short in devices else None


_SHOWN = 8


def terminals_of(devices: Sequence[str], found: DeviceDumps, cabling: Cabling, *, what: str) -> list[EthernetHost]:
    """The hosts.  Says in a line (RouteproofWarning) who is left out, and where whole prefixes stand for hosts."""
    number, tables = {name: v for v, name in enumerate(devices)}, found.tables
    places: dict[str, list[End]] = {}
    for end, others in cabling.others.items():
        for name, _ in others:
            places.setdefault(name, []).append(end)
    hosts = [_of_line(x, tables, places, number) for x in found.hosts]
    several = [_of_line(x, tables, places, number) for x in found.several]
    hosts = hosts or _of_neighbours(tables, cabling, places, number, several, what)
    hosts = hosts or _of_prefixes(devices, tables, cabling, what)
    if not hosts:
        raise InputError(
            f"{what} has no host: a list of hosts (name,address,device,port), or a connected prefix of a device that "
            f"is on no cable to another, was expected"
        )
    count = Counter(x.name for x in hosts)
    hosts = [x if count[x.name] == 1 else replace(x, name=f"{x.name}[{x.address}]") for x in hosts]
    twice = [name for name, k in Counter(x.name for x in hosts).items() if k > 1]
    if twice:
        raise InputError(
            f"{what} has host {twice[0]} twice; each address once, or at ports of switches that all have it in a "
            f"connected prefix, was expected"
        )
    owner: dict[Prefix, str] = {}
    for x in hosts:
        if owner.setdefault(x.address, x.name) != x.name:
            raise InputError(
                f"{what}: {owner[x.address]} and {x.name} are both {x.address}; each address once expected"
            )
    return hosts


def _of_line(
    line: HostLine, tables: Mapping[str, RouteTable], places: Mapping[str, list[End]], number: Mapping[str, int]
) -> EthernetHost:
    address = _address(line.address, f"{line.what}: address")
    if line.device:
        device = device_named(line.device, number)
        if device is None:
            raise InputError(f"{line.what}: {line.name} is at {line.device}, which has no routes here")
        return EthernetHost(line.name, address, number[device], line.port)
    ends = places.get(line.name, [])
    if len(ends) == 1:
        return EthernetHost(line.name, address, number[ends[0][0]], ends[0][1])
    near = [(x.prefix.length, name) for name, t in tables.items() for x in t.connected if x.prefix.holds(address)]
    if ends:
        near = [x for x in near if x[1] in {device for device, _ in ends}]
    longest = max(near, default=(0, ""))[0]
    best = sorted({name for length, name in near if length == longest})
    if len(best) != 1:
        found = f"at {', '.join(best[:4])}" if best else "connected at no device"
        raise InputError(
            f"{line.what}: {line.name} ({line.address}) is {found}; say where: name,address,device,port was expected"
        )
    at = [port for device, port in ends if device == best[0]]
    return EthernetHost(line.name, address, number[best[0]], at[0] if len(at) == 1 else "")


def _address(text: str, what: str) -> Prefix:
    address = prefix_of(text.partition("/")[0], what=what)
    if address.is_local:
        raise InputError(f"{what} is {text}, of one cable or for groups; an address that is routed was expected")
    return address


def _of_neighbours(
    tables: Mapping[str, RouteTable],
    cabling: Cabling,
    places: Mapping[str, list[End]],
    number: Mapping[str, int],
    several: Sequence[EthernetHost],
    what: str,
) -> list[EthernetHost]:
    """Who is at one port, with an address in a connected prefix of that device; and those at ``several`` ports."""
    hosts, unknown = list(several), []
    for (device, port), found in cabling.others.items():
        connected = [x.prefix for x in tables[device].connected]
        for name, texts in found:
            own = list[Prefix]()
            for text in texts:
                with suppress(InputError):  # none that is routed
                    address = _address(text, "an address")
                    own += [address] if any(x.holds(address) for x in connected) else []
            if own and len(places[name]) == 1:
                hosts.append(EthernetHost(name, min(own), number[device], port))
            else:
                unknown.append(f"{name} at {device} {port}")
    if unknown:
        warn(
            f"{what}: left out, without routes and with no address of their own there: {first_of(unknown, _SHOWN)}"
            f"; a list of hosts (name,address,device,port) makes them hosts, routes make them switches"
        )
    if hosts:
        _warn_of_unseen(tables, cabling, hosts, what)
    return hosts


def _warn_of_unseen(
    tables: Mapping[str, RouteTable], cabling: Cabling, hosts: Sequence[EthernetHost], what: str
) -> None:
    """Say which connected prefixes have no host among the neighbours: those behind them are not judged."""
    seen = {x.address.shortened(k) for x in hosts for k in range(BITS[x.address.version])}
    versions = {x.address.version for x in hosts}
    unseen = [
        (prefix, f"{prefix} at {name}") for name, prefix, _ in _own_prefixes(tables, cabling) if prefix not in seen
    ]
    count = Counter(prefix for prefix, _ in unseen)  # at several devices: management, no hosts of one switch
    shown = [x for p, x in unseen if count[p] == 1 and p.version in versions and not p.is_local]
    if shown:
        warn(
            f"{what}: no neighbour is a host of these connected prefixes, and hosts there do not count: "
            f"{first_of(shown, _SHOWN)}; add the LLDP of these devices, or a list of hosts "
            f"(name,address,device,port)"
        )


def _own_prefixes(tables: Mapping[str, RouteTable], cabling: Cabling) -> Iterator[tuple[str, Prefix, str]]:
    """Device, prefix and port of the connected prefixes that are on no cable between devices."""
    for name, table in tables.items():
        for route in table.connected:
            ports = [x.interface for x in route.hops]
            if route.prefix.length < BITS[route.prefix.version] and not any(
                cabling.is_between_devices(name, x) for x in ports
            ):
                yield name, route.prefix, ports[0] if ports else ""


def _of_prefixes(
    devices: Sequence[str], tables: Mapping[str, RouteTable], cabling: Cabling, what: str
) -> list[EthernetHost]:
    number = {name: v for v, name in enumerate(devices)}
    found = [(prefix, number[name], port) for name, prefix, port in _own_prefixes(tables, cabling)]
    found.sort(key=lambda x: x[1])
    count = Counter(x for x, _, _ in found)
    shared = sorted({x for x in count if count[x] > 1})
    found = [x for x in found if count[x[0]] == 1]
    version = min((x.version for x, _, _ in found), default=4)
    hosts = [EthernetHost(f"{devices[v]} {x}", x, v, port) for x, v, port in found if x.version == version]
    if shared:
        warn(f"{what}: left out, connected at several devices: {', '.join(map(str, shared[:_SHOWN]))}")
    if hosts:
        warn(
            f"{what}: no host is named; each of the {len(hosts)} connected prefixes that are on no cable between "
            f"devices stands for one host (a list name,address,device,port names them)"
        )
    _warn_of_parts(tables, {x.address: devices[x.device] for x in hosts}, what)
    return hosts


def _warn_of_parts(tables: Mapping[str, RouteTable], hosts: Mapping[Prefix, str], what: str) -> None:
    lengths = {x.length for x in hosts}
    parts = {
        f"{x} at {name}"
        for name, table in tables.items()
        for x in table.routes
        for k in lengths
        if k < x.length and hosts.get(whole := x.shortened(k)) is not None
        if x not in hosts and not (hosts[whole] == name and table.routes[x].connected)
    }
    if parts:
        warn(
            f"{what}: longer prefixes have routes of their own, which the hosts that prefixes stand for do not take: "
            f"{first_of(sorted(parts), _SHOWN)}"
        )
