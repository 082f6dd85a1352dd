"""Tenstorrent's mesh graph descriptors of version 1, YAML: ``ChipSpec``, ``Board``, ``Mesh`` and ``Graph``.

As in version 2 (``tenstorrent``); the links between neighbours are the ``ethernet_ports`` of their direction, N and S
along dimension 0, E and W along dimension 1; a board of the type TORUS_2D wraps both ways.  ``Graph`` lists links
between chips, ``[[M0, D1], [M1, D1], 2]``.  Refused: ``topology`` of a mesh, which older files give in boards and
others in chips, and boards of the type TORUS_1D, which wrap along one dimension, the file does not say which.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ..format import File, Format, NetworkFormat
from ..text_files import brief, unexpected
from .flow_yaml import Value, parse_flow_yaml
from .meshes import Connection, Mesh, check_once, network_of_meshes, whole

_BEGINS = re.compile(r"^ChipSpec\s*:", re.M)


def read_mesh_graph_yaml(file: File) -> Network:
    what = file.what
    top = _keys(parse_flow_yaml(file.text, what=what), what, "ChipSpec", "Board", "Mesh", "Graph")
    ports = _keys(_keys(top["ChipSpec"], f"{what}: ChipSpec", "arch", "ethernet_ports")["ethernet_ports"],
                  f"{what}: ethernet_ports", "N", "E", "S", "W")  # fmt: skip
    north, east, south, west = (whole(ports[x], f"{what}: ethernet_ports {x}", least=1) for x in "NESW")
    if north != south or east != west:
        raise InputError(f"{what}: ethernet_ports N {north}, S {south}, E {east}, W {west}; N = S and E = W expected")
    boards = {}
    for x in _rows(top["Board"], f"{what}: Board"):
        board = _keys(x, f"{what}: Board", "name", "type", "topology")
        kind = str(board["type"])
        if kind not in ("Mesh", "TORUS_2D"):
            raise InputError(f"{what}: a board of the type {brief(kind)} is not read; Mesh or TORUS_2D was expected")
        boards[str(board["name"])] = (kind == "TORUS_2D", _shape(board["topology"], f"{what}: Board"))
    meshes = []
    for x in _rows(top["Mesh"], f"{what}: Mesh"):
        if isinstance(x, dict) and "topology" in x:
            raise InputError(f"{what}: Mesh has topology, in boards or chips; device_topology (chips) was expected")
        each = _keys(x, f"{what}: Mesh", "id", "board", "device_topology", unused=["host_topology", "host_ranks"])
        name, shape = str(each["board"]), _shape(each["device_topology"], f"{what}: Mesh")
        if name not in boards:
            raise InputError(f"{what}: board {brief(name)} is not there; {did_you_mean(name, boards)}")
        ring, own = boards[name]
        if ring and own != shape:
            raise InputError(f"{what}: a mesh of {shape} on a torus of {own}; one board was expected")
        meshes.append(Mesh(whole(each["id"], f"{what}: Mesh id"), shape, (ring, ring), (north, east)))
    check_once([x.number for x in meshes], what)
    connections = [_yaml_connection(x, f"{what}: Graph") for x in _rows(top["Graph"], f"{what}: Graph")]
    return network_of_meshes(meshes, connections, name=file.stem, what=what)


def _keys(value: Value, what: str, *names: str, unused: Collection[str] = ()) -> dict[str, Value]:
    if not isinstance(value, dict):
        raise unexpected(what, value, f"an object with {', '.join(names)}")
    for x in value:
        if x not in names and x not in unused:
            raise InputError(f"{what} has an unknown key {brief(x)}; {did_you_mean(x, names)}")
    for x in names:
        if x not in value:
            raise InputError(f"{what} has no key '{x}'")
    return value


def _rows(value: Value, what: str) -> list[Value]:
    if not isinstance(value, list):
        raise unexpected(what, value, "a list")
    return value


def _shape(value: Value, what: str) -> tuple[int, int]:
    found = [whole(x, f"{what}: topology", least=1) for x in _rows(value, f"{what}: topology")]
    if len(found) != 2:
        raise InputError(f"{what}: topology has {len(found)} dimensions; rows and columns were expected")
    return found[0], found[1]


def _yaml_connection(value: Value, what: str) -> Connection:
    if not isinstance(value, list) or len(value) != 3:
        raise unexpected(what, value, "[[M0, D1], [M1, D1], 2]")
    ends = []
    for x in value[:2]:
        words = [str(y) for y in x] if isinstance(x, list) else []
        found = re.fullmatch(r"M(\d{1,6}) D(\d{1,9})", " ".join(words))
        if found is None:
            raise unexpected(f"{what}: an end", x, "a chip such as [M0, D1]")
        ends.append((int(found[1]), int(found[2])))
    return Connection((ends[0], ends[1]), whole(value[2], f"{what}: number of links", least=1), True, what)


TENSTORRENT_YAML: NetworkFormat = Format(
    "tenstorrent-yaml",
    "Tenstorrent's mesh graph descriptor, version 1",
    sniff=lambda file: _BEGINS.search(file.start) is not None,
    read=lambda file, _bandwidth: read_mesh_graph_yaml(file),
)
