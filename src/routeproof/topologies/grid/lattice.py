"""Lattices: what tori and meshes have in common, the numbering of their channels and their declared symmetry."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...core.arrays import read_only
from ...core.network import Grid, GridKind, Network
from ..build import Maps, build_network, swappable_dimensions

__all__ = ["lattice"]


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
