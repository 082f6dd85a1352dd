"""A folder with the files of every device, ``leaf1.routes.json`` or ``leaf1/routes.json``: one fabric.

What a file holds is told by its content; whose it is by the first part of its name, or by its folder.  Devices with
routes are the nodes.
"""

from __future__ import annotations

import os
import re
from fractions import Fraction
from warnings import catch_warnings, simplefilter

import numpy as np

from ...core.errors import InputError, warn
from ...core.registry import Registry
from ..folder import first_known, text_files, unread_in, warn_of_others
from ..format import Bandwidth, File, Format, NetworkFormat
from ..text_files import brief, positive_number, shown, stem
from .cabling import Cabling, cabling_of, terminals_of
from .device_dumps import DEFAULT_VRF, DeviceDumps, Kind
from .fabric import EthernetNetwork
from .several_ports import LOOPBACK, add_hosts_of_several_ports
from .vxlan import over_outer_routes, uses_vxlan

_SHOWN = 6
KINDS: Registry[Kind] = Registry("kind of file", Kind, rooms=[str(__package__)])
"""Every kind of file by its name; an entry stands beside the code that reads it."""


def _kind(file: File) -> Kind | None:
    return next((x for x in KINDS.own.values() if x.sniff(file)), None)


def ethernet_dumps(file: File) -> str:
    """Which file of routes or neighbours is in that folder, in words; "" where there is none."""

    def word(one: File) -> str:
        kind = _kind(one)
        return kind.name if kind is not None and kind.is_dump else ""

    return first_known(file.path, word)


def _read(path: str, vrf: str) -> DeviceDumps:
    found = DeviceDumps(vrf)
    for inside, file in text_files(path, wanted="routes, neighbours, cables or hosts (else remove the file)"):
        folder, base = os.path.split(inside)
        kind = _kind(file)
        if kind is None:
            _ = file.value if file.ends_with(".json") else None  # raises where it is none, as when a command failed
            found.unknown.append(inside)
        else:
            kind.read(file, folder or base.partition(".")[0], found)
    found.later.reverse()
    while found.later:
        found.later.pop()()
    return found


def _outer(path: str, found: DeviceDumps) -> DeviceDumps | None:
    """The routes of the default VRF, where those that are read put packets into VXLAN."""
    if found.vrf == DEFAULT_VRF or not uses_vxlan(found):
        return None
    for names in found.other_vrfs.values():
        names.discard(DEFAULT_VRF)
    found.notes.add(f"packets of the VRF {found.vrf} are carried in VXLAN, by the routes of the VRF {DEFAULT_VRF}")
    with catch_warnings():
        simplefilter("ignore")  # said of the first reading
        outer = _read(path, DEFAULT_VRF)
    for address, devices in outer.owners.items():
        found.owners.setdefault(address, set()).update(devices)
    return outer


def read_ethernet(file: File, bandwidth: Bandwidth = None) -> EthernetNetwork:
    """The fabric in a folder; ``bandwidth``: one number for all channels (default: what the cables state, over the
    slowest cable of a host; 1 where they state nothing). Says in lines what is left out."""
    path = os.fspath(file.path)
    what = f"directory {shown(path)}"
    found = _read(path, file.vrf or DEFAULT_VRF)
    warn_of_others(what, found.unknown, "routes nor neighbours, cables or hosts")
    if found.tables and found.unknown and (named := unread_in(path)):
        warn(f"{what}: {named}")
    if not found.tables:
        unread = f" ({shown(found.unknown[0])} is of no kind that is read)" if found.unknown else ""
        vendor = f"{named}; " if (named := unread_in(path)) else ""
        raise InputError(
            f"{what} has no routes{unread}: {vendor}leaf1.routes.json of vtysh -c 'show ip route json' was "
            f"expected, or SONiC's show ip route or APPL_DB, ip -j route, or Batfish's frame of routes"
        )
    outer = _outer(path, found)
    found.tell_other_vrfs(what)
    found.tell_left_out(what)
    silent = sorted(set(found.seen) - set(found.tables))
    if silent:
        warn(f"{what}: devices without routes, no nodes of the fabric: {', '.join(silent[:_SHOWN])}")
    senders = add_hosts_of_several_ports(found, what)
    devices = sorted(found.tables, key=_natural)
    _check_capitals(found, devices, what)
    cabling = cabling_of(devices, found)
    if not cabling.far and len(devices) > 1:
        raise InputError(
            f"{what} has no cable between devices: leaf1.lldp.json of lldpctl -f json, or a list of cables "
            f"(device,port,device,port) was expected"
        )
    hosts = terminals_of(devices, found, cabling, what=what)
    kept = file.choice.kept([[x.name for x in hosts]], what=what, nodes=devices).tolist()
    hosts = [x for x, is_kept in zip(hosts, kept, strict=True) if is_kept]
    tables = [found.tables[x] for x in devices]
    if outer is not None:
        tables, hosts = over_outer_routes(found, outer, devices, hosts, what)
    number = {name: v for v, name in enumerate(devices)}
    each = [(number[senders.get(a, a)], p, number[b], q) for (a, p), (b, q) in cabling.far.items() if a != b]
    ends = sorted((a, _natural(p), p, b, q) for a, p, b, q in each)
    if len(ends) < len(cabling.far):
        warn(f"{what}: cables from a device to itself are left out")
    at = np.array([x.device for x in hosts], dtype=np.int32)
    source = np.array([number[senders.get(devices[v], devices[v])] for v in at.tolist()], dtype=np.int32)
    own = [cabling.gbps.get((devices[x.device], x.port)) for x in hosts]
    known = [x for x in own if x is not None] or [cabling.gbps[x] for x in cabling.others if x in cabling.gbps]
    receiving = {y: x for x, y in senders.items()}
    tails = [(receiving.get(devices[v], devices[v]), port) for v, _, port, _, _ in ends]
    unit, widths = _bandwidths(bandwidth, cabling, tails, known, what)
    to_itself = {number[x]: number[y] for x, y in receiving.items()}
    own_ports = [(c, *x) for c, x in enumerate(ends) if x[0] in to_itself]
    ends += [(v, _natural(p), LOOPBACK + p, to_itself[v], LOOPBACK + p) for _, v, _, p, _, _ in own_ports]
    widths += tuple(widths[x[0]] for x in own_ports)
    host_widths = tuple(x / (unit or 1) for x in own if x is not None)
    return EthernetNetwork(
        name=stem(os.path.abspath(path)),
        num_nodes=len(devices),
        tail=np.array([x[0] for x in ends], dtype=np.int32),
        head=np.array([x[3] for x in ends], dtype=np.int32),
        bandwidth=widths,
        source=source,
        sink=at,
        labels=tuple(devices),
        terminal_labels=tuple(x.name for x in hosts),
        tables=tuple(tables),
        hosts=tuple(hosts),
        port=tuple(x[2] for x in ends),
        far_port=tuple(x[4] for x in ends),
        others={(number[a], p): x[0][0] for (a, p), x in cabling.others.items()},
        ports={(number[a], p): cabling.made_of(a, p) for a, p in found.ports if a in number},
        owners={x: tuple(sorted(number[d] for d in at if d in number)) for x, at in found.owners.items()},
        bridges=frozenset((number[d], x) for d, x in found.bridges if d in number),
        gbps=unit,
        host_widths=host_widths if unit is not None and len(host_widths) == len(hosts) else None,
    )


def _check_capitals(found: DeviceDumps, devices: list[str], what: str) -> None:
    """Raise InputError where a device has another name that differs in capital letters only: one device or two?"""
    spelled: dict[str, str] = {}
    told: set[tuple[str, str]] = set()
    neighbours = (x.name.partition(".")[0] for _, some in found.seen.values() for x in some)
    listed = (device for cable in found.cables for device, _ in cable.ends)
    hosts = (name for x in found.hosts for name in (x.name, x.device) if name)
    for name in (*devices, *found.seen, *neighbours, *listed, *hosts):
        first = spelled.setdefault(name.casefold(), name)
        if name != first and first in found.tables:
            raise InputError(
                f"{what}: {first} and {name} differ in capital letters only; are they one device or two? One name for "
                f"each, spelled alike in all files, was expected"
            )
        if name != first and (first, name) not in told:
            told.add((first, name))
            warn(f"{what}: {first} and {name} differ in capital letters only, and are taken as two")


def _natural(text: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(x), "") if x.isdigit() else (0, x) for x in re.split(r"(\d+)", text) if x)


def _bandwidths(
    given: Bandwidth, cabling: Cabling, ends: list[tuple[str, str]], own: list[Fraction], what: str
) -> tuple[Fraction | None, tuple[Fraction, ...]]:
    """(what bandwidth 1 is in Gb/s, where that is known; the bandwidth of every channel).  ``own``: the hosts'."""
    if isinstance(given, (int, Fraction)):
        return None, (positive_number(given, what=f"{what}: bandwidth"),) * len(ends)
    if given is not None:
        raise InputError(f"{what}: bandwidth={brief(given)}; a number was expected for an Ethernet fabric")
    stated = [x for x in ends if x in cabling.gbps]
    if not stated:
        _warn_of_media(cabling, what)
    if stated and len(stated) < len(ends):
        missing = next(x for x in ends if x not in cabling.gbps)
        raise InputError(
            f"{what}: no bandwidth is stated of {missing[0]} {missing[1]}, as of other cables; list it, or give "
            f"bandwidth=1 for all"
        )
    if own and min(own) < max(own):
        warn(f"{what}: cables of hosts have {min(own)} to {max(own)}; bandwidth 1 is the slowest")
    unit = min(own, default=Fraction(1))
    widths = tuple(cabling.gbps[x] / unit if stated else Fraction(1) for x in ends)
    return (unit, widths) if stated else (None, widths)


def _warn_of_media(cabling: Cabling, what: str) -> None:
    """LLDP's kinds of cables are often wrong, so no bandwidth rests on them; but they may say that one is missing."""
    by_rate = {x.gbps: (end, x) for end, x in cabling.media.items() if end in cabling.far or end in cabling.others}
    if len(by_rate) > 1:
        names = ", ".join(f"{x.medium.partition(' ')[0]} at {end[0]} {end[1]}" for end, x in by_rate.values())
        warn(
            f"{what}: all cables are taken as equal, and LLDP tells of {names}; a list of cables "
            f"(device,port,device,port,bandwidth) states bandwidths"
        )


ETHERNET: NetworkFormat = Format(
    "ethernet",
    "a directory with routes and neighbours of Ethernet devices",
    directory=ethernet_dumps,
    read=read_ethernet,
    options=("bandwidth", "hosts", "vrf"),
)
