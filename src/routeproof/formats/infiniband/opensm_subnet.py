"""The fabric in ``opensm-subnet.lst``, which OpenSM writes into its dump directory: a line for every end of a cable.

    { SW Ports:24 SystemGUID:... NodeGUID:... PortGUID:... VenID:... DevID:... Rev:... {s0} LID:0001 PN:03 }
    { CA Ports:01 ... {h0} LID:0002 PN:01 } PHY=4x LOG=ACT SPD=10

(in one line): this end, the other end, width, state and signalling rate of a lane.  Ports and lids are hexadecimal.  It
does not say how many lids a port has (LMC): one is assumed.  ``ibdiagnet.lst`` and ``ibdiagnet2.lst`` have the same
lines, with small letters in numbers; old OpenSM left out the speed.  Source: OpenSM, ``osm_dump.c``,
``dump_topology_node``; ibutils, ``IBFabric::parseSubnetLine``.
"""

from __future__ import annotations

import re

from ..format import Bandwidth, File, Format, NetworkFormat
from ..text_files import Line, brief
from .assemble import fabric_of
from .fabric import LIMIT, CableEnd, FabricNetwork, Section, StatedRate, key_of, why_idle

_NODE = (
    r"\{ (SW|CA|Rt)(?:-SM)? Ports:([0-9a-fA-F]{2}) SystemGUID:[0-9a-fA-F]{16}"
    r" NodeGUID:([0-9a-fA-F]{16}) PortGUID:([0-9a-fA-F]{16})"
    r" VenID:[0-9a-fA-F]+ DevID:[0-9a-fA-F]+ Rev:[0-9a-fA-F]+ (?:\{(.*?)\})? ?LID:([0-9a-fA-F]{4})"
    r" PN:([0-9a-fA-F]{2}) \}"
)
_LINE = re.compile(rf"{_NODE} {_NODE} PHY=(\S+) LOG=(ACT|ARM|INI|DWN)(?: SPD=(\S+))?")
_BEGINNING = re.compile(r"\A\ufeff?\s*\{ (SW|CA|Rt)(-SM)? Ports:")
_KINDS = {"SW": "Switch", "CA": "Ca", "Rt": "Rt"}
_SPEEDS = {
    "2.5": "SDR", "5": "DDR", "10": "QDR", "FDR10": "FDR10", "14": "FDR", "25": "EDR", "50": "HDR", "100": "NDR",
    "200": "XDR",
}  # fmt: skip
_WIDTHS = ("1x", "2x", "4x", "8x", "12x")
End = tuple[str, int, str, int, str, int]  # key of the node, port GUID, name, lid, kind, number of ports


def read_opensm_subnet(file: File, bandwidth: Bandwidth = None) -> FabricNetwork:
    nodes: dict[str, Section] = {}
    said: dict[tuple[str, int], tuple[End, int]] = {}
    for line in file.lines(limit=LIMIT, wanted="opensm-subnet.lst"):
        found = _LINE.fullmatch(line.text)
        if found is None:
            raise line.error(f"{brief(line.text)} is not a line of opensm-subnet.lst: {{ SW Ports:24 ... (cut off?)")
        (end, port), (far, far_port) = (_end(found.groups()[k : k + 7]) for k in (0, 7))
        for at, one in ((port, end), (far_port, far)):
            before, where = said.setdefault((one[0], at), (one, line.number))
            if before != one:
                raise line.error(f"port {at} of {one[2]!r} is another one than in line {where}: {one[0]}")
        key, guid, name, lid, kind, ports = end
        if is_switch := kind == "Switch":
            guid = 0
        made = Section(line.number, kind, key, int(key[2:], 16), name, lid if is_switch else 0, ports=ports)
        node = nodes.setdefault(key, made)
        if not 1 <= port <= node.ports:
            raise line.error(f"port {port} of {name!r}, which has ports 1 to {node.ports}")
        cable = CableEnd(line.number, port, far[0], far_port, guid, None, lid=0 if is_switch else lid)
        node.add(cable, line.place)
        cable.rate = _rate(found[15], found[17], line)
        cable.idle = why_idle(line.place, logical=found[16])
    return fabric_of(file, nodes.values(), bandwidth)


def _end(groups: tuple[str, ...]) -> tuple[End, int]:
    kind, ports, node, port_guid, name, lid, port = groups
    key = key_of(_KINDS[kind], int(node, 16))
    return (key, int(port_guid, 16), name or "", int(lid, 16), _KINDS[kind], int(ports, 16)), int(port, 16)


def _rate(width: str, speed: str | None, line: Line) -> StatedRate | None:
    if speed is None:
        return None
    text = f"PHY={width} SPD={speed}"
    if "?" in text:
        return StatedRate(text, None)
    if width not in _WIDTHS or speed not in _SPEEDS:
        raise line.error(f"a cable of {text}; {', '.join(_WIDTHS)} and {', '.join(_SPEEDS)} were expected")
    return StatedRate.of(width[:-1], _SPEEDS[speed])


OPENSM_SUBNET: NetworkFormat = Format(
    "opensm-subnet",
    "OpenSM's opensm-subnet.lst or ibdiagnet's .lst",
    extensions=(".lst",),
    sniff=lambda file: bool(_BEGINNING.search(file.start)),
    read=read_opensm_subnet,
    options=("bandwidth", "hosts"),
    rank=3,
)
