"""The sections of what ``ibnetdiscover`` prints: one for every switch and host, with a line for every cable."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from ..core.errors import InputError
from .text_files import brief

__all__ = ["GBPS_PER_LANE", "CableEnd", "Section", "sections_of"]

_CODE_8_10, _CODE_64_66 = Fraction(8, 10), Fraction(64, 66)
GBPS_PER_LANE = {
    "SDR": Fraction(5, 2) * _CODE_8_10,
    "DDR": 5 * _CODE_8_10,
    "QDR": 10 * _CODE_8_10,
    "FDR10": Fraction(103125, 10000) * _CODE_64_66,
    "FDR": Fraction(140625, 10000) * _CODE_64_66,
    "EDR": Fraction(2578125, 100000) * _CODE_64_66,
    "HDR": Fraction(50),
    "NDR": Fraction(100),
    "XDR": Fraction(200),
}
"""Data rate of one lane in Gb/s: the signalling rate less the line code (InfiniBand Architecture Specification, vol. 2;
from HDR on the rates by which the speeds are named)."""


_HEAD = re.compile(r'(Switch|Ca|Rt)\s+(\d{1,3})\s+"([^"]*)"\s*#\s*"(.*)"(.*)')
_SWITCH_LID = re.compile(r"\s*(?:base|enhanced) port 0 lid (\d{1,5}) lmc (\d)\b.*")
_PORT = re.compile(
    r'\[(\d{1,3})\](?:\[ext [^\]]*\])?(?:\(([0-9a-fA-F]{1,16})\))?\s*"([^"]*)"\[(\d{1,3})\](?:\[ext [^\]]*\])?'
    r"(?:\(([0-9a-fA-F]{1,16})\))?\s*(?:#(.*))?"
)
_HOST_LID = re.compile(r"\s*lid (\d{1,5}) lmc (\d)\b.*")
_RATE = re.compile(r".*\s(\d{1,2})x([A-Z]{3}(?:10)?)\b\s*")
_IGNORED = re.compile(
    r"(vendid|devid|sysimgguid|switchguid|caguid|rtguid|Chassis|Spine|Line|Fabric|DR path|SLID|Hop)\b.*"
)


@dataclass
class CableEnd:
    """One line about a cable: this node's port, and the node and port at the other end."""

    line: int
    port: int
    far: str
    far_port: int
    guid: int
    rate: Fraction | None
    lid: int = 0
    lmc: int = 0


@dataclass
class Section:
    """A switch or a host: its identity, and its ``ends`` by port; ``lid`` is that of a switch."""

    line: int
    kind: str
    key: str
    guid: int
    name: str
    lid: int
    ports: int
    ends: dict[int, CableEnd]


def sections_of(text: str, what: str) -> dict[str, Section]:
    """The sections of a file by identity; raises InputError, naming ``what`` and the line, for what is none."""
    nodes: dict[str, Section] = {}
    by_guid: dict[int, Section] = {}
    here: Section | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            if here is None:
                raise InputError(f"{what}, line {number}: a port before any switch or host: {brief(line)}")
            end = _end(line, here, number, what)
            if end.port in here.ends:
                raise InputError(
                    f"{what}, line {number}: port {end.port} of {here.key} is there already, in line "
                    f"{here.ends[end.port].line}"
                )
            here.ends[end.port] = end
            continue
        head = _HEAD.fullmatch(line)
        if head is not None:
            here = _node(head, number, what)
            for other in (nodes.get(here.key), by_guid.get(here.guid)):
                if other is not None:
                    raise InputError(
                        f"{what}, line {number}: {here.key} ({here.name!r}) has the GUID of line {other.line}, "
                        f"{other.key} ({other.name!r}); GUIDs are unique"
                    )
            nodes[here.key] = by_guid[here.guid] = here
        elif not _IGNORED.fullmatch(line):
            raise InputError(
                f"{what}, line {number}: {brief(line)} is no line of ibnetdiscover; Switch, Ca or a port such as "
                f'[1] "S-0002c90200411e00"[3] # ... was expected'
            )
        else:
            here = None
    return nodes


def _node(head: re.Match[str], number: int, what: str) -> Section:
    kind, ports, key, name, rest = head.groups()
    digits = re.fullmatch(r"[A-Z]+-([0-9a-fA-F]{1,16})", key)
    if digits is None or not 1 <= int(ports) <= 255:
        raise InputError(
            f"{what}, line {number}: {kind} {ports} {brief(key)}; 1 to 255 ports and an identity such as "
            f"S-0002c90200411e00 were expected"
        )
    lid = 0
    if kind == "Switch":
        found = _SWITCH_LID.fullmatch(rest)
        if found is None:
            raise InputError(f"{what}, line {number}: switch {key} has no 'base port 0 lid N lmc N' (cut off?)")
        lid = int(found[1])
    return Section(number, kind, key, int(digits[1], 16), name, lid, int(ports), {})


def _end(line: str, node: Section, number: int, what: str) -> CableEnd:
    found = _PORT.fullmatch(line)
    if found is None:
        raise InputError(
            f'{what}, line {number}: {brief(line)}; a port such as [1] "S-0002c90200411e00"[3] # ... was expected '
            f"(cut off?)"
        )
    port, own_guid, far, far_port, far_guid, comment = found.groups()
    if not 1 <= int(port) <= node.ports:
        raise InputError(f"{what}, line {number}: port {port} of {node.key}, which has ports 1 to {node.ports}")
    rate = _lanes(comment or "", number, what)
    end = CableEnd(number, int(port), far, int(far_port), int(own_guid or far_guid or "0", 16), rate)
    if node.kind != "Switch":
        lids = _HOST_LID.fullmatch(comment or "")
        if lids is None or own_guid is None:
            raise InputError(
                f"{what}, line {number}: port {port} of {node.key} ({node.name!r}) has no port GUID or no "
                f"'# lid N lmc N' (cut off?)"
            )
        end.lid, end.lmc = int(lids[1]), int(lids[2])
    return end


def _lanes(comment: str, number: int, what: str) -> Fraction | None:
    found = _RATE.fullmatch(" " + comment.rpartition('"')[2])
    if found is None:
        return None
    lanes, speed = int(found[1]), found[2]
    if speed not in GBPS_PER_LANE or lanes not in (1, 2, 4, 8, 12):
        raise InputError(
            f"{what}, line {number}: a cable of {lanes}x{speed}; 1x, 2x, 4x, 8x or 12x and one of "
            f"{', '.join(GBPS_PER_LANE)} were expected"
        )
    return lanes * GBPS_PER_LANE[speed]
