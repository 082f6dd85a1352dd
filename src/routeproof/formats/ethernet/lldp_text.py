"""Neighbours as text: ``lldpcli show neighbors`` (lldpctl, SONiC's ``show lldp neighbors``), its ``-f keyvalue``, and
SONiC's ``show lldp table``.

Source: lldpd 1.0, ``src/client/text_writer.c`` and ``kv_writer.c``; sonic-utilities, ``scripts/lldpshow``.
"""

from __future__ import annotations

import re

from ...core.errors import InputError
from ..format import File
from ..text_files import brief
from .found import Kind
from .lldp import Neighbour

_PLAIN = re.compile(r"\s*-{5,}\s*\n\s*LLDP neighbors:\s*\n\s*-{5,}")
_INTERFACE = re.compile(r"Interface:\s+(\S+?), via: ")
_FIELD = re.compile(r"\s+([A-Za-z-]+|MAU oper type):\s*(.*)")
_KEY_VALUE = re.compile(r"(?:lldp\.\S+?\.(?:via|rid|chassis\.|port\.)\S*=.*\n|\s)*?\s*lldp\.\S+?\.via=")
_KEY = re.compile(r"lldp\.(.+?)\.(via|rid|age|ttl|chassis\.[^=]*|port\.[^=]*|[a-z-]+(?:\.[^=]*)?)=(.*)")
_TABLE = re.compile(r"^LocalPort\s+RemoteDevice\s+RemotePortID\s", re.M)
_RULE = re.compile(r"-+(\s+-+)+\s*$")
_SUBTYPES = ("ifname", "local", "mac", "ifalias", "ip", "unhandled")


def is_plain(file: File) -> bool:
    return bool(_PLAIN.match(file.start[:4096]))


def is_key_value(file: File) -> bool:
    return bool(_KEY_VALUE.match(file.start[:4096]))


def is_table(file: File) -> bool:
    return bool(_TABLE.search(file.start[:4096]))


def _neighbour(
    port: str, name: str, far: list[str], addresses: list[str], what: str, media: list[str] | None = None
) -> Neighbour:
    ports = tuple(dict.fromkeys(x for x in far if x))
    if not name or not ports:
        raise InputError(
            f"{what} has a neighbour at {port} without {'a port' if name else 'a name'}; is the file whole?"
        )
    return Neighbour(port, name, ports, tuple(addresses), media[0] if media else "")


def plain_neighbours(file: File) -> list[Neighbour]:
    """Of ``lldpcli show neighbors``; raises InputError, with the line, for what is not understood."""
    found: list[tuple[str, dict[str, list[str]]]] = []
    for number, line in enumerate(file.text.splitlines(), 1):
        if not line.strip() or line.startswith("---") or line.strip() == "LLDP neighbors:":
            continue
        begins, part = _INTERFACE.match(line), _FIELD.match(line)
        if begins:
            found.append((begins[1], {}))
        elif part and found:
            found[-1][1].setdefault(part[1], []).append(part[2].strip())
        elif not found:
            raise InputError(f"{file.what}, line {number}: {brief(line)}; Interface: NAME, via: LLDP was expected")
    result = []
    for port, fields in found:
        name = fields.get("SysName") or [_after(x) for x in fields.get("ChassisID", [])]
        far = [_after(x) for x in fields.get("PortID", [])] + fields.get("PortDescr", [])
        result.append(
            _neighbour(
                port, name[0] if name else "", far, fields.get("MgmtIP", []), file.what, fields.get("MAU oper type")
            )
        )
    return result


def _after(text: str) -> str:
    """``swp1`` of ``ifname swp1``."""
    return text.partition(" ")[2].strip()


def key_value_neighbours(file: File) -> list[Neighbour]:
    """Of ``lldpcli -f keyvalue show neighbors``; every neighbour begins with ``via``."""
    found: list[tuple[str, dict[str, list[str]]]] = []
    for number, line in enumerate(file.text.splitlines(), 1):
        if not line.startswith("lldp."):  # what goes on from the line above, as descriptions of systems do
            continue
        key = _KEY.match(line)
        if key is None:
            raise InputError(f"{file.what}, line {number}: {brief(line)} is not understood; is the file whole?")
        if key[2] == "via":
            found.append((key[1], {}))
        if not found or found[-1][0] != key[1]:
            raise InputError(f"{file.what}, line {number}: {brief(line)}; lldp.{key[1]}.via= was expected before")
        found[-1][1].setdefault(key[2], []).append(key[3].strip())
    result = []
    for port, fields in found:
        name = fields.get("chassis.name") or [x for k in _SUBTYPES for x in fields.get(f"chassis.{k}", [])]
        far = [x for k in _SUBTYPES for x in fields.get(f"port.{k}", [])] + fields.get("port.descr", [])
        result.append(
            _neighbour(
                port,
                name[0] if name else "",
                far,
                fields.get("chassis.mgmt-ip", []),
                file.what,
                fields.get("port.auto-negotiation.current"),
            )
        )
    return result


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
        result.append(
            _neighbour(port, name, [far[0], far[2] if len(far) > 2 else ""], [], f"{file.what}, line {number}")
        )
    total = next((int(x[1]) for line in lines if (x := re.match(r"Total entries displayed:\s+(\d+)", line))), None)
    if total is None or total != len(result):
        said = "does not say how many entries it has" if total is None else f"says that it has {total}"
        raise InputError(f"{file.what} has {len(result)} neighbours and {said}; is it cut off?")
    return result


LLDP_PLAIN = Kind("LLDP (text)", is_plain, lambda f, device, to: to.add_neighbours(device, plain_neighbours(f), f.what))
LLDP_KEY_VALUE = Kind(
    "LLDP (key=value)", is_key_value, lambda f, device, to: to.add_neighbours(device, key_value_neighbours(f), f.what)
)
LLDP_TABLE = Kind(
    "LLDP (SONiC)", is_table, lambda f, device, to: to.add_neighbours(device, table_neighbours(f), f.what)
)
