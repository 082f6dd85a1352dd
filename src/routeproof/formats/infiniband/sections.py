"""The sections of what ``ibnetdiscover`` prints: one for every switch and host, with a line for every cable."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...core.errors import InputError
from ..text_files import brief
from .rates import StatedRate, stated_rate

__all__ = ["CableEnd", "Section", "sections_of"]

_HEAD = re.compile(r'(Switch|Ca|Rt)\s+(\d{1,3})\s+"([^"]*)"\s*#\s*"(.*)"(.*)')
_SWITCH_LID = re.compile(r"\s*(?:base|enhanced) port 0 lid (\d{1,5}) lmc (\d)\s*")
_PORT = re.compile(
    r'\[(\d{1,3})\](?:\[ext [^\]]*\])?(?:\(([0-9a-fA-F]{1,16})\))?\s*"([^"]*)"\[(\d{1,3})\](?:\[ext [^\]]*\])?'
    r"\s*(?:\(([0-9a-fA-F]{1,16})\))?\s*(?:#(.*))?"
)
_HOST_LID = re.compile(r"\s*lid (\d{1,5}) lmc (\d)\b(.*)")
_NAME = re.compile(r'\s*".*"(.*)')
_IGNORED = re.compile(
    r"(?:vendid|devid)=0x[0-9a-fA-F]+|(?:sysimgguid|switchguid|caguid|rtguid)=0x[0-9a-fA-F]+.*"
    r"|Chassis \d+(?: \(guid 0x[0-9a-fA-F]+\))?|Non-Chassis Nodes|Hostname: .*"  # -g
    r"|DR path slid .*"  # -s
)
_NO_TOPOLOGY = (
    (
        re.compile(r"(CA|SW|RT|\?\?)\s+\d+\s+\d+\s+0x[0-9a-fA-F]{16}\s.*"),
        "a report of ports: run ibnetdiscover without -p",
    ),
    (
        re.compile(r"(Ca|Switch|Router|\?\?\?)\s+: 0x[0-9a-fA-F]{16} ports .*"),
        "a list of nodes: run ibnetdiscover without -l, -H, -S and -R",
    ),
    (re.compile(r"[<>] .*"), "the difference of two fabrics: run ibnetdiscover without --diff"),
    (
        re.compile(r"(ib\w+: \[|\S+\.c:\d+[;:]).*"),
        "a message of ibnetdiscover's, after which parts of the fabric may be missing: run it again with "
        "2> messages.txt, or remove the line if it means no harm",
    ),
)
"""Lines that ibnetdiscover writes, but not into a topology, and what to do."""


@dataclass
class CableEnd:
    """One line about a cable: this node's port, and the node and port at the other end."""

    line: int
    port: int
    far: str
    far_port: int
    guid: int
    rate: StatedRate | None
    lid: int = 0
    lmc: int = 0


@dataclass
class Section:
    """A switch or a host: its identity, and its ``ends`` by port; ``lid`` and ``lmc`` are those of a switch."""

    line: int
    kind: str
    key: str
    guid: int
    name: str
    lid: int
    lmc: int
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
            raise InputError(f"{what}, line {number}: {brief(line)} is {_no_line(line)}")
        else:
            here = None
    return nodes


def _no_line(line: str) -> str:
    """What a line is that belongs into no topology."""
    for form, told in _NO_TOPOLOGY:
        if form.fullmatch(line):
            return told
    return 'no line of ibnetdiscover; Switch, Ca or a port such as [1] "S-0002c90200411e00"[3] # ... was expected'


def _node(head: re.Match[str], number: int, what: str) -> Section:
    kind, ports, key, name, rest = head.groups()
    digits = re.fullmatch(r"[A-Z]+-([0-9a-fA-F]{1,16})", key)
    if digits is None or not 1 <= int(ports) <= 255:
        raise InputError(
            f"{what}, line {number}: {kind} {ports} {brief(key)}; 1 to 255 ports and an identity such as "
            f"S-0002c90200411e00 were expected"
        )
    lid = lmc = 0
    if kind == "Switch":
        found = _SWITCH_LID.fullmatch(rest)
        if found is None:
            raise InputError(
                f"{what}, line {number}: {brief(rest.strip())} stands after the name of switch {key}; "
                f"base port 0 lid N lmc N was expected (cut off?)"
            )
        lid, lmc = int(found[1]), int(found[2])
    elif rest.strip() not in ("", "(scp)"):
        raise InputError(
            f"{what}, line {number}: {brief(rest.strip())} stands after the name of {key}; nothing was expected"
        )
    return Section(number, kind, key, int(digits[1], 16), name, lid, lmc, int(ports), {})


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
    place = f"{what}, line {number}"
    end = CableEnd(number, int(port), far, int(far_port), int(own_guid or far_guid or "0", 16), None)
    rest = comment or ""
    if node.kind != "Switch":
        lids = _HOST_LID.fullmatch(rest)
        if lids is None or own_guid is None:
            raise InputError(
                f"{place}: port {port} of {node.key} ({node.name!r}) has no port GUID or no '# lid N lmc N' (cut off?)"
            )
        end.lid, end.lmc, rest = int(lids[1]), int(lids[2]), lids[3]
    named = _NAME.fullmatch(rest)
    end.rate = stated_rate(rest if named is None else named[1], place)
    return end
