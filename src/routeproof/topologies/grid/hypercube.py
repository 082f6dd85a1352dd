"""The binary hypercube."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.errors import InputError
from ...core.network import Network
from ..build import MAX_NODES, Bandwidth, axis_bandwidths, check_size, family_name, swappable_dimensions, whole_number
from ..family import Family
from .torus import torus

__all__ = ["hypercube"]


def hypercube(d: int, *, bandwidth: Bandwidth | Sequence[Bandwidth] = 1) -> Network:
    """The d-cube, d >= 1: 2^d nodes, each joined to the d nodes whose number differs in one bit.

    It is the torus of d dimensions of radix 2: dimension m is bit d - 1 - m of the node's number, and channels are
    numbered by the node that they leave, then by dimension.  Declared symmetry: translations (flips of a bit) and
    swaps of dimensions with equal bandwidth.

    Raises InputError for d below 1 or a size beyond the limits in ``build``.
    """
    d = whole_number(d, what="dimension of hypercube", least=1)
    if d >= MAX_NODES.bit_length():
        raise InputError(f"hypercube:{d} would have 2^{d} nodes; at most {MAX_NODES:,} are supported")
    widths = axis_bandwidths(bandwidth, d, family=f"hypercube:{d}")
    check_size(
        f"hypercube:{d}", nodes=2**d, channels=d * 2**d, generators=d + len(swappable_dimensions((2,) * d, widths))
    )
    name = family_name(f"hypercube:{d}", bandwidth=widths)
    return torus(*(2,) * d, bandwidth=widths).renamed(name=name, spec=name)


HYPERCUBE = Family(
    "hypercube:6",
    "binary cube of so many dimensions",
    lambda p: hypercube(p.number(0, "dimension of hypercube"), bandwidth=p.bandwidth),
)
