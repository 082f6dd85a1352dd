"""Tenstorrent's mesh graph descriptors of version 1, YAML: ``ChipSpec``, ``Board``, ``Mesh`` and ``Graph``;
and the network of the meshes and connections that both versions describe.

As in version 2 (``tenstorrent``); the links between neighbours are the ``ethernet_ports`` of their direction, N and S
along dimension 0, E and W along dimension 1; a board of the type TORUS_2D wraps both ways.  ``Graph`` lists links
between chips, ``[[M0, D1], [M1, D1], 2]``.  Refused: ``topology`` of a mesh, which older files give in boards and
others in chips, and boards of the type TORUS_1D, which wrap along one dimension, the file does not say which.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError, did_you_mean
from ...core.network import Network
from ...topologies.build import check_size
from ...topologies.grid.lattice import mesh
from ...topologies.grid.torus import torus
from ..format import File, Format, NetworkFormat
from ..lines import whole_number
from ..text_files import brief, unexpected
from .flow_yaml import Value, parse_flow_yaml


class Mesh(NamedTuple):
    """``dims``: chips along each dimension; ``wraps``: is it a ring?; ``links``: how many between neighbours in it."""

    number: int
    dims: tuple[int, ...]
    wraps: tuple[bool, ...]
    links: tuple[int, ...]


class Connection(NamedTuple):
    """Two chips, as (mesh, chip), joined by ``links``; ``both``: each way."""

    ends: tuple[tuple[int, int], tuple[int, int]]
    links: int
    both: bool
    what: str


def network_of_meshes(meshes: Sequence[Mesh], connections: Sequence[Connection], *, name: str, what: str) -> Network:
    """One channel each way for the links between two chips, of bandwidth their number; a terminal on every chip."""
    alone = _single(meshes[0]) if len(meshes) == 1 and not connections else None
    if alone is not None:
        return alone
    sizes = [math.prod(x.dims) for x in meshes]
    links = sum(size * 2 * len(x.dims) for x, size in zip(meshes, sizes, strict=True))
    check_size(what, nodes=sum(sizes), channels=links + 2 * len(connections), terminals=sum(sizes))
    first = dict(zip((x.number for x in meshes), np.cumsum([0, *sizes]).tolist(), strict=False))
    size_of = dict(zip(first, sizes, strict=True))
    ends: list[Int64] = []
    widths: list[Fraction] = []
    for one in meshes:
        for there, count in _inside(one):
            ends.append(there + first[one.number])
            widths += [Fraction(count)] * len(there)
    for x in connections:
        nodes = []
        for number, chip in x.ends:
            if number not in first or chip >= size_of[number]:
                found = f"mesh {number} is not there" if number not in first else f"it has {size_of[number]} chips"
                raise InputError(f"{x.what}: chip {chip} of mesh {number}: {found}")
            nodes.append(first[number] + chip)
        if nodes[0] == nodes[1]:
            raise InputError(f"{x.what}: chip {x.ends[0][1]} of mesh {x.ends[0][0]} is joined to itself")
        ways = [nodes, nodes[::-1]] if x.both else [nodes]
        ends.append(np.array(ways, dtype=np.int64))
        widths += [Fraction(x.links)] * len(ways)
    total = sum(sizes)
    return Network.of(
        name,
        total,
        np.concatenate(ends) if ends else np.zeros((0, 2), dtype=np.int64),
        bandwidth=widths,
        source=np.arange(total),
        sink=np.arange(total),
        labels=[f"M{x.number}D{k}" for x, size in zip(meshes, sizes, strict=True) for k in range(size)],
    )


def _single(one: Mesh) -> Network | None:
    """Our own mesh or torus, where it is one; a dimension of one chip is none."""
    kept = [m for m, k in enumerate(one.dims) if k > 1]
    long = {one.wraps[m] for m in kept if one.dims[m] > 2}
    if not kept or len(long) > 1:
        return None
    build = torus if long == {True} else mesh
    return build(*(one.dims[m] for m in kept), bandwidth=[one.links[m] for m in kept])


def _inside(one: Mesh) -> list[tuple[Int64, int]]:
    """Channels between neighbours, dimension by dimension, and how many links each has."""
    number = np.arange(math.prod(one.dims)).reshape(one.dims)
    found = []
    for m, (k, wraps, links) in enumerate(zip(one.dims, one.wraps, one.links, strict=True)):
        line = np.moveaxis(number, m, 0)
        here, there = line[:-1].ravel(), line[1:].ravel()
        if wraps and k > 2:
            here, there = np.concatenate([here, line[-1].ravel()]), np.concatenate([there, line[0].ravel()])
        pairs = np.stack([here, there], axis=1)
        found.append((np.stack([pairs, pairs[:, ::-1]], axis=1).reshape(-1, 2), links))
    return found


def whole(text: object, what: str, *, least: int = 0) -> int:
    """``text`` as a number; raises InputError where it is none, or below ``least``."""
    return whole_number(text, what, f"a whole number of at least {least}", least=least)


def check_once(numbers: list[int], what: str) -> None:
    """Raise InputError for a number of a mesh that is there twice, and for none."""
    twice = next((x for k, x in enumerate(numbers) if x in numbers[:k]), None)
    if twice is not None:
        raise InputError(f"{what}: mesh {twice} is there twice; each number once was expected")
    if not numbers:
        raise InputError(f"{what} has no mesh")


_BEGINS = re.compile(r"^ChipSpec\s*:", re.M)


def read_mesh_graph_yaml(file: File) -> Network:
    """The network; raises InputError, with the key, for what is not one, or does not say all of it."""
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
