"""A folder with the files of every device, ``leaf1.routes.json`` or ``leaf1/routes.json``: one fabric.

What a file holds is told by its content; whose it is by the first part of its name, or by its folder.  Devices with
routes are the nodes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ...core.errors import InputError
from .. import warn
from ..folder import files_in, text_files, warn_of_others
from ..format import Bandwidth, File, Format, NetworkFormat
from ..text_files import brief, shown, stem, unexpected
from .cabling import Cabling, cabling_of
from .fabric import EthernetNetwork
from .frr_routes import frr_routes, is_frr_routes
from .linux_routes import is_linux_next_hops, is_linux_routes, linux_next_hops, linux_routes
from .lldp import Neighbour, is_lldp, lldp_neighbours
from .plain_lists import Cable, HostLine, cables, host_lines, is_cables, is_hosts
from .routes import Route, RouteTable
from .terminals import terminals_of

_SHOWN = 6
_KINDS: dict[str, Callable[[File], bool]] = {
    "routes of FRR": is_frr_routes,
    "routes of Linux": is_linux_routes,
    "next hops of Linux": is_linux_next_hops,
    "LLDP": is_lldp,
    "cables": is_cables,
    "hosts": is_hosts,
}
_NEEDED = ("routes of FRR", "routes of Linux")


def _kind(file: File) -> str | None:
    return next((name for name, sniff in _KINDS.items() if sniff(file)), None)


def ethernet_dumps(file: File) -> str:
    """Which file of routes or neighbours is in that folder, in words; "" where there is none."""
    for name in files_in(file.path):
        kind = _kind(File(name))
        if kind in (*_NEEDED, "LLDP"):
            return f"{kind} ({shown(os.path.basename(name))})"
    return ""


@dataclass
class _Found:
    """What the files of a folder say, by device."""

    tables: dict[str, RouteTable] = field(default_factory=dict)
    seen: dict[str, tuple[str, list[Neighbour]]] = field(default_factory=dict)
    cables: list[Cable] = field(default_factory=list)
    hosts: list[HostLine] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def add_routes(self, device: str, routes: list[Route], what: str) -> None:
        if device in self.tables:
            self.tables[device].add(routes, what=what)
        else:
            self.tables[device] = RouteTable(routes, what=what)


def _read(path: str) -> _Found:
    found = _Found()
    linux: list[tuple[str, File]] = []
    groups: dict[str, dict[int, dict[str, Any]]] = {}
    for inside, file in text_files(path, wanted="routes, neighbours, cables or hosts"):
        folder, base = os.path.split(inside)
        device = folder or base.partition(".")[0]
        kind = _kind(file)
        if kind == "routes of FRR":
            found.add_routes(device, list(frr_routes(file)), file.what)
        elif kind == "routes of Linux":
            linux.append((device, file))
        elif kind == "next hops of Linux":
            groups.setdefault(device, {}).update(linux_next_hops(file))
        elif kind == "LLDP":
            _, before = found.seen.get(device, ("", []))
            found.seen[device] = (file.what, [*before, *lldp_neighbours(file)])
        elif kind == "cables":
            found.cables += cables(file)
        elif kind == "hosts":
            found.hosts += host_lines(file)
        else:
            _ = file.value if file.ends_with(".json") else None  # raises where it is none, as when a command failed
            found.unknown.append(inside)
    for device, file in linux:
        found.add_routes(device, list(linux_routes(file, groups.get(device, {}))), file.what)
    return found


def read_ethernet(file: File, bandwidth: Bandwidth = None) -> EthernetNetwork:
    """The fabric in a folder; ``bandwidth``: one number for all channels (default: what the cables state, over the
    slowest cable of a host; 1 where they state nothing).

    Raises InputError, with file and place, for what contradicts itself; says in lines what is left out.
    """
    path = os.fspath(file.path)
    what = f"directory {shown(path)}"
    found = _read(path)
    warn_of_others(what, found.unknown, "routes nor neighbours, cables or hosts")
    if not found.tables:
        raise InputError(f"{what} has no routes: leaf1.routes.json of vtysh -c 'show ip route json' was expected")
    silent = sorted(set(found.seen) - set(found.tables))
    if silent:
        warn(f"{what}: devices without routes, no nodes of the fabric: {', '.join(silent[:_SHOWN])}")
    devices = sorted(found.tables, key=_natural)
    cabling = cabling_of(devices, found.seen, found.cables)
    if not cabling.far and len(devices) > 1:
        raise InputError(
            f"{what} has no cable between devices: leaf1.lldp.json of lldpctl -f json, or a list of cables "
            f"(device,port,device,port) was expected"
        )
    hosts = terminals_of(devices, found.tables, cabling, found.hosts, what=what)
    labels = [x.name for x in hosts]
    kept = np.flatnonzero(file.choice.kept([labels], what=what, nodes=devices))
    hosts = [hosts[t] for t in kept.tolist()]
    number = {name: v for v, name in enumerate(devices)}
    ends = sorted((number[a], _natural(p), p, number[b], q) for (a, p), (b, q) in cabling.far.items() if a != b)
    if len(ends) < len(cabling.far):
        warn(f"{what}: cables from a device to itself are left out")
    at = np.array([x.device for x in hosts], dtype=np.int32)
    unit, widths = _bandwidths(bandwidth, cabling, [(devices[v], port) for v, _, port, _, _ in ends], what)
    own = [cabling.gbps.get((devices[x.device], x.port)) for x in hosts]
    host_widths = tuple(x / (unit or 1) for x in own if x is not None)
    return EthernetNetwork(
        name=stem(os.path.abspath(path)),
        num_nodes=len(devices),
        tail=np.array([x[0] for x in ends], dtype=np.int32),
        head=np.array([x[3] for x in ends], dtype=np.int32),
        bandwidth=widths,
        source=at,
        sink=at,
        labels=tuple(devices),
        terminal_labels=tuple(x.name for x in hosts),
        tables=tuple(found.tables[x] for x in devices),
        hosts=tuple(hosts),
        port=tuple(x[2] for x in ends),
        far_port=tuple(x[4] for x in ends),
        others={(number[a], p): x[0][0] for (a, p), x in cabling.others.items()},
        gbps=unit,
        host_widths=host_widths if unit is not None and len(host_widths) == len(hosts) else None,
    )


def _natural(text: str) -> tuple[tuple[int, str], ...]:
    """swp2 before swp10."""
    return tuple((int(x), "") if x.isdigit() else (0, x) for x in re.split(r"(\d+)", text) if x)


def _bandwidths(
    given: Bandwidth, cabling: Cabling, ends: list[tuple[str, str]], what: str
) -> tuple[Fraction | None, tuple[Fraction, ...]]:
    """(what bandwidth 1 is in Gb/s, where that is known; the bandwidth of every channel)."""
    if isinstance(given, (int, Fraction)):
        if given <= 0:
            raise unexpected(f"{what}: bandwidth", given, "a positive number")
        return None, (Fraction(given),) * len(ends)
    if given is not None:
        raise InputError(f"{what}: bandwidth={brief(given)}; a number was expected for an Ethernet fabric")
    stated = [x for x in ends if x in cabling.gbps]
    if stated and len(stated) < len(ends):
        missing = next(x for x in ends if x not in cabling.gbps)
        raise InputError(
            f"{what}: no bandwidth is stated of {missing[0]} {missing[1]}, as of other cables; list it, or give "
            f"bandwidth=1 for all"
        )
    own = [cabling.gbps[x] for x in cabling.others if x in cabling.gbps]
    if own and min(own) < max(own):
        warn(f"{what}: cables of hosts have {min(own)} to {max(own)}; bandwidth 1 is the slowest")
    unit = min(own, default=Fraction(1))
    widths = tuple(cabling.gbps[x] / unit if stated else Fraction(1) for x in ends)
    return (unit, widths) if stated else (None, widths)


ETHERNET: NetworkFormat = Format(
    "ethernet",
    "a directory with routes and neighbours of Ethernet devices",
    directory=ethernet_dumps,
    read=read_ethernet,
    options=("bandwidth", "hosts"),
)
