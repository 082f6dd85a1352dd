"""Juniper Junos as JSON: ``show route | display json`` and ``show lldp neighbors | display json``.

Read are the tables inet.0 and inet6.0 of the instance, and the entries that forward (``*``, ``+``, ``#``).  Junos lists
all next hops of a route also where no policy ``load-balance per-packet`` makes it use more than one: a line says so.
The members of an ``ae`` are those that LLDP shows.
Source: batfish/lab-validation, ``snapshots/junos_*``; the fields of neighbours, which JSON and XML share: napalm,
``test/junos/mocked_data/test_get_lldp_neighbors``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...core.errors import InputError
from ..documents.json_text import as_objects, parse_object
from ..format import File
from ..text_files import brief
from .device_dumps import DEFAULT_VRF, DeviceDumps, Kind
from .lldp import neighbour
from .next_hops import Listed, listed_routes
from .routes import Hop, prefix_of

_PROMPT = re.compile(r"\n\s*\{\w+(:\w+)*\}\s*\Z")  # {master:0}, which the command line prints after each command
_TABLE = re.compile(r"(?:(.+)\.)?inet6?\.0")
_FORWARDING = ("*", "+", "#")
_DROPS = ("Discard", "Reject")
_OWN = ("Direct", "Local")
_HOP_FIELDS = frozenset(("selected-next-hop", "to", "via", "nh-local-interface"))
_MARKS = {"mpls-label": "labels", "nh-table": "another VRF", "lsp-name": "tunnel"}
_SEVERAL = (
    "Junos lists next hops of which it uses all only under a policy with load-balance per-packet; it is taken that all "
    "are used"
)


def _document(file: File) -> dict[str, Any]:
    return parse_object(_PROMPT.sub("", file.text), what=file.what, wanted=file.wanted)


def _each(of: dict[str, Any], key: str, what: str) -> list[dict[str, Any]]:
    return as_objects(of.get(key, []), what=f"{what}: {key}")


def _text(of: dict[str, Any], key: str, what: str) -> str:
    """The text in ``[{"data": "x"}]``; "" where the key is missing."""
    found = _each(of, key, what)
    value = found[0].get("data", "") if found else ""
    if not isinstance(value, str):
        raise InputError(f"{what}: {key} is {brief(value)}; a text was expected")
    return value


def _listed(file: File, device: str, found: DeviceDumps) -> Iterator[Listed]:
    for info in _each(_document(file), "route-information", file.what):
        for table in _each(info, "route-table", file.what):
            name = _TABLE.fullmatch(_text(table, "table-name", file.what))
            routes = _each(table, "rt", file.what)
            if name is None or not routes or not found.is_wanted(device, name[1] or DEFAULT_VRF):
                continue
            for one in routes:
                text = _text(one, "rt-destination", file.what)
                what = f"{file.what}: {text[:60]}"
                prefix = prefix_of(text, what=f"{file.what}: rt-destination")
                entries = [x for x in _each(one, "rt-entry", what) if _text(x, "active-tag", what) in _FORWARDING]
                if len(entries) > 1:
                    raise InputError(f"{what} has {len(entries)} active routes; one was expected")
                if entries and not prefix.is_local:
                    yield _route(Listed(prefix), entries[0], device, found, what)


def _route(route: Listed, entry: dict[str, Any], device: str, found: DeviceDumps, what: str) -> Listed:
    source, kind = _text(entry, "protocol-name", what), _text(entry, "nh-type", what)
    route.is_connected, route.is_static = source in _OWN, source == "Static"
    if source == "Local":
        found.owners.setdefault(route.prefix, set()).add(device)
    if kind in _DROPS:
        route.marks["drops"] = ""
    elif kind not in ("", "Local"):
        route.marks["kind"] = brief(kind)
    for hop in _each(entry, "nh", what):
        _add_hop(route, hop, device, found, what)
    if len(route.hops) > 1:
        found.notes.add(_SEVERAL)
    return route


def _add_hop(route: Listed, hop: dict[str, Any], device: str, found: DeviceDumps, what: str) -> None:
    marks: dict[str, str] = {mark: _text(hop, key, what).strip() for key, mark in _MARKS.items() if key in hop}
    if not marks and (other := sorted(hop.keys() - _HOP_FIELDS)):
        marks["unknown flag"] = brief(other[0])
    interface = _text(hop, "via", what) or _text(hop, "nh-local-interface", what)
    gateway = _text(hop, "to", what)
    if not interface and not gateway:
        route.add(None, marks or {"no interface": brief(hop)})
        return
    if "." in interface:
        found.add_ports(device, interface, (interface.rpartition(".")[0],), what)
    route.add(Hop(interface, gateway), marks)


def _read_routes(file: File, device: str, found: DeviceDumps) -> None:
    found.add_routes(device, list(listed_routes(_listed(file, device, found), device, found)), file.what)


def _read_neighbours(file: File, device: str, found: DeviceDumps) -> None:
    result, members = [], dict[str, list[str]]()
    for info in _each(_document(file), "lldp-neighbors-information", file.what):
        for one in _each(info, "lldp-neighbor-information", file.what):
            at = _text(one, "lldp-local-port-id", file.what) or _text(one, "lldp-local-interface", file.what)
            if not at:
                raise InputError(f"{file.what}: a neighbour has no lldp-local-port-id; is the file whole?")
            at, what = at.partition(".")[0], f"{file.what} has a neighbour at {at}"
            names = [_text(one, f"lldp-remote-{x}", what) for x in ("system-name", "chassis-id")]
            ports = [_text(one, f"lldp-remote-{x}", what) for x in ("port-id", "port-description")]
            ports += [x.partition(".")[0] for x in ports if re.fullmatch(r"[a-z]+-\d+/\d+/\d+(:\d+)?\.\d+", x)]
            result.append(neighbour(at, names, ports, (), "", what))
            parent = _text(one, "lldp-local-parent-interface-name", what)
            if parent not in ("", "-"):
                members.setdefault(parent.partition(".")[0], []).append(at)
    for bundle, ports in members.items():
        found.add_ports(device, bundle, tuple(sorted(ports)), file.what)
    found.add_neighbours(device, result, file.what)


def _kind(name: str, key: str, read: Any) -> Kind:
    begins = re.compile(rf'\s*\{{\s*"{key}"\s*:\s*\[')
    return Kind(name, lambda file: bool(begins.match(file.start)), read)


JUNOS_ROUTES = _kind("routes of Juniper Junos", "route-information", _read_routes)
JUNOS_LLDP = _kind("LLDP (Juniper Junos)", "lldp-neighbors-information", _read_neighbours)
