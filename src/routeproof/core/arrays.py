"""Numpy arrays as the objects of the package hold them: read-only, ragged by offsets, checked entry by entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from .errors import InputError

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Float64 = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.integer]
Array = TypeVar("Array", bound="npt.NDArray[Any]")


def first_true(mask: npt.NDArray[np.bool_]) -> int | None:
    """The first index at which a flat mask is true; None where it is true nowhere."""
    return int(mask.argmax()) if mask.any() else None


def read_only(array: Array) -> Array:
    """The same array, no longer writable."""
    array.setflags(write=False)
    return array


def frozen(values: npt.NDArray[np.integer]) -> Int32:
    """A read-only flat int32 copy."""
    return read_only(np.array(values, dtype=np.int32, order="C").reshape(-1))


def offsets_of(lengths: npt.NDArray[np.integer] | Sequence[int]) -> Int64:
    """int64 (K + 1,): part k of a ragged array is ``offset[k]:offset[k + 1]``, for parts of these ``lengths`` (K,)."""
    offset = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offset[1:])
    return offset


def members(offset: Int64) -> Int64:
    """int64 (nnz,): to which part of a ragged array with these offsets (K + 1,) each of its entries belongs."""
    return np.repeat(np.arange(len(offset) - 1, dtype=np.int64), np.diff(offset))


def int32_array(values: Any, *, what: str, size: int | None = None, below: int | None = None) -> Int32:
    """A read-only int32 copy of ``values``; raises InputError unless they are ``size`` integers in 0 .. below-1."""
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise InputError(f"{what} must be a flat list of integers; found {array.dtype} with shape {array.shape}")
    if size is not None and len(array) != size:
        raise InputError(f"{what} has {len(array)} entries; {size} were expected")
    if below is not None and array.size:
        low, high = int(array.min()), int(array.max())
        if low < 0 or high >= below:
            bad = low if low < 0 else high
            where = int(np.nonzero(array == bad)[0][0])
            raise InputError(f"{what}[{where}] is {bad}; it must be between 0 and {below - 1}")
    return read_only(array.astype(np.int32))
