"""Routes as FRR prints them for people: ``show ip route``, as SONiC and Quagga do, with ``vrf all`` and IPv6.

A line begins with a letter for the protocol; ``>`` marks the selected route, ``*`` a next hop in the forwarding table.
Other next hops of the route follow on lines of their own.
Source: FRR, ``zebra/zebra_vty.c``, ``vty_show_ip_route``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...core.errors import InputError
from ..format import File
from ..text_files import brief
from .device_dumps import DEFAULT_VRF, DeviceDumps, Kind
from .routes import Hop, Marks, Route, hops_of, lost_by, prefix_of, route_of, weight_of

_HEADER = re.compile(r"> - selected route, \* - FIB route")
_ROUTE = re.compile(r"([A-Za-z])(?:\[\d+\])?([ >*qrtobd#]*?)\s*([0-9a-fA-F:.]+/\d+) (.*)")
_MORE = re.compile(r"\s+([*qrtobd#]{0,2})\s+((?:via |is directly|unreachable|blackhole).*)")
_VRF = re.compile(r"(?:IPv[46] unicast )?(?:VRF (\S+?))?(?:(?:^| )table (\d+))?:$")
_METRIC = re.compile(r"\[\d+/\d+\]\s+")
_AGE = re.compile(r"(?:\d\d:\d\d:\d\d|\d+d\d+h\d+m|\d+w\d+d\d+h|\d+y\d+w\d+d|never)$")
_MAIN = "254"  # of Linux
_DROPS = ("unreachable", "blackhole")
_ROUTE_MARKS = {
    "q": "queued", "r": "rejected", "t": "trapped", "o": "offload failed", "d": "out of sync", "#": "not installed",
}  # fmt: skip
_IN_USE, _BACKUP = "*", "b"
_WORDS = {"inactive": "inactive", "onlink": "on link", "(recursive)": "recursive", "(dup)": "duplicate"}
_PARTS = {"label ": "labels", "seg6": "SRv6", "encap ": "SRv6", "SR-TE color ": "policy", "backup ": "has a backup"}
_NO_PARTS = ("src ", "rmapsrc ", "label implicit-null")


class _HopLine(NamedTuple):
    mark: str
    text: str
    place: str


_SelectedRoute = tuple[str, str, str, list[_HopLine]]  # protocol, prefix, VRF, next hops


def frr_text_routes(file: File, device: str, found: DeviceDumps) -> Iterator[Route]:
    vrf, begun = DEFAULT_VRF, False
    routes: list[_SelectedRoute] = []
    hops: list[_HopLine] | None = None  # of the route that is being read, where it is selected
    for line in file.lines(indented=True):
        text = line.text
        if text.lstrip().startswith("Codes:"):
            begun, vrf, hops = False, DEFAULT_VRF if begun else vrf, None
        name = _VRF.match(text.strip())
        name = name if name and (name[1] or name[2]) else None
        if not begun:
            vrf = _named(name) if name else vrf
            begun = bool(_HEADER.search(text)) or begun
        elif name:
            vrf, hops = _named(name), None
        elif first := _ROUTE.match(text):
            flags, hops = first[2].replace(" ", ""), None
            if ">" in flags:
                hops = [_HopLine(flags.replace(">", ""), first[4], line.place)]
                routes.append((first[1], first[3], vrf, hops))
            elif not _METRIC.match(first[4]) and not first[4].startswith(("is ", "via ", *_DROPS)):
                raise line.error(f"{brief(text.strip())} is not understood; a route was expected")
        elif more := _MORE.match(text):
            if hops is not None:
                hops.append(_HopLine(more[1], more[2], line.place))
        elif not re.match(r"\s+[>a-zA-Z#] - ", text):
            raise line.error(f"{brief(text.strip())} is not understood; a route was expected (is it cut off?)")
    for route in routes:
        yield from _made(route, device, found)


def _named(header: re.Match[str]) -> str:
    """The VRF of a header; a table that is not its own is called by its number, as in Linux."""
    vrf = header[1] or DEFAULT_VRF
    return header[2] if vrf == DEFAULT_VRF and header[2] not in (None, _MAIN) else vrf


def _made(route: _SelectedRoute, device: str, found: DeviceDumps) -> Iterator[Route]:
    code, text, vrf, lines = route
    if not found.is_wanted(device, vrf):
        return
    prefix = prefix_of(text, what=f"{lines[0].place}: a prefix")
    if prefix.is_local:
        return
    marks = {mark: "" for x, mark in _ROUTE_MARKS.items() if any(x in line.mark for line in lines)}
    if any(_BACKUP in line.mark and _IN_USE in line.mark for line in lines):
        marks["backup in use"] = ""
    own = [x for x in lines if _BACKUP not in x.mark]
    hops = hops_of([_hop(x, f"{x.place}: {text}") for x in own])
    found.left_out(device, prefix, hops.told)
    yield route_of(prefix, hops, marks, is_connected=code in "CL", is_static=code in "SK")


def _hop(line: _HopLine, what: str) -> tuple[Hop | None, Marks]:
    """``via ADDRESS, INTERFACE (vrf NAME) inactive onlink linkdown (recursive) (dup), src ADDRESS, weight 1, AGE``."""
    marks = {} if _IN_USE in line.mark else {"not in use": ""}
    head, *rest = (x.strip() for x in _METRIC.sub("", line.text).split(","))
    if head.startswith(_DROPS):
        return None, {**marks, "drops": ""}
    if not head.startswith("via ") and head != "is directly connected":
        raise InputError(f"{what}: the next hop {brief(head)} is not understood; via ADDRESS was expected")
    gateway, *words = head[4:].split() if head.startswith("via ") else ("",)
    interface, weight = "", 1
    if rest and rest[0] and not _is_part(rest[0]):
        first, *more = rest.pop(0).split()
        interface, words = ("", [*words, first, *more]) if first in _WORDS else (first, [*words, *more])
    while words:
        word = words.pop(0)
        if word == "(vrf" and words:
            marks["another VRF"] = brief(words.pop(0).removesuffix(")"))
        elif word == "linkdown":
            marks["link down"] = interface
        elif word in _WORDS:
            marks[_WORDS[word]] = ""
        elif not _AGE.match(word):
            raise InputError(f"{what}: {brief(word)} of a next hop is not understood")
    for part in rest:
        named = next((x for x in _PARTS if part.startswith(x)), "")
        if part.startswith("weight ") and part[7:].isdigit():
            weight = int(part[7:])
        elif not part or _AGE.match(part) or part.startswith(_NO_PARTS) or part.isdigit():  # backup 0,1
            continue
        elif named:
            marks[_PARTS[named]] = part.removeprefix(named)[:60]
        else:
            raise InputError(f"{what}: {brief(part)} of a next hop is not understood")
    if {"not in use", "inactive"} & marks.keys():
        return Hop(interface, gateway), marks
    if not interface and not lost_by(marks):
        raise InputError(f"{what}: the next hop {brief(head)} has no interface; via ADDRESS, INTERFACE was expected")
    return Hop(interface, gateway, weight_of(weight, what=what)), marks


def _is_part(text: str) -> bool:
    return bool(_AGE.match(text)) or text.startswith((*_PARTS, *_NO_PARTS, "weight "))


def _read(file: File, device: str, found: DeviceDumps) -> None:
    found.add_routes(device, list(frr_text_routes(file, device, found)), file.what)


FRR_TEXT = Kind("routes of FRR (text)", lambda file: bool(_HEADER.search(file.start[:8192])), _read)
