"""A linear program with whole coefficients: what the solvers are given, and what exact arithmetic judges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

__all__ = ["Program", "Triplets"]

Int64 = npt.NDArray[np.int64]


class Triplets:
    """Coefficients of a matrix while it is being written; those in one place are added up."""

    def __init__(self) -> None:
        self._parts: list[tuple[Int64, Int64, Int64]] = []

    def add(self, rows: npt.ArrayLike, columns: npt.ArrayLike, values: npt.ArrayLike) -> None:
        r, c, x = np.broadcast_arrays(*(np.asarray(part, dtype=np.int64) for part in (rows, columns, values)))
        self._parts.append((r.ravel(), c.ravel(), x.ravel()))

    def summed(self, num_rows: int, num_columns: int) -> tuple[Int64, Int64, Int64]:
        """(start, column, value) by rows: row r is ``start[r]:start[r + 1]``, columns ascending, no zeros."""
        none = np.zeros(0, dtype=np.int64)
        row, column, value = (np.concatenate([none, *(p[k] for p in self._parts)]) for k in range(3))
        key = row * num_columns + column
        order = np.argsort(key, kind="stable")
        key, value = key[order], value[order]
        first = np.nonzero(np.diff(key, prepend=-1))[0]
        value = np.add.reduceat(value, first) if len(first) else value
        key = key[first]
        key, value = key[value != 0], value[value != 0]
        start = np.searchsorted(key, np.arange(num_rows + 1) * num_columns)
        return start.astype(np.int64), key % num_columns, value


@dataclass(frozen=True, eq=False)
class Program:
    """Minimise ``cost . x`` subject to ``A x = b`` in the first ``num_equal`` rows, ``A x >= b`` in the others,
    ``0 <= x`` and, for the columns in ``most``, ``x <= most``.

    A by rows: ``start`` (R + 1,), ``column``, ``value`` (nnz,); ``cost`` (n,); ``bound``: b (R,).  All are whole.
    """

    num_columns: int
    num_equal: int
    start: Int64
    column: Int64
    value: Int64
    bound: Int64
    cost: Int64
    most: dict[int, Fraction]

    @property
    def num_rows(self) -> int:
        return len(self.start) - 1

    def asking(self, cost: Int64, most: dict[int, Fraction]) -> Program:
        """The same constraints with another objective and other upper limits."""
        return replace(self, cost=cost, most=most)
