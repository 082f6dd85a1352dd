"""Meshes: grids that do not wrap."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...core.network import Network
from ..build import Bandwidth, axis_bandwidths, check_radices, check_size, swappable_dimensions
from ..family import Family
from .lattice import lattice

__all__ = ["mesh"]


def mesh(*radix: int, bandwidth: Bandwidth | Sequence[Bandwidth] = 1) -> Network:
    """The mesh with ``radix[m]`` nodes along dimension m, joined to their neighbours both ways.

    Nodes are numbered row-major, last coordinate fastest; channels by the node that they leave, then by dimension,
    then + before -.  ``bandwidth``: one for all channels, or one per dimension.

    Declared symmetry: one reflection x -> k - 1 - x per dimension; swaps of dimensions with equal radix and bandwidth.

    Raises InputError for a radix below 2 or a size beyond the limits in ``build``.
    """
    sizes = check_radices(radix, family="mesh")
    name = "mesh:" + "x".join(str(k) for k in sizes)
    widths = axis_bandwidths(bandwidth, len(sizes), family=name)
    nodes = math.prod(sizes)
    check_size(
        name,
        nodes=nodes,
        channels=sum(2 * (nodes - nodes // k) for k in sizes),
        generators=len(sizes) + len(swappable_dimensions(sizes, widths)),
    )
    number = np.arange(nodes).reshape(sizes)
    target = np.full((*sizes, len(sizes), 2), -1, dtype=np.int32)
    for m in range(len(sizes)):
        line, ends = np.moveaxis(number, m, 0), np.moveaxis(target[..., m, :], m, 0)
        ends[:-1, ..., 0], ends[1:, ..., 1] = line[1:], line[:-1]
    maps = [(f"reflect dimension {m}", np.flip(number, axis=m).ravel()) for m in range(len(sizes))]
    return lattice("mesh", sizes, widths, target.reshape(nodes, len(sizes), 2), name=name, maps=maps)


MESH = Family(
    "mesh:6x4",
    "grid without wrap-around channels",
    lambda p: mesh(*p.radices, bandwidth=p.bandwidth),
)
