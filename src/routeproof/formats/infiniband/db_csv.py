"""The fabric in ``ibdiagnet2.db_csv``: tables in one file, each between ``START_NAME`` and ``END_NAME``.

Read are ``NODES`` (kind, GUIDs, name), ``PORTS`` (lid, LMC, active width and speed) and ``LINKS`` (the two ends of
every cable), by the names of their columns; of all other tables nothing is used.  ``LinkWidthActv`` and
``LinkSpeedActv`` are the numbers of the port's PortInfo, a bit for every width and speed; a port may have the bit of an
extended speed beside that of the old one.  ``PortState`` and ``PortPhyState`` are its numbers, too, where the file has
them.  Source: ibutils2, ``Fabric.h``; real tables in CrackedPoly/Rapimt.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

from ...core.errors import InputError
from ..format import Bandwidth, File, Format, NetworkFormat
from ..text_files import Line, brief
from .assemble import fabric_of
from .fabric import LIMIT, CableEnd, FabricNetwork, Section, StatedRate, key_of, why_idle

_COLUMNS = {
    "NODES": ("NodeDesc", "NumPorts", "NodeType", "NodeGUID"),
    "PORTS": ("NodeGuid", "PortGuid", "PortNum", "LID", "LMC", "LinkWidthActv", "LinkSpeedActv"),
    "LINKS": ("NodeGuid1", "PortNum1", "NodeGuid2", "PortNum2"),
}
_KINDS = {"1": "Ca", "2": "Switch", "3": "Rt"}
_WIDTHS = {1: 1, 2: 4, 4: 8, 8: 12, 16: 2}
_SPEEDS = {
    1 << 24: "XDR", 8 << 8: "NDR", 4 << 8: "HDR", 2 << 8: "EDR", 1 << 8: "FDR", 1 << 16: "FDR10",
    4: "QDR", 2: "DDR", 1: "SDR",
}  # fmt: skip
"""By bit, the fastest first: beside an extended speed stands the fastest of the old ones."""
Row = tuple[Line, dict[str, str]]


def read_db_csv(file: File, bandwidth: Bandwidth = None) -> FabricNetwork:
    tables = _tables(file)
    nodes: dict[int, Section] = {}
    for line, row in tables["NODES"]:
        guid, kind = _number(row, "NodeGUID", line), _KINDS.get(row["NodeType"])
        if kind is None:
            raise line.error(f"NodeType is {brief(row['NodeType'])}; 1 (CA), 2 (switch) or 3 (router) expected")
        if guid in nodes:
            raise line.error(f"a second node with the GUID 0x{guid:016x}; GUIDs are unique")
        ports = _number(row, "NumPorts", line)
        nodes[guid] = Section(line.number, kind, key_of(kind, guid), guid, row["NodeDesc"], ports=ports)
    rows: dict[tuple[int, int], Row] = {}
    for line, row in tables["PORTS"]:
        guid, port = _number(row, "NodeGuid", line), _number(row, "PortNum", line)
        if guid not in nodes:
            raise line.error(f"a port of node 0x{guid:016x}, which is not among the NODES")
        rows[guid, port] = (line, row)
        node = nodes[guid]
        if port == 0 and node.kind == "Switch":
            node.lid, node.lmc = _number(row, "LID", line), _number(row, "LMC", line)
    for line, row in tables["LINKS"]:
        ends = [(_number(row, f"NodeGuid{k}", line), _number(row, f"PortNum{k}", line)) for k in (1, 2)]
        for (guid, port), (far, far_port) in (ends, ends[::-1]):
            if not {guid, far} <= nodes.keys() or not {(guid, port), (far, far_port)} <= rows.keys():
                raise line.error(
                    f"port {port} of 0x{guid:016x} leads to port {far_port} of 0x{far:016x}, of which one is not among "
                    f"the NODES and PORTS (cut off?)"
                )
            _add(nodes[guid], port, nodes[far].key, far_port, rows[guid, port], line)
    return fabric_of(file, nodes.values(), bandwidth)


def _add(node: Section, port: int, far: str, far_port: int, own: Row, line: Line) -> None:
    own_line, row = own
    idle = why_idle(own_line.place, logical=row.get("PortState", ""), physical=row.get("PortPhyState", ""))
    rate = None if idle else _rate(*own)  # a port that is down has none
    end = CableEnd(line.number, port, far, far_port, 0, rate, idle=idle)
    node.add(end, line.place)
    if node.kind != "Switch":
        end.guid, end.lid, end.lmc = (_number(row, x, own_line) for x in ("PortGuid", "LID", "LMC"))


def _rate(line: Line, row: dict[str, str]) -> StatedRate:
    width, speed = _number(row, "LinkWidthActv", line), _number(row, "LinkSpeedActv", line)
    bit = next((x for x in _SPEEDS if speed & x), None)
    if width not in _WIDTHS or bit is None or speed & ~sum(_SPEEDS):
        raise line.error(
            f"a cable with LinkWidthActv {width} and LinkSpeedActv {speed}; a width of 1, 2, 4, 8 or 16 and bits of "
            f"known speeds were expected"
        )
    return StatedRate.of(_WIDTHS[width], _SPEEDS[bit])


def _tables(file: File) -> dict[str, list[Row]]:
    """The rows of tables that are used, with their lines, by column."""
    found: dict[str, list[Row]] = {}
    lines = file.lines(limit=LIMIT, wanted="ibdiagnet2.db_csv", indented=True)
    for line in lines:
        name = line.text.strip().removeprefix("START_")
        if name in _COLUMNS and line.text.startswith("START_"):
            if name in found:
                raise line.error(f"a second table {name}; one was expected")
            found[name] = list(_rows(file, name, line.number, lines))
    for name in _COLUMNS:
        if name not in found:
            raise InputError(f"{file.what} has no table {name} (START_{name}); is the file cut off?")
    return found


def _rows(file: File, name: str, start: int, lines: Iterator[Line]) -> Iterator[Row]:
    columns: list[str] | None = None
    for line in lines:
        if line.text.strip() == f"END_{name}":
            return
        cells = next(csv.reader([line.text], skipinitialspace=True), [])
        if columns is None:
            columns = [x.strip() for x in cells]
            lacking = [x for x in _COLUMNS[name] if x not in columns]
            if lacking:
                raise line.error(f"the table {name} has no column {lacking[0]}")
        elif len(cells) != len(columns):
            raise line.error(f"{len(cells)} cells; {len(columns)} were expected in {name}")
        else:
            yield line, {x: y.strip() for x, y in zip(columns, cells, strict=True)}
    raise InputError(
        f"{file.what}: the table {name} that begins in line {start} has no END_{name}; is the file cut off?"
    )


def _number(row: dict[str, str], column: str, line: Line) -> int:
    try:
        value = int(row[column], 0)
    except ValueError:
        value = -1
    if value < 0:
        raise line.error(f"{column} is {brief(row[column])}; a number was expected")
    return value


DB_CSV: NetworkFormat = Format(
    "ibdiagnet-db",
    "ibdiagnet2.db_csv",
    extensions=(".db_csv",),
    sniff=lambda file: "START_NODES\n" in file.start.replace("\r", ""),
    read=read_db_csv,
    options=("bandwidth", "hosts"),
    rank=2,
)
