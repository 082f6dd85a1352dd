"""Virtual channels by rule: by datelines and turns on grids, by descents of a numbering on any network.

Source: Dally & Seitz 1987 (datelines); Towles, Dally & Boyd 2003 (SPAA), sec. 5.2 (two for every phase, or for every
turn back: four per channel for VAL, IVAL and 2TURN).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..grid.layout import ChannelPlaces

__all__ = ["by_descents", "by_turns"]

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


def by_turns(places: ChannelPlaces, channel: Int32, order: tuple[int, ...]) -> Int64:
    """The virtual channel of every hop of paths on a grid; int64, shape (B, L) like ``channel``.

    A packet begins in set 0.  Its set goes up by one with every turn to a dimension that is earlier in ``order``, and
    with every reversal within a dimension.  On tori every set has two virtual channels: the packet begins each straight
    run in the first one, and goes on in the second one after the channel that wraps around (the dateline; were it to
    wrap once more, in the next set).  So it is 2 * set + late on tori, and the set itself on meshes and HyperX.

    In a set, dimensions come in order; within a dimension, late after early, and neither goes on beyond the dateline:
    no cycle is possible, whatever the paths.  (The result is checked all the same.)
    """
    grid = places.grid
    rank = np.argsort(np.array(order))
    count, hops = channel.shape
    radix = np.array(grid.radix)
    dimension, direction = places.dimension[channel], places.direction[channel]
    position = grid.coordinates[places.node[channel], dimension]
    k = radix[dimension]
    wraps = np.zeros(channel.shape, dtype=bool)
    if grid.kind == "torus":
        wraps = np.where(direction == 0, position == k - 1, position == 0) & (k > 2)
    level, late = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    result = np.empty(channel.shape, dtype=np.int64)
    width = 2 if grid.kind == "torus" and (radix > 2).any() else 1
    for at in range(hops):
        if at:
            same = dimension[:, at] == dimension[:, at - 1]
            onward = same & (direction[:, at] == direction[:, at - 1]) & (grid.kind != "hyperx") & (k[:, at] > 2)
            again = onward & wraps[:, at - 1] & (late == 1)
            back = np.where(same, ~onward, rank[dimension[:, at]] < rank[dimension[:, at - 1]])
            level = level + (back | again)
            late = np.where(onward & ~again, late | wraps[:, at - 1], 0)
        result[:, at] = width * level + late
    return result


def by_descents(number: Int64, channel: Int32) -> Int64:
    """The virtual channel of every hop: how often ``number`` (int64, shape (C,)) has not increased before.

    Within a virtual channel the numbers of the channels increase along every path, and the virtual channel itself never
    decreases: no cycle is possible, whatever the paths.
    """
    result = np.zeros(channel.shape, dtype=np.int64)
    np.cumsum(number[channel[:, 1:]] <= number[channel[:, :-1]], axis=1, out=result[:, 1:])
    return result
