"""Topologies as ``ibnetdiscover`` prints them: switches, host ports, lids, and cables with width and speed.

A section for every switch and host, with a line for every cable.  After the name of the other end a line may say
``lid 4 4xQDR s=4 w=2 v=4``.  Width and speed are those in use (the port's LinkWidthActive and LinkSpeedActive).  ``-f``
repeats them as the numbers of the port's PortInfo, ``s=`` and ``w=``, and adds ``v=``, how many virtual lanes the port
can have (VLCap).  ``?`` is for what the program did not learn or does not know.
Source: infiniband-diags, ``ibnetdiscover.c``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...core.errors import InputError
from ..format import Bandwidth, File, Format, NetworkFormat
from ..text_files import Line, brief
from .assemble import fabric_of
from .fabric import LIMIT, WIDTH_NUMBER, CableEnd, FabricNetwork, Section, StatedRate, rate_of

_BEGINNING = re.compile(
    r'^\ufeff?(Switch|Ca)\s+\d+\s+"|^(switch|ca)guid=|^# Topology file:'
    # what -l prints: the reader then says what to run instead
    r"|\A\ufeff?\s*(Ca|Switch|Router)\s+: 0x[0-9a-fA-F]{16} ",
    re.MULTILINE,
)
_HEAD = re.compile(r'(Switch|Ca|Rt)\s+(\d{1,3})\s+"([^"]*)"\s*#\s*(?:"(.*)")?(.*)')
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
_NO_TOPOLOGY = {
    r"(CA|SW|RT|\?\?)\s+\d+\s+\d+\s+0x[0-9a-fA-F]{16}\s.*": (
        "of a report of ports (ibnetdiscover -p), which is a file of its own"
    ),
    r"(Ca|Switch|Router|\?\?\?)\s+: 0x[0-9a-fA-F]{16} ports .*": (
        "a list of nodes: run ibnetdiscover without -l, -H, -S and -R"
    ),
    r'(Switch|Hca)\s+\d+\s+"(?![SHR]-[0-9a-fA-F]+")[^"]*"\s*': (
        "a line of ibsim's own language: start ibsim -s FILE, and take what ibsim-run ibnetdiscover prints"
    ),
    r"[<>] .*": "the difference of two fabrics: run ibnetdiscover without --diff",
    r"(ib\w+: \[|\S+\.c:\d+[;:]).*": (
        "a message of ibnetdiscover's, after which parts of the fabric may be missing: run it again with "
        "2> messages.txt, or remove the line if it means no harm"
    ),
    ".*": 'not a line of ibnetdiscover; Switch, Ca or a port such as [1] "S-0002c90200411e00"[3] # ... was expected',
}
"""Lines that belong into no topology: what they are, and what to do."""

_SPEED_NUMBER = {"SDR": 1, "DDR": 2, "QDR": 4}  # other speeds have numbers of their own, which are not printed
_AFTER_NAME = re.compile(
    r"\s*(?:lid \d{1,5}\b)?(?:\s*(?!s=|slot|\(scp\)|lid\b)(\S+))?(?:\s+s=(\d{1,3}) w=(\d{1,3}) v=\d{1,3})?"
    r"(?:\s+slot \d+|\s+\(scp\))?\s*"
)


def read_ibnetdiscover(file: File, bandwidth: Bandwidth = None) -> FabricNetwork:
    lines = file.lines(comment_lines="#", limit=LIMIT, wanted="the output of ibnetdiscover")
    return fabric_of(file, sections_of(lines, file.what), bandwidth)


def sections_of(lines: Iterable[Line], what: str) -> Iterable[Section]:
    nodes: dict[str, Section] = {}
    by_guid: dict[int, Section] = {}
    here: Section | None = None
    for line in lines:
        if line.text.startswith("["):
            if here is None:
                raise line.error(f"a port before any switch or host: {brief(line.text)}")
            end = _end(line, here)
            first = here.ends.setdefault(end.port, end)
            if first is not end:
                raise line.error(f"port {end.port} of {here.key} is there already, in line {first.line}")
        elif head := _HEAD.fullmatch(line.text):
            here = _node(head, line)
            other = nodes.get(here.key) or by_guid.get(here.guid)
            if other is not None:
                raise line.error(
                    f"{here.key} ({here.name!r}) has the GUID of line {other.line}, {other.key} "
                    f"({other.name!r}); GUIDs are unique"
                )
            nodes[here.key] = by_guid[here.guid] = here
        elif _IGNORED.fullmatch(line.text):
            here = None
        else:
            kind = next(words for form, words in _NO_TOPOLOGY.items() if re.fullmatch(form, line.text))
            raise line.error(f"{brief(line.text)} is {kind}")
    if not nodes:
        raise InputError(f'{what} has no line such as Switch 36 "S-...": the output of ibnetdiscover was expected')
    return nodes.values()


def _node(head: re.Match[str], line: Line) -> Section:
    kind, ports, key, named, rest = head.groups()
    name = named or ""  # none: it is called by its GUID
    digits = re.fullmatch(r"[A-Z]+-([0-9a-fA-F]{1,16})", key)
    if digits is None or not 1 <= int(ports) <= 255:
        raise line.error(
            f"{kind} {ports} {brief(key)}; 1 to 255 ports and an identity such as S-0002c90200411e00 expected"
        )
    lids, after = _SWITCH_LID.fullmatch(rest), f"{brief(rest.strip())} stands after the name of"
    if kind == "Switch" and lids is None:
        raise line.error(f"{after} switch {key}; base port 0 lid N lmc N was expected (cut off?)")
    if kind != "Switch" and rest.strip() not in ("", "(scp)"):
        raise line.error(f"{after} {key}; nothing was expected")
    lid, lmc = (0, 0) if lids is None else (int(lids[1]), int(lids[2]))
    return Section(line.number, kind, key, int(digits[1], 16), name, lid, lmc, int(ports))


def _end(line: Line, node: Section) -> CableEnd:
    found = _PORT.fullmatch(line.text)
    if found is None:
        raise line.error(
            f'{brief(line.text)}; a port such as [1] "S-0002c90200411e00"[3] # ... was expected (cut off?)'
        )
    port, own_guid, far, far_port, far_guid, comment = found.groups()
    if not 1 <= int(port) <= node.ports:
        raise line.error(f"port {port} of {node.key}, which has ports 1 to {node.ports}")
    end = CableEnd(line.number, int(port), far, int(far_port), int(own_guid or far_guid or "0", 16), None)
    rest = comment or ""
    if node.kind != "Switch":
        lids = _HOST_LID.fullmatch(rest)
        if lids is None or own_guid is None:
            raise line.error(
                f"port {port} of {node.key} ({node.name!r}) has no port GUID or no '# lid N lmc N' (cut off?)"
            )
        end.lid, end.lmc, rest = int(lids[1]), int(lids[2]), lids[3]
    named = _NAME.fullmatch(rest)
    end.rate = _stated_rate(rest if named is None else named[1], line)
    return end


def _stated_rate(text: str, line: Line) -> StatedRate | None:
    """The rate in what follows the name of a cable's other end, or None where there is none."""
    found = _AFTER_NAME.fullmatch(text)
    if found is None:
        raise line.error(
            f"{brief(text.strip())} stands after the name of the cable's other end; lid, width and speed such "
            f"as lid 4 4xEDR were expected, with s=, w= and v= from ibnetdiscover -f"
        )
    rate, speed_number, width_number = found.groups()
    if rate is None:
        if width_number is not None:
            raise line.error("s= and w= without a width and a speed such as 4xEDR before them")
        return None
    stated = rate_of(rate, line.place)
    if width_number is not None and stated.gbps is not None:
        width, _, speed = rate.partition("x")
        wanted = (_SPEED_NUMBER.get(speed, int(speed_number)), WIDTH_NUMBER[f"{width}x"])
        if wanted != (int(speed_number), int(width_number)):
            numbers = f"s={speed_number} w={width_number}"
            raise line.error(f"a cable of {rate} with {numbers}; s={wanted[0]} w={wanted[1]} was expected")
    return stated


IBNETDISCOVER: NetworkFormat = Format(
    "ibnetdiscover",
    "the output of ibnetdiscover",
    extensions=(".topo", ".topology"),
    sniff=lambda file: bool(_BEGINNING.search(file.start.replace("\r", "\n"))),
    read=read_ibnetdiscover,
    options=("bandwidth", "hosts"),
    rank=1,
)
