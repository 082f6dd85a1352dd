"""Routes and interfaces as Linux prints them: ``ip -j route`` (or ``ip -j -6 route``), with the groups of
``ip -j nexthop``; ``ip -j -d link``, for members of bonds and parents of VLAN interfaces; and ``ip -j addr`` (``-d``
too), for whom an address belongs to.

Of several routes of a prefix the one with the lowest metric counts.  What has a name may have its number instead
(``ip -N``).  Source: iproute2, ``ip/iproute.c``, ``ip/ipaddress.c``, ``lib/rt_names.c``; ip-route(8), ip-nexthop(8),
ip-link(8); the kernel's ``Documentation/networking/bonding.rst``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...core.errors import InputError
from ..documents.json_text import as_objects
from ..format import File
from ..text_files import brief
from .device_dumps import DEFAULT_VRF, DeviceDumps, Kind
from .routes import Hop, Marks, Prefix, Route, hops_of, lost_by, prefix_of, route_of, weight_of

_BEGINNING = re.compile(r'\s*\[\s*(\{\s*\}\s*,\s*)*\{\s*"ifindex"\s*:')


def _read_links(file: File, device: str, found: DeviceDumps) -> None:
    entries = [x for x in _objects(file) if x]
    for entry in entries:
        if not isinstance(entry.get("ifname"), str):
            raise InputError(f"{file.what}: an interface has no ifname; a name was expected")
        listed = entry.get("addr_info", [])
        for address in listed if isinstance(listed, list) else []:
            text = address.get("local") if isinstance(address, dict) else None
            if text is not None:
                own = prefix_of(text, what=f"{file.what}: an address of {entry['ifname'][:40]}")
                found.owners.setdefault(own, set()).add(device)
    kind = {x["ifname"]: _info(x).get("info_kind") for x in entries}
    for entry in entries:
        name = entry["ifname"]
        if kind[name] == "vlan":
            if not isinstance(entry.get("link"), str):
                raise InputError(
                    f"{file.what}: {name[:40]} is a VLAN interface without a link; its parent was expected"
                )
            found.add_ports(device, name, (entry["link"],), file.what)
        elif kind[name] == "bridge":
            found.bridges.add((device, name))
        elif kind[name] in ("bond", "team"):
            members = [x for x in entries if x.get("master") == name and _is_active(x)]
            found.add_ports(device, name, tuple(sorted(x["ifname"] for x in members)), file.what)


def _info(entry: dict[str, Any]) -> dict[str, Any]:
    info = entry.get("linkinfo", {})
    return info if isinstance(info, dict) else {}


def _is_active(entry: dict[str, Any]) -> bool:
    data = _info(entry).get("info_slave_data", {})
    state = data.get("state", "ACTIVE") if isinstance(data, dict) else "ACTIVE"
    return state == "ACTIVE" and entry.get("operstate") != "DOWN"


LINUX_LINKS = Kind("interfaces of Linux", lambda file: bool(_BEGINNING.match(file.start[:4096])), _read_links)


_ROUTES = re.compile(r'\s*\[\s*\{[^{}\[\]]*"dst"\s*:')
_NEXT_HOPS = re.compile(r'\s*\[\s*\{\s*"id"\s*:\s*\d+')
_DROPS = ("blackhole", "unreachable", "prohibit", "throw")
_TYPES = ("none", "unicast", "local", "broadcast", "anycast", "multicast", *_DROPS)  # by number
_ADDRESSES = ("broadcast", "multicast", "anycast")  # no packets between hosts go there
_TABLES = {"254": DEFAULT_VRF, "main": DEFAULT_VRF, "default": "253", "255": "local"}
_SCOPES = {"253": "link", "254": "host", "0": "global"}
_KERNEL = ("kernel", "2")
_CONFIGURED = ("static", "boot", "4", "3", "kernel")  # by people, not by a routing protocol
_MARK_OF_FLAG = {
    "dead": "dead", "linkdown": "link down", "unresolved": "unresolved", "trap": "trapped", "rt_trap": "trapped",
    "rt_offload_failed": "offload failed", "onlink": "on link", "pervasive": "on link", "offload": "offloaded",
    "rt_offload": "offloaded", "notify": "notified",
}  # fmt: skip
_OF_A_HOP = ("dead", "link down", "unresolved")
_SPECIAL = ("tos", "from", "src", "mark", "uid", "iif")
_ALL = ("all", "default", "::/0", "0/0")
_PUTS = ("encap", "to", "as")
_FIELDS = frozenset((
    *_SPECIAL, *_PUTS, "type", "dst", "nhid", "gateway", "via", "dev", "table", "protocol", "scope", "prefsrc",
    "metric", "flags", "flow", "realms", "expires", "error", "users", "used", "age", "ipid", "ts", "tsage", "metrics",
    "pref", "ttl-propogate", "ttl-propagate", "nh_info", "nexthops", "weight", "cache",
))  # fmt: skip
Objects = list[dict[str, Any]]


def _objects(file: File) -> Objects:
    return as_objects(file.value, what=file.what, wanted="a list of objects, as ip -j prints it,")


def linux_next_hops(file: File) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for entry in _objects(file):
        if type(entry.get("id")) is not int or entry["id"] in found:
            raise InputError(f"{file.what}: a next hop has the id {brief(entry.get('id'))}; each once was expected")
        found[entry["id"]] = entry
    return found


def linux_routes(file: File, device: str, found: DeviceDumps) -> Iterator[Route]:
    """The routes of the main table in a file, or of the table that is called like the VRF (``show table all``)."""
    next_hops = found.groups_of(device)
    of: dict[Prefix, list[dict[str, Any]]] = {}
    entries = _objects(file)
    versions = {6 if ":" in str(x.get("dst")) else 4 for x in entries if x.get("dst") != "default"}
    for x in entries:
        kind, table = _kind(x), str(x.get("table", "main"))
        if kind == "local" and isinstance(x.get("dst"), str):
            found.owners.setdefault(prefix_of(x["dst"], what=f"{file.what}: dst"), set()).add(device)
        vrf = _TABLES.get(table, table)
        is_own = kind == "local" and vrf == "local" and found.vrf == DEFAULT_VRF  # asked before all others
        if kind not in _ADDRESSES and (is_own or (vrf != "local" and found.is_wanted(device, vrf))):
            prefix = _prefix(x, versions, file.what)
            if not prefix.is_local:
                of.setdefault(prefix, []).append(x)
    for prefix, several in of.items():
        what = f"{file.what}: {prefix}"
        for entry in several:
            found.note_unknown(entry.keys() - _FIELDS, what)
        own = [x for x in several if _kind(x) == "local"]
        if own:
            yield Route(prefix, (Hop("lo", ""),))
            continue
        metric = min(_metric(x, what) for x in several)
        chosen = [x for x in several if _metric(x, what) == metric]
        if len(chosen) > 1 and not (prefix.version == 6 and all("gateway" in x or "via" in x for x in chosen)):
            raise InputError(f"{what} has {len(chosen)} routes of metric {metric}; one was expected")
        if len({x.get("pref") for x in chosen}) > 1:
            raise InputError(f"{what} has routes of metric {metric} and of unlike preference; one was expected")
        marks = {k: v for x in several for k, v in _special(x).items()}
        for x in chosen:
            marks |= {} if _kind(x) == "unicast" else {"drops" if _kind(x) in _DROPS else "kind": brief(_kind(x))}
            marks |= _flags(x, what)
        hops = hops_of(one for x in chosen if not lost_by(marks) for one in _hops(x, next_hops, what))
        found.left_out(device, prefix, hops.told)
        scope = str(chosen[0].get("scope", "link"))
        is_connected = str(chosen[0].get("protocol")) in _KERNEL and _SCOPES.get(scope, scope) == "link"
        is_connected = is_connected and not any(x.gateway for x in hops.hops)
        is_static = str(chosen[0].get("protocol")) in _CONFIGURED
        yield route_of(prefix, hops, marks, is_connected=is_connected, is_static=is_static)


def _kind(entry: dict[str, Any]) -> str:
    kind = str(entry.get("type", "unicast"))
    return _TYPES[int(kind)] if kind.isdecimal() and int(kind) < len(_TYPES) else kind


def _family(entry: dict[str, Any]) -> int:
    """Of which version of IP the gateways of a route are, as far as they say what the route is of; 0 where not."""
    listed = entry.get("nexthops")
    for hop in [entry, *(x for x in (listed if isinstance(listed, list) else []) if isinstance(x, dict))]:
        if "via" in hop:  # a gateway of the other version
            return 4
        for key in ("gateway", "prefsrc"):
            if hop.get(key):
                return 6 if ":" in str(hop[key]) else 4
    return 0


def _prefix(entry: dict[str, Any], versions: set[int], what: str) -> Prefix:
    """Where a route goes; ``default`` is of IPv4 or of IPv6, by its own fields, else as all others of the file."""
    text = entry.get("dst")
    if text != "default":
        return prefix_of(text, what=f"{what}: dst")
    version = 6 if "pref" in entry else _family(entry) or (4 if "scope" in entry else 0)
    if not version and len(versions) != 1:
        raise InputError(
            f"{what}: dst is default, and whether it is of IPv4 or of IPv6 is not said: keep ip -4 -j route and "
            f"ip -6 -j route in two files, or write 0.0.0.0/0 or ::/0"
        )
    return prefix_of("::/0" if (version or min(versions)) == 6 else "0.0.0.0/0", what=what)


def _special(entry: dict[str, Any]) -> Marks:
    named = next((x for x in _SPECIAL if entry.get(x, "all") not in _ALL), None)
    return {} if named is None else {"some packets": f"{named} {brief(entry[named])}"}


def _flags(of: dict[str, Any], what: str, *, of_hop: bool = False) -> Marks:
    """The marks of a route, or of a next hop; raises InputError where flags are no list."""
    flags = of.get("flags", [])
    if not isinstance(flags, list):
        raise InputError(f"{what}: flags of routes and next hops are lists; {brief(flags)} was found")
    each = [(x, _MARK_OF_FLAG.get(x, "unknown flag") if isinstance(x, str) else "unknown flag") for x in flags]
    return {mark: brief(x) for x, mark in each if of_hop or mark not in _OF_A_HOP}


def _metric(entry: dict[str, Any], what: str) -> int:
    metric = entry.get("metric", 0)
    if type(metric) is not int:
        raise InputError(f"{what}: metric is {brief(metric)}; a whole number was expected")
    return metric


def _hops(
    entry: dict[str, Any], next_hops: Mapping[int, dict[str, Any]], what: str
) -> Iterator[tuple[Hop | None, Marks]]:
    if "dev" in entry or "nexthops" in entry:
        for hop in _members(entry.get("nexthops", [entry]), what):
            yield _hop(hop, what)
        return
    number = entry.get("nhid")
    group = next_hops.get(number) if type(number) is int else None
    if group is None:
        raise InputError(
            f"{what} has the next hop {brief(number)}, which is not there: add the output of ip -j nexthop of the "
            f"same time"
        )
    for member in _members(group.get("group", [{"id": number}]), what):
        one = next_hops.get(member.get("id", -1))
        if one is None:
            raise InputError(f"{what}: next hop {number} has the member {brief(member.get('id'))}, which is not there")
        if "blackhole" in one:
            yield None, {"drops": ""}
        else:
            yield _hop({**one, "weight": member.get("weight", 1)}, what)


def _members(listed: Any, what: str) -> Objects:
    if not isinstance(listed, list) or not all(isinstance(x, dict) for x in listed):
        raise InputError(f"{what}: next hops are {brief(listed)}; a list of objects was expected")
    if not all(type(x.get("id", 0)) is int for x in listed):
        raise InputError(f"{what}: ids of next hops are numbers; something else was found")
    return listed


def _hop(hop: dict[str, Any], what: str) -> tuple[Hop, Marks]:
    interface, via = hop.get("dev"), hop.get("via")
    if not isinstance(interface, str):
        raise InputError(f"{what}: a next hop has no dev; an interface was expected")
    gateway = via.get("host", "") if isinstance(via, dict) else hop.get("gateway", "")
    marks = {mark: interface if mark in _OF_A_HOP else x for mark, x in _flags(hop, what, of_hop=True).items()}
    if puts := next((x for x in _PUTS if x in hop), None):
        marks["encapsulation"] = brief(hop[puts])
    return Hop(interface, str(gateway), weight_of(hop.get("weight", 1), what=what)), marks


def _read_routes(file: File, device: str, found: DeviceDumps) -> None:
    found.later.append(lambda: found.add_routes(device, list(linux_routes(file, device, found)), file.what))


LINUX_ROUTES = Kind("routes of Linux", lambda file: bool(_ROUTES.match(file.start[:4096])), _read_routes)
LINUX_NEXT_HOPS = Kind(
    "next hops of Linux",
    lambda file: bool(_NEXT_HOPS.match(file.start[:4096])),
    lambda f, device, to: to.groups_of(device).update(linux_next_hops(f)),
    False,
)
