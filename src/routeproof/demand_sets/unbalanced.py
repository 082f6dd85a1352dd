"""Every rate of sending up to 1, a family of sets: the worst case is the least rate that saturates a channel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .demand_set import DemandSet
from .named import NamedSet


@dataclass(frozen=True, eq=False)
class Unbalanced(DemandSet):
    """For every rate up to 1: terminals send at most the rate and receive at most 1.

    The worst case over it is the smallest rate that saturates a channel (Towles & Dally 2002, sec. 2.1).
    """

    text: str = "unbalanced"
    is_family: ClassVar[str] = "it is a family of sets, one for every rate; hose:FILE says what each terminal sends"
    stands_alone: ClassVar[str] = is_family
    no_best: ClassVar[str] = (
        "is a family of sets, one for every rate, and has no one best routing: hose:FILE says what each terminal sends "
        "and receives (at rate 1 it is permutations)"
    )

    @property
    def judged_by(self) -> str:
        return "rates"


UNBALANCED = NamedSet(
    "unbalanced",
    "terminals receive at most 1: the least rate of sending that overloads something",
    lambda given: Unbalanced(given.size),
)
