"""Tori of machines that were built: Tofu and Blue Gene/Q."""

from __future__ import annotations

from fractions import Fraction

from ...core.errors import InputError
from ...core.network import Network
from ..build import Bandwidth, check_radices, family_name, one_bandwidth
from ..family import Family
from .torus import torus

__all__ = ["bluegene_q", "tofu"]


def tofu(*radix: int, bandwidth: Bandwidth = 1) -> Network:
    """Tofu (K computer, Fugaku): the torus X x Y x Z x 2 x 3 x 2; ten links at every node where X, Y, Z are above 2.

    The dimensions a and c of two nodes are meshes, b of three a torus: in a dimension of radix 2 a mesh is one channel
    each way, as here.  Source: Ajima, Sumimoto & Shimizu 2009 (IEEE Computer), Tofu: a 6D mesh/torus interconnect.
    """
    sizes = check_radices(radix, family="tofu")
    if len(sizes) != 3:
        raise InputError(f"tofu has {len(sizes)} radices; three were expected, X x Y x Z, as in tofu:4x4x4")
    name = "tofu:" + "x".join(map(str, sizes))
    width = one_bandwidth(bandwidth, family=name)
    title = family_name(name, bandwidth=(width,))
    return torus(*sizes, 2, 3, 2, bandwidth=width).renamed(name=title, spec=title)


def bluegene_q(*radix: int, bandwidth: Bandwidth = 1) -> Network:
    """Blue Gene/Q: the torus A x B x C x D x 2; a node board is 2x2x2x2, a midplane 4x4x4x4.

    Every node has two links in each dimension.  In a dimension of radix 2 both lead to the same node: one channel of
    twice the bandwidth.  Source: Chen et al. 2011 (SC), The IBM Blue Gene/Q interconnection network and message unit.
    """
    sizes = check_radices(radix, family="bluegene-q")
    if len(sizes) != 4:
        raise InputError(f"bluegene-q has {len(sizes)} radices; four were expected, as in bluegene-q:4x4x4x4")
    name = "bluegene-q:" + "x".join(map(str, sizes))
    width = one_bandwidth(bandwidth, family=name)
    widths: list[Bandwidth] = [Fraction(2 if k == 2 else 1) * width for k in (*sizes, 2)]
    title = family_name(name, bandwidth=(width,))
    return torus(*sizes, 2, bandwidth=widths).renamed(name=title, spec=title)


TOFU = Family(
    "tofu:4x4x4",
    "the torus X x Y x Z x 2 x 3 x 2",
    lambda p: tofu(*p.radices, bandwidth=p.bandwidth),
)
BLUEGENE_Q = Family(
    "bluegene-q:4x4x4x4",
    "the torus A x B x C x D x 2, twice the bandwidth where the radix is 2",
    lambda p: bluegene_q(*p.radices, bandwidth=p.bandwidth),
)
