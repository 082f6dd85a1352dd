"""Meshes, and what they have in common with tori and HyperX: the numbering of channels and the declared symmetry."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import read_only
from ...core.network import Grid, GridKind, Network
from ..build import Bandwidth, Maps, axis_bandwidths, build_network, check_radices, check_size, swappable_dimensions
from ..family import RADICES, family


def lattice(
    kind: GridKind,
    radix: tuple[int, ...],
    widths: tuple[Fraction, ...],
    target: npt.NDArray[np.int32],
    *,
    name: str,
    maps: Maps,
    oneway: bool = False,
) -> Network:
    """The network on a grid; swaps of dimensions with equal radix and equal bandwidth are added to its symmetry.

    ``target``: int32, shape (N, n, D), as ``Grid.channel_at``: the node to which each channel leads, -1 where there is
    none.  ``widths``: a bandwidth per dimension.  ``maps``: the rest of the declared symmetry.
    """
    present = target >= 0
    channel_at = np.full(target.shape, -1, dtype=np.int32)
    channel_at[present] = np.arange(np.count_nonzero(present), dtype=np.int32)
    if kind == "torus":  # the two directions of radix 2 are one channel
        for m, k in enumerate(radix):
            if k == 2:
                channel_at[:, m, 1] = channel_at[:, m, 0]
    tail, along, _ = np.nonzero(present)
    number = np.arange(len(target)).reshape(radix)
    swaps = [
        (f"swap dimensions {a} and {b}", np.swapaxes(number, a, b).ravel())
        for a, b in swappable_dimensions(radix, widths)
    ]
    return build_network(
        name,
        len(target),
        np.stack([tail.astype(np.int32), target[present]], axis=1),
        widths=widths,
        along=along,
        maps=[*maps, *swaps],
        grid=Grid(kind, radix, read_only(channel_at), oneway),
    )


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


MESH = family("mesh:6x4", "grid without wrap-around channels", mesh, RADICES)
