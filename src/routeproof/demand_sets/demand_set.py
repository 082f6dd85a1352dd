"""What every set of demands declares, whatever its family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..core.errors import InputError

Pair = tuple[int, int]
"""(source terminal, destination terminal)."""


@dataclass(frozen=True, eq=False)
class DemandSet:
    """Demands between ``size`` terminals; ``text`` is what made the set (``sparse:16``), for people.

    ``stands_alone`` says of a family why it is not intersected with others; "" of one that is.  ``gauged_by`` says how
    adversaries over it are given, "pairs" of ports, "lengths" for its matrices or "flows", and so which gauge of the
    kernel judges them; "" where no bound on all routings is known.
    """

    size: int
    text: str
    stands_alone: ClassVar[str] = ""
    gauged_by: ClassVar[str] = ""

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
