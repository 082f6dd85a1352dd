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

from ...core.arrays import Int32, Int64
from ...core.errors import InputError
from ..text_files import FilePath, brief
from .dumps import LAST_LID, DumpReader
from .fabric import FabricNetwork
from .forwarding_tables import NO_PORT

_SWITCH = re.compile(r"Switch 0x([0-9a-fA-F]{1,16})\b.*")
_GROUP = re.compile(r"(\d{1,5})\s+(\d{1,3})\s+(\d{1,3})\s*((?:\d{1,3}\s*,\s*)*(?:\d{1,3})?)")
_ENTRY = re.compile(r"0x([0-9a-fA-F]{1,4})\s+(\d{1,3})\s+(Static|Free|Bounded|HBF)(?:\s+(\d{1,5}|N/A))?", re.IGNORECASE)
_PRIVATE = re.compile(r"PLFT_NUM: *(\d{1,3})\b.*")
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
    """The groups in a file, which must be about this fabric.

    Raises InputError, naming file and line, for switches, lids and ports that the fabric does not have, groups that are
    not defined, private tables (PLFT_NUM above 0), and files that are cut off.
    """
    reader = _Reader(path, network)
    reader.read()
    return reader.finish()


class _Reader(DumpReader):
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
        elif private := _PRIVATE.fullmatch(text):
            if int(private[1]):
                raise self.error(line, f"a private table ({brief(text)}); one table for every switch was expected")
        elif self.part == "LID" and (entry := _ENTRY.fullmatch(text)):
            self._entry(int(entry[1], 16), int(entry[2]), entry[3].lower(), entry[4], line)
        elif self.part == "Group" and (group := _GROUP.fullmatch(text)):
            ports = {int(x) for x in group[4].replace(",", " ").split()}
            self.groups[int(group[1])] = tuple(sorted({*self.groups.get(int(group[1]), ()), *ports}))
        elif self.part == "LID" or (not text.startswith(("Groups Definition:", "LFT Definition:")) and self.part):
            raise self.strange(
                text, line, "ibdiagnet2.far; a group of ports, or a lid with its port and group, expected"
            )

    def _entry(self, lid: int, port: int, state: str, group: str | None, line: int) -> None:
        if lid > LAST_LID:
            raise self.error(line, f"lid 0x{lid:04x} is not a unicast lid (0x0001 to 0xbfff)")
        v, is_static = self.at, state == "static"
        if self.owner[lid] < 0:
            if is_static and port in (0, NO_PORT):
                return
            raise self.error(line, f"lid 0x{lid:04x} belongs to no port of {self.network.name}; {self.another()}")
        if v == len(self.line) or self.column[lid] < 0:
            return  # of a switch, or left out
        if is_static and port == NO_PORT:
            return
        name = self.network.label(v)
        ports: tuple[int, ...] = (port,)
        if not is_static:
            if group is None or not group.isdecimal() or not self.groups.get(int(group)):
                raise self.error(line, f"lid 0x{lid:04x} of {name} has group {group}, which has no ports here")
            ports = self.groups[int(group)]
            self.adaptive += len(ports) > 1
        most = self.network.switches[v].ports
        if max(ports) > most:
            raise self.error(line, f"lid 0x{lid:04x} leaves {name} by port {max(ports)}; it has ports 1 to {most}")
        k = int(self.column[lid])
        if self.choice[v, k] >= 0:
            raise self.error(line, f"lid 0x{lid:04x} is in the table of {name} twice")
        self.choice[v, k] = self.number.setdefault(ports, len(self.number))

    def _close(self, line: int) -> None:
        if self.at >= 0 and self.part != "LID":
            raise self.error(line, "the switch before has no 'LFT Definition:' with LID, Static Port, ... (cut off?)")

    def finish(self) -> AdaptiveGroups:
        self._close(self.lines)
        if self.at < 0:
            raise InputError(f"{self.what} has no 'Switch 0x...': {self.wanted} were expected")
        return AdaptiveGroups(self.lids, tuple(self.number), self.choice, self.adaptive, self.line)
