"""SONiC's APPL_DB as JSON: ``sonic-db-dump -n APPL_DB -y`` or ``redis-dump -d 0 -y``, the whole of it or some tables.

Read are ROUTE_TABLE with NEXTHOP_GROUP_TABLE, LLDP_ENTRY_TABLE, LAG_MEMBER_TABLE, INTF_TABLE for addresses, and
PORT_TABLE for speeds (Mb/s) and for aliases, by which LLDP calls the ports of SONiC.
Source: sonic-net/sonic-swss, ``doc/swss-schema.md``; routes: ``fpmsyncd/routesync.cpp``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from ...core.errors import InputError
from ..format import File
from ..text_files import brief
from .device_dumps import DEFAULT_VRF, DeviceDumps, Kind, Neighbour
from .routes import Hop, Hops, Prefix, Route, hops_of, prefix_of, route_of, weight_of

_TABLES = ("ROUTE_TABLE", "NEXTHOP_GROUP_TABLE", "LLDP_ENTRY_TABLE", "LAG_MEMBER_TABLE", "INTF_TABLE", "PORT_TABLE")
_TUNNELS = ("vni_label", "segment", "mpls_nh", "seg_src", "vpn_sid", "policy", "pic_context_id")
_FIELDS = frozenset((
    *_TUNNELS, "nexthop", "ifname", "weight", "blackhole", "nexthop_group", "protocol", "router_mac", "NULL",
))  # fmt: skip
_NO_ADDRESS = ("", "0.0.0.0", "::")  # noqa: S104  # nothing is bound: how a route says that it is connected
_NO_SPEED = ("", "0", "N/A")
Entries = dict[str, dict[str, str]]


def _is_sonic_db(file: File) -> bool:
    start = file.start.lstrip()
    return start.startswith("{") and any(f'"{x}:' in start for x in _TABLES)


def _tables(file: File) -> dict[str, Entries]:
    found: dict[str, Entries] = {x: {} for x in _TABLES}
    for key, value in file.document.items():
        table, _, rest = key.partition(":")
        if table not in found:
            continue
        if isinstance(value, dict) and isinstance(value.get("value"), dict):  # with ttl and type, as redis-dump has it
            value = value["value"]
        if not isinstance(value, dict) or not all(isinstance(x, str) for x in value.values()):
            raise InputError(f"{file.what}: {key[:80]} is {brief(value)}; an object of texts was expected")
        found[table][rest] = value
    return found


def _read(file: File, device: str, found: DeviceDumps) -> None:
    tables = _tables(file)
    neighbours = [_neighbour(port, x, file.what) for port, x in tables["LLDP_ENTRY_TABLE"].items()]
    if neighbours:
        found.add_neighbours(device, neighbours, file.what)
    for port, fields in tables["PORT_TABLE"].items():
        speed = fields.get("speed", "")
        if speed not in _NO_SPEED:
            if not re.fullmatch(r"[1-9][0-9]{0,8}", speed):
                raise InputError(f"{file.what}: PORT_TABLE:{port[:60]} has speed {brief(speed)}; Mb/s were expected")
            found.gbps[device, port] = Fraction(int(speed), 1000)
        if fields.get("alias"):
            found.aliases[device, fields["alias"]] = port
    members: dict[str, list[str]] = {}
    for key, fields in tables["LAG_MEMBER_TABLE"].items():
        lag, _, port = key.partition(":")
        if not port or fields.get("status", "enabled") not in ("enabled", "disabled"):
            raise InputError(f"{file.what}: LAG_MEMBER_TABLE:{key[:60]} is not understood; a status was expected")
        members.setdefault(lag, [])
        if fields.get("status", "enabled") == "enabled":
            members[lag].append(port)
    for lag, ports in members.items():
        found.add_ports(device, lag, tuple(sorted(ports)), file.what)
    for key in tables["INTF_TABLE"]:
        name, _, address = key.replace("|", ":").partition(":")
        if "." in name:  # a subinterface: Ethernet0.10
            found.add_ports(device, name, (name.partition(".")[0],), file.what)
        if address:
            own = prefix_of(address.partition("/")[0], what=f"{file.what}: INTF_TABLE:{key[:60]}")
            found.owners.setdefault(own, set()).add(device)
    known = found.groups_of(device)
    known.update(tables["NEXTHOP_GROUP_TABLE"])
    if tables["ROUTE_TABLE"]:
        what, routes = file.what, tables["ROUTE_TABLE"]
        down = {x for x, fields in tables["PORT_TABLE"].items() if fields.get("oper_status") == "down"}
        found.later.append(
            lambda: found.add_routes(device, list(_routes(routes, known, device, found, down, what)), what)
        )


def _neighbour(port: str, fields: Mapping[str, str], what: str) -> Neighbour:
    name = fields.get("lldp_rem_sys_name") or fields.get("lldp_rem_chassis_id", "")
    far = (fields.get("lldp_rem_port_id", ""), fields.get("lldp_rem_port_desc", ""))
    ports = tuple(dict.fromkeys(x for x in far if x))
    if not name or not ports:
        raise InputError(
            f"{what}: LLDP_ENTRY_TABLE:{port[:60]} has no {'lldp_rem_port_id' if name else 'lldp_rem_sys_name'}"
        )
    addresses = tuple(x.strip() for x in fields.get("lldp_rem_man_addr", "").split(",") if x.strip())
    return Neighbour(port, name, ports, addresses)


def _routes(
    entries: Entries, groups: Entries, device: str, found: DeviceDumps, down: set[str], what: str
) -> Iterator[Route]:
    for key, own in entries.items():
        vrf, text = DEFAULT_VRF, key
        if not re.match(r"[0-9a-fA-F:.]+(/\d+)?$", key):
            vrf, _, text = key.partition(":")
        if not found.is_wanted(device, vrf):
            continue
        at = f"{what}: ROUTE_TABLE:{key[:60]}"
        prefix = prefix_of(text, what=at)
        if prefix.is_local:
            continue
        fields: Mapping[str, str] = own
        if own.get("nexthop_group"):
            group = groups.get(own["nexthop_group"])
            if group is None:
                raise InputError(
                    f"{at} has the group {brief(own['nexthop_group'])}, which is not in NEXTHOP_GROUP_TABLE; dump the "
                    f"whole APPL_DB (groups by class of service are not read)"
                )
            fields = group
        found.note_unknown((own.keys() | fields.keys()) - _FIELDS, at)
        yield _route(prefix, fields, own, down, at)


def _route(prefix: Prefix, fields: Mapping[str, str], own: Mapping[str, str], down: set[str], at: str) -> Route:
    marks: dict[str, str] = {"drops": ""} if "true" in (own.get("blackhole"), fields.get("blackhole")) else {}
    if tunnel := next((x for x in _TUNNELS if fields.get(x, "").strip(",0na ")), None):
        marks["tunnel"] = tunnel
    if marks:
        return route_of(prefix, Hops(()), marks, is_connected=False)
    names = [x.strip() for x in fields.get("ifname", "").split(",")]
    gateways = [x.strip() for x in fields.get("nexthop", "").split(",")]
    weights = [x.strip() for x in fields["weight"].split(",")] if fields.get("weight") else ["1"] * len(names)
    if len(gateways) != len(names) and any(gateways):
        raise InputError(f"{at} has {len(gateways)} next hops and {len(names)} interfaces; as many were expected")
    if len(weights) != len(names) or not all(x.isdigit() and len(x) < 9 for x in weights) or not all(names):
        raise InputError(
            f"{at}: ifname and weight are {brief(fields.get('ifname'))} and {brief(fields.get('weight'))}; "
            f"interfaces, and a whole number for each, were expected"
        )
    gateways = gateways if len(gateways) == len(names) else [""] * len(names)
    hops = [
        Hop(name, "" if gateway in _NO_ADDRESS else gateway, weight_of(int(weight), what=at))
        for name, gateway, weight in zip(names, gateways, weights, strict=True)
    ]
    each = hops_of((x, {"link down": x.interface} if x.interface in down else {}) for x in hops)
    is_static = own.get("protocol", "").lower() == "static"
    return route_of(prefix, each, {}, is_connected=not any(x.gateway for x in hops), is_static=is_static)


SONIC_DB = Kind("SONiC's APPL_DB", _is_sonic_db, _read)
