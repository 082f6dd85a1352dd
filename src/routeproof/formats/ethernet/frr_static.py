"""Static routes as FRR's configuration has them: ``ip route 10.1.2.0/24 10.0.0.1 swp1``, a line for each next hop, in a
file for each router that ``vtysh -f`` reads.

Next hops of one prefix share packets evenly: FRR's static routes have no weights, and a route of IPv4 has gateways of
IPv4.  Their distance is 1, before all routing protocols.
Source: FRR's manual, "STATIC"; ``staticd/static_vty.c`` of FRR 8.4.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core.errors import InputError
from ..format import File
from ..text_files import brief
from .routes import Hop, Prefix, Route, prefix_of
from .static_routes import Spelling, static_route

_WORD = {4: "ip", 6: "ipv6"}
_WORDS = 5  # ip route PREFIX ADDRESS PORT


def _write(device: str, routes: Sequence[Route], about: str) -> str:
    lines = [f"! {device}: {about}"]
    for route in routes:
        word = _WORD[route.prefix.version]
        to = route.prefix
        whole = f"{to}" if "/" in str(to) else f"{to}/{to.length}"
        lines += [f"{word} route {whole} {hop.gateway} {hop.interface}" for hop in route.hops]
    return "\n".join(lines) + "\n"


def _read(file: File) -> list[Route]:
    found: dict[Prefix, list[Hop]] = {}
    for line in file.lines(comment_lines="!"):
        words = line.text.split()
        version = next((v for v, word in _WORD.items() if words[:2] == [word, "route"]), None)
        if version is None or len(words) != _WORDS:
            raise InputError(f"{line.place}: {brief(line.text)}; 'ip route PREFIX ADDRESS PORT' was expected")
        prefix, gateway = (prefix_of(x, what=line.place) for x in words[2:4])
        if not prefix.version == gateway.version == version:
            raise InputError(f"{line.place}: {brief(line.text)} mixes versions of IP")
        hop = Hop(words[4], words[3])
        if hop in found.setdefault(prefix, []):
            raise InputError(f"{line.place}: {brief(line.text)} is there twice")
        found[prefix].append(hop)
    return [static_route(prefix, hops) for prefix, hops in found.items()]


FRR_STATIC = Spelling("FRR's static routes", ".conf", _write, _read, adds=True)
