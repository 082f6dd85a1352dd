"""Traffic: how much every terminal sends to every other, exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy.typing as npt

from .check import shown
from .errors import InputError
from .permutation import Permutation
from .rational import as_int_array

__all__ = ["Traffic"]


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

    @staticmethod
    def uniform(size: int) -> Traffic:
        return Traffic("uniform", size)

    @staticmethod
    def of_permutation(permutation: Permutation, *, name: str = "permutation") -> Traffic:
        return Traffic(name, len(permutation), permutation=permutation)

    @staticmethod
    def of_matrix(rate: Sequence[Sequence[Fraction]], *, name: str = "matrix") -> Traffic:
        """From T rows of T fractions; raises InputError unless every rate >= 0 and every row and column sum <= 1."""
        size = len(rate)
        for i, row in enumerate(rate):
            if len(row) != size:
                raise InputError(f"row {i} of traffic {name} has {len(row)} entries; {size} were expected")
            for j, x in enumerate(row):
                if x < 0:
                    raise InputError(f"traffic {name} from {i} to {j} is {shown(x)}; it cannot be negative")
            if sum(row) > 1:
                raise InputError(
                    f"row {i} of traffic {name} sums to {shown(sum(row, Fraction(0)))}; at most 1 is allowed"
                )
        for j in range(size):
            total = sum((row[j] for row in rate), Fraction(0))
            if total > 1:
                raise InputError(f"column {j} of traffic {name} sums to {shown(total)}; at most 1 is allowed")
        scale = math.lcm(*{x.denominator for row in rate for x in row}) if size else 1
        flat = as_int_array([x.numerator * (scale // x.denominator) for row in rate for x in row])
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
