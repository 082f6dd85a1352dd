"""Routes as FRR prints them: ``vtysh -c 'show ip route json'``, ``show ipv6 route json``, and with ``vrf``.

Of a prefix the selected route counts, with those of its next hops that are in the forwarding table (``fib``); a next
hop that is looked up again (``recursive``) stands before those that it leads to.
Source: FRR, ``zebra/zebra_vty.c``, ``vty_show_ip_route``; ``lib/nexthop.c``, ``nexthop_json_helper``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ...core.errors import InputError
from ..documents.json_text import as_object, as_objects, parse_json, parse_object
from ..format import File
from ..text_files import brief
from .device_dumps import DEFAULT_VRF, DeviceDumps, Kind
from .routes import Hop, Hops, Marks, Prefix, Route, hops_of, prefix_of, route_of, weight_of

_SEVERAL = re.compile(r"(?<=\n\})\s*\n(?=\{)")  # old releases print one object after the other with "vrf all"
_ENTRIES = re.compile(r'("[0-9a-fA-F.:]+\\*/\d+"\s*:\s*)(\[[^\[\]]*\])')
_OF_PREFIX = re.compile(r'"(?:prefix|uptime|lastUpdate)"\s*:\s*"[^"\\]*(?:\\/[^"\\]*)*"|"prefixLen"\s*:\s*\d+')
_BEGINNING = re.compile(
    r'\s*\{\s*("[\w.-]+"\s*:\s*\{\s*(\}\s*,\s*"[\w.-]+"\s*:\s*\{\s*)*)?"[0-9a-fA-F.:]+\\*/\d+"\s*:\s*\['
)
_IMPLICIT_NULL = 3  # no label at all
_MAIN = ("0", "254")  # of Linux, as ip-route(8) numbers its tables
_ROUTE_MARKS = {
    "queued": "queued", "failed": "rejected", "trapped": "trapped", "offloadFailed": "offload failed",
    "outOfSync": "out of sync", "kernelRemoved": "removed",
}  # fmt: skip
_HOP_MARKS = {
    "recursive": "recursive", "duplicate": "duplicate", "blackhole": "drops", "reject": "drops", "unreachable": "drops",
    "adminProhibited": "drops", "linkDown": "link down", "onLink": "on link", "backupIndex": "has a backup",
    "labels": "labels", "srteColor": "policy", "seg6": "SRv6", "seg6local": "SRv6", "seg6localContext": "SRv6",
    "srv6EncapBehavior": "SRv6", "srv6EncapSource": "SRv6", "vrf": "another VRF",
}  # fmt: skip
_ROUTE_FIELDS = frozenset((
    *_ROUTE_MARKS, "prefix", "prefixLen", "protocol", "instance", "vrfId", "vrfName", "selected", "destSelected",
    "distance", "metric", "installed", "offloaded", "tag", "table", "internalStatus", "internalFlags",
    "internalNextHopNum", "internalNextHopActiveNum", "internalNextHopFibInstalledNum", "nexthopGroupId",
    "installedNexthopGroupId", "receivedNexthopGroupId", "lastUpdate", "uptime", "nexthops", "backupNexthops", "opaque",
    "asPath", "communities", "largeCommunities", "selectionReason", "ospfPathType", "ospfAreaId", "ospfTag", "mtu",
    "nhgId",
))  # fmt: skip
_HOP_FIELDS = frozenset((
    *_HOP_MARKS, "flags", "fib", "active", "ip", "afi", "interfaceIndex", "interfaceName", "directlyConnected",
    "resolver", "rmapSource", "source", "weight",
))  # fmt: skip


def frr_routes(file: File, device: str, found: DeviceDumps) -> Iterator[Route]:
    one = file.text.find("\n}") in (-1, len(file.text.rstrip()) - 2)
    for text in [file.text] if one else _SEVERAL.split(file.text):
        yield from _of_document(file, text, device, found)


def _of_document(file: File, text: str, device: str, found: DeviceDumps) -> Iterator[Route]:
    document, parts = _document(file, text)
    tables: dict[str, str] = {}
    alike: dict[int, tuple[Route, tuple[str, ...]] | None] = {}
    if any(isinstance(x, dict) for x in document.values()):
        if not all(isinstance(x, dict) for x in document.values()):
            raise InputError(f"{file.what} has routes and VRFs side by side; the one or the other was expected")
        wanted = [routes for vrf, routes in document.items() if found.is_wanted(device, vrf) or not routes]
        document = {prefix: entries for routes in wanted for prefix, entries in routes.items()}
    for text, entries in document.items():
        what = f"{file.what}: {text[:60]}"
        prefix = prefix_of(text.replace("\\", ""), what=f"{file.what}: a prefix")
        number = entries if parts.entries and type(entries) is int else -1
        if number not in alike:
            entries = as_objects(
                parts.entries[number] if number >= 0 else entries, what=what, wanted="a list of routes"
            )
            if prefix.is_local:
                continue
            alike[number] = _chosen(prefix, entries, device, found, tables, parts.hops, what)
        if (known := alike[number]) is not None and not prefix.is_local:
            route, told = known
            found.left_out(device, prefix, told)
            yield Route(prefix, route.hops, route.connected, route.dropped, route.static)
        alike.pop(-1, None)


def _chosen(
    prefix: Prefix, entries: list[dict[str, Any]], device: str, found: DeviceDumps, tables: dict[str, str],
    lists: list[Any], what: str,
) -> tuple[Route, tuple[str, ...]] | None:  # fmt: skip
    """The selected one of the entries for a prefix, and which of its next hops are left out."""
    chosen = [x for x in entries if x.get("selected") is True]
    chosen = [x for x in chosen if found.is_wanted(device, _vrf(x, tables, what))]
    if len(chosen) > 1:
        raise InputError(f"{what} has {len(chosen)} selected routes (several VRFs?); one was expected")
    return _route(prefix, chosen[0], lists, found, what) if chosen else None


def _route(
    prefix: Prefix, entry: dict[str, Any], lists: list[Any], found: DeviceDumps, what: str
) -> tuple[Route, tuple[str, ...]]:
    found.note_unknown(entry.keys() - _ROUTE_FIELDS, what)
    listed = entry.get("nexthops", [])
    hops = _hops(lists[listed] if lists and type(listed) is int else listed, found, what)
    source = entry.get("protocol")
    is_connected, is_static = source in ("connected", "local"), source in ("static", "kernel")
    return route_of(prefix, hops, _marks(entry), is_connected=is_connected, is_static=is_static), hops.told


def _marks(entry: dict[str, Any]) -> Marks:
    marks = {mark: "" for key, mark in _ROUTE_MARKS.items() if entry.get(key, False) is not False}
    if entry.get("offloaded", True) is not True:  # how FRR spells ZEBRA_FLAG_OFFLOAD_FAILED
        marks["offload failed"] = ""
    if entry.get("installed") is not True:
        marks["not installed"] = ""
    backups = entry.get("backupNexthops", [])
    if isinstance(backups, list) and any(isinstance(x, dict) and x.get("fib") is True for x in backups):
        marks["backup in use"] = ""
    return marks


def _vrf(entry: dict[str, Any], tables: dict[str, str], what: str) -> str:
    """Old releases print its number alone, and none for the default one.  A table that is not the VRF's own is called
    by its number, as in Linux."""
    vrf = str(entry.get("vrfName") or entry.get("vrfId") or DEFAULT_VRF)
    table = str(entry.get("table", 0))
    if vrf == DEFAULT_VRF:
        return vrf if table in _MAIN else table
    if table != (first := tables.setdefault(vrf, table)):
        raise InputError(f"{what}: routes of the VRF {vrf} are of the tables {first} and {table}; one was expected")
    return vrf


class _Parts(NamedTuple):
    """Lists that are in a file over and over, which are parsed once: of next hops, and of the entries for a prefix; in
    the object their numbers stand for them.  Where one of both is empty, the object has such lists themselves."""

    hops: list[Any]
    entries: list[Any]


def _document(file: File, whole: str) -> tuple[dict[str, Any], _Parts]:
    """The object in a file, and what is in it over and over."""
    text, hops = _without_next_hops(whole)
    if hops:
        entries: dict[str, tuple[int, str]] = {}  # without what is of one prefix: its number, and as it is

        def numbered(found: re.Match[str]) -> str:
            key = _OF_PREFIX.sub("", found[2])
            return f"{found[1]}{entries.setdefault(key, (len(entries), found[2]))[0]}"

        try:
            value = parse_json(_ENTRIES.sub(numbered, text), what=file.what)
            lists = [parse_json(x, what=file.what) for x in hops]
            parts = _Parts(lists, [parse_json(x, what=file.what) for _, x in entries.values()])
        except InputError:
            pass  # said of the text as it is, with the place
        else:
            return as_object(value, what=file.what, wanted=file.wanted), parts
    return parse_object(whole, what=file.what, wanted=file.wanted), _Parts([], [])


def _without_next_hops(whole: str) -> tuple[str, dict[str, int]]:
    """The text with numbers in place of its lists of next hops, and these; none where one is no plain list."""
    found: dict[str, int] = {}
    first, *rest = whole.split('"nexthops"')  # a regular expression takes three times as long
    kept = [first]
    for part in rest:
        start, end = part.find("["), part.find("]")
        if part[: max(start, 0)].strip() != ":" or end < 0 or part.find("[", start + 1, end) >= 0:
            return whole, {}
        kept += [f'"nexthops":{found.setdefault(part[start : end + 1], len(found))}', part[end + 1 :]]
    return "".join(kept), found


def _hops(listed: Any, found: DeviceDumps, what: str) -> Hops:
    as_objects(listed, what=f"{what}: nexthops")
    says_active = any("active" in hop for hop in listed)
    return hops_of([_hop(hop, found, what, says_active=says_active) for hop in listed])


def _hop(hop: dict[str, Any], found: DeviceDumps, what: str, *, says_active: bool) -> tuple[Hop | None, Marks]:
    found.note_unknown(hop.keys() - _HOP_FIELDS, what)
    interface, gateway = hop.get("interfaceName"), str(hop.get("ip", ""))
    marks = {mark: brief(hop[key]) for key, mark in _HOP_MARKS.items() if hop.get(key, False) is not False}
    if hop.get("vrf", found.vrf) == found.vrf:
        marks.pop("another VRF", None)
    labels = hop.get("labels", [])
    if labels in ([], [_IMPLICIT_NULL]):
        marks.pop("labels", None)
    elif isinstance(labels, list):
        marks["labels"] = "/".join(map(str, labels[:8]))  # as the text has them
    if "link down" in marks:
        marks["link down"] = str(interface)
    if says_active and hop.get("active") is not True and "recursive" not in marks:
        marks["inactive"] = ""
    if hop.get("fib") is not True:
        marks["not in use"] = ""
    if interface is None or "drops" in marks:
        return None, marks if "drops" in marks else {**marks, "no interface": brief(gateway)}
    if not isinstance(interface, str):
        raise InputError(f"{what}: interfaceName is {brief(interface)}; a name was expected")
    is_read = not {"not in use", "inactive"} & marks.keys()
    return Hop(interface, gateway, weight_of(hop.get("weight", 1), what=what) if is_read else 1), marks


def _read(file: File, device: str, found: DeviceDumps) -> None:
    found.add_routes(device, list(frr_routes(file, device, found)), file.what)


FRR_JSON = Kind("routes of FRR", lambda file: bool(_BEGINNING.match(file.start[:4096])), _read)
