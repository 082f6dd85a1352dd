"""Routes as FRR prints them: ``vtysh -c 'show ip route json'``, ``show ipv6 route json``, and with ``vrf``.

Of a prefix the selected route counts, with those of its next hops that are in the forwarding table (``fib``); a next
hop that is looked up again (``recursive``) stands before those that it leads to.
Source: FRR, ``zebra/zebra_vty.c``, ``vty_show_ip_route``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...core.errors import InputError
from ..documents.json_text import as_object, parse_json, parse_object
from ..format import File
from ..text_files import brief
from .found import DEFAULT_VRF, Found, Kind
from .routes import Hop, Route, prefix_of, weight_of

_SEVERAL = re.compile(r"(?<=\n\})\s*\n(?=\{)")  # old releases print one object after the other with "vrf all"
_NEXT_HOPS = re.compile(r'"nexthops"\s*:\s*(\[[^\[\]]*\])')
_BEGINNING = re.compile(
    r'\s*\{\s*("[\w.-]+"\s*:\s*\{\s*(\}\s*,\s*"[\w.-]+"\s*:\s*\{\s*)*)?"[0-9a-fA-F.:]+\\*/\d+"\s*:\s*\['
)
_IMPLICIT_NULL = 3  # no label at all


def is_frr_routes(file: File) -> bool:
    return bool(_BEGINNING.match(file.start[:4096]))


def frr_routes(file: File, device: str, found: Found) -> Iterator[Route]:
    """The routes of a VRF in a file; raises InputError, with the prefix, for what is not understood."""
    one = file.text.find("\n}") in (-1, len(file.text.rstrip()) - 2)
    for text in [file.text] if one else _SEVERAL.split(file.text):
        yield from _of_document(file, text, device, found)


def _of_document(file: File, text: str, device: str, found: Found) -> Iterator[Route]:
    document, lists = _document(file, text)
    made: dict[int, tuple[tuple[Hop, ...], str]] = {}
    if any(isinstance(x, dict) for x in document.values()):
        if not all(isinstance(x, dict) for x in document.values()):
            raise InputError(f"{file.what} has routes and VRFs side by side; the one or the other was expected")
        wanted = [routes for vrf, routes in document.items() if found.is_wanted(device, vrf) or not routes]
        document = {prefix: entries for routes in wanted for prefix, entries in routes.items()}
    for text, entries in document.items():
        what = f"{file.what}: {text[:60]}"
        prefix = prefix_of(text.replace("\\", ""), what=f"{file.what}: a prefix")
        if not isinstance(entries, list) or not all(isinstance(x, dict) for x in entries):
            raise InputError(f"{what} is {brief(entries)}; a list of routes was expected")
        if prefix.is_local:
            continue
        chosen = [x for x in entries if x.get("selected") is True]
        chosen = [x for x in chosen if found.is_wanted(device, _vrf(x))]
        if len(chosen) > 1:
            raise InputError(f"{what} has {len(chosen)} selected routes (several VRFs?); one was expected")
        for entry in chosen:
            protocol = entry.get("protocol")
            listed = entry.get("nexthops", [])
            if lists and type(listed) is int:
                if listed not in made:
                    made[listed] = _hops(lists[listed], found.vrf, what)
                hops, dropped = made[listed]
            else:
                hops, dropped = _hops(listed, found.vrf, what)
            if not dropped and entry.get("installed") is not True:
                dropped = "it is selected, but not installed"
            yield Route(prefix, hops, protocol in ("connected", "local") and not dropped, dropped)


def _vrf(entry: dict[str, Any]) -> str:
    """Old releases print its number alone, and none for the default one."""
    return str(entry.get("vrfName") or entry.get("vrfId") or DEFAULT_VRF)


def _document(file: File, whole: str) -> tuple[dict[str, Any], list[Any]]:
    """The object in a file, and lists of next hops: the same ones are in it over and over, and are parsed once.

    Where there are such lists every "nexthops" in the object is the number of one.
    """
    found: dict[str, int] = {}
    text, count = _NEXT_HOPS.subn(lambda x: f'"nexthops":{found.setdefault(x[1], len(found))}', whole)
    if count and count == text.count('"nexthops"'):
        try:
            value = parse_json(text, what=file.what)
            lists = [parse_json(x, what=file.what) for x in found]
        except InputError:
            pass  # said of the text as it is, with the place
        else:
            return as_object(value, what=file.what, wanted=file.wanted), lists
    return parse_object(whole, what=file.what, wanted=file.wanted), []


def _hops(listed: Any, vrf: str, what: str) -> tuple[tuple[Hop, ...], str]:
    if not isinstance(listed, list) or not all(isinstance(x, dict) for x in listed):
        raise InputError(f"{what}: nexthops is {brief(listed)}; a list of objects was expected")
    hops = []
    for hop in listed:
        if hop.get("fib") is not True or hop.get("recursive") is True or hop.get("duplicate") is True:
            continue
        if hop.get("blackhole") or hop.get("reject") or hop.get("unreachable"):
            return (), "it is a route that drops packets"
        if why := _elsewhere(hop, vrf):
            return (), why
        interface = hop.get("interfaceName")
        if interface is None:
            return (), f"its next hop {brief(hop.get('ip', ''))} has no interface, which is not followed"
        if not isinstance(interface, str):
            raise InputError(f"{what}: interfaceName is {brief(interface)}; a name was expected")
        hops.append(Hop(interface, str(hop.get("ip", "")), weight_of(hop.get("weight", 1), what=what)))
    return tuple(hops), "" if hops else "none of its next hops is in the forwarding table"


def _elsewhere(hop: dict[str, Any], vrf: str) -> str:
    """Why packets cannot be followed to a next hop by routes of IP; "" where they can."""
    if hop.get("linkDown"):
        return f"the link of {hop.get('interfaceName')} is down"
    if hop.get("vrf", vrf) != vrf:
        return f"a next hop is in the VRF {brief(hop['vrf'])}"
    if hop.get("labels", []) not in ([], [_IMPLICIT_NULL]):
        return f"it puts labels on packets ({brief(hop['labels'])})"
    return "it puts packets into SRv6" if any(key.startswith("seg6") for key in hop) else ""


def _read(file: File, device: str, found: Found) -> None:
    found.add_routes(device, list(frr_routes(file, device, found)), file.what)


FRR_JSON = Kind("routes of FRR", is_frr_routes, _read)
