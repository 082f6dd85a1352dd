"""Routes of one device, which of them an address takes (the one with the longest prefix), and what their marks mean.

A mark is a word of one table, ``MEANINGS``, into which every form of a dump translates, with what is to be said of it
(an interface, a label).  A form that finds a flag or a field which it cannot translate says so: by the mark ``unknown
flag``, or in a line (``DeviceDumps.note_unknown``).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
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

    ``connected``: the device itself has an address in the prefix; ``dropped``: why packets go nowhere ("": they do go);
    ``static``: it was configured, and no routing protocol changes it; ``over``: of one that is dropped because it puts
    packets into VXLAN, the address of the device (VTEP) that takes them out again.
    """

    prefix: Prefix
    hops: tuple[Hop, ...]
    connected: bool = False
    dropped: str = ""
    static: bool = False
    over: Prefix | None = None


def weight_of(value: Any, *, what: str) -> int:
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
                    f"{what}: {route.prefix} has a route already, from {self.what}; one dump of a device was expected "
                    "(a file is of the device that its folder is called, or else the first part of its name; a folder "
                    "with files of several devices is to be given itself)"
                )
            self.routes[route.prefix] = route

    def route_to(self, address: Prefix) -> Route | None:
        """The route with the longest prefix that holds ``address``, which may be a prefix itself."""
        found = (self.routes.get(address.shortened(k)) for k in range(address.length, -1, -1))
        return next((x for x in found if x is not None), None)

    @property
    def connected(self) -> list[Route]:
        return [x for x in self.routes.values() if x.connected]


@dataclass(frozen=True)
class Meaning:
    """``lost``: why packets cannot be followed there ("": they can; ``{}``: what is to be said); ``is_used``: do
    packets take the next hop?; ``told``: what a line says of next hops that are left out."""

    lost: str = ""
    is_used: bool = True
    told: str = ""


MEANINGS: Mapping[str, Meaning] = {
    "drops": Meaning("it is a route that drops packets"),
    "queued": Meaning("it is queued"),
    "rejected": Meaning("it was rejected"),
    "trapped": Meaning("it is trapped"),
    "offload failed": Meaning("its offload failed"),
    "out of sync": Meaning("it is out of sync with the kernel"),
    "removed": Meaning("the kernel removed it"),
    "not installed": Meaning("it is selected, but none of its next hops is in the forwarding table"),
    "backup in use": Meaning("a backup is used in place of its next hops"),
    "some packets": Meaning("one of its routes is for packets with {} alone"),
    "kind": Meaning("it is a route of the kind {}, which is not followed"),
    "unknown flag": Meaning("it has the flag {}, which is not known"),
    # of next hops; the first one decides
    "recursive": Meaning(is_used=False),  # those that it leads to stand beside it
    "duplicate": Meaning(is_used=False),
    "backup": Meaning(is_used=False),
    "inactive": Meaning(is_used=False, told="inactive"),
    "dead": Meaning(is_used=False, told="dead"),
    "not in use": Meaning(is_used=False),
    "link down": Meaning("the link of {} is down"),
    "unresolved": Meaning("its next hop by {} is not resolved"),
    "another VRF": Meaning("a next hop is in another VRF, in the VRF {}"),
    "labels": Meaning("it puts labels on packets ({})"),
    "SRv6": Meaning("it puts packets into SRv6"),
    "policy": Meaning("it steers packets into the SR-TE policy of color {}"),
    "encapsulation": Meaning("it puts packets into {}"),
    "VXLAN": Meaning("it puts packets into VXLAN to {}"),
    "tunnel": Meaning("its next hop is a tunnel ({}), which is not followed"),
    "no interface": Meaning("its next hop {} has no interface, which is not followed"),
    # nothing that packets between hosts see
    "offloaded": Meaning(),
    "on link": Meaning(),
    "has a backup": Meaning(),
    "notified": Meaning(),
}
Marks = Mapping[str, str]


class Hops(NamedTuple):
    """The next hops that packets take; or why they cannot be followed; what a line says of those left out; and the one
    address to which all of them put packets into VXLAN ("": they do not)."""

    hops: tuple[Hop, ...]
    lost: str = ""
    told: tuple[str, ...] = ()
    over: str = ""


def lost_by(marks: Marks) -> str:
    """The first reason of the table's."""
    return next((m.lost.format(marks[x]) for x, m in MEANINGS.items() if m.lost and x in marks), "")


def hops_of(found: Iterable[tuple[Hop | None, Marks]]) -> Hops:
    """What packets do at the next hops of a route, each with its marks (None: without an interface)."""
    hops: list[Hop] = []
    told: list[str] = []
    lost = ""
    ends: set[str] = set()
    for hop, marks in found:
        left_out = next((m for x, m in MEANINGS.items() if not m.is_used and x in marks), None)
        if left_out is not None:
            if left_out.told and hop is not None:
                told.append(f"{hop.interface or hop.gateway} ({left_out.told})")
            continue
        lost = lost or lost_by(marks)
        ends.add(marks["VXLAN"] if marks.keys() == {"VXLAN"} else "")
        if hop is not None:
            hops.append(hop)
    if not hops and not lost:
        lost = MEANINGS["not installed"].lost
    return Hops(() if lost else tuple(hops), lost, tuple(told), ends.pop() if len(ends) == 1 else "")


def route_of(prefix: Prefix, hops: Hops, marks: Marks, *, is_connected: bool, is_static: bool = False) -> Route:
    """The route, with what it and its next hops are marked by."""
    lost = lost_by(marks) or hops.lost
    over = prefix_of(hops.over, what=f"where {prefix} is put into VXLAN to") if hops.over and not marks else None
    return Route(prefix, () if lost else hops.hops, is_connected and not lost, lost, is_static, over)
