"""What the files of a fabric say, collected by device; what a kind of file is to the folder's reader; and the two kinds
that people write: cables (``device,port,device,port[,bandwidth]``) and hosts (``name,address[,device,port]``), as CSV
with these words in the first line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

from ...core.errors import InputError, warn
from ..format import File
from ..text_files import brief, csv_rows, first_of, positive_number
from .routes import Prefix, Route, RouteTable

DEFAULT_VRF = "default"
End = tuple[str, str]
_MEDIUM = re.compile(r"(\d{1,6})(G|Gig)?base", re.I)


@dataclass(frozen=True)
class Neighbour:
    """Who is at ``port`` of a device: its name, what it may call its own port, and its addresses; ``medium``: the kind
    of cable by the name of IEEE 802.3 (``40GbaseCR4 - ...``), where it tells."""

    port: str
    name: str
    far_ports: tuple[str, ...]
    addresses: tuple[str, ...]
    medium: str = ""

    @property
    def gbps(self) -> Fraction | None:
        rate = _MEDIUM.match(self.medium)
        return None if rate is None else Fraction(int(rate[1])) / (1 if rate[2] else 1000)


class Cable(NamedTuple):
    """Both ends, as (device, port); ``gbps``: None where it is not stated."""

    ends: tuple[tuple[str, str], tuple[str, str]]
    gbps: Fraction | None
    what: str


class HostLine(NamedTuple):
    """A host's name and address, and where it is ("" where that is not said)."""

    name: str
    address: str
    device: str
    port: str
    what: str


@dataclass
class DeviceDumps:
    """``vrf``: whose routes are read.

    By device: ``tables``, and in ``seen`` where its neighbours are from and who they are. ``cables`` and ``hosts`` of
    lists; ``several``: neighbours with several ports. ``ports``: at (device, interface) the interfaces that it is made
    of: members of a port channel, the parent of a subinterface. ``owners``: the devices that have an address. ``gbps``:
    the speed of ports, in Gb/s, where they state it; ``aliases``: at (device, other name of a port) its name.
    ``other_vrfs``: those that are left out, by device. ``groups``: next hops and groups of them by their number or
    name, by device. ``later``: what is to be read once all files have been looked at. ``unknown_fields``: those of
    routes that are not known, and where the first one is; ``unused_hops``: next hops that are dead; ``bridges``:
    interfaces that are bridges; ``notes``: what is assumed of routes, said once.
    """

    vrf: str = DEFAULT_VRF
    tables: dict[str, RouteTable] = field(default_factory=dict)
    seen: dict[str, tuple[str, list[Neighbour]]] = field(default_factory=dict)
    cables: list[Cable] = field(default_factory=list)
    hosts: list[HostLine] = field(default_factory=list)
    several: list[HostLine] = field(default_factory=list)
    ports: dict[End, tuple[str, ...]] = field(default_factory=dict)
    owners: dict[Prefix, set[str]] = field(default_factory=dict)
    other_vrfs: dict[str, set[str]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    gbps: dict[End, Fraction] = field(default_factory=dict)
    aliases: dict[End, str] = field(default_factory=dict)
    groups: dict[str, dict[Any, dict[str, Any]]] = field(default_factory=dict)
    later: list[Callable[[], None]] = field(default_factory=list)
    unknown_fields: dict[str, str] = field(default_factory=dict)
    unused_hops: list[str] = field(default_factory=list)
    bridges: set[End] = field(default_factory=set)
    notes: set[str] = field(default_factory=set)

    def add_routes(self, device: str, routes: Iterable[Route], what: str) -> None:
        self.tables.setdefault(device, RouteTable((), what=what)).add(routes, what=what)

    def add_neighbours(self, device: str, neighbours: list[Neighbour], what: str) -> None:
        _, before = self.seen.get(device, ("", []))
        self.seen[device] = (what, [*before, *neighbours])

    def groups_of(self, device: str) -> dict[Any, dict[str, Any]]:
        return self.groups.setdefault(device, {})

    def add_ports(self, device: str, interface: str, ports: tuple[str, ...], what: str) -> None:
        if self.ports.setdefault((device, interface), ports) != ports:
            raise InputError(
                f"{what}: {interface} of {device} is made of {', '.join(ports) or 'nothing'}, and elsewhere of "
                f"{', '.join(self.ports[device, interface]) or 'nothing'}; are these files of one day?"
            )

    def is_wanted(self, device: str, vrf: str) -> bool:
        """Are routes of that VRF read?  Others are remembered."""
        if vrf != self.vrf:
            self.other_vrfs.setdefault(device, set()).add(vrf)
        return vrf == self.vrf

    def note_unknown(self, names: Iterable[str], what: str) -> None:
        for name in names:
            self.unknown_fields.setdefault(name, what)

    def left_out(self, device: str, prefix: Prefix, hops: Iterable[str]) -> None:
        """Next hops of a route that packets do not take, though the route is in use."""
        self.unused_hops += [f"{hop} at {device} for {prefix}" for hop in hops]

    def tell_left_out(self, what: str) -> None:
        for note in sorted(self.notes):
            warn(f"{what}: {note}")
        if self.unused_hops:
            warn(f"{what}: next hops are left out, packets take the others: {first_of(self.unused_hops, 6)}")
        if self.unknown_fields:
            named = [f"{brief(name)} ({at})" for name, at in self.unknown_fields.items()]
            warn(f"{what}: fields of routes that are not known are not used: {', '.join(sorted(named)[:6])}")

    def tell_other_vrfs(self, what: str) -> None:
        """Raise InputError where the VRF is nowhere; say in a line which others are left out."""
        others = sorted(set().union(*self.other_vrfs.values()))
        names = first_of([f"table {x}" if x.isdigit() else x for x in others], 6)
        if others and not any(table.routes for table in self.tables.values()):
            raise InputError(f"{what} has no routes of the VRF {self.vrf}; there are {names}: vrf={others[0]}")
        if others:
            warn(f"{what}: routes of other VRFs are left out: {names} (vrf={others[0]} reads these)")


@dataclass(frozen=True)
class Kind:
    """One kind of file: its ``name`` for people, how it is recognised, and how it is read: ``read(file, device,
    found)`` adds what it says.  ``is_dump``: of a device or of a whole fabric; not a list that people write."""

    name: str
    sniff: Callable[[File], bool]
    read: Callable[[File, str, DeviceDumps], None]
    is_dump: bool = True


_CABLES = re.compile(r"\s*device\s*,\s*port\s*,\s*device\s*,\s*port\s*(,\s*bandwidth\s*)?$", re.I | re.M)
_HOSTS = re.compile(r"\s*name\s*,\s*address\s*(,\s*device\s*,\s*port\s*)?$", re.I | re.M)


def cables(file: File) -> Iterator[Cable]:
    for what, (a, p, b, q, *rest) in islice(csv_rows(file.text, file.what), 1, None):
        if not (a and p and b and q):
            raise InputError(f"{what}: device,port,device,port were expected, none of them empty")
        gbps = None
        if rest and rest[0]:
            number = re.sub(r"\s*(G|Gb/s|Gbps)$", "", rest[0], flags=re.I)
            gbps = positive_number(number, what=f"{what}: bandwidth")
        yield Cable(((a, p), (b, q)), gbps, what)


def host_lines(file: File) -> Iterator[HostLine]:
    for what, (name, address, *place) in islice(csv_rows(file.text, file.what), 1, None):
        if not name or not address:
            raise InputError(f"{what}: a name and an address were expected, none of them empty")
        device, port = place or ("", "")
        yield HostLine(name, address, device, port, what)


def _begins(form: re.Pattern[str]) -> Callable[[File], bool]:
    return lambda file: bool(form.match(file.start[:400].replace("\r", "")))


CABLES = Kind("cables", _begins(_CABLES), lambda f, _, to: to.cables.extend(cables(f)), is_dump=False)
HOSTS = Kind("hosts", _begins(_HOSTS), lambda f, _, to: to.hosts.extend(host_lines(f)), is_dump=False)
