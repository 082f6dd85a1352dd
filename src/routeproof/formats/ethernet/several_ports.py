"""Hosts with several ports, as at the two switches of an MLAG or behind an anycast gateway: one prefix, several leaves.

Such a host is two nodes, one that sends and one that receives, so that nothing is forwarded by it; what it sends to
itself crosses channels from the one to the other (``topologies.two_nodes``), one for every port and as wide, so that
they are loaded no more than the ports.  It sends packets by its ports alike, as a bond does; a switch that has such a
port delivers by it, whoever else could.  Hosts are those of a list that has one name and address in several lines, or
with ``device`` and ``port`` left empty, and neighbours seen at several ports; their address must be in a connected
prefix of every switch that they are at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from ...core.errors import InputError, warn
from ..text_files import first_of
from .cabling import device_named
from .device_dumps import Cable, DeviceDumps, End, HostLine
from .routes import Hop, Prefix, Route, RouteTable, prefix_of

_SHOWN = 6
SENDS = ".sends"
"""What the node that sends is called by, behind the host's name."""
LOOPBACK = "lo:"
"""What the interface to itself is called by, before the port that it is as wide as."""


def add_hosts_of_several_ports(found: DeviceDumps, what: str) -> Mapping[str, str]:
    """Make devices of them, with tables and cables; returns the device that sends, by that which receives."""
    places = _places(found)
    senders: dict[str, str] = {}
    lines: list[HostLine] = []
    for same in _by_host(found, places):
        first = same[0]
        ends = [(x.device, x.port) for x in same] if first.device else places.get(first.name, [])
        address = _address(first.address)
        shared = len(set(ends)) == len(ends) > 1 and all(ends_at in found.tables for ends_at, _ in ends)
        if address is None or not shared or not _is_connected(found, address, ends):
            lines += same
            continue
        _add(found, first, address, ends)
        senders[first.name] = first.name + SENDS
        lines.append(first._replace(device=first.name, port=_far(found, ends[0], first.name, 0)))
    found.hosts, found.several = [x for x in lines if x.what], [x for x in lines if not x.what]
    if senders:
        warn(
            f"{what}: hosts with several ports send by all of them alike, at the rate of one cable: "
            f"{first_of(sorted(senders), _SHOWN)}"
        )
    return senders


def _places(found: DeviceDumps) -> dict[str, list[End]]:
    """At which ports of devices with routes every other one is."""
    places: dict[str, dict[End, None]] = {}
    for device, (_, neighbours) in found.seen.items():
        for x in neighbours if device in found.tables else ():
            if device_named(x.name, found.tables) is None:
                places.setdefault(x.name, {})[device, x.port] = None
    for cable in found.cables:
        for end, other in (cable.ends, cable.ends[::-1]):
            if end[0] in found.tables and other[0] not in found.tables:
                places.setdefault(other[0], {})[end] = None
    return {name: list(ends) for name, ends in places.items()}


def _by_host(found: DeviceDumps, places: Mapping[str, Sequence[End]]) -> list[list[HostLine]]:
    """The lines of one name and address together; without a list, neighbours at several ports (``what`` is "")."""
    together: dict[tuple[str, str], list[HostLine]] = {}
    for x in found.hosts:
        together.setdefault((x.name, x.address), []).append(x)
    if found.hosts:
        return list(together.values())
    addresses: dict[str, dict[str, None]] = {}
    for _, neighbours in found.seen.values():
        for n in neighbours:
            addresses.setdefault(n.name, {}).update(dict.fromkeys(n.addresses))
    lines = []
    for name, ends in places.items():
        each = [(text, _address(text)) for text in addresses.get(name, ())]
        own = [(to, text) for text, to in each if to is not None and _is_connected(found, to, ends)]
        if len(ends) > 1 and own:
            lines.append([HostLine(name, min(own)[1], "", "", "")])
    return lines


def _address(text: str) -> Prefix | None:
    with suppress(InputError):
        address = prefix_of(text.partition("/")[0], what="an address")
        return None if address.is_local else address
    return None


def _is_connected(found: DeviceDumps, address: Prefix, ends: Sequence[End]) -> bool:
    tables = [found.tables[device] for device, _ in ends if device in found.tables]
    return bool(tables) and all(any(x.prefix.holds(address) for x in table.connected) for table in tables)


def _far(found: DeviceDumps, end: End, host: str, k: int) -> str:
    """The host's own port at the other end: as a list of cables has it, else a number."""
    for cable in found.cables:
        for one, other in (cable.ends, cable.ends[::-1]):
            if one == end and other[0] == host:
                return other[1]
    return str(k + 1)


def _add(found: DeviceDumps, line: HostLine, address: Prefix, ends: Sequence[End]) -> None:
    sends, what = line.name + SENDS, line.what or line.name
    for name in (line.name, sends):
        if name in found.tables:
            raise InputError(f"{what}: {name} is a device with routes, too; another name was expected")
    ports = [_far(found, end, line.name, k) for k, end in enumerate(ends)]
    for end, port in zip(ends, ports, strict=True):
        at = {other for cable in found.cables for x, other in (cable.ends, cable.ends[::-1]) if x == end}
        if at - {(line.name, port)}:
            raise InputError(f"{what}: {line.name} is at {' '.join(end)}, which leads to {' '.join(min(at))} elsewhere")
        if not at:
            found.cables.append(Cable((end, (line.name, port)), None, what))
    for device in dict.fromkeys(x for x, _ in ends):
        own = tuple(Hop(port, "") for at, port in ends if at == device)
        found.tables[device].routes.setdefault(address, Route(address, own))
    everywhere = Prefix(address.version, 0, 0)
    found.tables[line.name] = RouteTable([Route(address, (Hop("lo", ""),), connected=True)], what=what)
    to = {address: [LOOPBACK + x for x in ports], everywhere: ports}
    found.tables[sends] = RouteTable([Route(k, tuple(Hop(x, "") for x in by)) for k, by in to.items()], what=what)
