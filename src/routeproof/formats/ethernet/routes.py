"""Routes of one device, and which of them an address takes: the one with the longest prefix."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from ...core.errors import InputError
from ..text_files import brief

BITS = {4: 32, 6: 128}
MOST_WEIGHT = 1 << 16


class Prefix(NamedTuple):
    """``version`` 4 or 6; ``value``: the first ``length`` bits of the address, as a number."""

    version: int
    length: int
    value: int

    def __str__(self) -> str:
        bits = BITS[self.version]
        number = self.value << (bits - self.length)
        address = ipaddress.IPv4Address(number) if self.version == 4 else ipaddress.IPv6Address(number)
        return str(address) if self.length == bits else f"{address}/{self.length}"

    @property
    def is_local(self) -> bool:
        """Is it of one cable (fe80::/10) or for groups: nothing that packets between hosts take?"""
        if self.version == 4:
            return self.length >= 4 and self.shortened(4).value == 0xE
        return self.length >= 8 and (
            self.shortened(8).value == 0xFF or (self.length >= 10 and self.shortened(10).value == 0x3FA)
        )

    def shortened(self, length: int) -> Prefix:
        """The prefix of that length which holds this one."""
        return Prefix(self.version, length, self.value >> (self.length - length))

    def holds(self, other: Prefix) -> bool:
        return (
            self.version == other.version
            and self.length <= other.length
            and other.value >> (other.length - self.length) == self.value
        )


@lru_cache(maxsize=1 << 20)
def _prefix(text: str) -> Prefix | None:
    try:
        found = ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None
    bits = BITS[found.version]
    return Prefix(found.version, found.prefixlen, int(found.network_address) >> (bits - found.prefixlen))


def prefix_of(text: object, *, what: str) -> Prefix:
    """``10.1.0.0/24`` or an address; raises InputError, beginning with ``what``, for anything else."""
    found = _prefix(text) if isinstance(text, str) else None
    if found is None:
        raise InputError(f"{what} is {brief(text)}; an address or a prefix such as 10.1.0.0/24 was expected")
    return found


class Hop(NamedTuple):
    """Leave by ``interface`` to ``gateway`` ("": whom the address belongs to), in proportion to ``weight``."""

    interface: str
    gateway: str
    weight: int = 1


@dataclass(frozen=True)
class Route:
    """Where packets of ``prefix`` go: one of ``hops``.

    ``connected``: the device itself has an address in the prefix; ``dropped``: why packets go nowhere ("": they do go).
    """

    prefix: Prefix
    hops: tuple[Hop, ...]
    connected: bool = False
    dropped: str = ""


def weight_of(value: Any, *, what: str) -> int:
    """A whole number from 1 on."""
    if type(value) is not int or not 1 <= value <= MOST_WEIGHT:
        raise InputError(f"{what}: weight is {brief(value)}; a whole number from 1 to {MOST_WEIGHT} was expected")
    return value


class RouteTable:
    """The routes of one device by prefix; ``what`` says where they are from."""

    def __init__(self, routes: Iterable[Route], *, what: str) -> None:
        self.what = what
        self.routes: dict[Prefix, Route] = {}
        self.add(routes, what=what)

    def add(self, routes: Iterable[Route], *, what: str) -> None:
        """More routes (those of IPv6); raises InputError for a prefix that is there already."""
        for route in routes:
            if route.prefix in self.routes:
                raise InputError(
                    f"{what}: {route.prefix} has a route already, from {self.what}; one dump of a device was expected"
                )
            self.routes[route.prefix] = route

    def route_to(self, address: Prefix) -> Route | None:
        """The route with the longest prefix that holds ``address``, which may be a prefix itself."""
        found = (self.routes.get(address.shortened(k)) for k in range(address.length, -1, -1))
        return next((x for x in found if x is not None), None)

    @property
    def connected(self) -> list[Route]:
        return [x for x in self.routes.values() if x.connected]
