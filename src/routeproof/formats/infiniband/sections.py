"""The switches and hosts of a fabric as its dumps list them, each with its cables, their rates and states.

A cable carries packets where both ends are ``Active`` and ``LinkUp``.  In ``Initialize`` and ``Armed`` only the subnet
manager's own packets pass.  What ``ibnetdiscover`` and ibdm print has no states: all that is physically up is listed.
Source: InfiniBand Architecture Specification, vol. 1, PortInfo; libibmad, ``dump.c``; OpenSM, ``osm_dump.c``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from ...core.errors import InputError
from ..text_files import MEGABYTE, brief

LIMIT = 1024 * MEGABYTE  # of a file with a fabric
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

WIDTH_NUMBER = {"1x": 1, "4x": 2, "8x": 4, "12x": 8, "2x": 16}
_UNKNOWN = re.compile(r"(?:\?\?|\d{1,2}x)(?:\?\?\?|[A-Z]{3}(?:10)?)")


@dataclass(frozen=True)
class StatedRate:
    """A cable's rate as one end states it: ``text`` (4xEDR), and ``gbps``, None where the text has a ``?``."""

    text: str
    gbps: Fraction | None

    @staticmethod
    def of(lanes: int | str, speed: str) -> StatedRate:
        return StatedRate(f"{lanes}x{speed}", int(lanes) * GBPS_PER_LANE[speed])


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
    lid: int = 0
    lmc: int = 0
    ports: int = 0
    ends: dict[int, CableEnd] = field(default_factory=dict)

    def add(self, end: CableEnd, place: str) -> None:
        """One more cable; raises InputError, beginning with ``place``, where one is at that port already."""
        first = self.ends.setdefault(end.port, end)
        if first is not end:
            raise InputError(f"{place}: port {end.port} of {self.name!r} is there already, in line {first.line}")


def key_of(kind: str, guid: int) -> str:
    """The identity of a switch or a host as ``ibnetdiscover`` spells it."""
    return f"{'S' if kind == 'Switch' else 'H'}-{guid:016x}"


def rate_of(text: str, where: str) -> StatedRate:
    """The rate of ``4xEDR``; raises InputError, beginning with ``where``, for what is no width and speed."""
    width, _, speed = text.partition("x")
    width += "x"
    if "?" in text and _UNKNOWN.fullmatch(text):
        return StatedRate(text, None)
    if width not in WIDTH_NUMBER or speed not in GBPS_PER_LANE:
        raise InputError(
            f"{where}: a cable of {brief(text)}; 1x, 2x, 4x, 8x or 12x and one of {', '.join(GBPS_PER_LANE)} were "
            f"expected, as in 4xEDR"
        )
    return StatedRate(text, int(width[:-1]) * GBPS_PER_LANE[speed])


_LOGICAL = ("NoChange", "Down", "Initialize", "Armed", "Active")
_PHYSICAL = (
    "NoChange", "Sleep", "Polling", "Disabled", "PortConfigurationTraining", "LinkUp", "LinkErrorRecovery", "PhyTest",
)  # fmt: skip
"""By the number in PortInfo."""
_SHORT = {"ACT": "Active", "ARM": "Armed", "INI": "Initialize", "INIT": "Initialize", "DWN": "Down", "UP": "LinkUp"}
_WORKS = {"Active", "LinkUp"}
_BY_NAME = {x.casefold(): x for x in (*_LOGICAL, *_PHYSICAL)} | {x.casefold(): y for x, y in _SHORT.items()}


def why_idle(place: str, *, logical: str = "", physical: str = "", state: str = "") -> str:
    """Why no packets pass a port, "" where they do; each state by its name or number, "" where it is not stated;
    ``state``: by a name of either."""
    for text, names in ((logical, _LOGICAL), (physical, _PHYSICAL), (state, _PHYSICAL)):
        number = int(text) if text.isdecimal() and text.isascii() else -1
        name = names[number] if 0 <= number < len(names) else _BY_NAME.get(text.casefold())
        if text and (name is None or name == "NoChange"):
            raise InputError(
                f"{place}: a port is in the state {brief(text)}; one of {', '.join(names[1:])} was expected"
            )
        if name is not None and name not in _WORKS:
            return name
    return ""
