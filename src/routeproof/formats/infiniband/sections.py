"""The sections of what ``ibnetdiscover`` prints: one for every switch and host, with a line for every cable.

After the name of the other end a line may say ``lid 4 4xQDR s=4 w=2 v=4``.  Width and speed are those in use
(the port's LinkWidthActive and LinkSpeedActive).  ``-f`` repeats them as the numbers of the port's PortInfo, ``s=`` and
``w=``, and adds ``v=``, how many virtual lanes the port can have (VLCap).  ``?`` is for what the program did not learn
or does not know.  Source: infiniband-diags, ``ibnetdiscover.c``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from ...core.errors import InputError
from ..text_files import brief

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

_WIDTH_NUMBER = {"1x": 1, "4x": 2, "8x": 4, "12x": 8, "2x": 16}
_SPEED_NUMBER = {"SDR": 1, "DDR": 2, "QDR": 4}  # other speeds have numbers of their own, which are not printed
_AFTER_NAME = re.compile(
    r"\s*(?:lid \d{1,5}\b)?(?:\s*(?!s=|slot|\(scp\)|lid\b)(\S+))?(?:\s+s=(\d{1,3}) w=(\d{1,3}) v=\d{1,3})?"
    r"(?:\s+slot \d+|\s+\(scp\))?\s*"
)
_UNKNOWN = re.compile(r"(?:\?\?|\d{1,2}x)(?:\?\?\?|[A-Z]{3}(?:10)?)")


@dataclass(frozen=True)
class StatedRate:
    """A cable's rate as one end states it: ``text`` (4xEDR), and ``gbps``, None where the text has a ``?``."""

    text: str
    gbps: Fraction | None


@dataclass
class CableEnd:
    """One line about a cable: this node's port, and the node and port at the other end; ``idle``: why no packets pass
    ("": they do, as far as the file says)."""

    line: int
    port: int
    far: str
    far_port: int
    guid: int
    rate: StatedRate | None
    lid: int = 0
    lmc: int = 0
    idle: str = ""


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
        line, place = raw.strip(), f"{what}, line {number}"
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            if here is None:
                raise InputError(f"{place}: a port before any switch or host: {brief(line)}")
            end = _end(line, here, number, place)
            first = here.ends.setdefault(end.port, end)
            if first is not end:
                raise InputError(f"{place}: port {end.port} of {here.key} is there already, in line {first.line}")
        elif head := _HEAD.fullmatch(line):
            here = _node(head, number, place)
            other = nodes.get(here.key) or by_guid.get(here.guid)
            if other is not None:
                raise InputError(
                    f"{place}: {here.key} ({here.name!r}) has the GUID of line {other.line}, {other.key} "
                    f"({other.name!r}); GUIDs are unique"
                )
            nodes[here.key] = by_guid[here.guid] = here
        elif _IGNORED.fullmatch(line):
            here = None
        else:
            kind = next(words for form, words in _NO_TOPOLOGY.items() if re.fullmatch(form, line))
            raise InputError(f"{place}: {brief(line)} is {kind}")
    return nodes


def _node(head: re.Match[str], number: int, place: str) -> Section:
    kind, ports, key, named, rest = head.groups()
    name = named or ""  # none: it is called by its GUID
    digits = re.fullmatch(r"[A-Z]+-([0-9a-fA-F]{1,16})", key)
    if digits is None or not 1 <= int(ports) <= 255:
        raise InputError(
            f"{place}: {kind} {ports} {brief(key)}; 1 to 255 ports and an identity such as S-0002c90200411e00 expected"
        )
    lids, after = _SWITCH_LID.fullmatch(rest), f"{place}: {brief(rest.strip())} stands after the name of"
    if kind == "Switch" and lids is None:
        raise InputError(f"{after} switch {key}; base port 0 lid N lmc N was expected (cut off?)")
    if kind != "Switch" and rest.strip() not in ("", "(scp)"):
        raise InputError(f"{after} {key}; nothing was expected")
    lid, lmc = (0, 0) if lids is None else (int(lids[1]), int(lids[2]))
    return Section(number, kind, key, int(digits[1], 16), name, lid, lmc, int(ports), {})


def _end(line: str, node: Section, number: int, place: str) -> CableEnd:
    found = _PORT.fullmatch(line)
    if found is None:
        raise InputError(
            f'{place}: {brief(line)}; a port such as [1] "S-0002c90200411e00"[3] # ... was expected (cut off?)'
        )
    port, own_guid, far, far_port, far_guid, comment = found.groups()
    if not 1 <= int(port) <= node.ports:
        raise InputError(f"{place}: port {port} of {node.key}, which has ports 1 to {node.ports}")
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
    end.rate = _stated_rate(rest if named is None else named[1], place)
    return end


def _stated_rate(text: str, where: str) -> StatedRate | None:
    """The rate in what follows the name of a cable's other end, or None where there is none.

    Raises InputError, beginning with ``where``, for anything that ibnetdiscover does not write there.
    """
    found = _AFTER_NAME.fullmatch(text)
    if found is None:
        raise InputError(
            f"{where}: {brief(text.strip())} stands after the name of the cable's other end; lid, width and speed such "
            f"as lid 4 4xEDR were expected, with s=, w= and v= from ibnetdiscover -f"
        )
    rate, speed_number, width_number = found.groups()
    if rate is None:
        if width_number is not None:
            raise InputError(f"{where}: s= and w= without a width and a speed such as 4xEDR before them")
        return None
    stated = rate_of(rate, where)
    width, _, speed = rate.partition("x")
    width += "x"
    if (
        width_number is not None
        and stated.gbps is not None
        and (
            int(width_number) != _WIDTH_NUMBER[width]
            or int(speed_number) != _SPEED_NUMBER.get(speed, int(speed_number))
        )
    ):
        numbers = f"s={_SPEED_NUMBER.get(speed, speed_number)} w={_WIDTH_NUMBER[width]}"
        raise InputError(f"{where}: a cable of {rate} with s={speed_number} w={width_number}; {numbers} was expected")
    return stated


def rate_of(text: str, where: str) -> StatedRate:
    """The rate of ``4xEDR``; raises InputError, beginning with ``where``, for what is no width and speed."""
    width, _, speed = text.partition("x")
    width += "x"
    if "?" in text and _UNKNOWN.fullmatch(text):
        return StatedRate(text, None)
    if width not in _WIDTH_NUMBER or speed not in GBPS_PER_LANE:
        raise InputError(
            f"{where}: a cable of {brief(text)}; 1x, 2x, 4x, 8x or 12x and one of {', '.join(GBPS_PER_LANE)} were "
            f"expected, as in 4xEDR"
        )
    return StatedRate(text, int(width[:-1]) * GBPS_PER_LANE[speed])
