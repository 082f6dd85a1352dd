"""Cholesky's factor of one large dense matrix, in place, its rows shared by threads.

One thread of BLAS in every call and our own threads around it: two threads of BLAS on two busy cores were measured five
times slower than one.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["factor_in_place", "solve_factored"]

Float64 = npt.NDArray[np.float64]
_TILE = 256
_ROWS = 1024
_SMALL = 2048


def factor_in_place(matrix: Float64, pool: ThreadPoolExecutor) -> None:
    """Replace the lower triangle of ``matrix``, (n, n) in C order, by L with L L' = matrix; what is above is of no use.

    Raises numpy.linalg.LinAlgError where the matrix is not positive definite.
    """
    size = len(matrix)
    if size <= _SMALL:
        _factor_small(matrix)
        return
    for a in range(0, size, _TILE):
        b = min(a + _TILE, size)
        if a:
            _all(pool, [(_update, matrix, a, b, *rows) for rows in _pieces(a, size)])
        lower = np.linalg.cholesky(matrix[a:b, a:b])
        matrix[a:b, a:b] = lower
        inverse = np.ascontiguousarray(np.linalg.inv(lower).T)
        _all(pool, [(_scale, matrix, a, b, *rows, inverse) for rows in _pieces(b, size)])


def _factor_small(matrix: Float64) -> None:
    from scipy.linalg.lapack import dpotrf

    _, wrong = dpotrf(matrix.T, lower=0, clean=0, overwrite_a=1)
    if wrong:
        raise np.linalg.LinAlgError("not positive definite")


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
