"""Meshes of chips and connections of single chips, as a network: what both forms of Tenstorrent's files say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ...core.arrays import Int64
from ...core.errors import InputError
from ...core.network import Network
from ...topologies.build import check_size
from ...topologies.grid.lattice import mesh, torus
from ..text_files import whole_number


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
