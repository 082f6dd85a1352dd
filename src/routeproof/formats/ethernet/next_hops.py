"""Next hops that a table gives by address alone: the interface is that of the route to the address, in the same table.

An address whose own route has several next hops is not followed: systems differ in what they then install.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .device_dumps import DeviceDumps
from .routes import BITS, Hop, Marks, Prefix, Route, hops_of, prefix_of, route_of

_MOST_STEPS = 8


@dataclass
class Listed:
    """A route as it is listed: its next hops, each with its marks; interfaces that are "" are looked up by address."""

    prefix: Prefix
    hops: list[tuple[Hop | None, Marks]] = field(default_factory=list)
    marks: dict[str, str] = field(default_factory=dict)
    is_connected: bool = False
    is_static: bool = False

    def add(self, hop: Hop | None, marks: Marks) -> None:
        if (hop, marks) not in self.hops:
            self.hops.append((hop, marks))


def listed_routes(listed: Iterable[Listed], device: str, found: DeviceDumps) -> Iterator[Route]:
    table = {x.prefix: x for x in listed}
    for x in table.values():
        hops = hops_of(_resolved(hop, marks, table, x.prefix) for hop, marks in x.hops)
        found.left_out(device, x.prefix, hops.told)
        yield route_of(x.prefix, hops, x.marks, is_connected=x.is_connected, is_static=x.is_static)


def _resolved(hop: Hop | None, marks: Marks, table: dict[Prefix, Listed], of: Prefix) -> tuple[Hop | None, Marks]:
    at, weight = hop, 1 if hop is None else hop.weight
    for _ in range(_MOST_STEPS):
        if at is None or at.interface:
            return (None if at is None else at._replace(weight=weight)), marks
        address = prefix_of(at.gateway, what=f"a next hop of {of}")
        chain = (table.get(address.shortened(k)) for k in range(BITS[address.version], 0, -1))
        own = next((x for x in chain if x is not None), None)
        if own is None or len(own.hops) != 1 or own.marks:
            break
        (far, more), gateway = own.hops[0], at.gateway
        marks = {**more, **marks}
        at = Hop(far.interface, gateway) if far is not None and own.is_connected else far
    return None, {**marks, "no interface": "" if hop is None else hop.gateway}
