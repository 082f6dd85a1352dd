"""Topologies as people plan them for ``ibdmchk`` and ``ibdiagnet -t``: systems, and what is at their ports.

    MTS3600 leaf-1
       P1 -4x-10G-> MT26428 node-1 P1
       P19 -4x-10G-> MTS3600 spine-1 P1

A section is a system, its type and its name; a line is a cable, of the width and the signalling rate of a lane that it
states.  Where one of them is left out it is 4x and 2.5G, as in ibdm; where no cable states any, all are equal.  A type
with a port above P2 is one of switches, all others are adapters of hosts.  Systems of several chips have ports such as
L1/P1, and what is inside stands in another file (.ibnl): these are refused.  There are no GUIDs and no lids.

Source: ibutils, ``IBFabric::parseTopology``, manual pages ibdm-topo-file(1) and ibdm-ibnl-file(1).
"""

from __future__ import annotations

import re
from itertools import count
from typing import NamedTuple

from ...core.errors import InputError
from ..format import Bandwidth, File, Format, NetworkFormat
from ..text_files import Line, brief
from .assemble import fabric_of
from .fabric import LIMIT, CableEnd, FabricNetwork, Section, StatedRate, key_of

_SYSTEM = re.compile(r"([^/\s>]+)\s+([^/\s>]+)(?:\s+CFG:(.*))?")
_CABLE = re.compile(r"(\S+)\s+-(?:(1|4|8|12)[xX]-)?(?:(2\.5|5|10)G-)?>\s+(\S+)\s+(\S+)\s+(\S+)")
_BEGINNING = re.compile(
    r"\A(?:\s*#[^\n]*\n|\s*\n)*[ \t]*[^/\s#>]+[ \t]+[^/\s>]+[ \t]*(CFG:[^\n]*)?\n(?:\s*#[^\n]*\n|\s*\n)*[ \t]+\S+[ \t]+"
    r"-(?:\d+[xX]-)?(?:[\d.]+G-)?>[ \t]"
)
_PORT = re.compile(r"P(\d{1,3})")
_SPEEDS = {"2.5": "SDR", "5": "DDR", "10": "QDR"}
_MOST_OF_A_HOST = 2  # ports


class _System(NamedTuple):
    kind: str
    name: str


class _Cable(NamedTuple):
    line: int
    ends: tuple[tuple[_System, int], tuple[_System, int]]
    rate: StatedRate | None


def read_ibdm_topology(file: File, bandwidth: Bandwidth = None) -> FabricNetwork:
    """The fabric in a file, without lids and with numbers in place of GUIDs."""
    sections, cables = _parsed(file)
    systems = dict.fromkeys(system for cable in cables for system, _ in cable.ends)
    kinds: dict[str, str] = {}
    for system in systems:
        if kinds.setdefault(system.name, system.kind) != system.kind:
            raise InputError(f"{file.what}: {system.name} is of type {kinds[system.name]} and of type {system.kind}")
    switches = _switch_types(file, sections, cables)
    number, nodes = count(1), dict[_System, Section]()
    for system in sorted(systems, key=lambda x: (x.kind not in switches, sections.get(x, 0))):
        kind, guid = ("Switch" if system.kind in switches else "Ca"), next(number)
        nodes[system] = Section(sections.get(system, 0), kind, key_of(kind, guid), guid, system.name)
    guids: dict[tuple[_System, int], int] = {}
    for line, ends, rate in cables:
        for (one, port), (other, far_port) in (ends, ends[::-1]):
            node, host = nodes[one], ends[0] if nodes[ends[0][0]].kind != "Switch" else ends[1]
            guid = guids.setdefault(host, next(number)) if nodes[host[0]].kind != "Switch" else 0
            end = CableEnd(line, port, nodes[other].key, far_port, guid, rate)
            before = node.ends.setdefault(port, end)
            if (before.far, before.far_port) != (end.far, end.far_port):
                raise InputError(
                    f"{file.what}, line {line}: port P{port} of {one.name} has another cable in line {before.line}"
                )
            node.ports = max(node.ports, port)
    return fabric_of(file, nodes.values(), bandwidth)


def _parsed(file: File) -> tuple[dict[_System, int], list[_Cable]]:
    sections: dict[_System, int] = {}
    cables: list[_Cable] = []
    here: _System | None = None
    for line in file.lines(comment="#", limit=LIMIT, wanted="a topology file of ibdm"):
        if cable := _CABLE.fullmatch(line.text):
            if here is None:
                raise line.error("a cable before any system; a line such as MTS3600 leaf-1 was expected first")
            far = _System(cable[4], cable[5])
            ends = ((here, _port(cable[1], here, line)), (far, _port(cable[6], far, line)))
            cables.append(_Cable(line.number, ends, _rate(cable[2], cable[3])))
        elif system := _SYSTEM.fullmatch(line.text):
            here = _System(system[1], system[2])
            if system[3] is not None:
                raise _boards(here, f"CFG:{system[3]}", line)
            sections.setdefault(here, line.number)
        else:
            wanted = "a system (MTS3600 leaf-1) or a cable (P1 -> MT26428 node-1 P1)"
            raise line.error(f"{brief(line.text)}; {wanted} was expected")
    if not cables:
        raise InputError(f"{file.what} has no cable; a line such as P1 -> MT26428 node-1 P1 was expected")
    return sections, cables


def _port(text: str, system: _System, line: Line) -> int:
    found = _PORT.fullmatch(text)
    if found is None:
        raise _boards(system, f"port {text}", line)
    return int(found[1])


def _boards(system: _System, found: str, line: Line) -> InputError:
    return line.error(
        f"{brief(found)} of {system.kind} {system.name}, a system of several boards, which are described in "
        f"another file (.ibnl); list its switches as systems of their own, with ports P1, P2, ..."
    )


def _rate(width: str | None, speed: str | None) -> StatedRate | None:
    if width is None and speed is None:
        return None
    return StatedRate.of(width or "4", _SPEEDS[speed or "2.5"])


def _switch_types(file: File, sections: dict[_System, int], cables: list[_Cable]) -> set[str]:
    """Types with a port above P2; of a cable between two others, that of the end which has a section of its own."""
    found = {system.kind for cable in cables for system, port in cable.ends if port > _MOST_OF_A_HOST}
    for line, ((one, _), (other, _)), _ in cables:
        if found.isdisjoint((one.kind, other.kind)):
            owners = {x.kind for x in (one, other) if x in sections}
            if len(owners) != 1 or one.kind == other.kind:
                raise InputError(
                    f"{file.what}, line {line}: a cable from {one.name} to {other.name}; which is a switch?"
                )
            found |= owners
    return found


IBDM_TOPOLOGY: NetworkFormat = Format(
    "ibdm-topology",
    "a topology file of ibdm",
    sniff=lambda file: bool(_BEGINNING.match(file.start[:16384].replace("\r", ""))),
    read=read_ibdm_topology,
    options=("bandwidth", "hosts"),
)
