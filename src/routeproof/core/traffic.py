"""Traffic: permutations of terminals, which are worst for oblivious routing, and how much every terminal sends to every
other, exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import first_true, read_only
from .errors import InputError
from .rational import INT64_MAX, as_int_array, parse_fraction, shown

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


@dataclass(frozen=True, eq=False)
class Traffic:
    """A doubly (sub)stochastic matrix Lambda over T terminals (Towles & Dally 2002, sec. 2.2), in one of three forms.

    - uniform: 1/T to every terminal, the source included (``permutation`` and ``numerator`` are None);
    - a ``permutation``;
    - a matrix ``numerator / scale``, shape (T, T), int64 or object.
    """

    name: str
    size: int
    permutation: Permutation | None = None
    numerator: npt.NDArray[Any] | None = None
    scale: int = 1

    def __post_init__(self) -> None:
        if self.size < 1:
            raise InputError(f"traffic {self.name} is between {self.size} terminals; at least one was expected")
        if self.permutation is not None and len(self.permutation) != self.size:
            raise InputError(f"traffic {self.name}: a permutation of {len(self.permutation)} for {self.size} terminals")
        if self.numerator is not None:
            _check_rates(self.name, self.numerator, self.size, self.scale)

    def __repr__(self) -> str:
        return f"<Traffic {self.name[:60]} of {self.size} terminals>"

    @staticmethod
    def uniform(size: int) -> Traffic:
        return Traffic("uniform", size)

    @staticmethod
    def of_permutation(permutation: Permutation, *, name: str = "permutation") -> Traffic:
        return Traffic(name, len(permutation), permutation=permutation)

    @staticmethod
    def of_matrix(rate: Sequence[Sequence[Fraction | int | str]], *, name: str = "matrix") -> Traffic:
        """From T rows of T fractions; raises InputError unless every rate >= 0 and every row and column sum <= 1."""
        size = len(rate)
        rows: list[list[Fraction]] = []
        for i, row in enumerate(rate):
            if len(row) != size:
                raise InputError(f"row {i} of traffic {name} has {len(row)} entries; {size} were expected")
            exact = (x if type(x) is Fraction else parse_fraction(x, what=f"traffic {name} from {i}") for x in row)
            rows.append(list(exact))
        scale = math.lcm(*{x.denominator for row in rows for x in row})
        flat = as_int_array([x.numerator * (scale // x.denominator) for row in rows for x in row])
        return Traffic(name, size, numerator=flat.reshape(size, size), scale=scale)

    @property
    def is_uniform(self) -> bool:
        return self.permutation is None and self.numerator is None

    def rate(self, i: int, j: int) -> Fraction:
        """The exact rate from terminal i to terminal j."""
        if self.permutation is not None:
            return Fraction(int(self.permutation.image[i] == j))
        if self.numerator is not None:
            return Fraction(int(self.numerator[i, j]), self.scale)
        return Fraction(1, self.size)


def _check_rates(name: str, numerator: npt.NDArray[Any], size: int, scale: int) -> None:
    """Raise InputError unless every rate is at least 0 and every row and column sums to at most 1."""
    if numerator.shape != (size, size) or scale < 1 or not (numerator.dtype == object or numerator.dtype.kind == "i"):
        raise InputError(
            f"traffic {name} has rates of shape {numerator.shape} and type {numerator.dtype} over {scale}; integers of "
            f"shape {(size, size)} over a positive scale were expected"
        )
    for i, j in np.argwhere(numerator < 0)[:1].tolist():
        raise InputError(
            f"traffic {name} from {i} to {j} is {shown(Fraction(int(numerator[i, j]), scale))}; it cannot be negative"
        )
    most = int(numerator.max())
    sums = numerator if most * size <= INT64_MAX else numerator.astype(object)
    for axis, what in ((1, "row"), (0, "column")):
        total = sums.sum(axis=axis)
        for k in np.flatnonzero(total > scale)[:1].tolist():
            raise InputError(
                f"{what} {k} of traffic {name} sums to {shown(Fraction(int(total[k]), scale))}; at most 1 is allowed"
            )
