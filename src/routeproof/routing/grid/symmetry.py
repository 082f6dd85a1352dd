"""Which automorphisms a grid routing respects, and whether it delivers; both exact."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.arrays import Int64
from ...core.rational import Rationals
from ..base.exact_arrays import equal

if TYPE_CHECKING:
    from ...core.symmetry import Automorphism
    from .lines import Line
    from .loads import GridLoads

_CELLS = 1 << 20


def respects(routing: GridLoads, g: Automorphism) -> bool:
    """Is load(c; i, j) = load(g(c); g(i), g(j)) throughout?

    First by the formula: an automorphism that moves whole dimensions and, within each, translates, reflects or (HyperX)
    permutes the coordinates keeps every factor of the formula if the rule of each dimension is mirror-symmetric where
    it reflects, and keeps the sum if it maps every fixed dimension order to itself.  Anything else is compared
    number by number.
    """
    network = routing.network
    for image, size in ((g.node, network.num_nodes), (g.channel, network.num_channels)):
        if len(image) != size or not np.array_equal(np.sort(image), np.arange(size)):
            return False
    # A grid has no parallel channels: the ends determine where an automorphism sends a channel.
    consistent = all(np.array_equal(ends[g.channel], g.node[ends]) for ends in (network.tail, network.head))
    if consistent and _keeps_formula(routing, g):
        return True
    if consistent and _normalises_translations(routing, g):
        # With c also its translates h(c) are settled: g h = h' g for a translation h', and both h and h' are respected.
        channels = routing.grid.channel_at[0].ravel()
        channels = np.unique(channels[channels >= 0])
    else:
        channels = np.arange(network.num_channels)
    return routing._agrees(g, channels)


def _keeps_formula(routing: GridLoads, g: Automorphism) -> bool:
    """Sufficient: g is made of one map per dimension, each of which keeps the rule, and keeps all fixed orders."""
    grid = routing.grid
    at = grid.coordinates.astype(np.int64)
    image = at[g.node]
    goes = []
    for r, k in enumerate(grid.radix):
        along = np.zeros((k, grid.num_dimensions), dtype=np.int64)
        along[:, r] = np.arange(k)
        steps = image[np.ravel_multi_index(tuple(along.T), grid.radix)]
        moved = np.nonzero((steps != steps[0]).any(axis=0))[0]
        if len(moved) != 1 or grid.radix[moved[0]] != k:
            return False
        m = int(moved[0])
        if not np.array_equal(image[:, m], steps[at[:, r], m]) or not _keeps_rule(routing.lines[r], steps[:, m]):
            return False
        goes.append(m)
    # Dimensions of equal radix have equal rules, so only fixed orders can tell them apart.
    return all(order is None or tuple(goes[r] for r in order) == order for order in routing.orders)


def _keeps_rule(line: Line, image: Int64) -> bool:
    """Does sending coordinate x to ``image[x]``, an automorphism of the line, keep the line's rule?"""
    x, k = np.arange(line.radix), line.radix
    if line.kind == "hyperx":
        return True  # the rule asks only which coordinates are equal
    if line.kind == "mesh":
        # The rule asks for distances and for what lies between; there are no ties.
        return np.array_equal(image, x) or np.array_equal(image, x[::-1])
    if np.array_equal(image, (image[0] + x) % k):
        return True  # the rule asks only for differences modulo k
    return np.array_equal(image, (image[0] - x) % k) and _is_mirror_symmetric(line)


def _is_mirror_symmetric(line: Line) -> bool:
    """Does x -> -x, exchanging + and -, keep the rule of a torus dimension?  By translation p = 0 stands for all p."""
    if len(line.directions) == 1:
        return line.radix == 2
    k, zero = line.radix, np.array(0)
    step = max(1, _CELLS // k)
    t = np.arange(k)
    for at in range(0, k, step):
        s = np.arange(at, min(k, at + step))[:, None]
        if not equal(Rationals(*line.stays(s, t, zero)), Rationals(*line.stays(-s % k, -t % k, zero))):
            return False
        for d in line.directions:
            *here, den = line.crosses(s, t, zero, d)
            *there, den_there = line.crosses(-s % k, -t % k, zero, 1 - d)
            for x, y in zip(here, there, strict=True):
                if not equal(Rationals(x, den), Rationals(y, den_there)):
                    return False
    return True


def _normalises_translations(routing: GridLoads, g: Automorphism) -> bool:
    """Is g h g^-1 a translation for every translation h?  Never so on a mesh, which has none."""
    grid = routing.grid
    if grid.kind == "mesh":
        return False
    at = grid.coordinates.astype(np.int64)
    radix = np.array(grid.radix)
    inverse = np.argsort(g.node)
    for r in range(grid.num_dimensions):
        moved = at.copy()
        moved[:, r] = (moved[:, r] + 1) % grid.radix[r]
        h = np.ravel_multi_index(tuple(moved.T), grid.radix)
        shift = (at[g.node[h[inverse]]] - at) % radix
        if not (shift == shift[0]).all():
            return False
    return True


def respects_reversal(routing: GridLoads) -> bool:
    """Is load(c; i, j) = load(reverse(c); j, i)?  A path run backwards is routed in the reversed orders.

    So orders must be random, or the second the reverse of the first; and the rule of every dimension must not change
    when s and t, + and - are exchanged, as it does on one-way tori and where ties go to +.
    """
    grid = routing.grid
    if grid.num_dimensions > 1:
        orders = [None if order is None else order[::-1] for order in reversed(routing.orders)]
        if orders != list(routing.orders):
            return False
    for line in routing.lines:
        if line.kind == "torus" and line.radix > 2 and (line.oneway or (line.tie == "plus" and line.radix % 2 == 0)):
            return False
    return routing.network.reverse is not None
