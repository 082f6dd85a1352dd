"""What every set of demands declares, whatever its family."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..core.errors import InputError

Pair = tuple[int, int]
"""(source terminal, destination terminal)."""
Matrix = Mapping[Pair, Fraction]
"""A demand: positive rates by pair."""


@dataclass(frozen=True, eq=False)
class DemandSet(ABC):
    """Demands between ``size`` terminals; ``text`` is what made the set (``sparse:16``), for people.

    What a family declares, so that nobody asks which family a set is:

    - ``stands_alone``: why it is not intersected with others; "" of one that is;
    - ``is_family``: why it is several sets, over which there is no one worst demand; "" of one set;
    - ``no_best``: why no routing is the best over it; "" where one is;
    - ``adaptive_load``: what ideal adaptive routing needs, where that is so by definition;
    - ``designed_by``: which method of ``optimum.over`` finds the best routing over it.
    """

    size: int
    text: str
    stands_alone: ClassVar[str] = ""
    is_family: ClassVar[str] = ""
    no_best: ClassVar[str] = ""
    adaptive_load: ClassVar[Fraction | None] = None
    designed_by: ClassVar[str] = ""

    @property
    @abstractmethod
    def judged_by(self) -> str:
        """Which method of ``worst.over`` finds the worst case of a routing over the set."""

    @property
    def transport(self) -> Any:
        """The same demands as a ``TransportSet``, where limits of terminals, of all together and of pairs are all there
        is; else None."""
        return None

    @property
    def listed(self) -> Mapping[str, Matrix] | None:
        """The same demands as mixtures of a few, by name, or as what one of them exceeds; where these say it all."""
        return None

    @property
    def most_packets(self) -> int | None:
        """Where the worst case is a curve over the number of packets: more than so many are never sent."""
        return None

    @property
    def several_jobs(self) -> bool:
        """Are there jobs that limit one another in nothing, so that each has a worst case of its own?"""
        return False

    def check_admits(self, demand: Matrix) -> None:  # noqa: ARG002
        """Raise InputError, saying what is above which limit, unless ``demand`` is in the set."""
        raise InputError(f"no demand by itself shows that it is in {self.text}: {self.is_family or self.stands_alone}")

    def admits(self, demand: Matrix) -> bool:
        """Is ``demand`` known to be in the set?"""
        try:
            self.check_admits(demand)
        except InputError:
            return False
        return True

    def without(self, gone: npt.NDArray[np.bool_]) -> DemandSet:  # noqa: ARG002
        """The demands in which the terminals that are ``gone``, bool (T,), send and receive nothing.

        Raises InputError where nothing is left, and for families without such demands.
        """
        raise InputError(f"what is left of {self.text} without some terminals is not known")

    @property
    def is_symmetric(self) -> bool:
        """Does every renaming of the terminals, and exchanging senders and receivers, give the same demands?"""
        return False

    def __and__(self, other: DemandSet) -> DemandSet:
        """The demands that are in both sets; raises InputError where there can be none, or where one stands alone."""
        if not isinstance(other, DemandSet):
            return NotImplemented
        if self.size != other.size:
            raise InputError(f"{self.text} is about {self.size} terminals, {other.text} about {other.size}")
        both = self._with(other) or other._with(self)
        if both is None:
            alone, rest = (self, other) if self.stands_alone else (other, self)
            raise InputError(f"{alone.text} cannot be combined with {rest.text}: {alone.stands_alone}")
        return both

    def _with(self, other: DemandSet) -> DemandSet | None:  # noqa: ARG002
        """The intersection; None where this family does not know how."""
        return None
