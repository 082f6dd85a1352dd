"""Who is at which port: what neighbours see of each other (LLDP), and lists of cables, put together.

A cable that one end sees is a cable where the other end was not asked; where it was asked it must see the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ...core.errors import InputError, warn
from .device_dumps import DeviceDumps, End, Neighbour

_MOST_LAYERS = 8


@dataclass
class Cabling:
    """``far``: at the ends of cables between devices, the other end; ``others``: at other ports of devices, the names
    and addresses of who is there; ``gbps`` by end, where it is stated; ``media``: neighbours that tell the kind of
    their cable; ``ports``: at (device, interface) the interfaces that it is made of."""

    far: dict[End, End] = field(default_factory=dict)
    others: dict[End, list[tuple[str, tuple[str, ...]]]] = field(default_factory=dict)
    gbps: dict[End, Fraction] = field(default_factory=dict)
    media: dict[End, Neighbour] = field(default_factory=dict)
    ports: Mapping[End, tuple[str, ...]] = field(default_factory=dict)

    def made_of(self, device: str, interface: str, depth: int = 0) -> tuple[str, ...]:
        """The ports of an interface: itself where a cable is known there, or nothing of what it is made of."""
        parts = self.ports.get((device, interface))
        if (device, interface) in self.far or (device, interface) in self.others or parts is None:
            return (interface,)
        if depth > _MOST_LAYERS:
            raise InputError(
                f"interface {interface} of {device} is made of itself; is this the output of ip -j -d link?"
            )
        found = (x for part in parts for x in self.made_of(device, part, depth + 1))
        return tuple(dict.fromkeys(found))

    def is_between_devices(self, device: str, interface: str) -> bool:
        return any((device, x) in self.far for x in self.made_of(device, interface))

    def join(self, a: End, b: End, what: str) -> None:
        """A cable between two devices; raises InputError where another one is at one of these ports."""
        for end, other in ((a, b), (b, a)):
            before = self.far.setdefault(end, other)
            if before != other:
                raise InputError(
                    f"{what}: port {end[1]} of {end[0]} leads to {shown(other)}, and elsewhere to {shown(before)}; "
                    f"are these files of one day?"
                )


def shown(end: End) -> str:
    return f"{end[0]} {end[1]}"


def cabling_of(devices: Collection[str], found: DeviceDumps) -> Cabling:
    """The cables of ``devices``, those that have routes; says in a line which of them one end alone shows."""
    result = Cabling(ports=found.ports)
    for cable in found.cables:
        a, b = cable.ends
        for end in cable.ends:
            before = None if cable.gbps is None else result.gbps.setdefault(end, cable.gbps)
            if before != cable.gbps:
                raise InputError(
                    f"{cable.what}: the cable at {shown(end)} has bandwidth {cable.gbps}, and elsewhere {before}; "
                    f"one was expected"
                )
        if a[0] in devices and b[0] in devices:
            result.join(a, b, cable.what)
        for end, other in ((a, b), (b, a)):
            if end[0] in devices and other[0] not in devices:
                result.others.setdefault(end, []).append((other[0], ()))
    _add_neighbours(result, devices, found)
    for end, speed in found.gbps.items():
        for one in {end, result.far.get(end, end)}:  # both ends of a cable have the one speed
            before = result.gbps.setdefault(one, speed)
            if before != speed:
                raise InputError(
                    f"port {shown(end)} has speed {speed} Gb/s, and its cable {before} Gb/s elsewhere; one was expected"
                )
    return result


def _add_neighbours(result: Cabling, devices: Collection[str], found: DeviceDumps) -> None:
    at: dict[End, list[Neighbour]] = {}
    seen, aliases = found.seen, found.aliases
    for device, (_, neighbours) in seen.items():
        for x in neighbours:
            at.setdefault((device, x.port), []).append(x)
            if x.gbps is not None and device in devices:
                result.media[device, x.port] = x
    one_sided = []
    listed = set(result.far)
    for (device, port), neighbours in at.items():
        what = seen[device][0]
        known = [x for x in neighbours if device_named(x.name, devices) is not None]
        if device not in devices:
            continue
        if len(known) > 1 or (known and len(neighbours) > 1):
            names = ", ".join(x.name for x in neighbours[:4])
            raise InputError(f"{what}: port {port} has {len(neighbours)} neighbours ({names}); one was expected")
        if not known:
            own = result.others.setdefault((device, port), [])
            own += [(x.name, x.addresses) for x in neighbours]
            continue
        x = known[0]
        there = device_named(x.name, devices)
        assert there is not None
        if (device, port) in listed and result.far[device, port][0] == there:
            continue  # a list of cables says which port it is
        far_ports = tuple(aliases.get((there, q), q) for q in x.far_ports)
        back = next((q for q in far_ports if (there, q) in at), None)
        if back is None and there in seen:
            raise InputError(
                f"{what}: port {port} of {device} sees {shown((there, far_ports[0]))}, but {seen[there][0]} has no "
                f"neighbour there: a cable seen from one end only; ask both again, or list it in a file of cables"
            )
        if back is None:
            one_sided.append(f"{shown((device, port))} to {there}")
        else:
            other = at[there, back][0]
            seen_there = [aliases.get((device, q), q) for q in other.far_ports]
            if device_named(other.name, devices) != device or port not in seen_there:
                raise InputError(
                    f"{what}: port {port} of {device} sees {shown((there, back))}, which in {seen[there][0]} sees "
                    f"{shown((other.name, other.far_ports[0]))}; are these files of one day?"
                )
        result.join((device, port), (there, back or far_ports[0]), what)
    if one_sided:
        warn(f"{len(one_sided)} cables are seen from one end, the other was not asked: {', '.join(one_sided[:5])}")


def device_named(name: str, devices: Collection[str]) -> str | None:
    """The device of that name, which may have a domain behind it (``leaf1.example.net``)."""
    short = name.partition(".")[0]
    return name if name in devices else short if short in devices else None
