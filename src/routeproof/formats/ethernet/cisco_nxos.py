"""Cisco NX-OS: ``show ip route vrf all``, the text or ``| json``; ``show lldp neighbors detail | json``.

Read are the best unicast paths (``*``, ``ubest``); what a path has beside next hop, interface and source (a tunnel, a
segment) is not followed, and named.  Next hops of BGP have no interface: it is that of the route to them.  Eth1/1 and
Ethernet1/1 are one port.
Source: the text, batfish/lab-validation, ``snapshots/nxos_*``; JSON, the example of the developers' site of NX-OS
(``ts_report ... show_ip_route.json``); neighbours: ONOS, ``LinkDiscoveryCiscoImpl``; names of ports: napalm,
``test/nxos/mocked_data/test_get_lldp_neighbors_detail``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...core.errors import InputError
from ..documents.json_text import as_object, as_objects
from ..format import File
from ..text_files import brief
from .device_dumps import DEFAULT_VRF, DeviceDumps, Kind
from .lldp import neighbour
from .next_hops import Listed, listed_routes
from .routes import BITS, Hop, Marks, prefix_of

_TEXT = re.compile(r'^IP(?:v6)? Route Table for VRF "([^"]+)"', re.M)
_PREFIX = re.compile(r"(\S+/\d+), ubest/mbest: \d+/\d+(, attached)?$")
_PATH = re.compile(r"(\*?\*?)via ([^\s,]+)(?:, ([A-Za-z]\S*))?, \[\d+/\d+\], [^\s,]+, ([\w-]+)(.*)")
_LEGEND = re.compile(r"'.*' (in via output )?denotes ")
_JSON = re.compile(r'\s*\{\s*"TABLE_vrf"\s*:[\s\S]*"TABLE_addrf"')
_LLDP = re.compile(r'\s*\{\s*"TABLE_nbor_detail"\s*:')
_SHORT = {"Eth": "Ethernet", "Po": "port-channel", "Lo": "loopback"}
_PATH_FIELDS = frozenset((
    "ipnexthop", "ifname", "uptime", "pref", "metric", "clientname", "ubest", "mbest", "type", "tag",
))  # fmt: skip
_OWN = ("direct", "local", "hsrp", "vrrp")
_NO_NAME = ("", "null", "not advertised")


def _port(name: str) -> str:
    """The long name of a port: Ethernet1/1 of Eth1/1."""
    short = re.fullmatch(r"(Eth|Po|Lo)(\d[\d/.]*)", name)
    return name if short is None else _SHORT[short[1]] + short[2]


def _rows(of: dict[str, Any], table: str, what: str) -> list[dict[str, Any]]:
    """The rows of TABLE_x: a list, or the one row itself."""
    inside = as_object(of.get(f"TABLE_{table}", {}), what=f"{what}: TABLE_{table}", wanted="an object")
    rows = inside.get(f"ROW_{table}", [])
    return as_objects(rows if isinstance(rows, list) else [rows], what=f"{what}: ROW_{table}")


def _of_json(file: File, device: str, found: DeviceDumps) -> Iterator[Listed]:
    for vrf in _rows(file.document, "vrf", file.what):
        name = str(vrf.get("vrf-name-out", DEFAULT_VRF))
        prefixes = [x for one in _rows(vrf, "addrf", file.what) for x in _rows(one, "prefix", file.what)]
        if not prefixes or not found.is_wanted(device, name):
            continue
        for entry in prefixes:
            route = Listed(prefix_of(entry.get("ipprefix"), what=f"{file.what}: ipprefix"))
            what = f"{file.what}: {route.prefix}"
            for path in _rows(entry, "path", what):
                if path.get("ubest") not in ("true", True):
                    continue
                other = next(iter(sorted(path.keys() - _PATH_FIELDS)), "")
                to, at, source = (path.get(x, "") for x in ("ipnexthop", "ifname", "clientname"))
                if not (isinstance(to, str) and isinstance(at, str) and isinstance(source, str)):
                    raise InputError(f"{what}: a path has {brief(path)}; texts were expected")
                marks = {"unknown flag": brief(other)} if other else {}
                _add(route, to, at, source, marks, (device, name), found)
            yield route


def _of_text(file: File, device: str, found: DeviceDumps) -> Iterator[Listed]:
    vrf, route = DEFAULT_VRF, None
    is_wanted: bool | None = None  # not asked yet: of a VRF without routes nothing is said
    for line in file.lines(indented=True):
        text = line.text.strip()
        if head := _TEXT.match(text):
            vrf, is_wanted = head[1], None
        elif _LEGEND.match(text):
            continue
        elif own := _PREFIX.fullmatch(text):
            if route is not None:
                yield route
            is_wanted = found.is_wanted(device, vrf) if is_wanted is None else is_wanted
            route = Listed(prefix_of(own[1], what=f"{line.place}: the prefix")) if is_wanted else None
        elif path := _PATH.fullmatch(text):
            if route is None or "*" not in path[1] or path[1] == "**":
                continue
            tunnel = re.search(r"encap: (\S+)", path[5])
            marks = {"encapsulation": tunnel[1]} if tunnel else {}
            if not tunnel and (more := re.search(r"\(\S+\)|\w+: ", path[5])):
                marks = {"unknown flag": brief(more[0].strip())}
            to, interface = (path[2], path[3] or "") if path[2] != "Null0" else ("", "Null0")
            _add(route, to, interface, path[4], marks, (device, vrf), found)
        else:
            raise line.error(f"{brief(text)}; a prefix with ubest/mbest, or *via ..., was expected")
    if route is not None:
        yield route


def _add(
    route: Listed, to: str, interface: str, source: str, marks: Marks, of: tuple[str, str], found: DeviceDumps
) -> None:
    """One best path; ``of``: the device and its VRF."""
    gateway, _, vrf = to.partition("%")
    if marks.get("encapsulation") == "VXLAN" and vrf in ("", DEFAULT_VRF):
        route.add(None, {"VXLAN": gateway})
        return
    if vrf and vrf != of[1]:
        marks = {"another VRF": vrf, **marks}
    if interface == "Null0":
        route.marks["drops"] = ""
        return
    if source in _OWN:
        route.is_connected = True
        if source != "hsrp" and source != "vrrp":
            found.owners.setdefault(prefix_of(gateway, what=f"{route.prefix}: its address"), set()).add(of[0])
        gateway = ""
    elif interface and route.prefix.length == BITS[route.prefix.version] and gateway == str(route.prefix):
        gateway = ""  # a host that is attached there
    route.is_static = route.is_static or source == "static"
    route.add(Hop(_port(interface), gateway), marks)


def _read_routes(file: File, device: str, found: DeviceDumps) -> None:
    listed = (_of_text if _TEXT.search(file.start) else _of_json)(file, device, found)
    found.add_routes(device, list(listed_routes(_routed(listed), device, found)), file.what)


def _routed(listed: Iterator[Listed]) -> Iterator[Listed]:
    return (x for x in listed if not x.prefix.is_local and (x.hops or x.marks))


def _read_neighbours(file: File, device: str, found: DeviceDumps) -> None:
    result = []
    for row in _rows(file.document, "nbor_detail", file.what):
        name, chassis, far, about, at, managed = (
            "" if (x := str(row.get(key, ""))) in _NO_NAME else x
            for key in ("sys_name", "chassis_id", "port_id", "port_desc", "l_port_id", "mgmt_addr")
        )
        if not at:
            raise InputError(f"{file.what}: a neighbour has no l_port_id; is the file whole?")
        ports = dict.fromkeys((_port(far), far, _port(about), about))
        what = f"{file.what} has a neighbour at {at}"
        result.append(neighbour(_port(at), (name, chassis), ports, (managed,) if managed else (), "", what))
    found.add_neighbours(device, result, file.what)


NXOS_TEXT = Kind("routes of Cisco NX-OS", lambda f: bool(_TEXT.match(f.start.lstrip())), _read_routes)
NXOS_JSON = Kind("routes of Cisco NX-OS (JSON)", lambda f: bool(_JSON.match(f.start)), _read_routes)
NXOS_LLDP = Kind("LLDP (Cisco NX-OS)", lambda f: bool(_LLDP.match(f.start)), _read_neighbours)
