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
from .found import DEFAULT_VRF, Found, Kind
from .routes import Hop, Route, prefix_of, weight_of

_HEADER = re.compile(r"> - selected route, \* - FIB route")
_ROUTE = re.compile(r"([A-Za-z])(?:\[\d+\])?([ >*qrtob#]*?)\s*([0-9a-fA-F:.]+/\d+) (.*)")
_MORE = re.compile(r"\s+([*qrtob#]?)\s+((?:via |is directly|unreachable|blackhole).*)")
_VRF = re.compile(r"(?:IPv[46] unicast )?VRF (\S+?):$")
_METRIC = re.compile(r"\[\d+/\d+\]\s+")
_AGE = re.compile(r"(?:\d\d:\d\d:\d\d|\d+d\d+h\d+m|\d+w\d+d\d+h|\d+y\d+w\d+d|never)$")
_DROPS = ("unreachable", "blackhole")
_MARKS = {"q": "it is queued", "r": "it was rejected", "t": "it is trapped", "o": "its offload failed"}


class _Line(NamedTuple):
    mark: str
    text: str
    number: int


def is_frr_text(file: File) -> bool:
    return bool(_HEADER.search(file.start[:8192]))


def frr_text_routes(file: File, device: str, found: Found) -> Iterator[Route]:
    """The selected routes of a VRF; raises InputError, with the line, for what is not understood."""
    vrf, begun = DEFAULT_VRF, False
    route: tuple[str, str, str, list[_Line]] | None = None  # protocol, prefix, VRF, next hops
    for number, line in enumerate(file.text.splitlines(), 1):
        what = f"{file.what}, line {number}"
        if line.lstrip().startswith("Codes:"):
            begun, vrf = False, DEFAULT_VRF if begun else vrf
            if route is not None:
                yield from _made(route, device, found, file.what)
            route = None
        if not begun:
            name = _VRF.match(line.strip())
            vrf = name[1] if name else vrf
            begun = bool(_HEADER.search(line)) or begun
            continue
        name, first, more = _VRF.match(line.strip()), _ROUTE.match(line), _MORE.match(line)
        if first or name:
            if route is not None:
                yield from _made(route, device, found, file.what)
            route = None
        if name:
            vrf = name[1]
        elif first:
            flags = first[2].replace(" ", "")
            if ">" in flags:
                route = first[1], first[3], vrf, [_Line(flags.replace(">", ""), first[4], number)]
            elif not _METRIC.match(first[4]) and not first[4].startswith(("is ", "via ", *_DROPS)):
                raise InputError(f"{what}: {brief(line.strip())} is not understood; a route was expected")
        elif more:
            if route is not None:
                route[3].append(_Line(more[1], more[2], number))
        elif line.strip() and not re.match(r"\s+[>a-zA-Z#] - ", line):
            raise InputError(f"{what}: {brief(line.strip())} is not understood; a route was expected (is it cut off?)")
    if route is not None:
        yield from _made(route, device, found, file.what)


def _made(route: tuple[str, str, str, list[_Line]], device: str, found: Found, what: str) -> Iterator[Route]:
    code, text, vrf, lines = route
    if not found.is_wanted(device, vrf):
        return
    prefix = prefix_of(text, what=f"{what}, line {lines[0].number}: a prefix")
    if prefix.is_local:
        return
    hops: list[Hop] = []
    dropped = ""
    for line in lines:
        at = f"{what}, line {line.number}: {text}"
        if "*" in line.mark:
            hop = _hop(_METRIC.sub("", line.text), at)
            if isinstance(hop, str):
                dropped = dropped or hop
            else:
                hops.append(hop)
        elif line.mark and not dropped:
            dropped = _MARKS.get(line.mark[0], "it is not in the forwarding table")
    if not hops and not dropped:
        dropped = "none of its next hops is in the forwarding table"
    yield Route(prefix, () if dropped else tuple(hops), code in "CL" and not dropped, dropped)


def _hop(text: str, what: str) -> Hop | str:
    """A next hop; or why packets cannot be followed there by routes of IP."""
    head, *rest = (x.strip() for x in text.split(","))
    weight, interface = 1, ""
    if head.startswith(_DROPS):
        return "it is a route that drops packets"
    if not head.startswith("via ") and head != "is directly connected":
        raise InputError(f"{what}: the next hop {brief(head)} is not understood; via ADDRESS was expected")
    gateway = head[4:].split()[0] if head.startswith("via ") else ""
    for k, part in enumerate(rest):
        word = part.removesuffix(" onlink").strip()
        if "(vrf " in part or part.endswith(" linkdown"):
            return f"its next hop {brief(part)} is in another VRF, or its link is down"
        if k == 0 and re.fullmatch(r"[^\s()]+", word) and not _AGE.match(word):
            interface = word
        elif part.startswith("weight ") and part[7:].isdigit():
            weight = weight_of(int(part[7:]), what=what)
        elif part.startswith(("label ", "seg6")) and part != "label implicit-null":
            return f"it puts labels on packets ({brief(part)})"
        elif not (_AGE.match(part) or part.startswith(("src ", "label ")) or word == ""):
            raise InputError(f"{what}: {brief(part)} of a next hop is not understood")
    if not interface:
        raise InputError(f"{what}: the next hop {brief(head)} has no interface; via ADDRESS, INTERFACE was expected")
    return Hop(interface, gateway, weight)


def _read(file: File, device: str, found: Found) -> None:
    found.add_routes(device, list(frr_text_routes(file, device, found)), file.what)


FRR_TEXT = Kind("routes of FRR (text)", is_frr_text, _read)
