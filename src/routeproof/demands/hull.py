"""Lists of matrices: the demands that are mixtures of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from ..core.errors import InputError
from .demand_set import DemandSet, Pair

Matrix = Mapping[Pair, Fraction]


@dataclass(frozen=True, eq=False)
class Hull(DemandSet):
    """The convex hull of ``matrices``, each with its positive rates by pair; ``names``: of each, for people.

    The most that the hull makes of any weights is what one of the matrices makes of them.  Every matrix is taken at
    scale 1: its largest load per bandwidth is what traffic engineering calls the maximum link utilisation.
    """

    matrices: tuple[Matrix, ...]
    names: tuple[str, ...]
    stands_alone: ClassVar[str] = "matrices are taken as they are; to limit demands around one, use box:FILE,margin=2"

    def __post_init__(self) -> None:
        if not self.matrices or len(self.names) != len(self.matrices):
            raise InputError(f"{self.text}: {len(self.matrices)} matrices, {len(self.names)} names; one each expected")
        for name, rates in zip(self.names, self.matrices, strict=True):
            if not any(rates.values()):
                raise InputError(f"{self.text}: {name} holds no positive rate")
            for (i, j), x in rates.items():
                if not (0 <= i < self.size and 0 <= j < self.size):
                    raise InputError(f"{self.text}: {name}: pair ({i}, {j}); terminals are 0 to {self.size - 1}")
                if i == j and x:
                    raise InputError(f"{self.text}: {name}: terminal {i} sends to itself; a demand's diagonal is 0")
                if x < 0:
                    raise InputError(f"{self.text}: {name}: terminal {i} sends {x} to {j}; it cannot be negative")
