"""Forwarding tables as ``dump_fts``, ``dump_lfts``, ``ibroute`` and OpenSM (``opensm-lfts.dump``) write them, and back.

``Unicast lids [0x0-0x9] of switch Lid 4 guid 0x0000000000200002 (s2):`` and then a line for every lid, such as
``0x0001 003 : (Switch portguid 0x0000000000200000: 's0')``: lid, port, and for people whose lid it is.  This is what
``opensm -R file -U FILE`` loads; it looks at the GUIDs of switches, at lids, ports and port GUIDs.

``9 valid lids dumped`` at the end of a table counts its lines.  ``14 lids dumped`` in ``opensm-lfts.dump`` is the
highest lid, which stands in the header too (``[0-14]``): lids that lead nowhere have no line.

``dump_fts`` leaves out the highest lid where it is a multiple of 64, the size of a block of a table: its header says
``[0x0-0x40]``, and the last line is about lid 0x003f.

``opensm.fdbs`` says ``dump_ucast_routes: Switch 0x0000000000200000`` and then ``0x0002 : 001  : 01   : yes``: lid,
port, hops, and whether there is no shorter way.  ``ibdiagnet.fdbs`` and ``ibdiagnet2.fdbs`` have the same lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ...core.arrays import Bools, Int64
from ...core.errors import InputError
from ..format import File
from ..text_files import FilePath, brief, write_text_atomic
from .dumps import LAST_LID, Bytes, DumpReader, columns
from .fabric import FabricNetwork, Host

NO_PORT = 255
NUM_LIDS = LAST_LID + 1
_HEADER = re.compile(
    r"Unicast lids\b(?: \[0-(?P<top>\d{1,9})\]| \[0x0-0x(?P<end>[0-9a-fA-F]{1,8})\])?.*?"
    r"\bguid 0x(?P<guid>[0-9a-fA-F]{1,16})\b.*"
    r"|\w*dump_ucast_routes: Switch 0x(?P<fdbs>[0-9a-fA-F]{1,16})"
)
_ROUTE = re.compile(  # of opensm.fdbs
    r"0x([0-9a-fA-F]{4}) : (?:UNREACHABLE|(\d{1,3})\s+: (?:HOPS UNKNOWN|\d{1,3}\s+: (?:yes|No \d+ hop path .*)))"
)
_BLOCK = 64  # lids
_ENTRY = re.compile(r"0x([0-9a-fA-F]{1,8})\s+(\d{1,3})(?:\s*[:#].*)?")
_COUNT = re.compile(r"(\d{1,9}) (valid )?lids dumped")
_GUID = re.compile(r"\bportguid 0x([0-9a-fA-F]{1,16})\b")
_NOBODY = "unknown node and type"  # the comment on an entry for a lid that no port has any more
_SKIPPED = re.compile(
    r"#.*|File version:.*|Lid\s+Out\s+Destination|Port\s+Info|LID\s*: Port : Hops : Optimal|\*\*\* WARNING \*\*\*.*|"
)


@dataclass(frozen=True, eq=False)
class ForwardingTables:
    """``port[v, lid]`` (uint8, shape (N, 49152)): by which port switch v forwards packets for a lid; 255: none.

    ``line[v]``: the line at which the switch's table begins, 0 where the file has none for it.
    ``dropped``: lids that ``dump_fts`` left out, being the highest and multiples of 64.
    """

    port: Bytes
    line: Int64
    dropped: frozenset[int] = frozenset()


def is_forwarding_tables(start: bytes) -> bool:
    """Does a file that begins like this hold forwarding tables, rather than JSON?"""
    return (
        b"Unicast lids" in start
        or b"dump_ucast_routes: Switch" in start
        or bool(re.match(rb"\s*0x[0-9a-fA-F]+\s+\d", start))
    )


def read_forwarding_tables(path: FilePath, network: FabricNetwork) -> ForwardingTables:
    """The tables in a file, which must be about this fabric."""
    return _TablesOfDump(path, network).read().finish()


class _TablesOfDump(DumpReader):
    wanted = "forwarding tables"

    def __init__(self, path: FilePath, network: FabricNetwork) -> None:
        super().__init__(path, network)
        if not (self.owner >= 0).any():
            raise InputError(
                f"{self.what}: the ports of {network.name} have no lids, so that tables cannot lead to them; run "
                f"ibnetdiscover again after a subnet manager"
            )
        self.num_ports = np.array([switch.ports for switch in network.switches])
        self.port = np.full((network.num_nodes, NUM_LIDS), NO_PORT, dtype=np.uint8)
        self.line = np.zeros(network.num_nodes, dtype=np.int64)
        self.compared = np.zeros(NUM_LIDS, dtype=bool)  # lids whose port GUID was looked at
        self.at = -1  # the switch whose table is being read; the number of switches for one that was left out
        self.began = 0  # its first line
        self.found = 0  # entries in it
        self.top: int | None = None  # the highest lid, where OpenSM's header says so
        self.is_fdbs = "dump_ucast_routes: Switch" in File(path).start
        self.end = 0  # the highest lid, where dump_fts's header says so
        self.dropped: set[int] = set()
        self.counted: bool | None = None  # does the table end with its number of lids?  None: no table yet
        self.uncounted = 0  # line of a table without
        self.any_counted = False

    def usual(self, data: Bytes, starts: Int64, ends: Int64) -> tuple[Bools, Int64, Int64]:
        form = "0xHHHH : DDD  : DD   : yes" if self.is_fdbs else "0xHHHH DDD"
        usual, lid, port = columns(data, starts, ends, form)
        if self.is_fdbs:
            return usual & (ends - starts == len(form)), lid, port
        after, then = (data[np.minimum(starts + len(form) + k, len(data) - 1)] for k in (0, 1))
        usual &= (after == ord("\n")) | ((after == ord(" ")) & np.isin(then, list(b":#\n")))
        return usual, lid, port

    def entries(self, lid: Int64, port: Int64, first: int) -> None:
        alone = (lid <= LAST_LID) & (self.owner[np.minimum(lid, LAST_LID)] < 0) & (port != NO_PORT)
        for k in np.flatnonzero(alone).tolist():
            if _NOBODY in self.text(first + k):
                port[k] = NO_PORT
        self._add(lid, port, first)
        for k in [] if self.is_fdbs else np.flatnonzero(~self.compared[lid]).tolist():
            self._compare(int(lid[k]), self.text(first + k), first + k)

    def _add(self, lid: Int64, port: Int64, first: int) -> None:
        if self.at < 0:
            raise self.error(first, "an entry before any 'Unicast lids ... of switch ... guid 0x...'")
        v, network = self.at, self.network
        if v == network.num_nodes:
            self.found += len(lid)
            return
        name = network.label(v)
        if self.counted:
            raise self.error(first, f"an entry after the end of the table of {name}")

        def hexadecimal(k: int) -> str:
            return f"lid 0x{int(lid[k]):04x}"

        self.refuse(
            ((lid < 1) & (port != NO_PORT)) | (lid > LAST_LID),
            first,
            lambda k: f"{hexadecimal(k)} is not a unicast lid (0x0001 to 0xbfff)",
        )
        self.refuse(
            (port > self.num_ports[v]) & (port != NO_PORT),
            first,
            lambda k: f"{hexadecimal(k)} leaves {name} by a port that it does not have",
        )
        self.refuse(
            (self.owner[lid] < 0) & (port != NO_PORT),
            first,
            lambda k: f"{hexadecimal(k)} belongs to no port of {network.name}; {self._several(int(lid[k]), first + k)}",
        )
        twice = (self.port[v, lid] != NO_PORT) | self.again(lid)
        self.refuse(twice, first, lambda k: f"{hexadecimal(k)} is in the table of {name} twice")
        self.port[v, lid] = port
        self.found += len(lid)

    def _several(self, lid: int, line: int) -> str:
        """What to ask where a lid is unknown: is it one of several (LMC) of a port of this fabric?"""
        found = _GUID.search(self.text(line))
        port = next((x for x in self.ports if found is not None and x.guid == int(found[1], 16)), None)
        if port is None or not 0 < lid - port.lid < 128:
            return self.another()
        return (
            f"it is another lid of {port.name} (lid {port.lid}): give the fabric as ibnetdiscover prints it, which "
            f"says how many lids a port has (LMC)"
        )

    def _compare(self, lid: int, text: str, line: int) -> None:
        """The comment of an entry must name the port that has the lid in this fabric."""
        if self.at == self.network.num_nodes:
            return
        found = _GUID.search(text)
        if found is None and "portguid" in text.partition("'")[0]:
            raise self.error(line, f"{brief(text)}; portguid and a GUID such as 0x12 were expected")
        if found is None or self.owner[lid] < 0:
            return
        self.compared[lid] = True
        self.check_guid(lid, int(found[1], 16), line)

    def other(self, text: str, line: int) -> None:
        if _SKIPPED.fullmatch(text) or self.is_private(text, line):
            return
        if header := _HEADER.fullmatch(text):
            self._close()
            v = self.switch_of(header["guid"] or header["fdbs"], line)
            if v < len(self.line) and self.line[v]:
                name = self.network.label(v)
                raise self.error(line, f"a second table of {name}; the first begins in line {self.line[v]}")
            self.at, self.found, self.counted, self.began = v, 0, False, line
            if v < len(self.line):
                self.line[v] = line
            self.top = int(header["top"]) if header["top"] else None
            self.end = int(header["end"], 16) if header["end"] else 0
        elif route := _ROUTE.fullmatch(text):
            self._add(np.array([int(route[1], 16)]), np.array([int(route[2] or NO_PORT)]), line)
        elif entry := _ENTRY.fullmatch(text):
            self._add(np.array([int(entry[1], 16)]), np.array([int(entry[2])]), line)
            self._compare(int(entry[1], 16), text, line)
        elif count := _COUNT.fullmatch(text):
            whole = int(count[1]) == self.found or (not count[2] and int(count[1]) == self.top)
            if self.at < 0 or self.counted or not whole:
                found = f"{self.found} were found" if self.at >= 0 else "no table was found"
                raise self.error(line, f"{brief(text)} where {found}: lines are missing or too many")
            self.counted = self.any_counted = True
        elif text.startswith("Multicast"):
            raise self.error(line, "a table of multicast groups; unicast tables (dump_fts without -M) were expected")
        else:
            raise self.strange(text, line, "forwarding tables; 0x0001 003 : (...) was expected")

    def _close(self) -> None:
        if self.counted is False and not self.uncounted:
            self.uncounted = self.began
        end = self.end
        whole = 0 <= self.at < len(self.line) and 0 < end <= LAST_LID and end % _BLOCK == 0
        if whole and self.port[self.at, end] == NO_PORT:
            self.dropped.add(end)

    def finish(self) -> ForwardingTables:
        self._close()
        if self.at < 0:
            raise InputError(
                f"{self.what} has no 'Unicast lids ... of switch ... guid 0x...': forwarding tables expected"
            )
        if self.any_counted and self.uncounted:
            raise self.error(
                self.uncounted,
                f"the table that begins here does not end with its number of lids, as others do; is the file cut off "
                f"(at line {self.lines})?",
            )
        return ForwardingTables(self.port, self.line, frozenset(self.dropped))


def write_forwarding_tables(network: FabricNetwork, port: Bytes, path: FilePath) -> None:
    """Write tables (as ``ForwardingTables.port``) as ``dump_fts`` does and ``opensm -R file -U`` loads."""
    whose: dict[int, str] = {}
    away = [x for x in network.absent if isinstance(x, Host) and x.switch >= 0]
    for kind, ports in (("Switch", network.switches), ("Channel Adapter", (*network.hosts, *away))):
        for x in ports:
            whose.update(dict.fromkeys(x.lids, f"({kind} portguid 0x{x.guid:016x}: '{x.name}')"))
    lids = sorted(whose)
    ends = {lid: f" : {whose[lid]}\n" for lid in lids}
    starts = {lid: f"0x{lid:04x} " for lid in lids}
    numbers = [f"{p:03d}" for p in range(256)]
    parts: list[str] = []
    for v, switch in enumerate(network.switches):
        row = port[v, lids].tolist()
        parts.append(
            f"Unicast lids [0x0-0x{max(lids):x}] of switch Lid {switch.lid} guid 0x{switch.guid:016x} "
            f"({switch.name}):\n"
            "  Lid  Out   Destination\n       Port     Info \n"
        )
        parts.extend(f"{starts[x]}{numbers[p]}{ends[x]}" for x, p in zip(lids, row, strict=True) if p != NO_PORT)
        parts.append(f"{sum(p != NO_PORT for p in row)} valid lids dumped \n")
    write_text_atomic(path, "".join(parts))
