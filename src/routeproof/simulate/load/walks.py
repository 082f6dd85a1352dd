"""How simulated packets of an oblivious routing find their way: a walk along the flow of their pair.

At node u a packet of pair (i, j) takes channel c with probability load_c / (sum of the pair's loads out of u).  The
expected crossings of every channel are then exactly the pair's loads (a walk that is bound to arrive satisfies the
flow's own equations), so that the simulation meets the loads which the analysis predicts; how hops depend on one
another is the walk's, not the routing's.  Probabilities are double-precision quotients, correctly rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.arrays import Int32, Int64, members
from ...core.errors import InputError
from ...core.sampling.seeded import FULL
from ...core.traffic import Traffic
from ...routing.base.routing import Routing

_MOST_ENTRIES = 120_000_000
_TRIED = 64


@dataclass(frozen=True, eq=False)
class Walks:
    """Per pair, entries sorted by (tail, threshold): at ``tail`` the channel whose threshold is the first above a draw.

    offset: int64 (P + 1,); tail, channel: int32 (nnz,); threshold: int64 (nnz,), cumulative, 2^62 at the end of a tail.
    pair_at: int32 (rows, columns), the pair of a row and a column, -1 for none; shape (0, 0) for a permutation, whose
    pairs are numbered by source terminal; row_of, column_of: int32 (T,), the routing's.
    """

    offset: Int64
    tail: Int32
    channel: Int32
    threshold: Int64
    pair_at: Int32
    row_of: Int32
    column_of: Int32


def walks_of(routing: Routing, traffic: Traffic) -> Walks:
    """The walks of all pairs that ``traffic`` uses.

    Raises InputError where their tables would take more than about 2 GB; the size is estimated before they are made.
    """
    pair_at, rows, columns = _pairs(routing, traffic)
    step = max(1, 200_000 // max(1, _size(routing, traffic, rows, columns)))
    offsets, tails, channels, thresholds = [np.zeros(1, dtype=np.int64)], [], [], []
    done = 0
    for at in range(0, len(rows), step):
        block = routing.pair_loads(rows[at : at + step], columns[at : at + step])
        tail, channel, threshold = _sorted(routing, block.offset, block.channel, block.load.num, block.load.den)
        offsets.append(block.offset[1:] + done)
        done += int(block.offset[-1])
        tails.append(tail)
        channels.append(channel)
        thresholds.append(threshold)
    return Walks(
        offset=np.concatenate(offsets),
        tail=np.concatenate(tails),
        channel=np.concatenate(channels),
        threshold=np.concatenate(thresholds),
        pair_at=pair_at,
        row_of=routing.row_of,
        column_of=routing.column_of,
    )


def _pairs(routing: Routing, traffic: Traffic) -> tuple[Int32, Int32, Int32]:
    if traffic.permutation is not None:
        return np.zeros((0, 0), dtype=np.int32), routing.row_of, routing.column_of[traffic.permutation.image]
    used = np.zeros((len(routing.row_node), len(routing.column_node)), dtype=np.bool_)
    if traffic.numerator is None:
        used[np.ix_(np.unique(routing.row_of), np.unique(routing.column_of))] = True
    else:
        i, j = np.nonzero(traffic.numerator)
        used[routing.row_of[i], routing.column_of[j]] = True
    used &= routing.row_node[:, None] != routing.column_node[None, :]
    rows, columns = np.nonzero(used)
    pair_at = np.full(used.shape, -1, dtype=np.int32)
    pair_at[rows, columns] = np.arange(len(rows))
    return pair_at, rows.astype(np.int32), columns.astype(np.int32)


def _size(routing: Routing, traffic: Traffic, rows: Int32, columns: Int32) -> int:
    """Entries per pair, from a few pairs spread over all; raises InputError if all of them are too many."""
    if not len(rows):
        return 1
    some = np.unique(np.linspace(0, len(rows) - 1, _TRIED).astype(np.int64))
    each = -(-int(routing.pair_loads(rows[some], columns[some]).offset[-1]) // len(some))
    if each * len(rows) > _MOST_ENTRIES:
        raise InputError(
            f"{len(rows)} pairs of {routing.name} under {traffic.name} traffic use about {each} channels each, "
            f"{each * len(rows) * 16 / 1e9:.0f} GB of tables; simulate a permutation, or a smaller network"
        )
    return each


def _sorted(routing: Routing, offset: Int64, channel: Int32, num: Any, den: Any) -> tuple[Int32, Int32, Int64]:
    """(tail, channel, threshold) of a block of pairs, sorted by pair, tail and channel."""
    tail = routing.network.tail[channel]
    pair = members(offset)
    order = np.lexsort((channel, tail, pair))
    tail, channel, pair = tail[order], channel[order], pair[order]
    weight = _quotients(num, den)[order]
    fresh = np.ones(len(tail), dtype=np.bool_)
    fresh[1:] = (tail[1:] != tail[:-1]) | (pair[1:] != pair[:-1])
    start = np.nonzero(fresh)[0]
    size = np.diff(np.append(start, len(tail)))
    place = np.arange(len(tail)) - np.repeat(start, size)
    within = weight.copy()
    for k in range(1, int(size.max(initial=0))):  # sums from left to right, whatever is around them
        at = np.nonzero(place == k)[0]
        within[at] += within[at - 1]
    total = np.repeat(within[start + size - 1], size)
    threshold = (within / total * 2.0**62).astype(np.int64)
    threshold[start + size - 1] = FULL
    return tail, channel, threshold


def _quotients(num: npt.NDArray[Any], den: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """num / den, each correctly rounded."""
    if num.dtype != object and den.dtype != object:
        result: npt.NDArray[np.float64] = num / den
        large = np.nonzero(np.maximum(num, den) >= 1 << 53)[0]
        if len(large):
            result[large] = [int(num[k]) / int(den[k]) for k in large]
        return result
    return np.array([int(a) / int(b) for a, b in zip(num, den, strict=True)], dtype=np.float64)
