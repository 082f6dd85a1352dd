"""The dense system in the potentials that is left when every block's flows are eliminated.

    S = P' (W - W^2 / D) P + A' diag(u / t) A + diag(v / p) + sum over b of G_b' L_b^-1 G_b,

one half of it kept, once.  Blocks are added as they are made: a few at a time exist.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from .blocks import Blocks
from .cholesky import factor_in_place, solve_factored

__all__ = ["PotentialSystem"]

Float64 = npt.NDArray[np.float64]
Int64 = npt.NDArray[np.int64]


class PotentialSystem:
    """The factors of S and of every block's Laplacian for one set of weights.

    ``factor`` raises numpy.linalg.LinAlgError where S is not positive definite, as far as floating point can tell.
    """

    def __init__(self, blocks: Blocks, loads: Any) -> None:
        from .kernels import factor_size

        self._blocks, self._loads = blocks, loads
        self._local, self._pa, self._pb = _local_potentials(blocks)
        sizes = [int(factor_size(self._groups(k))) for k in range(len(blocks.first) - 1)]
        self._first_factor = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self._factors = np.empty(int(self._first_factor[-1]))
        self._matrix = np.empty((0, 0))

    def factor_flows(self, inverse: Float64) -> None:
        """Only the Laplacians, for D^-1 = ``inverse``: what ``laplace`` needs."""
        from .kernels import factor_block

        b, none = self._blocks, np.zeros(self._blocks.num_variables, dtype=np.int64)
        for k in range(len(b.first) - 1):
            here, row = slice(int(b.first[k]), int(b.first[k + 1])), int(b.first_row[k])
            factor_block(
                self._groups(k), b.row1[here] - row, b.row2[here] - row, b.entry1[here], b.entry2[here], inverse[here],
                np.zeros(here.stop - here.start), none[here], none[here], 1, self._part(k),
            )  # fmt: skip

    def factor(
        self, w: Float64, d: Float64, *, flow: Float64, load: Float64, potential: Float64, pool: ThreadPoolExecutor
    ) -> None:
        """``w``: W, ``d``: D, ``flow``: W - W^2 / D, each by variable; ``load``: u / t; ``potential``: v / p."""
        from .kernels import add_pairs, add_rows

        q = len(potential)
        if len(self._matrix) != q:
            self._matrix = np.empty((q, q))
        matrix, b = self._matrix, self._blocks
        matrix[:] = 0.0
        add_pairs(matrix, b.row_potential, b.column_potential, flow)
        add_rows(matrix, self._loads.indptr, self._loads.indices, self._loads.data, load)
        matrix[np.arange(q), np.arange(q)] += potential
        inverse, ratio = 1.0 / d, w / d
        lock = Lock()
        for job in [pool.submit(self._add, k, inverse, ratio, lock) for k in range(len(b.first) - 1)]:
            job.result()
        matrix[np.arange(q), np.arange(q)] *= 1.0 + 1e-13
        factor_in_place(matrix, pool)

    def _add(self, k: int, inverse: Float64, ratio: Float64, lock: Lock) -> None:
        from .kernels import add_block, factor_block

        b = self._blocks
        here = slice(int(b.first[k]), int(b.first[k + 1]))
        row, at = int(b.first_row[k]), self._local[k]
        part = factor_block(
            self._groups(k), b.row1[here] - row, b.row2[here] - row, b.entry1[here], b.entry2[here], inverse[here],
            ratio[here], self._pa[here], self._pb[here], len(at),
            self._part(k),
        )  # fmt: skip
        with lock:
            add_block(self._matrix, at, part)

    def _part(self, k: int) -> Float64:
        return self._factors[self._first_factor[k] : self._first_factor[k + 1]]

    def _groups(self, k: int) -> Int64:
        b = self._blocks
        return np.asarray(b.groups[b.first_group[k] : b.first_group[k + 1] + 1] - b.first_row[k])

    def solve(self, right: Float64) -> Float64:
        """S^-1 ``right``."""
        return solve_factored(self._matrix, right)

    def laplace(self, right: Float64) -> Float64:
        """L^-1 ``right``, all blocks."""
        from .kernels import solve_blocks

        b = self._blocks
        return np.asarray(solve_blocks(b.groups, b.first_group, b.first_row, self._first_factor, self._factors, right))


def _local_potentials(blocks: Blocks) -> tuple[list[Int64], Int64, Int64]:
    """The potentials of every block, and the two of every variable as numbers among them."""
    local, pa, pb = [], np.empty(blocks.num_variables, np.int64), np.empty(blocks.num_variables, np.int64)
    everything = np.arange(blocks.num_potentials)
    for k in range(len(blocks.first) - 1):
        here = slice(int(blocks.first[k]), int(blocks.first[k + 1]))
        both = np.concatenate([blocks.row_potential[here], blocks.column_potential[here]])
        names = np.unique(both)
        if 2 * len(names) > len(everything):
            names = everything
        local.append(names)
        pa[here] = np.searchsorted(names, blocks.row_potential[here])
        pb[here] = np.searchsorted(names, blocks.column_potential[here])
    return local, pa, pb
