"""Tables from service levels to virtual lanes (SL2VL), as switches hold them: one for every pair of ports.

Four forms are read, which may follow one another in one file:

- ``opensm-sl2vl.dump``, which ``opensm -D 0x43`` writes: ``Switch 0x0000000000200000, base LID 1, "s0"`` and then a
  line for every pair of ports such as ``1   2   : 0  1  2 ...``: in, out, and the lanes of service levels 0 to 15;
- what ``saquery SL2VL`` prints: ``SL2VLTableRecord dump:``, ``LID``, ``InPort``, ``OutPort``, and the lanes as ``VL:``;
- what ``smpquery sl2vl LID PORT`` prints: ``# SL2VL table: Lid 1`` and then ``ports: in  1, out  2: | 0| 1| ...``;
- ``ibdiagnet.slvl``: ``0x0002c90000000201 5 1 0x01 0x23 ...``: GUID, in, out, and two lanes in every byte.

Tables of hosts are passed over: a host's own cable carries that host's packets alone.
"""

from __future__ import annotations

import re

import numpy as np

from ...core.errors import InputError
from ..text_files import FilePath, brief
from .dumps import NODE, Bytes, DumpReader
from .fabric import FabricNetwork, Host

NO_LANE = 255
DROPPED = 15
"""The lane of management packets; a table that says it drops all others."""

_LEVELS = 16
_ROW = re.compile(r"(\d{1,3})\s+(\d{1,3})\s*:\s*([0-9\s]*)")
_TABLE = re.compile(r"# SL2VL table: (?:Lid (\d{1,5})|(.*))")
_PORTS = re.compile(r"ports: in\s+(\d{1,3}), out\s+(\d{1,3}): \|([0-9\s|]*)")
_FIELD = re.compile(r"(LID|InPort|OutPort)\.{2,}\s*(0x[0-9a-fA-F]{1,4}|\d{1,5})")
_LANES = re.compile(r"(SL|VL):([0-9\s|]*)")
_BYTES = re.compile(r"0x([0-9a-fA-F]{1,16})\s+(\d{1,3})\s+(\d{1,3})((?:\s+0x[0-9a-fA-F]{2}){8})")
_SKIPPED = re.compile(r"#.*|")


def read_lane_tables(path: FilePath, network: FabricNetwork) -> tuple[Bytes, ...]:
    """The tables in a file, which must be about this fabric.

    Entry [a, b, s] of number v (uint8, shape (P + 1, P + 1, 16) for a switch of P ports): the lane on which switch v
    sends a packet of service level s by port b that came in by port a; 255 where the file does not say.
    """
    return _LanesOfDump(path, network).read().finish()


class _LanesOfDump(DumpReader):
    wanted = "a dump of tables from service levels to virtual lanes (opensm-sl2vl.dump)"

    def __init__(self, path: FilePath, network: FabricNetwork) -> None:
        super().__init__(path, network)
        self.lane = tuple(
            np.full((switch.ports + 1, switch.ports + 1, _LEVELS), NO_LANE, dtype=np.uint8)
            for switch in network.switches
        )
        self.at: int | None = None  # the switch of the rows that follow; a host where it is beyond the last one
        self.found = 0
        ends = [x for x in self.ports if isinstance(x, Host)]
        self.hosts = {x.guid for x in ends} | {x.node for x in ends}

    def other(self, text: str, line: int) -> None:
        if row := _ROW.fullmatch(text) or _PORTS.fullmatch(text):
            if self.at is None:
                raise self.error(
                    line,
                    "the ports of no switch; a line such as Switch 0x0002c90200411e00, base LID 1, ... or "
                    "# SL2VL table: Lid 1 was expected first",
                )
            self._row(self.at, int(row[1]), int(row[2]), row[3], line)
        elif packed := _BYTES.fullmatch(text):
            self._close()
            values = " ".join(str(int(x, 16)) for byte in packed[4].split() for x in byte[2:])
            at = len(self.lane) if int(packed[1], 16) in self.hosts else self.switch_of(packed[1], line)
            self._row(at, int(packed[2]), int(packed[3]), values, line)
        elif text == "SL2VLTableRecord dump:":
            self._close()
            self.record, self.record_line, self.at = {}, line, None
        elif node := NODE.fullmatch(text):
            self._close()
            self.at = self.switch_of(node[2], line) if node[1] == "Switch" else len(self.lane)
        elif table := _TABLE.fullmatch(text):
            self._close()
            if table[1] is None:
                raise self.error(line, f"a table of {brief(table[2])}; give smpquery sl2vl the lid of the switch")
            self.at = self.port_of(int(table[1]), line)
        elif self.record is not None and (field := _FIELD.fullmatch(text)):
            self.put(field[1], int(field[2], 16 if field[2].startswith("0x") else 10), line)
        elif self.record is not None and (lanes := _LANES.fullmatch(text)):
            self._lanes(lanes[1], lanes[2], line)
        elif not _SKIPPED.fullmatch(text):
            forms = "those of opensm-sl2vl.dump, saquery SL2VL or smpquery sl2vl LID PORT"
            raise self.strange(text, line, f"tables from service levels to lanes; {forms} were expected")

    def _lanes(self, key: str, text: str, line: int) -> None:
        if key == "SL":
            if [int(x) for x in text.replace("|", " ").split()] != list(range(_LEVELS)):
                raise self.error(line, f"service levels {brief(text.strip())}; 0| 1| ... 15| was expected")
            return
        lid, enters, leaves = self.fields("LID", "InPort", "OutPort")
        self._row(self.port_of(lid, line), enters, leaves, text, line)
        self.record = None

    def _row(self, v: int, enters: int, leaves: int, text: str, line: int) -> None:
        values = [int(x) for x in text.replace("|", " ").split()]
        if len(values) != _LEVELS:
            raise self.error(line, f"{len(values)} lanes; one for each of 16 service levels was expected (cut off?)")
        if max(values) > DROPPED:
            raise self.error(line, f"virtual lane {max(values)}; 0 to 15 was expected")
        if v >= len(self.lane):
            return
        ports, name = self.network.switches[v].ports, self.network.label(v)
        if enters > ports or leaves > ports:
            raise self.error(line, f"port {max(enters, leaves)} of {name}, which has ports 0 to {ports}")
        here = self.lane[v][enters, leaves]
        if here[0] != NO_LANE and here.tolist() != values:
            way = f"from port {enters} to {leaves}"
            raise self.error(line, f"{name} has other lanes {way} in an earlier line; one table was expected")
        here[:] = values
        self.found += 1

    def _close(self) -> None:
        if self.record is not None:
            raise self.error(self.record_line, "the record that begins here has no lanes (VL:) (cut off?)")

    def finish(self) -> tuple[Bytes, ...]:
        self._close()
        if not self.found:
            raise InputError(f"{self.what} has no table of a switch of {self.network.name}; {self.wanted} was expected")
        for table in self.lane:
            table.setflags(write=False)
        return self.lane
