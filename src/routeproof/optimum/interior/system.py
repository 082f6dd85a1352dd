"""The dense system in the potentials that is left when every block's flows are eliminated.

    S = P' (W - W Q D^-1 Q' W) P + A' diag(u / t) A + diag(v / p) + sum over b of G_b' L_b^-1 G_b,

one half of it kept, once.  Blocks are added as they are made: a few at a time exist.  S is factored by Cholesky's
method in place, its rows shared by threads: one thread of BLAS in every call and our own threads around it, since two
threads of BLAS on two busy cores were measured five times slower than one.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from ...core.arrays import Float64, Int64
from .blocks import Blocks
from .kernels import add_block, add_covers, add_differences, add_rows, factor_block, places, solve_blocks

_TILE = 256
_ROWS = 1024
_SMALL = 2048


class Block(NamedTuple):
    """One block for the kernels, its rows numbered from 0: where groups of rows begin and end; by variable the rows
    that it enters (-1: none), with which entries; by cover its variable, and its potentials by the block's own
    numbers."""

    groups: Int64
    row1: Int64
    row2: Int64
    entry1: Float64
    entry2: Float64
    covered: Int64
    cover: Int64


class PotentialSystem:
    """The factors of S and of every block's Laplacian for one set of weights.

    ``factor`` raises numpy.linalg.LinAlgError where S is not positive definite, as far as floating point can tell.
    """

    def __init__(self, blocks: Blocks, loads: Any) -> None:
        self._blocks, self._loads = blocks, loads
        self._local, self._cover = _local_potentials(blocks)
        self._block = [self._block_of(k) for k in range(len(blocks.first) - 1)]
        sizes = [int(places(block.groups)[0][-1]) for block in self._block]
        self._first_factor = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self._factors = np.empty(int(self._first_factor[-1]))
        self._matrix = np.empty((0, 0))

    def factor_flows(self, inverse: Float64) -> None:
        """Only the Laplacians, for D^-1 = ``inverse``: what ``laplace`` needs."""
        none = np.zeros((0, 2), dtype=np.int64)
        for k in range(len(self._blocks.first) - 1):
            here = self._blocks.of(k)
            block = self._block[k]._replace(covered=none[:, 0], cover=none)
            factor_block(block, inverse[here], np.zeros(0), 1, self._part(k))

    def factor(
        self, w: Float64, d: Float64, *, flow: Float64, load: Float64, potential: Float64, pool: ThreadPoolExecutor
    ) -> None:
        """``w``: W, by cover, ``d``: D, by variable; ``flow``: W - W^2 / D, where there is one cover each; ``load``:
        u / t; ``potential``: v / p."""
        q = len(potential)
        if len(self._matrix) != q:
            self._matrix = np.empty((q, q))
        matrix, b = self._matrix, self._blocks
        matrix[:] = 0.0
        add_covers(matrix, b.cover, flow)
        if b.covered is not None:
            add_differences(matrix, b.cover, b.covered, w, d)
        add_rows(matrix, self._loads.indptr, self._loads.indices, self._loads.data, load)
        matrix[np.arange(q), np.arange(q)] += potential
        inverse, ratio = 1.0 / d, w / b.up(d)
        lock = Lock()
        for job in [pool.submit(self._add, k, inverse, ratio, lock) for k in range(len(b.first) - 1)]:
            job.result()
        matrix[np.arange(q), np.arange(q)] *= 1.0 + 1e-13
        factor_in_place(matrix, pool)

    def _add(self, k: int, inverse: Float64, ratio: Float64, lock: Lock) -> None:
        here, at = self._blocks.of(k), self._local[k]
        part = factor_block(self._block[k], inverse[here], ratio[self._blocks.covers(k)], len(at), self._part(k))
        with lock:
            add_block(self._matrix, at, part)

    def _block_of(self, k: int) -> Block:
        b, row = self._blocks, int(self._blocks.first_row[k])
        groups = b.groups[b.first_group[k] : b.first_group[k + 1] + 1] - row
        here, covers = b.of(k), b.covers(k)
        covered = np.arange(here.stop - here.start) if b.covered is None else b.covered[covers] - here.start
        rows = b.row1[here] - row, b.row2[here] - row
        return Block(groups, *rows, b.entry1[here], b.entry2[here], covered, self._cover[covers])

    def _part(self, k: int) -> Float64:
        return self._factors[self._first_factor[k] : self._first_factor[k + 1]]

    def solve(self, right: Float64) -> Float64:
        """S^-1 ``right``."""
        return solve_factored(self._matrix, right)

    def laplace(self, right: Float64) -> Float64:
        """L^-1 ``right``, all blocks."""
        b = self._blocks
        return np.asarray(solve_blocks(b.groups, b.first_group, b.first_row, self._first_factor, self._factors, right))


def _local_potentials(blocks: Blocks) -> tuple[list[Int64], Int64]:
    """The potentials of every block, and those of every cover as numbers among them."""
    local, cover = [], np.empty_like(blocks.cover)
    everything = np.arange(blocks.num_potentials)
    for k in range(len(blocks.first) - 1):
        here = blocks.covers(k)
        names = np.unique(blocks.cover[here])
        if 2 * len(names) > len(everything):
            names = everything
        local.append(names)
        cover[here] = np.searchsorted(names, blocks.cover[here])
    return local, cover


def factor_in_place(matrix: Float64, pool: ThreadPoolExecutor) -> None:
    """Replace the lower triangle of ``matrix``, (n, n) in C order, by L with L L' = matrix; what is above is of no use.

    Raises numpy.linalg.LinAlgError where the matrix is not positive definite.
    """
    from scipy.linalg.lapack import dpotrf

    size = len(matrix)
    if size <= _SMALL:
        _, wrong = dpotrf(matrix.T, lower=0, clean=0, overwrite_a=1)
        if wrong:
            raise np.linalg.LinAlgError("not positive definite")
        return
    for a in range(0, size, _TILE):
        b = min(a + _TILE, size)
        if a:
            _all(pool, [(_update, matrix, a, b, *rows) for rows in _pieces(a, size)])
        lower = np.linalg.cholesky(matrix[a:b, a:b])
        matrix[a:b, a:b] = lower
        inverse = np.ascontiguousarray(np.linalg.inv(lower).T)
        _all(pool, [(_scale, matrix, a, b, *rows, inverse) for rows in _pieces(b, size)])


def _pieces(first: int, end: int) -> list[tuple[int, int]]:
    return [(k, min(k + _ROWS, end)) for k in range(first, end, _ROWS)]


def _all(pool: ThreadPoolExecutor, jobs: list[tuple[Any, ...]]) -> None:
    for job in [pool.submit(*job) for job in jobs]:
        job.result()


def _update(matrix: Float64, a: int, b: int, first: int, end: int) -> None:
    matrix[first:end, a:b] -= matrix[first:end, :a] @ matrix[a:b, :a].T


def _scale(matrix: Float64, a: int, b: int, first: int, end: int, inverse: Float64) -> None:
    matrix[first:end, a:b] = matrix[first:end, a:b] @ inverse


def solve_factored(matrix: Float64, right: Float64) -> Float64:
    """x with L L' x = ``right``, from what ``factor_in_place`` left."""
    from scipy.linalg.lapack import dpotrs

    found, _ = dpotrs(matrix.T, right, lower=0)  # the transpose is in the order that LAPACK wants: nothing is copied
    return np.asarray(found)
