"""Traffic: how much every terminal sends to every other, exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import InputError
from .permutation import Permutation
from .rational import INT64_MAX, as_int_array, parse_fraction, shown


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
