"""Forwarding tables as ``dump_fts``, ``dump_lfts``, ``ibroute`` and OpenSM (``opensm-lfts.dump``) write them, and back.

``Unicast lids [0x0-0x9] of switch Lid 4 guid 0x0000000000200002 (s2):`` and then a line for every lid, such as
``0x0001 003 : (Switch portguid 0x0000000000200000: 's0')``: lid, port, and for people whose lid it is.  This is what
``opensm -R file -U FILE`` loads; it looks at the GUIDs of switches, at lids, ports and port GUIDs.

``9 valid lids dumped`` at the end of a table counts its lines.  ``14 lids dumped`` in ``opensm-lfts.dump`` is the
highest lid, which stands in the header too (``[0-14]``): lids that lead nowhere have no line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...core.errors import InputError
from ..line_chunks import HEX_DIGIT, line_chunks, line_ends
from ..text_files import FilePath, brief, shown, write_text_atomic
from .fabric import FabricNetwork

__all__ = [
    "NO_PORT",
    "NUM_LIDS",
    "ForwardingTables",
    "is_forwarding_tables",
    "read_forwarding_tables",
    "write_forwarding_tables",
]

NO_PORT = 255
NUM_LIDS = 0xC000  # unicast lids end there
_HEADER = re.compile(r"Unicast lids\b(?: \[0-(?P<top>\d{1,9})\])?.*?\bguid 0x(?P<guid>[0-9a-fA-F]{1,16})\b.*")
_ENTRY = re.compile(r"0x([0-9a-fA-F]{1,8})\s+(\d{1,3})(?:\s*[:#].*)?")
_COUNT = re.compile(r"(\d{1,9}) (valid )?lids dumped")
_GUID = re.compile(r"\bportguid 0x([0-9a-fA-F]{1,16})\b")
_SKIPPED = re.compile(r"#.*|Lid\s+Out\s+Destination|Port\s+Info|\*\*\* WARNING \*\*\*.*|")

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class ForwardingTables:
    """``port[v, lid]`` (uint8, shape (N, 49152)): by which port switch v forwards packets for a lid; 255: none.

    ``line[v]``: the line at which the switch's table begins, 0 where the file has none for it.
    """

    port: Bytes
    line: npt.NDArray[np.int64]


def is_forwarding_tables(start: bytes) -> bool:
    """Does a file that begins like this hold forwarding tables, rather than JSON?"""
    return b"Unicast lids" in start or bool(re.match(rb"\s*0x[0-9a-fA-F]+\s+\d", start))


def read_forwarding_tables(path: FilePath, network: FabricNetwork) -> ForwardingTables:
    """The tables in a file, which must be about this fabric.

    Raises InputError, naming file and line, for switches and lids that the fabric does not have, lids that belong to
    other ports, ports that a switch does not have, lines that are none of such a dump, and dumps that end too early.
    """
    reader = _Reader(network, f"file {shown(path)}")
    for chunk in line_chunks(path, wanted="forwarding tables"):
        reader.feed(chunk)
    return reader.finish()


class _Reader:
    """Lines of the usual form are read by whole arrays, all others one by one."""

    def __init__(self, network: FabricNetwork, what: str) -> None:
        self.what, self.network = what, network
        self.number = {switch.guid: v for v, switch in enumerate(network.switches)}
        self.ports = np.array([switch.ports for switch in network.switches])
        self.owner = np.full(NUM_LIDS, -1, dtype=np.int64)
        self.guids = [x.guid for x in network.switches] + [x.guid for x in network.hosts]
        for k, switch in enumerate(network.switches):
            self.owner[switch.lids] = k
        for k, host in enumerate(network.hosts):
            self.owner[host.lids] = len(network.switches) + k
        self.port = np.full((network.num_nodes, NUM_LIDS), NO_PORT, dtype=np.uint8)
        self.line = np.zeros(network.num_nodes, dtype=np.int64)
        self.told = np.zeros(NUM_LIDS, dtype=bool)  # lids whose port GUID was looked at
        self.lines = 0  # before this chunk
        self.at = -1  # the switch whose table is being read
        self.entries = 0
        self.top: int | None = None  # the highest lid, where OpenSM's header says so
        self.counted: bool | None = None  # does the table end with its number of lids?  None: no table yet
        self.uncounted = 0  # line of a table without
        self.any_counted = False

    def feed(self, data: Bytes) -> None:
        starts, ends = line_ends(data)
        usual, lid, port = _usual(data, starts, ends)
        done = 0
        for k in np.flatnonzero(~usual).tolist():
            self._take(data, starts, ends, done, k, lid, port)
            self._other(data[starts[k] : ends[k]].tobytes(), self.lines + k + 1)
            done = k + 1
        self._take(data, starts, ends, done, len(ends), lid, port)
        self.lines += len(ends)

    def _take(
        self,
        data: Bytes,
        starts: npt.NDArray[np.int64],
        ends: npt.NDArray[np.int64],
        low: int,
        high: int,
        lid: npt.NDArray[np.int64],
        port: npt.NDArray[np.int64],
    ) -> None:
        """Entries of the usual form in lines low .. high - 1 of this chunk."""
        if low == high:
            return
        first = self.lines + low + 1
        self._add(lid[low:high], port[low:high], first)
        for k in (np.flatnonzero(~self.told[lid[low:high]]) + low).tolist():
            text = data[starts[k] : ends[k]].tobytes().decode("utf-8", "replace")
            self._owner(int(lid[k]), text, self.lines + k + 1)

    def _add(self, lid: npt.NDArray[np.int64], port: npt.NDArray[np.int64], first: int) -> None:
        """Entries of consecutive lines, the first of which is line ``first``."""
        if self.at < 0:
            raise InputError(
                f"{self.what}, line {first}: an entry before any 'Unicast lids ... of switch ... guid 0x...'"
            )
        if self.counted:
            raise InputError(f"{self.what}, line {first}: an entry after the end of the table of {self._name()}")
        network, v = self.network, self.at
        none = (port == NO_PORT) | (port == 0)
        for wrong, told in (
            ((lid < 1) | (lid >= NUM_LIDS), "is no unicast lid (0x0001 to 0xbfff)"),
            ((port > self.ports[v]) & ~none, f"leaves {self._name()} by a port that it does not have"),
        ):
            if wrong.any():
                k = int(np.argmax(wrong))
                raise InputError(f"{self.what}, line {first + k}: lid 0x{int(lid[k]):04x} {told}")
        strange = (self.owner[lid] < 0) & (port != NO_PORT)
        if strange.any():
            k = int(np.argmax(strange))
            raise InputError(
                f"{self.what}, line {first + k}: lid 0x{int(lid[k]):04x} belongs to no port of {network.name}; is this "
                f"the table of another fabric, or of another time?"
            )
        twice = np.flatnonzero(self.port[v, lid] != NO_PORT)
        if len(lid) > 1 and not (lid[1:] > lid[:-1]).all():
            order = np.argsort(lid, kind="stable")
            same = lid[order][1:] == lid[order][:-1]
            twice = np.concatenate([twice, order[1:][same]])
        if len(twice):
            k = int(twice.min())
            raise InputError(
                f"{self.what}, line {first + k}: lid 0x{int(lid[k]):04x} is in the table of {self._name()} twice"
            )
        self.port[v, lid] = port
        self.entries += len(lid)

    def _owner(self, lid: int, text: str, line: int) -> None:
        """The comment of an entry must name the port that has the lid in this fabric."""
        found = _GUID.search(text)
        owner = int(self.owner[lid])
        if found is None and "portguid" in text.partition("'")[0]:
            raise InputError(f"{self.what}, line {line}: {brief(text)}; portguid and a GUID such as 0x12 were expected")
        if found is None or owner < 0:
            return
        self.told[lid] = True
        if int(found[1], 16) != self.guids[owner]:
            names = [*self.network.labels, *(x.name for x in self.network.hosts)] if self.network.labels else []
            raise InputError(
                f"{self.what}, line {line}: lid 0x{lid:04x} belongs to port GUID 0x{found[1]}, but in "
                f"{self.network.name} to 0x{self.guids[owner]:016x} ({names[owner]}): a table of another fabric"
            )

    def _other(self, raw: bytes, line: int) -> None:
        """Any line but an entry of the usual form."""
        text = raw.decode("utf-8", "replace").strip()
        if _SKIPPED.fullmatch(text):
            return
        place = f"{self.what}, line {line}"
        if header := _HEADER.fullmatch(text):
            self._close()
            v = self.number.get(int(header["guid"], 16))
            if v is None:
                raise InputError(
                    f"{place}: {self.network.name} has no switch with the GUID 0x{header['guid']}; is this the table "
                    f"of another fabric?"
                )
            if self.line[v]:
                raise InputError(
                    f"{place}: a second table of {self.network.label(v)}; the first begins in line {self.line[v]}"
                )
            self.at, self.entries, self.counted, self.line[v] = v, 0, False, line
            self.top = int(header["top"]) if header["top"] else None
        elif entry := _ENTRY.fullmatch(text):
            self._add(np.array([int(entry[1], 16)]), np.array([int(entry[2])]), line)
            self._owner(int(entry[1], 16), text, line)
        elif count := _COUNT.fullmatch(text):
            whole = int(count[1]) == self.entries or (not count[2] and int(count[1]) == self.top)
            if self.at < 0 or self.counted or not whole:
                found = f"{self.entries} were found" if self.at >= 0 else "no table was found"
                raise InputError(f"{place}: {brief(text)} where {found}: lines are missing or too many")
            self.counted = self.any_counted = True
        elif text.startswith("Multicast"):
            raise InputError(
                f"{place}: a table of multicast groups; unicast tables (dump_fts without -M) were expected"
            )
        else:
            raise InputError(
                f"{place}: {brief(text)} is no line of forwarding tables; 0x0001 003 : (...) was expected"
                + (" (cut off?)" if text.startswith("0") else "")
            )

    def _name(self) -> str:
        return self.network.label(self.at)

    def _close(self) -> None:
        if self.counted is False and not self.uncounted:
            self.uncounted = int(self.line[self.at])

    def finish(self) -> ForwardingTables:
        self._close()
        if self.at < 0:
            raise InputError(
                f"{self.what} has no 'Unicast lids ... of switch ... guid 0x...': forwarding tables expected"
            )
        if self.any_counted and self.uncounted:
            raise InputError(
                f"{self.what}, line {self.uncounted}: the table that begins here does not end with its number of lids, "
                f"as others do; is the file cut off (at line {self.lines})?"
            )
        return ForwardingTables(self.port, self.line)


def _usual(
    data: Bytes, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Which lines are ``0x<4 hex digits> <3 digits>`` with nothing behind, or a blank and : or #; lids and ports."""
    last = len(data) - 1
    at = [data[np.minimum(starts + k, last)] for k in range(12)]
    usual = (ends - starts >= 10) & (at[0] == 48) & (at[1] == 120) & (at[6] == 32)
    lid = np.zeros(len(starts), dtype=np.int64)
    for byte in at[2:6]:
        digit = HEX_DIGIT[byte]
        usual &= digit < 16
        lid = lid * 16 + digit
    port = np.zeros(len(starts), dtype=np.int64)
    for byte in at[7:10]:
        usual &= (byte >= 48) & (byte <= 57)
        port = port * 10 + (byte.astype(np.int64) - 48)
    usual &= (at[10] == 10) | ((at[10] == 32) & ((at[11] == 58) | (at[11] == 35) | (at[11] == 10)))
    return usual, lid, port


def write_forwarding_tables(network: FabricNetwork, port: Bytes, path: FilePath) -> None:
    """Write tables (as ``ForwardingTables.port``) as ``dump_fts`` does and ``opensm -R file -U`` loads."""
    told: dict[int, str] = {}
    for switch in network.switches:
        told.update(dict.fromkeys(switch.lids, f"(Switch portguid 0x{switch.guid:016x}: '{switch.name}')"))
    for host in network.hosts:
        text = f"(Channel Adapter portguid 0x{host.guid:016x}: '{host.name}')"
        told.update(dict.fromkeys(host.lids, text))
    lids = sorted(told)
    ends = {lid: f" : {told[lid]}\n" for lid in lids}
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
