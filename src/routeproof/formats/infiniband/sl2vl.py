"""Tables from service levels to virtual lanes (SL2VL), as switches hold them: one for every pair of ports.

Three forms are read, which may follow one another in one file:

- ``opensm-sl2vl.dump``, which ``opensm -D 0x43`` writes: ``Switch 0x0000000000200000, base LID 1, "s0"`` and then a
  line for every pair of ports such as ``1   2   : 0  1  2 ...``: in, out, and the lanes of service levels 0 to 15;
- what ``saquery SL2VL`` prints: ``SL2VLTableRecord dump:``, ``LID``, ``InPort``, ``OutPort``, and the lanes as ``VL:``;
- what ``smpquery sl2vl LID PORT`` prints: ``# SL2VL table: Lid 1`` and then ``ports: in  1, out  2: | 0| 1| ...``.

Tables of hosts are passed over: a host's own cable carries that host's packets alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ..line_chunks import line_chunks, line_ends
from ..text_files import FilePath, brief, shown
from .fabric import FabricNetwork

__all__ = ["DROPPED", "NO_LANE", "LaneTables", "read_lane_tables"]

NO_LANE = 255
DROPPED = 15
"""The lane of management packets; a table that says it drops all others."""

_LEVELS = 16
_WANTED = "a dump of tables from service levels to virtual lanes (opensm-sl2vl.dump)"
_NODE = re.compile(r"(Channel Adapter|Switch|Router) 0x([0-9a-fA-F]{1,16}), base LID (\d{1,5}), .*")
_ROW = re.compile(r"(\d{1,3})\s+(\d{1,3})\s*:\s*([0-9\s]*)")
_TABLE = re.compile(r"# SL2VL table: (?:Lid (\d{1,5})|(.*))")
_PORTS = re.compile(r"ports: in\s+(\d{1,3}), out\s+(\d{1,3}): \|([0-9\s|]*)")
_FIELD = re.compile(r"(LID|InPort|OutPort)\.{2,}\s*(0x[0-9a-fA-F]{1,4}|\d{1,5})")
_LANES = re.compile(r"(SL|VL):([0-9\s|]*)")
_SKIPPED = re.compile(r"#.*|")

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class LaneTables:
    """``lane[v][a, b, s]`` (uint8, shape (P + 1, P + 1, 16) for a switch of P ports): the lane on which switch v sends
    a packet of service level s by port b that came in by port a; 255 where the file does not say."""

    lane: tuple[Bytes, ...]


def read_lane_tables(path: FilePath, network: FabricNetwork) -> LaneTables:
    """The tables in a file, which must be about this fabric.

    Raises InputError, naming file and line, for switches and ports that the fabric does not have, lanes other than 0 to
    15, two tables for one pair of ports that differ, lines that are none of such a file, and records that are cut off.
    """
    reader = _Reader(network, f"file {shown(path)}")
    for chunk in line_chunks(path, wanted=_WANTED):
        reader.feed(chunk)
    return reader.finish()


class _Reader:
    def __init__(self, network: FabricNetwork, what: str) -> None:
        self.network, self.what = network, what
        self.by_guid = {switch.guid: v for v, switch in enumerate(network.switches)}
        self.by_lid: dict[int, int] = {}  # -1: a host
        for host in network.hosts:
            self.by_lid.update(dict.fromkeys(host.lids, -1))
        for v, switch in enumerate(network.switches):
            self.by_lid.update(dict.fromkeys(switch.lids, v))
        self.lane = tuple(
            np.full((switch.ports + 1, switch.ports + 1, _LEVELS), NO_LANE, dtype=np.uint8)
            for switch in network.switches
        )
        self.lines = 0
        self.at: int | None = None  # the switch of the rows that follow, -1 a host
        self.record: dict[str, int] | None = None
        self.record_line = 0
        self.found = 0

    def feed(self, data: Bytes) -> None:
        starts, ends = line_ends(data)
        whole = data.tobytes()
        for k, (low, high) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True), self.lines + 1):
            self._line(whole[low:high].decode("utf-8", "replace").strip(), k)
        self.lines += len(ends)

    def _line(self, text: str, line: int) -> None:
        place = f"{self.what}, line {line}"
        if row := _ROW.fullmatch(text) or _PORTS.fullmatch(text):
            if self.at is None:
                raise InputError(
                    f"{place}: the ports of no switch; a line such as Switch 0x0002c90200411e00, base LID 1, ... or "
                    f"# SL2VL table: Lid 1 was expected first"
                )
            self._row(self.at, int(row[1]), int(row[2]), row[3], place)
        elif text == "SL2VLTableRecord dump:":
            self._close()
            self.record, self.record_line, self.at = {}, line, None
        elif node := _NODE.fullmatch(text):
            self._close()
            self.at = self._node(node, place)
        elif table := _TABLE.fullmatch(text):
            self._close()
            if table[1] is None:
                raise InputError(f"{place}: a table of {brief(table[2])}; give smpquery sl2vl the lid of the switch")
            self.at = self._switch(int(table[1]), place)
        elif self.record is not None and (field := _FIELD.fullmatch(text)):
            if field[1] in self.record:
                raise InputError(f"{place}: a second {field[1]} in the record of line {self.record_line}")
            self.record[field[1]] = int(field[2], 16 if field[2].startswith("0x") else 10)
        elif self.record is not None and (lanes := _LANES.fullmatch(text)):
            self._lanes(lanes[1], lanes[2], place)
        elif not _SKIPPED.fullmatch(text):
            raise InputError(
                f"{place}: {brief(text)} is no line of tables from service levels to lanes; those of "
                f"opensm-sl2vl.dump, saquery SL2VL or smpquery sl2vl LID PORT were expected"
            )

    def _node(self, node: re.Match[str], place: str) -> int:
        if node[1] != "Switch":
            return -1
        v = self.by_guid.get(int(node[2], 16))
        if v is None:
            raise InputError(
                f"{place}: {self.network.name} has no switch with the GUID 0x{node[2]}; are these the tables of "
                f"another fabric?"
            )
        return v

    def _switch(self, lid: int, place: str) -> int:
        v = self.by_lid.get(lid)
        if v is None:
            raise InputError(
                f"{place}: lid {lid} belongs to no port of {self.network.name}; are these the tables of another fabric?"
            )
        return v

    def _lanes(self, key: str, text: str, place: str) -> None:
        """The two last lines of a record of saquery."""
        record = self.record
        assert record is not None
        if key == "SL":
            if [int(x) for x in text.replace("|", " ").split()] != list(range(_LEVELS)):
                raise InputError(f"{place}: service levels {brief(text.strip())}; 0| 1| ... 15| was expected")
            return
        lacking = [x for x in ("LID", "InPort", "OutPort") if x not in record]
        if lacking:
            raise InputError(f"{place}: the record of line {self.record_line} has no {' and no '.join(lacking)}")
        self._row(self._switch(record["LID"], place), record["InPort"], record["OutPort"], text, place)
        self.record = None

    def _row(self, v: int, enters: int, leaves: int, text: str, place: str) -> None:
        values = [int(x) for x in text.replace("|", " ").split()]
        if len(values) != _LEVELS:
            raise InputError(f"{place}: {len(values)} lanes; one for each of 16 service levels was expected (cut off?)")
        if max(values) > DROPPED:
            raise InputError(f"{place}: virtual lane {max(values)}; 0 to 15 was expected")
        if v < 0:
            return
        ports = self.network.switches[v].ports
        if enters > ports or leaves > ports:
            raise InputError(
                f"{place}: port {max(enters, leaves)} of {self.network.label(v)}, which has ports 0 to {ports}"
            )
        here = self.lane[v][enters, leaves]
        if here[0] != NO_LANE and here.tolist() != values:
            raise InputError(
                f"{place}: {self.network.label(v)} has other lanes from port {enters} to port {leaves} in an earlier "
                f"line; one table was expected"
            )
        here[:] = values
        self.found += 1

    def _close(self) -> None:
        if self.record is not None:
            raise InputError(
                f"{self.what}, line {self.record_line}: the record that begins here has no lanes (VL:) (cut off?)"
            )

    def finish(self) -> LaneTables:
        self._close()
        if not self.found:
            raise InputError(f"{self.what} has no table of a switch of {self.network.name}; {_WANTED} was expected")
        for table in self.lane:
            table.setflags(write=False)
        return LaneTables(self.lane)
