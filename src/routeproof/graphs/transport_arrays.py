"""The arrays that the kernels of the transportation problem take, by name; see ``transport_kernels``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.arrays import Int32, Int64


class Rates(NamedTuple):
    """What terminals may send and receive, integers over ``unit``: by row (``supply``) and by column (``demand``).

    ``idle``: what the row of idle packets sends, the last one, where all demand together is limited (``Capped``).
    """

    supply: Int64
    demand: Int64
    unit: int = 1
    idle: int = 0


class Side(NamedTuple):
    """The rows, or the columns: node k has the edges ``ptr[k]`` to ``ptr[k + 1] - 1``.

    ptr: int64 (n + 1,); link: int64 (2, m), the other node and the edge; state: int64
    (8, n), lines as in ``augmenting_kernels``.
    """

    ptr: Int64
    link: Int64
    state: Int64


class Channels(NamedTuple):
    """The problems of K channels.

    offset: int64 (K + 1,); row, column: int32 (nnz,), sorted by channel and row; weight: int64 (nnz,), not negative.
    supply: int64 (R,); demand: int64 (Q,).
    """

    offset: Int64
    row: Int32
    column: Int32
    weight: Int64
    supply: Int64
    demand: Int64

    def one(self, k: int) -> Channels:
        """The problem of the k-th channel alone."""
        part = slice(int(self.offset[k]), int(self.offset[k + 1]))
        offset = np.array([0, part.stop - part.start], dtype=np.int64)
        return Channels(offset, self.row[part], self.column[part], self.weight[part], self.supply, self.demand)


class Start(NamedTuple):
    """What the first potentials come from.

    row_level: uint8 (K, R) and column_level: uint8 (K, Q): any grouping of rows and columns with like loads (hop
    distance to the channel); shapes (0, 0) for none.  potential: int64 (Q,), of the columns; shape (0,) for none.
    """

    row_level: npt.NDArray[np.uint8]
    column_level: npt.NDArray[np.uint8]
    potential: Int64


class Solved(NamedTuple):
    """The answer for K channels.

    value: int64 (K,), dual values; optimal: bool (K,); num_active: int64 (K,), columns with entries; their numbers
    ``active``, int32 (nnz,), and potentials ``v``, int64 (nnz,), ascending, channel after channel from offset[k];
    ``u`` and ``flow``: int64 (nnz,) per edge (u repeated for each edge of the row), or (0,) where not asked for.
    """

    value: Int64
    optimal: npt.NDArray[np.bool_]
    num_active: Int64
    active: Int32
    v: Int64
    u: Int64
    flow: Int64

    def columns(self, offset: Int64, k: int) -> tuple[Int32, Int64]:
        """(numbers, potentials) of the columns of the k-th channel, whose entries begin at ``offset[k]``."""
        part = slice(int(offset[k]), int(offset[k]) + int(self.num_active[k]))
        return self.active[part], self.v[part]


class Optimum(NamedTuple):
    """What reaches and proves the optimum of one channel: its flow, and tight pairs from which all potentials follow.

    row, column: int32, of pairs; flow: int64; way: int8, 1 where the potential of the column follows from that of the
    row, 2 where that of the row follows from the column's, else 0; start: int64 (n, 2), over ``scale``, potentials of
    rows and columns that follow from no pair.  All others have 0.
    """

    row: Int32
    column: Int32
    flow: Int64
    way: npt.NDArray[np.int8]
    start: Int64
    scale: int


class Scratch(NamedTuple):
    """From the caller: allocating it in the kernels would double their compile time.

    marks: int64 (5, ...): the number of a column, the place of an edge, the row of a number, the levels of both.
    The others with ``small``: the problem between levels; top: its weights.
    """

    rows: Side
    columns: Side
    edge: Int64
    heap: Int64
    marks: Int64
    top: Int64
    small_rows: Side
    small_columns: Side
    small_edge: Int64
