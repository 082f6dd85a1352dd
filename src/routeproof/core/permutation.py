"""Permutations of terminals: the traffic patterns that are worst for oblivious routing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .arrays import first_true, read_only
from .errors import InputError

_SHOWN = 16


@dataclass(frozen=True, eq=False)
class Permutation:
    """The packet at terminal ``i`` goes to terminal ``image[i]``.

    ``image``: int32, shape (T,), read-only, every terminal exactly once (checked).
    """

    image: npt.NDArray[np.int32]

    def __init__(self, image: Iterable[int] | npt.NDArray[np.integer]) -> None:
        values = np.asarray(list(image) if not isinstance(image, np.ndarray) else image)
        if values.ndim != 1:
            raise InputError(f"image has {values.ndim} dimensions; a flat list of terminals was expected")
        if not values.size:
            raise InputError("image is empty; a permutation of at least one terminal was expected")
        if not np.issubdtype(values.dtype, np.integer):
            raise InputError(f"image holds {values.dtype} values; integers were expected")
        check_image(values)
        object.__setattr__(self, "image", read_only(values.astype(np.int32)))

    def __repr__(self) -> str:
        first = str(self.image[:_SHOWN].tolist())
        return f"Permutation({first})" if len(self) <= _SHOWN else f"<Permutation of {len(self)}: {first[1:-1]}, ...>"

    def __len__(self) -> int:
        return len(self.image)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Permutation) and np.array_equal(self.image, other.image)

    def __hash__(self) -> int:
        return hash(self.image.tobytes())

    def inverse(self) -> Permutation:
        result = np.empty_like(self.image)
        result[self.image] = np.arange(len(self.image), dtype=np.int32)
        return Permutation(result)


def check_image(image: npt.NDArray[np.integer]) -> None:
    """Raise InputError, naming the clash, unless ``image`` is a permutation of 0 .. T-1."""
    size = len(image)
    i = first_true((image < 0) | (image >= size))
    if i is not None:
        raise InputError(
            f"image is not a permutation: terminal {i} goes to {int(image[i])}; terminals are 0 to {size - 1}"
        )
    counts = np.bincount(image, minlength=size)
    j = first_true(counts > 1)
    if j is not None:
        first, second = np.nonzero(image == j)[0][:2].tolist()
        raise InputError(
            f"image is not a permutation: {first} and {second} both go to {j}; nobody goes to {first_true(counts == 0)}"
        )
