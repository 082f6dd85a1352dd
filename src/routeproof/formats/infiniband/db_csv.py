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
from ..text_files import brief, read_text
from .assemble import fabric_of
from .fabric import FabricNetwork
from .ibnetdiscover import LIMIT
from .link_states import why_idle
from .sections import GBPS_PER_LANE, CableEnd, Section, StatedRate

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
Row = tuple[int, dict[str, str]]


def read_db_csv(file: File, bandwidth: Bandwidth = None) -> FabricNetwork:
    """The fabric in a file, as ``assemble.fabric_of`` makes it.

    Raises InputError, naming the file and the line, for tables and columns that are not there, and for cables of nodes
    that are in no table.
    """
    tables = _tables(file)
    nodes: dict[str, Section] = {}
    key_of: dict[int, str] = {}
    for line, row in tables["NODES"]:
        guid, place = _number(row, "NodeGUID", file, line), f"{file.what}, line {line}"
        kind = _KINDS.get(row["NodeType"])
        if kind is None:
            raise InputError(
                f"{place}: NodeType is {brief(row['NodeType'])}; 1 (CA), 2 (switch) or 3 (router) expected"
            )
        if guid in key_of:
            raise InputError(f"{place}: a second node with the GUID 0x{guid:016x}; GUIDs are unique")
        key = key_of[guid] = f"{'S' if kind == 'Switch' else 'H'}-{guid:016x}"
        nodes[key] = Section(line, kind, key, guid, row["NodeDesc"], 0, 0, _number(row, "NumPorts", file, line), {})
    ports = {}
    for line, row in tables["PORTS"]:
        guid, port = _number(row, "NodeGuid", file, line), _number(row, "PortNum", file, line)
        if guid not in key_of:
            raise InputError(f"{file.what}, line {line}: a port of node 0x{guid:016x}, which is not among the NODES")
        ports[guid, port] = (line, row)
        node = nodes[key_of[guid]]
        if port == 0 and node.kind == "Switch":
            node.lid, node.lmc = _number(row, "LID", file, line), _number(row, "LMC", file, line)
    for line, row in tables["LINKS"]:
        ends = [(_number(row, f"NodeGuid{k}", file, line), _number(row, f"PortNum{k}", file, line)) for k in (1, 2)]
        for (guid, port), (far, far_port) in (ends, ends[::-1]):
            nodes_and_ports = (key_of.get(guid), ports.get((guid, port)), key_of.get(far), ports.get((far, far_port)))
            if None in nodes_and_ports:
                raise InputError(
                    f"{file.what}, line {line}: port {port} of 0x{guid:016x} leads to port {far_port} of 0x{far:016x}, "
                    f"of which one is not among the NODES and PORTS (cut off?)"
                )
            _add(
                file, nodes[key_of[guid]], port, (key_of[far], far_port), ports[guid, port], ports[far, far_port], line
            )
    nodes = {key: node for key, node in nodes.items() if node.kind == "Switch" or node.ends}
    return fabric_of(nodes, what=file.what, name=file.stem, bandwidth=bandwidth, choice=file.choice)


def _add(file: File, node: Section, port: int, far: tuple[str, int], own: Row, other: Row, line: int) -> None:
    """An end of a cable."""
    if port in node.ends:
        first = node.ends[port].line
        raise InputError(f"{file.what}, line {line}: port {port} of {node.name!r} is there already, in line {first}")
    host_row = own if node.kind != "Switch" else other if far[0].startswith("H") else own
    guid = _number(host_row[1], "PortGuid", file, host_row[0])
    row = own[1]
    idle = why_idle(
        f"{file.what}, line {own[0]}", logical=row.get("PortState", ""), physical=row.get("PortPhyState", "")
    )
    rate = None if idle else _rate(file, *own)  # a port that is down has none
    end = node.ends[port] = CableEnd(line, port, far[0], far[1], guid, rate, idle=idle)
    if node.kind != "Switch":
        end.lid, end.lmc = (_number(own[1], x, file, own[0]) for x in ("LID", "LMC"))


def _rate(file: File, line: int, row: dict[str, str]) -> StatedRate:
    width, speed = _number(row, "LinkWidthActv", file, line), _number(row, "LinkSpeedActv", file, line)
    bit = next((x for x in _SPEEDS if speed & x), None)
    if width not in _WIDTHS or bit is None or speed & ~sum(_SPEEDS):
        raise InputError(
            f"{file.what}, line {line}: a cable with LinkWidthActv {width} and LinkSpeedActv {speed}; a width of 1, 2, "
            f"4, 8 or 16 and bits of known speeds were expected"
        )
    text = f"{_WIDTHS[width]}x{_SPEEDS[bit]}"
    return StatedRate(text, _WIDTHS[width] * GBPS_PER_LANE[_SPEEDS[bit]])


def _tables(file: File) -> dict[str, list[Row]]:
    """The tables that are used: rows with their lines, by column."""
    text = read_text(file.path, limit=LIMIT, wanted="ibdiagnet2.db_csv")
    found: dict[str, list[Row]] = {}
    lines = enumerate(text.splitlines(), 1)
    for number, line in lines:
        name = line.strip().removeprefix("START_")
        if name in _COLUMNS and line.startswith("START_"):
            if name in found:
                raise InputError(f"{file.what}, line {number}: a second table {name}; one was expected")
            found[name] = list(_rows(file, name, number, lines))
    for name in _COLUMNS:
        if name not in found:
            raise InputError(f"{file.what} has no table {name} (START_{name}); is the file cut off?")
    return found


def _rows(file: File, name: str, start: int, lines: Iterator[tuple[int, str]]) -> Iterator[Row]:
    columns: list[str] | None = None
    for number, line in lines:
        if line.strip() == f"END_{name}":
            return
        cells = next(csv.reader([line], skipinitialspace=True), [])
        if columns is None:
            columns = [x.strip() for x in cells]
            lacking = [x for x in _COLUMNS[name] if x not in columns]
            if lacking:
                raise InputError(f"{file.what}, line {number}: the table {name} has no column {lacking[0]}")
        elif cells and len(cells) != len(columns):
            raise InputError(f"{file.what}, line {number}: {len(cells)} cells; {len(columns)} were expected in {name}")
        elif cells:
            yield number, {x: y.strip() for x, y in zip(columns, cells, strict=True)}
    raise InputError(
        f"{file.what}: the table {name} that begins in line {start} has no END_{name}; is the file cut off?"
    )


def _number(row: dict[str, str], column: str, file: File, line: int) -> int:
    try:
        value = int(row[column], 0)
    except ValueError:
        value = -1
    if value < 0:
        raise InputError(f"{file.what}, line {line}: {column} is {brief(row[column])}; a number was expected")
    return value


DB_CSV: NetworkFormat = Format(
    "ibdiagnet-db",
    "ibdiagnet2.db_csv",
    extensions=(".db_csv",),
    sniff=lambda file: "START_NODES\n" in file.start.replace("\r", ""),
    read=read_db_csv,
    options=("bandwidth", "hosts"),
)
