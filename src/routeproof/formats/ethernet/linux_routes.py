"""Routes as Linux prints them: ``ip -j route`` (or ``ip -j -6 route``), with the groups of ``ip -j nexthop``.

Of several routes of a prefix the one with the lowest metric counts.  Source: iproute2, ip-route(8), ip-nexthop(8).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...core.errors import InputError
from ..format import File
from ..text_files import brief
from .found import DEFAULT_VRF, Found, Kind
from .routes import Hop, Route, prefix_of, weight_of

_ROUTES = re.compile(r'\s*\[\s*\{[^{}\[\]]*"dst"\s*:')
_NEXT_HOPS = re.compile(r'\s*\[\s*\{\s*"id"\s*:\s*\d+')
_DROPS = ("blackhole", "unreachable", "prohibit", "throw")
_ADDRESSES = ("local", "broadcast", "multicast", "anycast")
Objects = list[dict[str, Any]]


def is_linux_routes(file: File) -> bool:
    return bool(_ROUTES.match(file.start[:4096]))


def is_linux_next_hops(file: File) -> bool:
    return bool(_NEXT_HOPS.match(file.start[:4096]))


def _objects(file: File) -> Objects:
    value = file.value
    if not isinstance(value, list) or not all(isinstance(x, dict) for x in value):
        raise InputError(f"{file.what} is {brief(value)}; a list of objects, as ip -j prints it, was expected")
    return value


def linux_next_hops(file: File) -> dict[int, dict[str, Any]]:
    """The next hops and groups in a file by their number."""
    found: dict[int, dict[str, Any]] = {}
    for entry in _objects(file):
        if type(entry.get("id")) is not int or entry["id"] in found:
            raise InputError(f"{file.what}: a next hop has the id {brief(entry.get('id'))}; each once was expected")
        found[entry["id"]] = entry
    return found


def linux_routes(file: File, device: str, found: Found) -> Iterator[Route]:
    """The routes of the main table in a file, or of the table that is called like the VRF (``ip -j route show table
    all``); raises InputError, with the prefix, for what is not understood."""
    next_hops = found.groups_of(device)
    entries = []
    for x in _objects(file):
        if x.get("type") == "local" and isinstance(x.get("dst"), str):
            found.owners.setdefault(prefix_of(x["dst"], what=f"{file.what}: dst"), set()).add(device)
        table = str(x.get("table", "main"))
        vrf = DEFAULT_VRF if table in ("main", "254") else table
        if x.get("type", "unicast") not in _ADDRESSES and table != "local" and found.is_wanted(device, vrf):
            entries.append(x)
    six = any(":" in str(x.get("dst")) for x in entries)
    best: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        best.setdefault(str(entry.get("dst")), []).append(entry)
    for text, several in best.items():
        what = f"{file.what}: {text[:60]}"
        prefix = prefix_of(("::/0" if six else "0.0.0.0/0") if text == "default" else text, what=f"{file.what}: dst")
        if prefix.is_local:
            continue
        metric = min(_metric(x, what) for x in several)
        chosen = [x for x in several if _metric(x, what) == metric]
        if len(chosen) > 1 and prefix.version == 4:
            raise InputError(f"{what} has {len(chosen)} routes of metric {metric}; one was expected")
        each = [one for entry in chosen for one in _hops(entry, next_hops, what)]
        hops, reasons = tuple(hop for hop, _ in each), [_special(x) for x in several] + [why for _, why in each]
        entry = chosen[0]
        dropped = "it is a route that drops packets" if entry.get("type") in _DROPS else next(filter(None, reasons), "")
        if not hops and not dropped:
            dropped = "all its next hops are dead"
        connected = not dropped and entry.get("protocol") == "kernel" and entry.get("scope", "link") == "link"
        yield Route(prefix, () if dropped else hops, connected and not any(x.gateway for x in hops), dropped)


def _special(entry: dict[str, Any]) -> str:
    """Why a route is not for all packets of its prefix; "" where it is."""
    named = (key for key in ("tos", "from", "src") if entry.get(key, "all") not in ("all", "default", "::/0", "0/0"))
    return next((f"one of its routes is for packets with {key} {brief(entry[key])} alone" for key in named), "")


def _metric(entry: dict[str, Any], what: str) -> int:
    metric = entry.get("metric", 0)
    if type(metric) is not int:
        raise InputError(f"{what}: metric is {brief(metric)}; a whole number was expected")
    return metric


def _hops(entry: dict[str, Any], next_hops: Mapping[int, dict[str, Any]], what: str) -> Iterator[tuple[Hop, str]]:
    """The next hops that are not dead, each with why packets cannot be followed there ("": they can)."""
    if entry.get("type") in _DROPS:
        return
    if "dev" in entry or "nexthops" in entry:
        for hop in _members(entry.get("nexthops", [entry]), what):
            if "dead" not in hop.get("flags", []):
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
        if "blackhole" not in one and "dead" not in one.get("flags", []):
            yield _hop({**one, "weight": member.get("weight", 1)}, what)


def _members(listed: Any, what: str) -> Objects:
    if not isinstance(listed, list) or not all(isinstance(x, dict) for x in listed):
        raise InputError(f"{what}: next hops are {brief(listed)}; a list of objects was expected")
    if not all(isinstance(x.get("flags", []), list) and type(x.get("id", 0)) is int for x in listed):
        raise InputError(f"{what}: flags of next hops are lists, and their ids numbers; something else was found")
    return listed


def _hop(hop: dict[str, Any], what: str) -> tuple[Hop, str]:
    interface, via = hop.get("dev"), hop.get("via")
    if not isinstance(interface, str):
        raise InputError(f"{what}: a next hop has no dev; an interface was expected")
    gateway = via.get("host", "") if isinstance(via, dict) else hop.get("gateway", "")
    why = f"the link of {interface} is down" if "linkdown" in hop.get("flags", []) else ""
    if "encap" in hop:
        why = f"it puts packets into {brief(hop['encap'])}"
    return Hop(interface, str(gateway), weight_of(hop.get("weight", 1), what=what)), why


def _read(file: File, device: str, found: Found) -> None:
    found.later.append(lambda: found.add_routes(device, list(linux_routes(file, device, found)), file.what))


LINUX_ROUTES = Kind("routes of Linux", is_linux_routes, _read)
LINUX_NEXT_HOPS = Kind(
    "next hops of Linux",
    is_linux_next_hops,
    lambda f, device, to: to.groups_of(device).update(linux_next_hops(f)),
    False,
)
