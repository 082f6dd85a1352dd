"""What marks of routes and of next hops mean: the one table, into which every form of a dump translates.

A mark is a word of this table, with what is to be said of it (an interface, a label).  A form that finds a flag or a
field which it cannot translate says so: by the mark ``unknown flag``, or in a line (``Found.unknown_field``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from .routes import Hop, Prefix, Route


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
    """The next hops that packets take; or why they cannot be followed; and what a line says of those left out."""

    hops: tuple[Hop, ...]
    lost: str = ""
    told: tuple[str, ...] = ()


def lost_by(marks: Marks) -> str:
    """The first reason of the table's."""
    return next((m.lost.format(marks[x]) for x, m in MEANINGS.items() if m.lost and x in marks), "")


def hops_of(found: Iterable[tuple[Hop | None, Marks]]) -> Hops:
    """What packets do at the next hops of a route, each with its marks (None: without an interface)."""
    hops: list[Hop] = []
    told: list[str] = []
    lost = ""
    for hop, marks in found:
        left_out = next((m for x, m in MEANINGS.items() if not m.is_used and x in marks), None)
        if left_out is not None:
            if left_out.told and hop is not None:
                told.append(f"{hop.interface or hop.gateway} ({left_out.told})")
            continue
        lost = lost or lost_by(marks)
        if hop is not None:
            hops.append(hop)
    if not hops and not lost:
        lost = MEANINGS["not installed"].lost
    return Hops(() if lost else tuple(hops), lost, tuple(told))


def route_of(prefix: Prefix, hops: Hops, marks: Marks, *, is_connected: bool) -> Route:
    """The route, with what it and its next hops are marked by."""
    lost = lost_by(marks) or hops.lost
    return Route(prefix, () if lost else hops.hops, is_connected and not lost, lost)
