"""Neighbours as lldpd prints them: ``lldpctl -f json``, ``lldpcli -f json show neighbors``, and with ``json0``.

``json`` leaves out lists of one and takes names as keys; ``json0`` always has the same form.  Source: lldpctl(8).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...core.errors import InputError
from ..format import File
from ..text_files import brief

_MEDIUM = re.compile(r"(\d{1,6})(G|Gig)?base", re.I)
_BEGINNING = re.compile(r'\s*\{\s*"lldp"\s*:')


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
        """The rate in the name of the medium."""
        rate = _MEDIUM.match(self.medium)
        return None if rate is None else Fraction(int(rate[1])) / (1 if rate[2] else 1000)


def is_lldp(file: File) -> bool:
    return bool(_BEGINNING.match(file.start[:4096]))


def lldp_neighbours(file: File) -> list[Neighbour]:
    """All that a device sees; raises InputError for a neighbour without a name or a port."""
    return [_neighbour(name, entry, f"{file.what}: interface {name}") for name, entry in _interfaces(file)]


def _interfaces(file: File) -> Iterator[tuple[str, dict[str, Any]]]:
    for part in _listed(file.document["lldp"]):
        found = part.get("interface", []) if isinstance(part, dict) else None
        for entry in _listed(found):
            if not isinstance(entry, dict):
                raise InputError(f"{file.what}: interface is {brief(entry)}; an object was expected")
            named = [(str(entry["name"]), entry)] if isinstance(entry.get("name"), str) else list(entry.items())
            for name, value in named:
                for one in _listed(value):
                    if not isinstance(one, dict):
                        raise InputError(f"{file.what}: interface {name} is {brief(one)}; an object was expected")
                    yield name, one


def _neighbour(port: str, entry: dict[str, Any], what: str) -> Neighbour:
    chassis, far = _first(entry.get("chassis")), _first(entry.get("port"))
    name = _value(chassis.get("name"))
    if not name and len(chassis) == 1 and "id" not in chassis:
        name, chassis = next(iter(chassis)), _first(next(iter(chassis.values())))
    name = name or _value(chassis.get("id"))
    ports = tuple(dict.fromkeys(x for x in (_value(far.get("id")), _value(far.get("descr"))) if x))
    if not name or not ports:
        raise InputError(f"{what} has a neighbour without {'a port' if name else 'a name'}; is the file whole?")
    medium = _value(_first(far.get("auto-negotiation")).get("current"))
    return Neighbour(port, name, ports, tuple(_value(x) for x in _listed(chassis.get("mgmt-ip"))), medium)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _first(value: Any) -> dict[str, Any]:
    found = next(iter(_listed(value)), None)
    return found if isinstance(found, dict) else {}


def _value(value: Any) -> str:
    """The text in ``"x"``, ``{"value": "x"}`` or ``[{"value": "x"}]``."""
    one = next(iter(_listed(value)), "")
    return str(one.get("value", "")) if isinstance(one, dict) else str(one)
