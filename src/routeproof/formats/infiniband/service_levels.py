"""The service level of every path of a fabric, as path records tell it.

Two forms are read, which may follow one another in one file:

- what ``saquery -p``, ``saquery PathRecord ...`` and ``saquery --src-to-dst SLID:DLID`` (infiniband-diags) print:
  ``PathRecord dump:`` and then a line for every field, such as ``slid....................2``;
- ``opensm-path-records.dump``, which OpenSM's plugin ``dump_pr`` writes: for every port a line such as
  ``Channel Adapter 0x0000000000100001, base LID 2, "h0", port 1`` and then ``0x0004 : 0  : 4   : 3`` (lid, service
  level, MTU, rate) for every lid.

Records from and to switches (management) are passed over.
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
from .level_arrays import completed_levels, usual_entries

__all__ = ["PathLevels", "read_path_levels"]

NUM_LEVELS = 16
_LAST_LID = 0xBFFF
_WANTED = "a list of path records (saquery -p)"
_PORT = re.compile(r"(Channel Adapter|Switch|Router) 0x([0-9a-fA-F]{1,16}), base LID (\d{1,5}), .*")
_ENTRY = re.compile(r"0x([0-9a-fA-F]{1,4})\s*:\s*(?:(\d{1,3})\s*:\s*\d{1,3}\s*:\s*\d{1,4}|UNREACHABLE)")
_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9_]*)\.{2,}(.*)")
_NUMBER = re.compile(r"0x[0-9a-fA-F]{1,8}|\d{1,8}")
_SKIPPED = re.compile(r"#.*|")
_USED = ("slid", "dlid", "sl")

Bytes = npt.NDArray[np.uint8]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PathLevels:
    """``level[k, i, j]`` (uint16, shape (2^m, T, T)): bit s is set where packets from terminal i to lid number k of
    terminal j may have service level s; m is the largest LMC.  A host with fewer lids has them again, as its tables.

    ``missing``: how many pairs of hosts at different switches have no record (none unless they were allowed).
    """

    level: npt.NDArray[np.uint16]
    missing: int


def read_path_levels(
    path: FilePath, network: FabricNetwork, *, allow_missing: bool = False, with_replies: bool = False
) -> PathLevels:
    """The service levels in a file, which must be about this fabric.

    ``with_replies``: packets may also go back on the level of a record, from its destination to its source lid.

    Raises InputError, naming file and line, for lids that the fabric does not have, levels that are none, records that
    are cut off, lines that are none of such a file; and, unless ``allow_missing``, where two hosts at different
    switches have no record.
    """
    reader = _Reader(network, f"file {shown(path)}", with_replies)
    for chunk in line_chunks(path, wanted=_WANTED):
        reader.feed(chunk)
    return reader.finish(allow_missing=allow_missing)


class _Reader:
    """Entries of the usual form are read by whole arrays, all other lines one by one."""

    def __init__(self, network: FabricNetwork, what: str, with_replies: bool) -> None:
        self.network, self.what, self.with_replies = network, what, with_replies
        hosts = network.hosts
        for host in hosts:
            if not host.lid:
                raise InputError(f"{what}: host {host.name} of {network.name} has no lid; no path record names it")
        self.tables = 1 << max(host.lmc for host in hosts)
        self.host = np.full(_LAST_LID + 2, -1, dtype=np.int64)  # the host that has a lid; -2 for switches
        self.number = np.zeros(_LAST_LID + 2, dtype=np.int64)  # which of its lids
        for switch in network.switches:
            self.host[switch.lids] = -2
        for t, host in enumerate(hosts):
            self.host[host.lids] = t
            self.number[host.lids] = np.arange(len(host.lids))
        self.level = np.zeros((self.tables, len(hosts), len(hosts)), dtype=np.uint16)
        self.lines = 0  # before this piece
        self.source: int | None = None  # of the entries that follow: a host, -2 a switch
        self.record: dict[str, int] | None = None
        self.record_line = 0
        self.hosts_seen = 0

    def feed(self, data: Bytes) -> None:
        starts, ends = line_ends(data)
        usual, lid, level = usual_entries(data, starts, ends)
        done = 0
        for k in np.flatnonzero(~usual).tolist():
            self._entries(lid[done:k], level[done:k], self.lines + done + 1)
            self._other(data[starts[k] : ends[k]].tobytes(), self.lines + k + 1)
            done = k + 1
        self._entries(lid[done:], level[done:], self.lines + done + 1)
        self.lines += len(ends)

    def _entries(self, lid: Int64, level: Int64, first: int, *, taken: bool = True) -> None:
        """Entries of consecutive lines, the first of which is line ``first``: paths from ``self.source``."""
        if not len(lid):
            return
        if self.source is None:
            raise InputError(
                f"{self.what}, line {first}: a path before any port; a line such as "
                f'Channel Adapter 0x0002c90200411e01, base LID 2, "h0", port 1 was expected first'
            )
        strange = (lid > _LAST_LID) | (self.host[np.minimum(lid, _LAST_LID + 1)] == -1)
        for wrong, told in (
            (level >= NUM_LEVELS, "the service level is {level}; 0 to 15 was expected"),
            (strange, "lid 0x{lid:04x} belongs to no port of {name}; are these the paths of another fabric?"),
        ):
            if wrong.any():
                k = int(np.argmax(wrong))
                words = told.format(level=int(level[k]), lid=int(lid[k]), name=self.network.name)
                raise InputError(f"{self.what}, line {first + k}: {words}")
        ends = self.host[lid]
        here = ends >= 0
        if taken and self.source >= 0 and here.any():
            bits = (1 << level[here]).astype(np.uint16)
            size = len(self.network.hosts)
            at = (self.number[lid[here]] * size + self.source) * size + ends[here]
            np.bitwise_or.at(self.level.reshape(-1), at, bits)
            if self.with_replies:
                np.bitwise_or.at(self.level[0, :, self.source], ends[here], bits)

    def _other(self, raw: bytes, line: int) -> None:
        text = raw.decode("utf-8", "replace").strip()
        found = _FIELD.fullmatch(text)
        if found is not None and self.record is not None:
            self._field(found[1], found[2].strip(), line)
            return
        if _SKIPPED.fullmatch(text):
            return
        place = f"{self.what}, line {line}"
        if text == "PathRecord dump:":
            self._close()
            self.record, self.record_line, self.source = {}, line, None
        elif port := _PORT.fullmatch(text):
            self._close()
            self.source = self._port(port, place)
        elif entry := _ENTRY.fullmatch(text):
            # An unreachable lid has no record, as if the line were not there; but the fabric must have it.
            level = np.array([int(entry[2] or 0)])
            self._entries(np.array([int(entry[1], 16)]), level, line, taken=entry[2] is not None)
        else:
            raise InputError(
                f"{place}: {brief(text)} is no line of path records; PathRecord dump: and its fields (saquery -p), or "
                f"0x0004 : 0 : 4 : 3 (opensm-path-records.dump) was expected"
                + (" (cut off?)" if text.startswith("0") else "")
            )

    def _port(self, port: re.Match[str], place: str) -> int:
        """The host whose paths follow, or -2 for a switch."""
        guid, lid = int(port[2], 16), int(port[3])
        host = int(self.host[lid]) if lid <= _LAST_LID else -1
        if host == -1:
            raise InputError(f"{place}: lid {lid} belongs to no port of {self.network.name}; is this another fabric?")
        if host < 0:
            return host
        if self.network.hosts[host].guid != guid:
            raise InputError(
                f"{place}: lid {lid} belongs to port GUID 0x{guid:016x}, but in {self.network.name} to "
                f"0x{self.network.hosts[host].guid:016x} ({self.network.hosts[host].name}): paths of another fabric"
            )
        self.hosts_seen += 1
        return host

    def _field(self, key: str, value: str, line: int) -> None:
        """A field of a record of saquery."""
        record = self.record
        if record is None or key not in _USED:
            return
        if key in record:
            raise InputError(f"{self.what}, line {line}: a second {key} in the record of line {self.record_line}")
        if _NUMBER.fullmatch(value) is None:
            raise InputError(f"{self.what}, line {line}: {key} is {brief(value)}; a number was expected (cut off?)")
        record[key] = int(value, 0) if value.startswith("0x") else int(value)
        if key == "sl" and record[key] >= NUM_LEVELS:
            raise InputError(f"{self.what}, line {line}: the service level is {record[key]}; 0 to 15 was expected")
        if key != "sl":
            self._known(record[key], line)

    def _known(self, lid: int, line: int) -> None:
        if lid == 0:
            raise InputError(
                f"{self.what}, line {line}: a record of lid 0, as saquery prints where a long answer did not come in "
                f"whole; ask pair by pair instead: saquery --src-to-dst SLID:DLID"
            )
        if lid > _LAST_LID or self.host[lid] == -1:
            raise InputError(
                f"{self.what}, line {line}: lid {lid} belongs to no port of {self.network.name}; are these the paths "
                f"of another fabric?"
            )

    def _close(self) -> None:
        """The record that ends here."""
        record, self.record = self.record, None
        if record is None:
            return
        lacking = [key for key in _USED if key not in record]
        if lacking:
            raise InputError(
                f"{self.what}, line {self.record_line}: the record that begins here has no {' and no '.join(lacking)} "
                f"(cut off?)"
            )
        i, j = int(self.host[record["slid"]]), int(self.host[record["dlid"]])
        if i >= 0 and j >= 0:
            bit = np.uint16(1 << record["sl"])
            self.level[int(self.number[record["dlid"]]), i, j] |= bit
            if self.with_replies:
                self.level[int(self.number[record["slid"]]), j, i] |= bit

    def finish(self, *, allow_missing: bool) -> PathLevels:
        self._close()
        network, hosts = self.network, self.network.hosts
        if not self.level.any():
            switches = "; it tells the paths of switches only (DUMP_FULL_PATH_RECORDS=1 dumps all)"
            raise InputError(
                f"{self.what} has no path record of two hosts of {network.name}"
                + (switches if self.source is not None and not self.hosts_seen else "")
            )
        apart = network.source[:, None] != network.sink[None, :]
        missing, first = completed_levels(self.level, np.array([host.lmc for host in hosts]), apart)
        if first is not None and not allow_missing:
            i, j, k = first
            more = f", and {missing - 1} more pairs have none" if missing > 1 else ""
            raise InputError(
                f"{self.what} has no path record from {hosts[i].name} (lid {hosts[i].lid}) to {hosts[j].name} (lid "
                f"{hosts[j].lid + k}){more}; one for all hosts at different switches was expected (FILE,missing=none "
                f"where pairs without a record send nothing)"
            )
        self.level.setflags(write=False)
        return PathLevels(self.level, missing)
