"""Arista EOS as text: ``show ip route vrf all``, which has the weights of next hops as shares, ``weight 3/4``.

Next hops stand below their prefix, or the first one beside it.  What a next hop has besides (a tunnel, VXLAN) is not
followed, and named.
Source: interoperability tests of EANTC 2024 (EOS 4.31); weights: bgplabs.net, "Load balancing with BGP link bandwidth".
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction

from ...core.errors import InputError
from ..format import File
from ..text_files import Line, brief
from .device_dumps import DeviceDumps, Kind
from .next_hops import Listed, listed_routes
from .routes import Hop, Marks, prefix_of, weight_of

_BEGINS = re.compile(r"\s*VRF: \S+\s+(Source )?Codes:")
_VRF = re.compile(r"VRF: (\S+)")
_PREFIX = re.compile(r"([A-Z][A-Z0-9]*(?: [A-Z0-9]+)?) +(\S+/\d+)(?: \[\d+/\d+\])?(?:,? (\S.*))?")
_HOP = re.compile(r"(?:via ([\d.]+), |(?:is )?directly connected, )([A-Za-z][\w/.-]*)(?:, weight (\d+/[1-9]\d*))?")
_Found = list[tuple[Hop | None, Fraction | None, Marks]]


def _of_text(file: File, device: str, found: DeviceDumps) -> Iterator[Listed]:
    route, hops, vrf, begun = None, _Found(), "", False
    is_wanted: bool | None = None  # not asked yet: of a VRF without routes nothing is said
    for line in file.lines(indented=True):
        text = line.text.strip()
        head, own = _VRF.fullmatch(text), _PREFIX.fullmatch(text) if begun else None
        if head or own:
            if route is not None:
                yield _with_weights(route, hops, file.what)
            route, hops = None, _Found()
        if head:
            vrf, is_wanted, begun = head[1], None, False
        elif not begun:
            begun = text.startswith("Gateway of last resort")
        elif own is not None:
            is_wanted = found.is_wanted(device, vrf) if is_wanted is None else is_wanted
            if is_wanted:
                prefix = prefix_of(own[2], what=f"{line.place}: the prefix")
                route = Listed(prefix, is_connected=own[1] == "C", is_static=own[1] == "S")
            if own[3]:
                hops.append(_hop(own[3]))
        elif route is not None:
            hops.append(_hop(text))
        elif is_wanted is not False and not text.startswith("!"):
            raise _not_read(line)
    if not begun:
        raise InputError(f"{file.what}: no line 'Gateway of last resort', after which routes are listed; is it whole?")
    if route is not None:
        yield _with_weights(route, hops, file.what)


def _not_read(line: Line) -> InputError:
    return line.error(f"{brief(line.text.strip())}; a prefix of a route, as B E 10.1.0.0/24 [200/0], was expected")


def _hop(text: str) -> tuple[Hop | None, Fraction | None, Marks]:
    found = _HOP.fullmatch(text)
    if found is None:
        return None, None, {"unknown flag": brief(text)}
    return Hop(found[2], found[1] or ""), None if found[3] is None else Fraction(found[3]), {}


def _with_weights(route: Listed, hops: _Found, what: str) -> Listed:
    shares = [x for _, x, _ in hops if x is not None]
    followed = sum(hop is not None for hop, _, _ in hops)
    if shares and (len(shares) < followed or min(shares) <= 0):
        raise InputError(f"{what}: {route.prefix}: a weight above 0 of each next hop, or of none, was expected")
    scale = math.lcm(*(x.denominator for x in shares))
    for hop, share, marks in hops:
        weight = 1 if share is None else weight_of(int(share * scale), what=f"{what}: {route.prefix}")
        route.add(None if hop is None else hop._replace(weight=weight), marks)
    return route


def _read(file: File, device: str, found: DeviceDumps) -> None:
    listed = (x for x in _of_text(file, device, found) if not x.prefix.is_local)
    found.add_routes(device, list(listed_routes(listed, device, found)), file.what)


EOS_TEXT = Kind("routes of Arista EOS (text)", lambda f: bool(_BEGINS.match(f.start)), _read)
