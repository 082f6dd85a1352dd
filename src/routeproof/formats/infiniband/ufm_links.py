"""The links of a fabric as UFM lists them: the answer of its REST API (``/ufmRest/resources/links``), or a CSV file.

    source_guid,source_port,destination_guid,destination_port,width,source_port_node_description,...
    248a070300f88fe0,20,b8599f03000a77d0,1,4x,leaf-1:20,...

Columns are found by these names, in letters of any case, with blanks or underscores; others are not used, but
``destination_port_node_description`` and its like, which give names, and states of links.  GUIDs are those of systems.
One with a port above 2 is a switch, all others are adapters of hosts.  There are no lids and no speeds: cables of equal
width are taken as equal, with a line that says so; unequal widths are an error.  Source: NVIDIA UFM Enterprise REST API
Guide, "Links REST API".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import count

from ...core.errors import InputError, warn
from ..format import Bandwidth, File, Format, NetworkFormat
from ..text_files import brief, csv_rows
from .assemble import fabric_of
from .fabric import CableEnd, FabricNetwork, Section, key_of, why_idle

_NEEDED = ("source_guid", "source_port", "destination_guid", "destination_port")
_GUID = re.compile(r"(?:0x)?([0-9a-f]{1,16})", re.IGNORECASE)
_SWITCH_PORT = re.compile(r":(?:\d+/)*\d+")  # behind the name of a switch
_MOST_OF_A_HOST = 2  # ports
End = tuple[int, int]


def is_ufm_links(file: File) -> bool:
    start = file.start[:4096]
    head = _column(start.split("\n", 1)[0])
    return all(x in head for x in _NEEDED) or bool(re.match(r'\s*\[\s*\{[^{}]*"source_guid"', start))


def read_ufm_links(file: File, bandwidth: Bandwidth = None) -> FabricNetwork:
    """The fabric in a file, without lids; a cable may be listed once or twice."""
    far: dict[End, tuple[End, int]] = {}
    names: dict[int, str] = {}
    widths: dict[str, int] = {}
    idle: dict[End, str] = {}
    severe: list[str] = []
    for row, fields in _rows(file):
        place = f"{file.what}, row {row}"
        ends = [(_guid(fields, x, place), _port(fields, x, place)) for x in ("source", "destination")]
        for end, other, side in zip(ends, ends[::-1], ("source", "destination"), strict=True):
            before, first = far.setdefault(end, (other, row))
            if before != other or end == other:
                raise InputError(
                    f"{place}: port {end[1]} of {end[0]:016x} has another cable in row {first}; a system with several "
                    f"switches of one GUID, or two days?"
                )
            names.setdefault(end[0], fields.get(f"{side}_port_node_description", ""))
            states = [x for name, x in fields.items() if name.endswith("state") and x]
            if why := next((y for x in states if (y := why_idle(place, state=x))), ""):
                idle[end] = why
        if (severity := fields.get("severity", "")).lower() not in ("", "info"):
            severe.append(f"row {row} ({severity})")
        widths.setdefault(fields.get("width", "").lower().removeprefix("ib_"), row)
    if severe:
        more = " and others" if len(severe) > 6 else ""
        warn(
            f"{file.what}: links of another severity than Info are taken to work: {', '.join(severe[:6])}{more}; UFM's "
            f"list does not say whether they carry packets, iblinkinfo does"
        )
    if not far:
        raise InputError(f"{file.what} has no link; {', '.join(_NEEDED)} were expected")
    is_given = isinstance(bandwidth, (int, Fraction))
    if len(widths) == 1 and not is_given:
        warn(f"{file.what} does not say how fast links are: all are taken as equal; bandwidth=1 confirms this")
    if len(widths) > 1 and not is_given:
        one, two = list(widths)[:2]
        raise InputError(
            f"{file.what}: links of width {brief(one)} (row {widths[one]}) and {brief(two)} (row {widths[two]}), "
            f"without their speeds; take the output of ibnetdiscover, or give bandwidth=1 for all cables"
        )
    return fabric_of(file, _sections(file, far, names, idle), bandwidth)


def _sections(
    file: File, far: Mapping[End, tuple[End, int]], names: Mapping[int, str], idle: Mapping[End, str]
) -> Iterable[Section]:
    switches = {guid for guid, port in far if port > _MOST_OF_A_HOST}
    nodes: dict[int, Section] = {}
    number = count(1)  # of host ports, whose GUIDs are not told
    port_guid: dict[End, int] = {}
    for guid in sorted({guid for guid, _ in far}, key=lambda x: (x not in switches, x)):
        kind = "Switch" if guid in switches else "Ca"
        name = _SWITCH_PORT.sub("", names[guid]) if kind == "Switch" else names[guid]
        nodes[guid] = Section(0, kind, key_of(kind, guid), guid, name or f"{guid:016x}")
    for (guid, port), ((other, far_port), row) in far.items():
        if guid not in switches and other not in switches:
            raise InputError(
                f"{file.what}, row {row}: a link between {guid:016x} and {other:016x}, which have no port above "
                f"{_MOST_OF_A_HOST}; one of them is a switch, and which is not said"
            )
        host = (guid, port) if guid not in switches else (other, far_port)
        own = port_guid.setdefault(host, next(number)) if host[0] not in switches else 0
        node = nodes[guid]
        node.ends[port] = CableEnd(row, port, nodes[other].key, far_port, own, None, idle=idle.get((guid, port), ""))
        node.ports = max(node.ports, port)
    return nodes.values()


def _rows(file: File) -> Iterator[tuple[int, dict[str, str]]]:
    """The links, by column; the first row is 1."""
    if not file.is_json:
        (_, columns), *rows = csv_rows(file.text, file.what)
        for k, (_, cells) in enumerate(rows, 1):
            yield k, dict(zip(map(_column, columns), cells, strict=True))
        return
    for k, link in enumerate(file.value if isinstance(file.value, list) else [], 1):
        if not isinstance(link, dict):
            raise InputError(f"{file.what}, row {k} is {brief(link)}; an object was expected")
        yield k, {str(x): str(y) for x, y in link.items()}


def _column(text: str) -> str:
    return text.strip().lower().replace(" ", "_").replace('"', "")


def _guid(fields: Mapping[str, str], side: str, place: str) -> int:
    found = _GUID.fullmatch(fields.get(f"{side}_guid", ""))
    if found is None:
        raise InputError(f"{place}: {side}_guid is {brief(fields.get(f'{side}_guid'))}; 16 hexadecimal digits expected")
    return int(found[1], 16)


def _port(fields: Mapping[str, str], side: str, place: str) -> int:
    text = fields.get(f"{side}_port", "")
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 256):
        raise InputError(f"{place}: {side}_port is {brief(text)}; a number from 1 to 255 was expected")
    return int(text)


UFM_LINKS: NetworkFormat = Format(
    "ufm-links", "UFM's list of links", sniff=is_ufm_links, read=read_ufm_links, options=("bandwidth", "hosts")
)
