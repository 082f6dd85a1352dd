"""Static routes as commands of Linux: ``ip route replace 10.1.2.0/24 proto static nexthop via 10.0.0.1 dev swp1 ...``,
a script for each device.

A route of IPv4 without a metric comes before those of routing protocols; of IPv6 that is metric 1.  Weights are whole
numbers from 1 to 256, of which Linux keeps one less in eight bits.
Source: ip-route(8); iproute2, ``ip/iproute.c`` (``parse_one_nh``); the kernel's ``fib_semantics.c``.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from ...core.errors import InputError
from ..format import File
from ..text_files import brief
from .routes import Hop, Prefix, Route, prefix_of
from .static_routes import Spelling, static_route

_START = {4: ["ip", "route", "replace"], 6: ["ip", "-6", "route", "replace"]}
_MOST_WEIGHT = 256


def _write(device: str, routes: Sequence[Route], about: str) -> str:
    lines = ["#!/bin/sh", "set -e", f"# {device}: {about}", *(shlex.join(_command(x)) for x in routes)]
    return "\n".join(lines) + "\n"


def _command(route: Route) -> list[str]:
    words = [*_START[route.prefix.version], str(route.prefix), "proto", "static"]
    words += ["metric", "1"] if route.prefix.version == 6 else []
    for hop in route.hops:
        several = len(route.hops) > 1
        family = ["inet6"] if route.prefix.version == 4 and ":" in hop.gateway else []
        words += [*(["nexthop"] if several else []), "via", *family, hop.gateway, "dev", hop.interface]
        words += ["weight", str(hop.weight)] if several else []
    return words


def _read(file: File) -> list[Route]:
    return [_route(x.text, x.place) for x in file.lines(comment_lines="#") if x.text != "set -e"]


def _route(text: str, where: str) -> Route:
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    version = next((v for v, start in _START.items() if words[: len(start)] == start), None)
    if version is None:
        raise InputError(f"{where}: {brief(text)}; 'ip route replace PREFIX ...' was expected")
    words = words[len(_START[version]) :]
    prefix = prefix_of(words[0] if words else None, what=f"{where}: the prefix")
    if prefix.version != version:
        raise InputError(f"{where}: {prefix} is of IPv{prefix.version}, and the command is of IPv{version}")
    rest = _without(_without(words[1:], ["proto", "static"]), ["metric", "1"] if version == 6 else [])
    parts: list[list[str]] = [[]]
    for word in rest:
        parts.append([]) if word == "nexthop" else parts[-1].append(word)
    hops = [_hop(x, prefix, where) for x in (parts[1:] if rest[:1] == ["nexthop"] else parts)]
    return static_route(prefix, hops)


def _without(words: list[str], start: list[str]) -> list[str]:
    return words[len(start) :] if start and words[: len(start)] == start else words


def _hop(words: list[str], prefix: Prefix, where: str) -> Hop:
    if words[:2] == ["via", "inet6"] and prefix.version == 4:
        words = ["via", *words[2:]]
    given = dict(zip(words[::2], words[1::2], strict=False))
    weight = given.get("weight", "1")
    whole = weight.isdecimal() and weight.isascii() and 1 <= int(weight[:9]) <= _MOST_WEIGHT
    if len(words) != 2 * len(given) or not {"via", "dev"} <= given.keys() <= {"via", "dev", "weight"} or not whole:
        said = " ".join(words)
        raise InputError(
            f"{where}: a next hop is {brief(said)}; 'via ADDRESS dev PORT' was expected, with a weight of 1 to "
            f"{_MOST_WEIGHT}"
        )
    prefix_of(given["via"], what=f"{where}: via")
    return Hop(given["dev"], given["via"], int(weight))


IP_COMMANDS = Spelling("'ip route' commands", ".sh", _write, _read, most_weight=_MOST_WEIGHT, needs_own_version=False)
