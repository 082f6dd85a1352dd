"""Adaptive routing as ``ibdiagnet2.far`` dumps it: groups of ports, and of every lid a port or a group.

    Switch 0x0000000000200000 - ...
    Groups Definition:
    Group     Sub Group   WHBF    Ports
    ------------------------------------
    0         0           0       1, 2,
    LFT Definition:
    PLFT_NUM: 0, top:0x14
    LID       Static Port   Lid State   Group
    ------------------------------------
    0x0002    3             Static      0
    0x0004    1             Free        0

A packet for a lid that is ``Static`` leaves by the static port, for one that is ``Free``, ``Bounded`` or ``HBF`` (by
hashes) by a port of the group, whose sub-groups are taken together.  Source: the parsers of CrackedPoly/Rapimt
(``ibfar.pest``, ``far_extractor.py``); lid states in ibutils2, ``Fabric.h``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Bools, Int32, Int64
from ...core.errors import InputError
from ..text_files import FilePath
from .dumps import LAST_LID, Bytes, DumpReader, columns
from .fabric import FabricNetwork
from .forwarding_tables import NO_PORT

_SWITCH = re.compile(r"Switch 0x([0-9a-fA-F]{1,16})\b.*")
_GROUP = re.compile(r"(\d{1,5})\s+(\d{1,3})\s+(\d{1,3})\s*((?:\d{1,3}\s*,\s*)*(?:\d{1,3})?)")
_ENTRY = re.compile(r"0x([0-9a-fA-F]{1,4})\s+(\d{1,3})\s+(Static|Free|Bounded|HBF)(?:\s+(\d{1,5}|N/A))?", re.IGNORECASE)
_FIRST = re.compile(rb"^0x[0-9a-fA-F]{4} +(\d{1,3}) +(Static|Free|Bounded|HBF) +(\d{1,5}) *$", re.MULTILINE)
_STATES = ("Static", "Free", "Bounded", "HBF")
_MOST_GROUPS = 100_000
_HEADS = ("Group", "LID")
BEGINNING = re.compile(r"^Groups Definition:", re.MULTILINE)


@dataclass(frozen=True, eq=False)
class AdaptiveGroups:
    """``choice[v, k]`` (int32, shape (N, K)): which of ``ports``, sets of ports, packets of switch v for ``lids[k]``
    may leave by; -1: none.  ``lids``: those of the fabric's hosts.  ``adaptive``: how many entries have several ports;
    ``line[v]``: where the switch begins, 0 where it does not."""

    lids: Int64
    ports: tuple[tuple[int, ...], ...]
    choice: Int32
    adaptive: int
    line: Int64


def read_adaptive_groups(path: FilePath, network: FabricNetwork) -> AdaptiveGroups:
    """The groups in a file, which must be about this fabric."""
    return _GroupsOfDump(path, network).read().finish()


class _GroupsOfDump(DumpReader):
    wanted, contents = "groups of adaptive routing (ibdiagnet2.far)", "the groups"

    def __init__(self, path: FilePath, network: FabricNetwork) -> None:
        super().__init__(path, network)
        self.lids = np.array(sorted(lid for host in network.hosts for lid in host.lids), dtype=np.int64)
        self.column = np.full(LAST_LID + 2, -1, dtype=np.int64)
        self.column[self.lids] = np.arange(len(self.lids))
        self.number: dict[tuple[int, ...], int] = {}
        self.choice = np.full((network.num_nodes, len(self.lids)), -1, dtype=np.int32)
        self.line = np.zeros(network.num_nodes, dtype=np.int64)
        self.at = -1  # the switch that is being read; the number of switches for one that was left out
        self.groups: dict[int, tuple[int, ...]] = {}
        self.part = ""  # "Group" or "LID": the table that is being read
        self.adaptive = 0
        self.columns: tuple[int, ...] | None = None  # where port, state and group begin in the usual line

    def other(self, text: str, line: int) -> None:
        if not text or text.startswith(("#", "---", "File version:")):
            return
        if switch := _SWITCH.fullmatch(text):
            self._close(line)
            self.at, self.groups, self.part = self.switch_of(switch[1], line), {}, ""
            if self.at < len(self.line):
                if self.line[self.at]:
                    name = self.network.label(self.at)
                    raise self.error(line, f"{name} a second time; the first is in line {self.line[self.at]}")
                self.line[self.at] = line
        elif text.startswith(_HEADS) and "Port" in text:
            self.part = text.split()[0]
        elif self.at < 0:
            raise self.strange(text, line, "ibdiagnet2.far; Switch 0x0002c90200411e00 was expected first")
        elif self.is_private(text, line):
            return
        elif self.part == "LID" and (entry := _ENTRY.fullmatch(text)):
            is_static = entry[3].lower() == "static"
            if not is_static and not (entry[4] or "").isdecimal():
                raise self.error(
                    line, f"lid 0x{entry[1]} is {entry[3]}, and its group is {entry[4]}; a number expected"
                )
            value = int(entry[2]) if is_static else 256 + int(entry[4])
            self.entries(np.array([int(entry[1], 16)]), np.array([value]), line)
        elif self.part == "Group" and (group := _GROUP.fullmatch(text)):
            ports = {int(x) for x in group[4].replace(",", " ").split()}
            self.groups[int(group[1])] = tuple(sorted({*self.groups.get(int(group[1]), ()), *ports}))
        elif self.part == "LID" or (not text.startswith(("Groups Definition:", "LFT Definition:")) and self.part):
            raise self.strange(
                text, line, "ibdiagnet2.far; a group of ports, or a lid with its port and group, expected"
            )

    def usual(self, data: Bytes, starts: Int64, ends: Int64) -> tuple[Bools, Int64, Int64]:
        """Lids with a port or a group, in columns as those of the first such line: ports, and groups from 256 on."""
        if self.columns is None and (found := _FIRST.search(data.tobytes())) is not None:
            self.columns = tuple(found.start(k) - found.start() for k in (1, 2, 3))
        if self.columns is None:
            return super().usual(data, starts, ends)
        port_at, state_at, group_at = self.columns

        form = "0xHHHH".ljust(port_at) + "Ddd"
        usual, lid, port = columns(data, starts, ends, form.ljust(state_at))
        good, _, group = columns(data, starts + group_at, ends, "Dddddddd")
        usual &= good & (group < _MOST_GROUPS) & (ends - starts <= group_at + 8)
        at = np.minimum(starts[:, None] + np.arange(state_at, group_at), len(data) - 1)
        words = data[at].view(f"S{group_at - state_at}")[:, 0]
        state = np.full(len(starts), -1)
        for k, name in enumerate(_STATES):
            state[words == name.ljust(group_at - state_at).encode()] = k
        return usual & (state >= 0), lid, np.where(state == 0, port, 256 + group)

    def entries(self, lid: Int64, value: Int64, first: int) -> None:
        """Ports below 256, groups from there on, of consecutive lines."""
        if not len(lid):
            return
        if self.part != "LID":
            raise self.error(first, "a lid before any 'LFT Definition:' with LID, Static Port, Lid State and Group")
        low = np.minimum(lid, LAST_LID)
        v, nowhere = self.at, (value == 0) | (value == NO_PORT)
        self.refuse(lid > LAST_LID, first, lambda k: f"lid 0x{int(lid[k]):04x} is not a unicast lid (0x0001 to 0xbfff)")
        self.refuse(
            (self.owner[low] < 0) & ~nowhere,
            first,
            lambda k: f"lid 0x{int(lid[k]):04x} belongs to no port of {self.network.name}; {self.another()}",
        )
        here = (self.column[low] >= 0) & (value != NO_PORT) & (v < len(self.line))
        if not here.any():
            return  # of switches, or left out
        name, most = self.network.label(v), self.network.switches[v].ports
        sets = {int(x): (int(x),) if x < 256 else self.groups.get(int(x) - 256, ()) for x in np.unique(value[here])}
        size = np.zeros(max(sets) + 1, dtype=np.int64)
        number, highest = size.copy(), size.copy()
        for x, ports in sets.items():
            size[x], highest[x] = len(ports), max(ports, default=0)
            number[x] = self.number.setdefault(ports, len(self.number)) if ports else -1
        shown = np.where(here, value, min(sets))
        self.refuse(
            here & (size[shown] == 0),
            first,
            lambda k: f"lid 0x{int(lid[k]):04x} of {name} has group {int(value[k]) - 256}, which has no ports here",
        )
        self.refuse(
            here & (highest[shown] > most),
            first,
            lambda k: (
                f"lid 0x{int(lid[k]):04x} leaves {name} by port {int(highest[value[k]])}; it has ports 1 to {most}"
            ),
        )
        column = self.column[low]
        twice = here & ((self.choice[v, column] >= 0) | self.again(lid))
        self.refuse(twice, first, lambda k: f"lid 0x{int(lid[k]):04x} is in the table of {name} twice")
        self.choice[v, column[here]] = number[value[here]]
        self.adaptive += int((size[value[here]] > 1).sum())

    def _close(self, line: int) -> None:
        if self.at >= 0 and self.part != "LID":
            raise self.error(line, "the switch before has no 'LFT Definition:' with LID, Static Port, ... (cut off?)")

    def finish(self) -> AdaptiveGroups:
        self._close(self.lines)
        if self.at < 0:
            raise InputError(f"{self.what} has no 'Switch 0x...': {self.wanted} were expected")
        return AdaptiveGroups(self.lids, tuple(self.number), self.choice, self.adaptive, self.line)
