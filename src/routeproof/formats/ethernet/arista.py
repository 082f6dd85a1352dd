"""Arista EOS as JSON: ``show ip route vrf all | json``, ``show ipv6 route ...``, ``show lldp neighbors detail | json``;
and ``show interfaces | json`` for the members of port channels, the speeds of ports and the addresses of VLANs.

A next hop with any field beside interface, address and description (a tunnel, a weight) is not followed, and the field
is named: EOS has no documented form of them (weights are in the text: ``arista_text``).  Members of a port channel are
its active ones.
Source: batfish/lab-validation, ``snapshots/eos_*``; routes also in aristanetworks/anta, ``tests/units/anta_tests``;
neighbours in napalm, ``test/eos/mocked_data/test_get_lldp_neighbors_detail``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ..documents.json_text import as_object, as_objects
from ..format import File
from ..text_files import brief
from .device_dumps import DeviceDumps, Kind
from .lldp import neighbour
from .routes import Hop, Marks, Route, hops_of, prefix_of, route_of

_ROUTE_FIELDS = frozenset((
    "kernelProgrammed", "hardwareProgrammed", "directlyConnected", "routeAction", "routeLeaked", "routeType", "vias",
    "preference", "metric",
))  # fmt: skip
_HOP_FIELDS = frozenset(("interface", "nexthopAddr", "interfaceDescription"))
_VXLAN = ("vni", "vtepAddr")
_ACTIONS = {"forward": None, "drop": "drops"}
_NO_ADDRESS = ("", "0.0.0.0")  # noqa: S104  # nothing is bound: an interface without an address


def _begins(first: str, field: str) -> Any:
    """A sniffer: the first key of the object, and a field that is in its beginning."""
    start, inside = re.compile(rf'\s*\{{\s*"{first}"\s*:\s*\{{'), re.compile(rf'"(?:{field})"\s*:')
    return lambda file: bool(start.match(file.start) and inside.search(file.start))


def _objects(value: Any, what: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, one in as_object(value, what=what, wanted="an object").items():
        yield name, as_object(one, what=f"{what}: {brief(name)}", wanted="an object")


def eos_routes(file: File, device: str, found: DeviceDumps) -> Iterator[Route]:
    for vrf, table in _objects(file.document["vrfs"], f"{file.what}: vrfs"):
        routes = table.get("routes", {})
        if not routes or not found.is_wanted(device, vrf):
            continue
        for text, entry in _objects(routes, f"{file.what}: VRF {vrf}"):
            what = f"{file.what}: {text[:60]}"
            prefix = prefix_of(text, what=f"{file.what}: a prefix")
            if prefix.is_local:
                continue
            found.note_unknown(entry.keys() - _ROUTE_FIELDS, what)
            vias = as_objects(entry.get("vias"), what=f"{what}: vias")
            marks = _marks(entry, what)
            hops = hops_of(_hop(via, what) for via in vias)
            kind = entry.get("routeType")
            yield route_of(prefix, hops, marks, is_connected=kind == "connected", is_static=kind == "static")


def _marks(entry: dict[str, Any], what: str) -> Marks:
    action = entry.get("routeAction")
    if not isinstance(action, str):
        raise InputError(f"{what}: routeAction is {brief(action)}; 'forward' or 'drop' was expected")
    marks = {"kind": brief(action)} if action not in _ACTIONS else {}
    if _ACTIONS.get(action) is not None:
        marks["drops"] = ""
    if entry.get("hardwareProgrammed") is not True:
        marks["not installed"] = ""
    return marks


def _hop(via: dict[str, Any], what: str) -> tuple[Hop | None, Marks]:
    if any(x in via for x in _VXLAN):
        return None, {"VXLAN": str(via.get("vtepAddr"))}
    if other := sorted(via.keys() - _HOP_FIELDS):
        return None, {"unknown flag": brief(other[0])}
    interface, gateway = via.get("interface"), via.get("nexthopAddr", "")
    if not isinstance(gateway, str):
        raise InputError(f"{what}: nexthopAddr is {brief(gateway)}; an address was expected")
    if not isinstance(interface, str):
        return None, {"no interface": brief(gateway)}
    return Hop(interface, gateway), {}


def _read_neighbours(file: File, device: str, found: DeviceDumps) -> None:
    result = []
    for port, entry in _objects(file.document["lldpNeighbors"], f"{file.what}: lldpNeighbors"):
        what = f"{file.what}: {port[:60]}"
        for one in as_objects(entry.get("lldpNeighborInfo"), what=f"{what}: lldpNeighborInfo"):
            far = as_object(one.get("neighborInterfaceInfo"), what=f"{what}: neighborInterfaceInfo", wanted="an object")
            managed = as_objects(one.get("managementAddresses", []), what=f"{what}: managementAddresses")
            names = [str(one.get(x, "")) for x in ("systemName", "chassisId")]
            ports = [str(far.get(x, "")).strip('"') for x in ("interfaceId", "interfaceDescription")]
            addresses = tuple(str(x.get("address", "")) for x in managed)
            medium = str(far.get("operMauType", ""))
            result.append(neighbour(port, names, ports, addresses, medium, f"{what} has a neighbour"))
    found.add_neighbours(device, result, file.what)


def _read_interfaces(file: File, device: str, found: DeviceDumps) -> None:
    for name, entry in _objects(file.document["interfaces"], f"{file.what}: interfaces"):
        what = f"{file.what}: {name[:60]}"
        if entry.get("hardware") == "portChannel":
            members = as_object(entry.get("memberInterfaces", {}), what=f"{what}: memberInterfaces", wanted="an object")
            found.add_ports(device, name, tuple(sorted(members)), file.what)
        speed = entry.get("bandwidth", 0)
        if entry.get("hardware") == "ethernet" and speed:
            if type(speed) is not int or speed < 0:
                raise InputError(f"{what}: bandwidth is {brief(speed)}; bits per second were expected")
            found.gbps[device, name] = Fraction(speed, 10**9)
        for own in as_objects(entry.get("interfaceAddress", []), what=f"{what}: interfaceAddress"):
            primary = as_object(own.get("primaryIp", {}), what=f"{what}: primaryIp", wanted="an object")
            if (address := primary.get("address", "")) not in _NO_ADDRESS:
                found.owners.setdefault(prefix_of(address, what=f"{what}: its address"), set()).add(device)


EOS_ROUTES = Kind(
    "routes of Arista EOS",
    _begins("vrfs", "routes|routingDisabled|defaultRouteState"),
    lambda f, device, to: to.add_routes(device, list(eos_routes(f, device, to)), f.what),
)
EOS_LLDP = Kind("LLDP (Arista EOS)", _begins("lldpNeighbors", "lldpNeighborInfo"), _read_neighbours)
EOS_INTERFACES = Kind("interfaces of Arista EOS", _begins("interfaces", "lineProtocolStatus"), _read_interfaces, False)
