"""The fabric as ``iblinkinfo`` prints it: a heading for every node, and a line for every port.

    Switch: 0x0000000000200002 s2:
               4    1[  ] ==( 4X          10.0 Gbps Active/  LinkUp)==>       8    1[  ] "h4" (Could be 12X )

Lid, port, width and signalling rate of a lane, state, and the other end's lid, port and name.  Nodes are found by lid
and port, before a subnet manager has given lids by name.  It does not say how many lids a port has (LMC): one is
assumed.  Source: infiniband-diags, ``iblinkinfo.c``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...core.errors import InputError
from ..format import Bandwidth, File, Format, NetworkFormat
from ..text_files import Line, brief
from .assemble import fabric_of
from .fabric import LIMIT, CableEnd, FabricNetwork, Section, StatedRate, why_idle

_HEAD = re.compile(r"(Switch|CA|Router): (?:0x([0-9a-fA-F]{16}) )?(.*):")
_PORT = re.compile(
    r"(?:0x([0-9a-fA-F]{16}) +)?(\d{1,5}) +(\d{1,3})\[..?\] ==\((.*?)\)(?: \(HOQ:\d+ VL_Stall:\d+\))?==>\s*"
    r'(?:(\d{1,5}) +(\d{1,3})\[..?\] "(.*)" \([^"]*\)|\[  \] "" \( \)|"Port not available")'
)
_LINK = re.compile(r"\s*(?:(\d{1,2})X +(.+?) +)?(\w+)/ *(\w+)")
_BY_LINE = re.compile(r'0x[0-9a-fA-F]{16} ".*" +\d+ +\d+\[')
_BEGINNING = re.compile(
    r"\A\s*((Switch: 0x[0-9a-fA-F]{16} |CA: |Router: ).*:\s*\n\s+[^\n]* ==\("
    r'|0x[0-9a-fA-F]{16} ".*" +\d+ +\d+\[..?\] ==\()'
)
_SPEEDS = {
    "2.5 Gbps": "SDR", "5.0 Gbps": "DDR", "10.0 Gbps": "QDR", "10.0 Gbps (FDR10)": "FDR10", "14.0625 Gbps": "FDR",
    "25.78125 Gbps": "EDR", "53.125 Gbps": "HDR", "106.25 Gbps": "NDR", "212.5 Gbps": "XDR",
}  # fmt: skip
_WIDTHS = ("1", "2", "4", "8", "12")


Far = tuple[int, int, str]  # what a line says of the other end: lid, port, name


def read_iblinkinfo(file: File, bandwidth: Bandwidth = None) -> FabricNetwork:
    nodes: dict[str, Section] = {}
    far: dict[tuple[str, int], Far] = {}
    here: Section | None = None
    for line in file.lines(comment_lines="#", limit=LIMIT, wanted="the output of iblinkinfo"):
        if head := _HEAD.fullmatch(line.text):
            kind = {"CA": "Ca", "Router": "Rt"}.get(head[1], head[1])
            guid = int(head[2] or "0", 16)
            if (kind == "Switch") != bool(head[2]):
                raise line.error(f"{brief(line.text)}; Switch: 0x0002c90200411e00 NAME: or CA: NAME: was expected")
            key = f"S-{guid:016x}" if head[2] else f"H-line{line.number}"
            here = Section(line.number, kind, key, guid, head[3])
            if here.key in nodes:
                raise line.error(f"{here.key} ({here.name!r}) is there already; GUIDs are unique")
            nodes[here.key] = here
        elif (port := _PORT.fullmatch(line.text)) and here is not None:
            here.ports = max(here.ports, int(port[3]))
            end = _end(port, here, line)
            if end is not None:
                here.add(end, line.place)
                far[here.key, end.port] = (int(port[5]), int(port[6]), port[7])
            if here.kind == "Switch":
                here.lid = int(port[2])
        elif _BY_LINE.match(line.text):
            raise line.error(f"{brief(line.text)} does not say what is a switch: run iblinkinfo without -l")
        else:
            raise line.error(
                f"{brief(line.text)} is not a line of iblinkinfo; Switch: 0x0002c90200411e00 NAME: or a port such "
                f'as 4    1[  ] ==( 4X  10.0 Gbps Active/  LinkUp)==>  8    1[  ] "h4" ( ) was expected'
            )
    if not far:
        raise InputError(f"{file.what} has no cable that is up; run iblinkinfo without -d")
    _join(nodes, far, file.what)
    return fabric_of(file, nodes.values(), bandwidth)


def _end(port: re.Match[str], node: Section, line: Line) -> CableEnd | None:
    """A port with a cable; None for one without."""
    link = _LINK.fullmatch(port[4])
    if link is None:
        raise line.error(f"{brief(port[4])}; width, speed and state such as 4X  10.0 Gbps Active/LinkUp expected")
    if (port[1] is None) != (node.kind == "Switch"):
        raise line.error(f"a port {'with' if port[1] else 'without'} a GUID of {node.name!r}")
    idle = why_idle(line.place, logical=link[3], physical=link[4])
    if port[5] is None:
        return None
    rate: StatedRate | None = StatedRate(f"{link[1]}X {link[2]}", None)
    if idle and link[1] is None:
        rate = None
    if link[1] in _WIDTHS and link[2] in _SPEEDS:
        rate = StatedRate.of(link[1], _SPEEDS[link[2]])
    elif rate is not None and (link[1] is None or "undefined" not in link[2]):
        speeds = ", ".join(_SPEEDS)
        raise line.error(f"a cable of {brief(rate.text)}; 1X, 2X, 4X, 8X or 12X and {speeds} were expected")
    lid = 0 if node.kind == "Switch" else int(port[2])
    return CableEnd(line.number, int(port[3]), "", 0, int(port[1] or "0", 16), rate, lid=lid, idle=idle)


def _join(nodes: Mapping[str, Section], far: Mapping[tuple[str, int], Far], what: str) -> None:
    """Find the other end of every cable: by its lid, port and name, and by what its own line says of this end."""
    own: dict[tuple[str, int], Far] = {}
    at: dict[Far, list[str]] = {}
    for key, node in nodes.items():
        for port, end in node.ends.items():
            own[key, port] = (node.lid or end.lid, port, node.name)
            at.setdefault(own[key, port], []).append(key)
    for (key, port), other in far.items():
        end = nodes[key].ends[port]
        lid, far_port, name = other
        found = [x for x in at.get(other, []) if far[x, far_port] == own[key, port]]
        place = f"{what}, line {end.line}: port {port} of {nodes[key].name!r} leads to port {far_port} of {name!r}"
        if not found:
            raise InputError(
                f"{place} (lid {lid}), of which no line leads back; run iblinkinfo for the whole fabric, without "
                f"--switches-only, --cas-only, -S, -G, -D and -d"
            )
        if len(found) > 1:
            raise InputError(
                f"{place}, and {len(found)} nodes have this name and no lid: take the output of ibnetdiscover instead"
            )
        end.far, end.far_port = found[0], far_port


IBLINKINFO: NetworkFormat = Format(
    "iblinkinfo",
    "the output of iblinkinfo",
    extensions=(".linkinfo",),
    sniff=lambda file: bool(_BEGINNING.search(file.start.replace("\r\n", "\n"))),
    read=read_iblinkinfo,
    options=("bandwidth", "hosts"),
    rank=5,
)
