"""Neighbours: JSON of lldpd, ``lldpctl -f json``, ``lldpcli -f json show neighbors``, and with ``json0``; text,
``lldpcli show neighbors`` (lldpctl, SONiC's ``show lldp neighbors``), its ``-f keyvalue``; and SONiC's ``show lldp
table``.

``json`` leaves out lists of one and takes names as keys; ``json0`` always has the same form.  Source: lldpctl(8);
lldpd 1.0, ``src/client/text_writer.c`` and ``kv_writer.c``; sonic-utilities, ``scripts/lldpshow``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...core.errors import InputError
from ..format import File
from ..text_files import brief
from .device_dumps import DeviceDumps, Kind, Neighbour

_BEGINNING = re.compile(r'\A\s*\{\s*"lldp"\s*:')
_PLAIN = re.compile(r"\A\s*-{5,}\s*\n\s*LLDP neighbors:\s*\n\s*-{5,}")
_INTERFACE = re.compile(r"Interface:\s+(\S+?), via: ")
_FIELD = re.compile(r"\s+([A-Za-z-]+|MAU oper type):\s*(.*)")
_KEY_VALUE = re.compile(r"\A(?:lldp\.\S+?\.(?:via|rid|chassis\.|port\.)\S*=.*\n|\s)*?\s*lldp\.\S+?\.via=")
_LINE_OF_KEY = re.compile(r"lldp\.(.+?)\.(via|rid|age|ttl|chassis\.[^=]*|port\.[^=]*|[a-z-]+(?:\.[^=]*)?)=(.*)")
_TABLE = re.compile(r"^LocalPort\s+RemoteDevice\s+RemotePortID\s", re.M)
_RULE = re.compile(r"-+(\s+-+)+\s*$")
_SUBTYPES = ("ifname", "local", "mac", "ifalias", "ip", "unhandled")
Fields = Mapping[str, list[str]]
"""What a neighbour is told by, by the names of a form."""


class _Form(NamedTuple):
    """What a form calls a neighbour's name, its port, its addresses and the kind of its cable."""

    name: tuple[str, ...]
    port: tuple[str, ...]
    address: str
    medium: str


_JSON = _Form(("name", "id"), ("port.id", "port.descr"), "mgmt-ip", "current")
_TEXT = _Form(("SysName", "ChassisID"), ("PortID", "PortDescr"), "MgmtIP", "MAU oper type")
_KEYS = _Form(
    ("chassis.name", *(f"chassis.{x}" for x in _SUBTYPES)), (*(f"port.{x}" for x in _SUBTYPES), "port.descr"),
    "chassis.mgmt-ip", "port.auto-negotiation.current",
)  # fmt: skip


def neighbour(
    port: str, names: Iterable[str], ports: Iterable[str], addresses: tuple[str, ...], medium: str, what: str
) -> Neighbour:
    """The neighbour at ``port``: the first of its names that is there, and all that it may call its own port."""
    name = next((x for x in names if x), "")
    far = tuple(dict.fromkeys(x for x in ports if x))
    if not name or not far:
        raise InputError(f"{what} without {'a port' if name else 'a name'}; is the file whole?")
    return Neighbour(port, name, far, addresses, medium)


def _made(port: str, fields: Fields, form: _Form, what: str) -> Neighbour:
    names = (x for key in form.name for x in fields.get(key, [])[:1])
    ports = (x for key in form.port for x in fields.get(key, []))
    medium = next(iter(fields.get(form.medium, [])), "")
    return neighbour(port, names, ports, tuple(fields.get(form.address, [])), medium, what)


def lldp_neighbours(file: File) -> list[Neighbour]:
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
    fields = {
        "name": [name],
        "id": [_value(chassis.get("id"))],
        "port.id": [_value(far.get("id"))],
        "port.descr": [_value(far.get("descr"))],
        "mgmt-ip": [_value(x) for x in _listed(chassis.get("mgmt-ip"))],
        "current": [_value(_first(far.get("auto-negotiation")).get("current"))],
    }
    return _made(port, fields, _JSON, f"{what} has a neighbour")


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _first(value: Any) -> dict[str, Any]:
    found = next(iter(_listed(value)), None)
    return found if isinstance(found, dict) else {}


def _value(value: Any) -> str:
    """The text in ``"x"``, ``{"value": "x"}`` or ``[{"value": "x"}]``."""
    one = next(iter(_listed(value)), "")
    return str(one.get("value", "")) if isinstance(one, dict) else str(one)


def plain_neighbours(file: File) -> list[Neighbour]:
    """Of ``lldpcli show neighbors``; raises InputError, with the line, for what is not understood."""
    found: list[tuple[str, dict[str, list[str]]]] = []
    for line in file.lines(comment_lines="---", indented=True):
        if line.text.strip() == "LLDP neighbors:":
            continue
        begins, part = _INTERFACE.match(line.text), _FIELD.match(line.text)
        if begins:
            found.append((begins[1], {}))
        elif part and found:
            value = part[2].strip()
            if part[1] in ("ChassisID", "PortID"):  # swp1 of "ifname swp1"
                value = value.partition(" ")[2].strip()
            found[-1][1].setdefault(part[1], []).append(value)
        elif not found:
            raise line.error(f"{brief(line.text)}; Interface: NAME, via: LLDP was expected")
    return [_made(port, fields, _TEXT, f"{file.what} has a neighbour at {port}") for port, fields in found]


def key_value_neighbours(file: File) -> list[Neighbour]:
    """Of ``lldpcli -f keyvalue show neighbors``; every neighbour begins with ``via``."""
    found: list[tuple[str, dict[str, list[str]]]] = []
    for line in file.lines(indented=True):
        if not line.text.startswith("lldp."):  # what goes on from the line above, as descriptions of systems do
            continue
        key = _LINE_OF_KEY.match(line.text)
        if key is None:
            raise line.error(f"{brief(line.text)} is not understood; is the file whole?")
        if key[2] == "via":
            found.append((key[1], {}))
        if not found or found[-1][0] != key[1]:
            raise line.error(f"{brief(line.text)}; lldp.{key[1]}.via= was expected before")
        found[-1][1].setdefault(key[2], []).append(key[3].strip())
    return [_made(port, fields, _KEYS, f"{file.what} has a neighbour at {port}") for port, fields in found]


def table_neighbours(file: File) -> list[Neighbour]:
    """Of SONiC's ``show lldp table``; columns are as wide as the rules below their names."""
    lines = file.text.splitlines()
    head = next(k for k, line in enumerate(lines) if _TABLE.match(line))
    if head + 1 >= len(lines) or not _RULE.match(lines[head + 1]):
        raise InputError(f"{file.what}, line {head + 2}: a rule (-----  -----) was expected below the names of columns")
    starts = [x.start() for x in re.finditer(r"-+", lines[head + 1])]
    ends = [*starts[1:], None]
    result = []
    for number, line in enumerate(lines[head + 2 :], head + 3):
        if line.startswith("----") or not line.strip():
            break
        cells = [line[a:b].strip() for a, b in zip(starts, ends, strict=True)]
        port, name, *far = cells
        fields = {"SysName": [name], "PortID": far[0::2][:2]}
        result.append(_made(port, fields, _TEXT, f"{file.what}, line {number} has a neighbour at {port}"))
    total = next((int(x[1]) for line in lines if (x := re.match(r"Total entries displayed:\s+(\d+)", line))), None)
    if total is None or total != len(result):
        said = "does not say how many entries it has" if total is None else f"says that it has {total}"
        raise InputError(f"{file.what} has {len(result)} neighbours and {said}; is it cut off?")
    return result


def _kind(name: str, form: re.Pattern[str], read: Callable[[File], list[Neighbour]]) -> Kind:
    def add(file: File, device: str, found: DeviceDumps) -> None:
        found.add_neighbours(device, read(file), file.what)

    return Kind(name, lambda file: form.search(file.start[:4096]) is not None, add)


LLDP_JSON = _kind("LLDP", _BEGINNING, lldp_neighbours)
LLDP_PLAIN = _kind("LLDP (text)", _PLAIN, plain_neighbours)
LLDP_KEY_VALUE = _kind("LLDP (key=value)", _KEY_VALUE, key_value_neighbours)
LLDP_TABLE = _kind("LLDP (SONiC)", _TABLE, table_neighbours)
