"""Lattices: what tori and meshes have in common, the numbering of their channels and their declared symmetry."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ...core.network import Grid, Network
from ...core.symmetry import Automorphism, Symmetry
from ..build import frozen, simple_automorphism, swappable_dimensions

__all__ = ["lattice", "spread", "swap_maps"]

Nodes = npt.NDArray[np.integer[Any]]


def lattice(
    kind: Literal["torus", "mesh"],
    radix: tuple[int, ...],
    bandwidth: tuple[Fraction, ...],
    *,
    name: str,
    neighbors: tuple[Sequence[Nodes], Sequence[Nodes | None]],
    maps: Sequence[tuple[str, Nodes]],
    oneway: bool = False,
) -> Network:
    """The network of a torus or mesh; swaps of like dimensions are added to its symmetry.

    ``neighbors``: per dimension the node ahead of and behind each node (shape (N,)), -1 at a border, None for no -
    channels.  ``maps``: node images (shape (N,)) of the declared symmetry, by name.
    """
    dims = len(radix)
    ahead, behind = neighbors
    target = np.full((len(ahead[0]), dims, 2), -1, dtype=np.int32)
    for m in range(dims):
        target[:, m, 0] = ahead[m]
        back = behind[m]
        if back is not None:
            target[:, m, 1] = back
    present = target >= 0
    channel_at = np.full(target.shape, -1, dtype=np.int32)
    channel_at[present] = np.arange(np.count_nonzero(present), dtype=np.int32)
    if kind == "torus":  # the two directions of radix 2 are one channel
        for m, k in enumerate(radix):
            if k == 2:
                channel_at[:, m, 1] = channel_at[:, m, 0]
    tail, along, _ = np.nonzero(present)
    return network_on_grid(
        Grid(kind, radix, _read_only(channel_at), oneway),
        name=name,
        tail=frozen(tail),
        head=target[present],
        bandwidth=spread(bandwidth, along),
        maps=[*maps, *swap_maps(radix, bandwidth)],
    )


def network_on_grid(
    grid: Grid,
    *,
    name: str,
    tail: npt.NDArray[np.int32],
    head: npt.NDArray[np.int32],
    bandwidth: tuple[Fraction, ...],
    maps: Sequence[tuple[str, Nodes]],
) -> Network:
    """A network without parallel channels whose nodes are all terminals, with the automorphisms that ``maps`` give."""
    everyone = np.arange(grid.channel_at.shape[0], dtype=np.int32)
    generators: list[Automorphism] = [simple_automorphism(what, node, tail, head) for what, node in maps]
    return Network(
        name=name,
        num_nodes=len(everyone),
        tail=tail,
        head=head,
        bandwidth=bandwidth,
        source=everyone,
        sink=everyone,
        grid=grid,
        symmetry=Symmetry(tuple(generators)),
        spec=name,
    )


def swap_maps(radix: tuple[int, ...], bandwidth: tuple[Fraction, ...]) -> list[tuple[str, Nodes]]:
    """Node images of the swaps of dimensions with equal radix and equal bandwidth."""
    number = np.arange(int(np.prod(radix))).reshape(radix)
    pairs = swappable_dimensions(radix, bandwidth)
    return [(f"swap dimensions {a} and {b}", np.swapaxes(number, a, b).ravel()) for a, b in pairs]


def spread(bandwidth: tuple[Fraction, ...], along: Nodes) -> tuple[Fraction, ...]:
    """The bandwidth of every channel, given the dimension that it runs along."""
    if len(set(bandwidth)) == 1:
        return bandwidth[:1] * len(along)
    return tuple(map(bandwidth.__getitem__, along.tolist()))


def _read_only(values: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    values.setflags(write=False)
    return values
