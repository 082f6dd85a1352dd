"""Pair loads: the one question that analysis asks of a routing.

The pair load of channel c is the expected number of crossings of c per unit sent from a source to a
destination (gamma_c(pi)_ij of Towles & Dally 2002, sec. 2.2).  It comes by channel (``LoadBlock``, for
worst cases) or by pair (``PairBlock``, for given traffic), always sparse, always exact.

Rows stand for source terminals with the same routing, columns for such destination terminals; usually both are the
nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from .arrays import Int32, Int64, members
from .rational import IntArray, Rationals


@dataclass(frozen=True, eq=False)
class BaseLoads:
    """Loads ``row[k, i] + column[k, j]`` for every pair whose ends lie on different nodes.

    Two-phase routings through a random intermediate node load *every* pair, but separably: this form never
    needs the N x N matrix.  Shapes (K, num_rows) and (K, num_columns).
    """

    row: Rationals
    column: Rationals


@dataclass(frozen=True, eq=False)
class LoadBlock:
    """Non-zero pair loads of several channels, sorted by channel, then row, then column; no duplicates.

    Entries ``offset[k]:offset[k + 1]`` belong to channel ``channel[k]``: from ``row`` to ``column`` the load is
    ``load`` (exact), to which ``base`` adds its part where present.  Pairs that are not listed have load 0 (plus base).
    Pairs whose ends lie on one node never enter the network and are never listed.

    channel: int32 (K,); offset: int64 (K + 1,); row, column: int32 (nnz,); load: Rationals (nnz,).
    """

    channel: Int32
    offset: Int64
    row: Int32
    column: Int32
    load: Rationals
    base: BaseLoads | None = None

    @property
    def num_channels(self) -> int:
        return len(self.channel)

    @property
    def segment(self) -> Int64:
        """int64 (nnz,): of which of the K channels each entry is, 0 .. K - 1."""
        return members(self.offset)

    def one(self, k: int) -> LoadBlock:
        """The block of the k-th channel alone."""
        part, own = slice(int(self.offset[k]), int(self.offset[k + 1])), slice(k, k + 1)
        base = None if self.base is None else BaseLoads(self.base.row[own], self.base.column[own])
        offset = np.array([0, part.stop - part.start], dtype=np.int64)
        return LoadBlock(self.channel[own], offset, self.row[part], self.column[part], self.load[part], base)

    def as_dict(self, k: int = 0) -> dict[tuple[int, int], Fraction]:
        """The sparse part of the k-th channel as {(row, column): load}; for tests and small networks."""
        part = slice(int(self.offset[k]), int(self.offset[k + 1]))
        keys = zip(self.row[part].tolist(), self.column[part].tolist(), strict=True)
        return dict(zip(keys, self.load[part].fractions(), strict=True))


@dataclass(frozen=True, eq=False)
class PairBlock:
    """Loads of all channels for several pairs: entries ``offset[k]:offset[k + 1]`` belong to the k-th pair asked for.

    offset: int64 (K + 1,); channel: int32 (nnz,), ascending within a pair; load: Rationals (nnz,).
    """

    offset: Int64
    channel: Int32
    load: Rationals

    @property
    def segment(self) -> Int64:
        """int64 (nnz,): of which of the K pairs each entry is, 0 .. K - 1."""
        return members(self.offset)

    def as_dict(self, k: int = 0) -> dict[int, Fraction]:
        part = slice(int(self.offset[k]), int(self.offset[k + 1]))
        return dict(zip(self.channel[part].tolist(), self.load[part].fractions(), strict=True))


@dataclass(frozen=True, eq=False)
class DifferenceLoads:
    """All pair loads of a routing that sends max(0, d_i(c) - d_j(c)) of what goes from node i to node j over channel c.

    d_i(c) is ``flow[k, e] / unit`` on channel ``link[e]``, and minus that on the one back, for node i = ``node[k]``;
    every channel is in ``link`` or is the one back of such a channel.

    node: int64 (K,), the nodes with terminals, ascending; link, back: int64 (E,); flow: int64 (K, E).
    """

    node: Int64
    link: Int64
    back: Int64
    flow: Int64
    unit: int


class Spans(NamedTuple):
    """Of a routing by one path for every pair: int64 (C,) each, at most how many terminals send packets across each
    channel (``sources``), to how many terminals exactly (``columns``), and in how many pairs (``pairs``).

    Then no permutation sends more than min(sources, columns) packets across; where pairs = sources x columns, one sends
    so many."""

    sources: Int64
    columns: Int64
    pairs: Int64


class UniformBounds(NamedTuple):
    """Pair loads added up over all pairs of terminals: ``low`` <= the sum of every channel <= ``high``, (C,), in units
    of 2**-``segment_sums.BITS``; ``total``: exactly, over all channels together."""

    low: IntArray
    high: IntArray
    total: int
