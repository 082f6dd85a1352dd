"""The fabric as ``ibnetdiscover -p`` prints it: a line for every port, with the port at the other end of its cable.

    CA    14  1 0x000000000010000f 4x DDR - SW     9  4 0x0000000000200005 ( 'leaf3-h1' - 'leaf3' )
    SW     9 20 0x0000000000200005 4x SDR                                    'leaf3'

Kind, lid, port, GUID (of a host's port, of a switch's port 0), width and speed, then the same of the other end, and
both names; a port without a cable ends with its own name.  It does not say how many lids a port has (LMC): one is
assumed.
Source: infiniband-diags, ``ibnetdiscover.c``, ``dump_ports_report``.
"""

from __future__ import annotations

import re

from ...core.errors import InputError
from ..format import Bandwidth, File, Format, NetworkFormat
from ..text_files import brief
from .assemble import fabric_of
from .fabric import LIMIT, CableEnd, FabricNetwork, Section, key_of, rate_of

_END = r"(CA|SW|RT) +(\d{1,5}) +(\d{1,3}) 0x([0-9a-fA-F]{16})"
_LINE = re.compile(rf"{_END} (\S+) (\S+)(?: - {_END} \( '(.*)' - '(.*)' \)| +'(.*)')")
_BEGINNING = re.compile(rf"\A\s*{_END} \S+ \S+(?: - (?:CA|SW|RT) | +')")
_KINDS = {"CA": "Ca", "SW": "Switch", "RT": "Rt"}
_BETWEEN = "' - '"


def read_port_report(file: File, bandwidth: Bandwidth = None) -> FabricNetwork:
    nodes: dict[str, Section] = {}
    for line in file.lines(limit=LIMIT, wanted="the output of ibnetdiscover -p"):
        found = _LINE.fullmatch(line.text)
        if found is None:
            raise line.error(
                f"{brief(line.text)} is not a line of ibnetdiscover -p; CA 14 1 0x0002c90200411e01 4x EDR - SW ... "
                f"was expected (cut off?)"
            )
        kind, lid, port, guid = _end(found.groups()[:4])
        names = f"{found[11]}{_BETWEEN}{found[12]}".split(_BETWEEN) if found[7] else [found[13]]
        if len(names) > 2:
            raise line.error(f"where the first name ends in {brief(line.text[-100:], limit=100)} is not clear")
        is_switch, key = kind == "Switch", key_of(kind, guid)
        node = nodes.setdefault(key, Section(line.number, kind, key, guid, names[0], lid if is_switch else 0))
        if is_switch and node.lid != lid:
            raise line.error(f"lid {lid} of {node.name!r}, which has lid {node.lid} in line {node.line}")
        if not is_switch and (node.ends or node.line != line.number):
            raise line.error(f"port GUID {guid:x} is that of line {node.line}; GUIDs are unique")
        node.ports = max(node.ports, port)
        if found[7] is None:
            continue
        other, _, far_port, far_guid = _end(found.groups()[6:10])
        own, own_lid = (0, 0) if is_switch else (guid, lid)
        cable = CableEnd(line.number, port, key_of(other, far_guid), far_port, own, None, lid=own_lid)
        node.add(cable, line.place)
        cable.rate = rate_of(found[5] + found[6], line.place)
    if not any(node.ends for node in nodes.values()):
        raise InputError(f"{file.what} has no cable that is up; the output of ibnetdiscover -p was expected")
    return fabric_of(file, nodes.values(), bandwidth)


def _end(groups: tuple[str, ...]) -> tuple[str, int, int, int]:
    kind, lid, port, guid = groups
    return _KINDS[kind], int(lid), int(port), int(guid, 16)


PORT_REPORT: NetworkFormat = Format(
    "ibnetdiscover-ports",
    "the output of ibnetdiscover -p",
    sniff=lambda file: bool(_BEGINNING.search(file.start)),
    read=read_port_report,
    options=("bandwidth", "hosts"),
    rank=4,
)
