"""The service level of every path of a fabric, as path records tell it.

Three forms are read, which may follow one another in one file:

- what ``saquery -p``, ``saquery PathRecord ...`` and ``saquery --src-to-dst SLID:DLID`` (infiniband-diags) print:
  ``PathRecord dump:`` and then a line for every field, such as ``slid....................2``;
- ``opensm-path-records.dump``, which OpenSM's plugin ``dump_pr`` writes: for every port a line such as
  ``Channel Adapter 0x0000000000100001, base LID 2, "h0", port 1`` and then ``0x0004 : 0  : 4   : 3`` (lid, service
  level, MTU, rate) for every lid;
- ``ibdiagnet.psl``: ``0x0002c90000000098 154 0`` (GUID of the source's adapter, lid, service level), for all its ports.

Records from and to switches (management) are passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...core.arrays import Bools, Int64
from ...core.errors import InputError
from ..text_files import FilePath, brief
from .dumps import LAST_LID, NODE, Bytes, DumpReader, columns
from .fabric import FabricNetwork, Host

NUM_LEVELS = 16
_ENTRY = re.compile(r"0x([0-9a-fA-F]{1,4})\s*:\s*(?:(\d{1,3})\s*:\s*\d{1,3}\s*:\s*\d{1,4}|UNREACHABLE)")
_TRIPLE = re.compile(r"0x([0-9a-fA-F]{1,16})\s+(\d{1,5})\s+(\d{1,2})")
_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9_]*)\.{2,}(.*)")
_NUMBER = re.compile(r"0x[0-9a-fA-F]{1,8}|\d{1,8}")
_SKIPPED = re.compile(r"#.*|")
_USED = ("slid", "dlid", "sl")


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
    """The service levels in a file, which must be about this fabric; unless ``allow_missing``, every two hosts at
    different switches have one. ``with_replies``: packets may also go back on the level of a record, to its source
    lid."""
    return _LevelsOfDump(path, network, with_replies).read().finish(allow_missing=allow_missing)


class _LevelsOfDump(DumpReader):
    wanted, contents = "a list of path records (saquery -p)", "the paths"

    def __init__(self, path: FilePath, network: FabricNetwork, with_replies: bool) -> None:
        super().__init__(path, network)
        self.with_replies, hosts = with_replies, network.hosts
        for host in hosts:
            if not host.lid:
                raise InputError(f"{self.what}: host {host.name} of {network.name} has no lid; no path record names it")
        self.host = np.where(self.owner < 0, -1, self.owner - len(network.switches))
        self.host[(self.owner >= 0) & ((self.host < 0) | (self.host >= len(hosts)))] = -2  # a switch, or left out
        self.number = np.zeros(len(self.owner), dtype=np.int64)  # which of the host's lids
        for host in hosts:
            self.number[host.lids] = np.arange(len(host.lids))
        self.level = np.zeros((1 << max(host.lmc for host in hosts), len(hosts), len(hosts)), dtype=np.uint16)
        self.source: int | None = None  # of the entries that follow: a host, -2 a switch
        self.hosts_seen = False
        self.away = [x for x in network.absent if isinstance(x, Host)]

    def usual(self, data: Bytes, starts: Int64, ends: Int64) -> tuple[Bools, Int64, Int64]:
        form = "0xHHHH : Dd : Ddd : Ddddd"  # service level, MTU, rate
        usual, lid, level = columns(data, starts, ends, form)
        return usual & (ends - starts <= len(form)), lid, level

    def entries(self, lid: Int64, level: Int64, first: int) -> None:
        """Paths from ``self.source``; a level of -1 is for a lid that is unreachable."""
        if self.source is None:
            raise self.error(
                first,
                "a path before any port; a line such as "
                'Channel Adapter 0x0002c90200411e01, base LID 2, "h0", port 1 was expected first',
            )
        self.refuse(level >= NUM_LEVELS, first, lambda k: f"the service level is {int(level[k])}; 0 to 15 was expected")
        self.refuse(
            self.owner[np.minimum(lid, LAST_LID + 1)] < 0,
            first,
            lambda k: f"lid 0x{int(lid[k]):04x} belongs to no port of {self.network.name}; {self.another()}",
        )
        lid, level = lid[level >= 0], level[level >= 0]
        ends = self.host[lid]
        here = ends >= 0
        if self.source >= 0 and here.any():
            bits = (1 << level[here]).astype(np.uint16)
            size = len(self.network.hosts)
            at = (self.number[lid[here]] * size + self.source) * size + ends[here]
            np.bitwise_or.at(self.level.reshape(-1), at, bits)
            if self.with_replies:
                np.bitwise_or.at(self.level[0, :, self.source], ends[here], bits)

    def other(self, text: str, line: int) -> None:
        found = _FIELD.fullmatch(text)
        if found is not None and self.record is not None:
            if found[1] in _USED:
                self._field(found[1], found[2].strip(), line)
        elif text == "PathRecord dump:":
            self._close()
            self.record, self.record_line, self.source = {}, line, None
        elif port := NODE.fullmatch(text):
            self._close()
            self.source = self._port(port, line)
        elif triple := _TRIPLE.fullmatch(text):
            self._close()
            self._of_node(int(triple[1], 16), int(triple[2]), int(triple[3]), line)
        elif entry := _ENTRY.fullmatch(text):
            # An unreachable lid has no record, as if the line were not there; but the fabric must have it.
            self.entries(np.array([int(entry[1], 16)]), np.array([int(entry[2] or -1)]), line)
        elif not _SKIPPED.fullmatch(text):
            forms = "PathRecord dump: and its fields (saquery -p), or 0x0004 : 0 : 4 : 3 (opensm-path-records.dump)"
            raise self.strange(text, line, f"path records; {forms} was expected")

    def _port(self, port: re.Match[str], line: int) -> int:
        guid, lid = int(port[2], 16), int(port[3])
        self.port_of(lid, line)
        host = int(self.host[lid])
        if int(self.owner[lid]) >= len(self.network.switches):
            self.check_guid(lid, guid, line)
            self.hosts_seen = True
        return host

    def _of_node(self, guid: int, lid: int, level: int, line: int) -> None:
        ports = [k for k, host in enumerate(self.network.hosts) if guid in (host.node, host.guid)]
        if not ports and guid not in self.switch and all(guid not in (x.node, x.guid) for x in self.away):
            raise self.error(line, f"{self.network.name} has no node with the GUID 0x{guid:016x}; {self.another()}")
        for port in ports or [-2]:
            self.source = port
            self.entries(np.array([lid]), np.array([level]), line)
        self.source = None

    def _field(self, key: str, value: str, line: int) -> None:
        if _NUMBER.fullmatch(value) is None:
            raise self.error(line, f"{key} is {brief(value)}; a number was expected (cut off?)")
        number = int(value, 16 if value.startswith("0x") else 10)
        self.put(key, number, line)
        if key == "sl" and number >= NUM_LEVELS:
            raise self.error(line, f"the service level is {number}; 0 to 15 was expected")
        if key != "sl" and number == 0:
            reason = "as saquery prints where a long answer did not come in whole"
            raise self.error(line, f"a record of lid 0, {reason}; ask pair by pair: saquery --src-to-dst SLID:DLID")
        if key != "sl":
            self.port_of(number, line)

    def _close(self) -> None:
        if self.record is None:
            return
        source, destination, level = self.fields(*_USED)
        self.record = None
        i, j = int(self.host[source]), int(self.host[destination])
        if i >= 0 and j >= 0:
            self.level[self.number[destination], i, j] |= np.uint16(1 << level)
            if self.with_replies:
                self.level[self.number[source], j, i] |= np.uint16(1 << level)

    def finish(self, *, allow_missing: bool) -> PathLevels:
        self._close()
        network, hosts = self.network, self.network.hosts
        if not self.level.any():
            only = self.source is not None and not self.hosts_seen
            hint = "; it tells the paths of switches only (DUMP_FULL_PATH_RECORDS=1 dumps all)" if only else ""
            raise InputError(f"{self.what} has no path record of two hosts of {network.name}{hint}")
        apart = network.source[:, None] != network.sink[None, :]
        lacking = _completed(self.level, np.array([host.lmc for host in hosts]), apart)
        missing = int(lacking.sum())
        if missing and not allow_missing:
            k, i, j = (int(x) for x in np.argwhere(lacking)[0])
            more = f", and {missing - 1} more pairs have none" if missing > 1 else ""
            raise InputError(
                f"{self.what} has no path record from {hosts[i].name} (lid {hosts[i].lid}) to {hosts[j].name} (lid "
                f"{hosts[j].lid + k}){more}; one for all hosts at different switches was expected (FILE,missing=none "
                f"where pairs without a record send nothing)"
            )
        self.level.setflags(write=False)
        return PathLevels(self.level, missing)


def _completed(level: npt.NDArray[np.uint16], lmc: Int64, apart: Bools) -> Bools:
    """Which pairs ``apart`` have no level, by number of the lid; bool, shape of ``level``, in which hosts with fewer
    lids than others get them again."""
    lacking = np.zeros(level.shape, dtype=bool)
    for k in range(len(level)):
        own = k % (1 << lmc)
        again = own != k
        level[k][:, again] = level[own[again], :, np.flatnonzero(again)].T
        lacking[k] = apart & (level[k] == 0) & ~again
    return lacking
