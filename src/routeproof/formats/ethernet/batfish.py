"""What Batfish says of a fabric: the frames of ``bfq.routes()``, ``layer3Edges()``, ``layer1Edges()`` and the like, as
CSV or JSON (``frame.to_csv``, ``frame.to_json``), and its ``layer1_topology.json``.  One file is about all devices.

A next hop without an interface is looked up in the routes of its device, as long as it takes.
Source: pybatfish, ``docs/source/notebooks``; ``datamodel/route.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...core.errors import InputError
from ..documents.json_text import as_objects
from ..format import File
from ..text_files import brief, csv_rows
from .device_dumps import Cable, DeviceDumps, Kind
from .routes import BITS, MEANINGS, Hop, Prefix, Route, RouteTable, prefix_of

_ROUTE_COLUMNS = ("Node", "VRF", "Network", "Protocol")
_EDGE_COLUMNS = ("Interface", "Remote_Interface")
_END = re.compile(r"(.+?)\[(.+)\]$")
_LAYER1 = re.compile(r'\s*\{\s*"edges"\s*:\s*\[\s*\{\s*"node[12]"\s*:')
_NO_INTERFACE = ("", "dynamic", "none", "null")
_HOP = re.compile(r"(?:interface (?P<interface>\S+))?(?:(?: |^)ip (?P<ip>\S+))?$")
_MOST_LOOKUPS = 32
Row = Mapping[str, Any]


def _columns(file: File) -> set[str]:
    start = file.start[:8192].lstrip()
    if start.startswith(("{", "[")):
        return {x for x in (*_ROUTE_COLUMNS, *_EDGE_COLUMNS) if f'"{x}"' in file.start}
    return {x.strip().strip('"') for x in start.partition("\n")[0].split(",")}


def _is_routes(file: File) -> bool:
    return set(_ROUTE_COLUMNS) <= _columns(file)


def _is_edges(file: File) -> bool:
    return set(_EDGE_COLUMNS) <= _columns(file) and not _is_routes(file)


def _rows(file: File, needed: tuple[str, ...]) -> Iterator[tuple[str, Row]]:
    """The rows of a frame, and where they are; every one has the ``needed`` columns."""
    rows: list[tuple[str, Row]] = []
    if file.start.lstrip().startswith(("{", "[")):
        value = file.value
        if isinstance(value, dict) and all(isinstance(x, dict) for x in value.values()):  # orient="columns"
            keys = list(next(iter(value.values()), {}))
            if any(list(x) != keys for x in value.values()):
                raise InputError(f"{file.what}: the columns of a frame have rows of unlike numbers")
            value = [{name: column[k] for name, column in value.items()} for k in keys]
        objects = as_objects(value, what=file.what, wanted="a frame by rows or by columns")
        rows = [(f"{file.what}, row {k}", x) for k, x in enumerate(objects, 1)]
    else:
        (_, columns), *lines = csv_rows(file.text, file.what)
        rows = [(place, dict(zip(columns, cells, strict=True))) for place, cells in lines]
    for what, found in rows:
        missing = next((x for x in needed if x not in found), None)
        if missing:
            raise InputError(f"{what} has no {missing}; a row of Batfish's frame was expected")
        yield what, found


def _read_routes(file: File, device: str, found: DeviceDumps) -> None:  # noqa: ARG001  # rows name devices
    by: dict[tuple[str, Prefix], list[tuple[str, Row]]] = {}
    for what, row in _rows(file, _ROUTE_COLUMNS):
        if "AS_Path" in row or "Status" in row:
            raise InputError(
                f"{what} is of a BGP table, which has routes that are not taken; bfq.routes() was expected"
            )
        node = str(row["Node"])
        if found.is_wanted(node, str(row["VRF"])):
            prefix = prefix_of(row["Network"], what=f"{what}: Network")
            by.setdefault((node, prefix), []).append((what, row))
        found.tables.setdefault(node, RouteTable((), what=file.what))
    tables: dict[str, RouteTable] = {}
    for (node, prefix), rows in by.items():
        if prefix.is_local:
            continue
        hops, dropped = [], ""
        for what, row in rows:
            unlike = next((x for x in ("Admin_Distance", "Metric") if row.get(x) != rows[0][1].get(x)), None)
            if unlike is not None:
                raise InputError(
                    f"{what}: {prefix} at {node} has {unlike} {brief(row.get(unlike))} here and "
                    f"{brief(rows[0][1].get(unlike))} in {rows[0][0]}; only the best routes, as bfq.routes() has them, "
                    f"were expected"
                )
            hop = _hop(row, what)
            dropped = dropped or (hop if isinstance(hop, str) else "")
            hops += [] if isinstance(hop, str) or hop in hops else [hop]
        protocols = {str(row["Protocol"]).lower() for _, row in rows}
        connected = bool(protocols & {"connected", "local"})
        if "local" in protocols and prefix.length == BITS[prefix.version]:
            found.owners.setdefault(prefix, set()).add(node)
        own = tables.setdefault(node, RouteTable((), what=file.what))
        is_static = "static" in protocols
        own.add([Route(prefix, tuple(hops), connected, dropped, is_static)], what=file.what)
    for node, table in tables.items():
        each = ((x, f"{by[node, x.prefix][0][0]}: {x.prefix}") for x in table.routes.values())
        found.add_routes(node, [_resolved(x, table, what) for x, what in each], file.what)


def _hop(row: Row, what: str) -> Hop | str:
    """The next hop, perhaps without its interface; or why packets are dropped."""
    text, own, ip = (str(row.get(x) or "") for x in ("Next_Hop", "Next_Hop_Interface", "Next_Hop_IP"))
    if own == "null_interface" or text == "discard":
        return MEANINGS["drops"].lost
    if text.startswith("vrf "):
        return MEANINGS["another VRF"].lost.format(brief(text[4:]))
    if text.startswith("vtep "):
        return MEANINGS["tunnel"].lost.format(text[:40])
    match = _HOP.match(text)
    if text and match is None:
        raise InputError(f"{what}: Next_Hop is {brief(text)}; interface NAME ip ADDRESS was expected")
    interface = (match["interface"] if match and match["interface"] else own).strip()
    address = (match["ip"] if match and match["ip"] else ip).strip()
    interface = "" if interface.lower() in _NO_INTERFACE else interface
    address = "" if address.upper().startswith(("AUTO", "NONE")) else address
    if not interface and not address:
        raise InputError(f"{what} has no next hop: Next_Hop, Next_Hop_Interface or Next_Hop_IP was expected")
    return Hop(interface, address)


def _resolved(route: Route, table: RouteTable, what: str) -> Route:
    """The route with the interfaces that its next hops lead to, or why it leads nowhere; a hop that is looked up shares
    its part among what it leads to."""
    parts: list[Hop] = []
    lost = route.dropped
    for hop in () if lost else route.hops:
        todo, depth = [hop], 0
        while any(not x.interface for x in todo) and depth < _MOST_LOOKUPS:
            depth += 1
            after: list[Hop] = []
            for x in todo:
                if x.interface:
                    after.append(x)
                    continue
                there = table.route_to(prefix_of(x.gateway, what=f"{what}: a next hop"))
                if there is None or there.dropped:
                    return Route(route.prefix, (), dropped=f"its next hop {x.gateway} has no route")
                if len(there.hops) > 1 and (len(todo) > 1 or len(route.hops) > 1):
                    raise InputError(
                        f"{what}: of several next hops {x.gateway} is looked up and leads to several; how they share "
                        f"is not said: dump the forwarding table of the device instead"
                    )
                after += [Hop(y.interface, y.gateway or x.gateway) for y in there.hops]
            todo = after
        if any(not x.interface for x in todo):
            return Route(route.prefix, (), dropped=f"its next hop {hop.gateway} is looked up in a circle")
        parts += [x for x in todo if x not in parts]
    return Route(route.prefix, tuple(parts), route.connected and not lost, lost, route.static)


def _end(value: object, what: str) -> tuple[str, str]:
    """``leaf1[Ethernet1]``, or an object with hostname and interface."""
    if isinstance(value, dict):
        node, port = value.get("hostname"), value.get("interface", value.get("interfaceName"))
        if isinstance(node, str) and isinstance(port, str):
            return node, port
    match = _END.match(value) if isinstance(value, str) else None
    if match is None:
        raise InputError(f"{what}: an interface is {brief(value)}; leaf1[Ethernet1] was expected")
    return match[1], match[2]


def _add_edges(found: DeviceDumps, edges: Iterable[tuple[object, object, str]]) -> None:
    known: set[frozenset[tuple[str, str]]] = set()
    for one, other, what in edges:
        a, b = _end(one, what), _end(other, what)
        if frozenset((a, b)) not in known:  # each cable is there in both directions
            known.add(frozenset((a, b)))
            found.cables.append(Cable((a, b), None, what))


def _read_edges(file: File, device: str, found: DeviceDumps) -> None:  # noqa: ARG001  # rows name devices
    rows = _rows(file, _EDGE_COLUMNS)
    _add_edges(found, ((row["Interface"], row["Remote_Interface"], what) for what, row in rows))


def _read_layer1(file: File, device: str, found: DeviceDumps) -> None:  # noqa: ARG001  # edges name devices
    edges = as_objects(file.document.get("edges"), what=f"{file.what}: edges")
    each = enumerate(edges)
    _add_edges(found, ((x.get("node1"), x.get("node2"), f"{file.what}: edges[{k}]") for k, x in each))


BATFISH_ROUTES = Kind("routes of Batfish", _is_routes, _read_routes)
BATFISH_EDGES = Kind("edges of Batfish", _is_edges, _read_edges)
BATFISH_LAYER1 = Kind("layer 1 of Batfish", lambda file: bool(_LAYER1.match(file.start[:4096])), _read_layer1)
