"""A line that bounds a routing's average path length and its load together, and the adversaries that prove one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy.typing as npt

Distance = Callable[[int, int, Sequence[int]], int]
"""``distance(i, j, lengths)``: the shortest by those paths that routings may use, where not all are meant."""


@dataclass(frozen=True)
class SupportingLine:
    """``hops * H + load * w >= total`` for every routing with average path length H and load w.

    The load is the worst case (``adversary.supporting_line``) or that of uniform traffic (``adversary.length_line``).
    """

    hops: Fraction
    load: Fraction
    total: Fraction

    def least_load(self, path_length: Fraction | None = None) -> Fraction | None:
        """The bound on w for routings whose average path length is at most ``path_length``; None if there is none."""
        if not self.load or (self.hops and path_length is None):
            return None
        return (self.total - self.hops * (path_length or 0)) / self.load

    def least_path_length(self, load: Fraction | None = None) -> Fraction | None:
        """The bound on H for routings whose load is at most ``load``; None if there is none."""
        if not self.hops or (self.load and load is None):
            return None
        return (self.total - self.load * (load or 0)) / self.hops


@dataclass(frozen=True, eq=False)
class AdversaryPair:
    """Y_c(source, destination) for every channel c: ``traffic``, int64 or Python's integers (C,), >= 0; between nodes,
    or from a row to a column of ports (``set_adversary``)."""

    source: int
    destination: int
    traffic: npt.NDArray[Any]
