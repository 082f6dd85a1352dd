"""Meshes and HyperX, and what they have in common with tori: the numbering of channels and the declared symmetry.

HyperX networks are t-nary d-cubes, also called Hamming graphs; complete networks and flattened butterflies are such.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import read_only
from ...core.errors import InputError
from ...core.network import Grid, GridKind, Network
from ..attach import concentrated
from ..build import (
    MAX_CHANNELS,
    Bandwidth,
    Maps,
    axis_bandwidths,
    build_network,
    check_radices,
    check_size,
    letter_permutations,
    named_after,
    swappable_dimensions,
    whole_number,
    whole_numbers,
)
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


_MAX_SLOTS = 4 * MAX_CHANNELS


def hyperx(*radix: int, bandwidth: Bandwidth | Sequence[Bandwidth] = 1) -> Network:
    """The HyperX with ``radix[m]`` nodes along dimension m, every line a complete graph; the t-nary d-cube where all
    radices are t.

    Nodes are numbered row-major, last coordinate fastest.  Channels are numbered by the node that they leave, then by
    dimension, then by what they add to the coordinate: 1, 2, ..., k - 1 modulo k.  ``bandwidth``: one for all
    channels, or one per dimension.

    Declared symmetry: per dimension a translation and a transposition of the values 0 and 1, which generate every
    relabelling of its values; swaps of dimensions with equal radix and equal bandwidth.

    Raises InputError for a radix below 2 or a size beyond the limits in ``build``.
    Source: Ahn, Binkert, Davis, McLaren & Schreiber 2009 (SC), HyperX: topology, routing, and packaging.
    """
    sizes = check_radices(radix, family="hyperx")
    name = "hyperx:" + "x".join(str(k) for k in sizes)
    widths = axis_bandwidths(bandwidth, len(sizes), family=name)
    nodes = math.prod(sizes)
    check_size(
        name,
        nodes=nodes,
        channels=nodes * sum(k - 1 for k in sizes),
        generators=sum(1 + (k > 2) for k in sizes) + len(swappable_dimensions(sizes, widths)),
    )
    dims, most = len(sizes), max(sizes) - 1
    if nodes * dims * most > _MAX_SLOTS:
        raise InputError(f"{name} is too uneven: its table of channels would have {nodes * dims * most:,} entries")
    number = np.arange(nodes).reshape(sizes)
    target = np.full((nodes, dims, most), -1, dtype=np.int32)
    for m, k in enumerate(sizes):
        for j in range(k - 1):
            target[:, m, j] = np.roll(number, -(j + 1), axis=m).ravel()
    maps = []
    for m, k in enumerate(sizes):
        for which, image in letter_permutations(k):
            what = "translate dimension" if which == "all" or k == 2 else "transpose 0 and 1 in dimension"
            maps.append((f"{what} {m}", np.take(number, image, axis=m).ravel()))
    return lattice("hyperx", sizes, widths, target, name=name, maps=maps)


def complete(n: int, *, bandwidth: Bandwidth = 1) -> Network:
    """The complete network on ``n`` >= 2 nodes: a channel from every node to every other.

    It is the HyperX of one dimension: channels are numbered by tail, then by (head - tail) modulo n.
    Declared symmetry: a rotation and a transposition, which generate all permutations of the nodes.

    Raises InputError for n below 2 or a size beyond the limits in ``build``.
    """
    n = whole_number(n, what="number of nodes of complete", least=2)
    check_size(f"complete:{n}", nodes=n, channels=n * (n - 1))
    widths = axis_bandwidths(bandwidth, 1, family=f"complete:{n}")
    return named_after(hyperx(n, bandwidth=widths), f"complete:{n}", bandwidth=widths)


def flattened_butterfly(k: int, n: int, *, bandwidth: Bandwidth | Sequence[Bandwidth] = 1) -> Network:
    """The k-ary n-flat: the HyperX of n - 1 dimensions of radix ``k``, with k terminals on every node.

    ``bandwidth`` as for ``hyperx``: links side by side between two routers are one channel of their joint bandwidth.
    Source: Kim, Dally & Abts 2007 (ISCA), Flattened butterfly: a cost-efficient topology for high-radix networks.
    """
    k, n = whole_numbers((k, n), "kn", "flattened-butterfly:k,n", least=2)
    flat = hyperx(*[k] * min(n - 1, 64), bandwidth=bandwidth)
    widths = axis_bandwidths(bandwidth, n - 1, family="it")
    return named_after(concentrated(flat, k), f"flattened-butterfly:{k},{n}", bandwidth=widths)


HYPERX = family("hyperx:3x3", "t-nary d-cube: every line along a dimension is a complete network", hyperx, RADICES)
COMPLETE = family("complete:8", "a channel from every node to every other", complete, ("number of nodes of complete",))
FLATTENED_BUTTERFLY = family(
    "flattened-butterfly:4,3",
    "k-ary n-flat: HyperX of n - 1 dimensions of radix k, k terminals on every node",
    flattened_butterfly,
    "k,n",
)
