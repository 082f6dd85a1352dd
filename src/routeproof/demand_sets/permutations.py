"""All permutations: the set that is meant where none is given."""

from __future__ import annotations

from fractions import Fraction

from .demand_set import NamedSet
from .transport import TransportSet


def permutations(size: int) -> TransportSet:
    """Every terminal sends at most 1 and receives at most 1."""
    ones = (Fraction(1),) * size
    return TransportSet(size, "permutations", ones, ones)


PERMUTATIONS = NamedSet(
    "permutations",
    "every terminal sends and receives at most one packet per cycle",
    lambda given: permutations(given.size),
    limits=("sends", "receives"),
    one_packet=True,
)
